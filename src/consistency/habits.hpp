#pragma once
// How a player handles the keys: each bit of an input counts as one key, and the longer it was held or left
// alone in the past, the longer it is expected to be. So going on from a word of the owner is not "as now,
// for ever" but what is to be expected: a key that is usually let go by then pulls the forecast towards that.
// Only the likeliest few to change are followed: what the owner does with its keys must not cost us our time.

#include "consistency/algorithm.hpp"

#include <array>
#include <vector>

namespace fray {

class Habits {
public:
    static constexpr std::size_t kParts = 3;         ///< of the way ahead, in each of which a key may change
    static constexpr std::size_t kMostForecast = 4;  ///< keys; the others are taken as they are
    /// With what is held now: to the end, and to the middle of each part. From there on, with one changed.
    static constexpr std::size_t kMostModelCalls = 1 + kParts + kParts * kMostForecast;

    /// The newest word tells which keys changed.
    void learn(const Timeline& timeline);
    /// What is to be expected so much after this word, which is the newest. Asks the motion model at most
    /// kMostModelCalls times.
    [[nodiscard]] Pose ahead_of(const Subject& subject, const Moment& word, Duration ahead) const;
    [[nodiscard]] std::size_t heap_bytes() const {
        return keys_.capacity() * sizeof(Key) + last_input_.capacity();
    }

private:
    static constexpr std::size_t kMostKeys = 16;  // that ever change; further ones are taken as they are
    static constexpr Duration kStep{50ms};
    static constexpr std::size_t kSteps = 32;
    using Holds = std::array<float, kSteps + 1>;  // how often a value was held for so many steps, or longer
    struct Key {
        std::size_t bit = 0;
        bool down = false;
        SessionInstant since;
        std::array<Holds, 2> holds{};
    };

    struct Likeliest {
        std::array<std::size_t, kMostForecast> keys{};  // where they stand in keys_, ascending
        std::size_t count = 0;
    };

    void note(std::size_t bit, bool down, SessionInstant when);
    /// How likely a key that has been as it is for `held` changes in the span behind that.
    [[nodiscard]] static float changes(const Key& key, Duration held, Duration from, Duration until);
    /// Of the keys of this word, those likeliest to change within this time.
    [[nodiscard]] Likeliest likeliest(const Moment& word, Duration ahead) const;

    std::vector<Key> keys_;
    std::vector<std::uint8_t> last_input_;
    SessionInstant first_{};  // word
    SessionInstant learnt_{};
};

}  // namespace fray
