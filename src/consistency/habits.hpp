#pragma once
// Statistics about how long a player holds keys; each bit of an input is one key. An extrapolation does not
// assume that the input stays as it is: if a key is usually released by then, the predicted position moves
// towards what happens without it, weighted by that probability. Only the few keys most likely to change are
// considered, so the owner's input cannot make the prediction expensive.

#include "consistency/algorithm.hpp"

#include <array>
#include <vector>

namespace fray {

class Habits {
public:
    static constexpr std::size_t kParts = 3;         ///< of the extrapolated time; in each a key may change
    static constexpr std::size_t kMostForecast = 4;  ///< keys; the others are assumed to stay as they are
    /// With the present keys: to the end, and to the middle of each part. From there, with one key changed.
    static constexpr std::size_t kMostModelCalls = 1 + kParts + kParts * kMostForecast;

    /// Learns from the newest update which keys changed.
    void learn(const Timeline& timeline);
    /// The expected pose this long after `update`, which is the newest. Calls the motion model at most
    /// kMostModelCalls times.
    [[nodiscard]] Pose ahead_of(const Subject& subject, const Moment& update, Duration ahead) const;
    [[nodiscard]] std::size_t heap_bytes() const {
        return keys_.capacity() * sizeof(Key) + last_input_.capacity();
    }

private:
    static constexpr std::size_t kMostKeys = 16;  // with statistics; others are assumed not to change
    static constexpr Duration kStep{50ms};
    static constexpr std::size_t kSteps = 32;
    // How often a value was held for i steps; the last one: or longer.
    using Holds = std::array<float, kSteps + 1>;
    struct Key {
        std::size_t bit = 0;
        bool down = false;
        SessionInstant since;
        std::array<Holds, 2> holds{};
    };

    struct Likeliest {
        std::array<std::size_t, kMostForecast> keys{};  // indices into keys_, ascending
        std::size_t count = 0;
    };

    void note(std::size_t bit, bool down, SessionInstant when);
    /// Probability that a key, unchanged for `held`, changes between `from` and `until` after that.
    [[nodiscard]] static float changes(const Key& key, Duration held, Duration from, Duration until);
    /// The keys of this update that are most likely to change within this time.
    [[nodiscard]] Likeliest likeliest(const Moment& update, Duration ahead) const;

    std::vector<Key> keys_;
    std::vector<std::uint8_t> last_input_;
    SessionInstant first_{};   // stamp of the first update
    SessionInstant learnt_{};  // stamp of the newest
};

}  // namespace fray
