#pragma once
// What a bot remembers: doors, and of other tanks where each was seen, and when. A bot responds to what it
// saw a reaction time ago.

#include "games/panzer/bots/senses.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace fray::panzer {

inline constexpr std::uint32_t kLookSteps = 6;  ///< a bot looks at its screen ten times a second
inline constexpr std::size_t kMostKnownTanks = 8;
inline constexpr std::size_t kMostLooks = 8;  ///< remembered of one tank: 0.7 s
inline constexpr std::uint32_t kForgetSteps = steps(5);

/// One other tank.
struct KnownTank {
    struct Look {
        std::uint32_t step = 0;
        Vec2 position{};
        Vec2 velocity{};
    };
    std::uint16_t number = kNone;
    std::uint32_t since = 0;  ///< step in which it came into view
    std::uint32_t last = 0;   ///< step in which it was seen last
    bool is_friend = false;
    std::array<Look, kMostLooks> looks{};  ///< a ring
    std::size_t count = 0;                 ///< of all looks

    [[nodiscard]] const Look& newest() const { return looks[(count - 1) % kMostLooks]; }
    /// The newest look that is at least so many steps old; the oldest if none is.
    [[nodiscard]] const Look& look_before(std::uint32_t now, std::uint32_t age) const;
    [[nodiscard]] bool is_noticed(std::uint32_t now, std::uint32_t reaction) const {
        return number != kNone && now - since >= reaction;
    }
    /// Where the player takes it to be: as it was a reaction time ago, moved on by a share of its motion, and
    /// by all of it for another `ahead` seconds.
    [[nodiscard]] Vec2 believed(std::uint32_t now, std::uint32_t reaction, float lead, float ahead) const;
};

class Memory {
public:
    /// The map must outlive this object.
    explicit Memory(const Map& map) : map_{&map}, doors_(map.doors.size()) {}

    void look(const View& view);
    void forget() { known_ = {}; }

    /// The map with its doors as they were seen last; closed before that.
    [[nodiscard]] Ground ground() const { return {*map_, doors_}; }

    [[nodiscard]] const std::array<KnownTank, kMostKnownTanks>& known_tanks() const { return known_; }
    /// nullptr if it is not remembered.
    [[nodiscard]] const KnownTank* find(std::uint16_t number) const;
    [[nodiscard]] bool is_visible(const KnownTank& known) const {
        return known.number != kNone && known.last == now_;
    }

private:
    KnownTank& slot_for(const SeenTank& seen, std::uint32_t now);

    const Map* map_;
    std::vector<Door> doors_;
    std::array<KnownTank, kMostKnownTanks> known_{};
    std::uint32_t now_ = 0;  // step of the last look
};

}  // namespace fray::panzer
