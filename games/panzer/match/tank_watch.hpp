#pragma once
// Watches the tanks of other players, as their owners' updates say: since when each is destroyed, and whether
// it moves as no tank can.

#include <fray/geometry.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include "games/panzer/rules/entity.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray::panzer {

/// The claims of a tank that moved in an impossible way are refused for this long.
inline constexpr Duration kDistrust{2s};

class TankWatch {
public:
    /// One tank, as its owner's newest update says.
    struct Seen {
        SessionInstant stamp{};
        Tank tank{};
        std::optional<SessionInstant> destroyed_at{};      ///< stamp of the first update that said so
        std::optional<SessionInstant> impossible_until{};  ///< its claims are refused until then
    };

    /// The field must outlive this object.
    explicit TankWatch(const Battlefield& field) : field_{&field} {}

    /// A replica as it is in this frame. `slot`: the number of its tank on the screen.
    void see(std::size_t slot, const Replica& replica);
    /// It is not among the replicas any more: what it does until it comes back is unknown.
    void lose(std::size_t slot);

    /// nullptr: not among the replicas.
    [[nodiscard]] const Seen* find(std::size_t slot) const;
    [[nodiscard]] std::uint64_t impossible_moves() const { return impossible_moves_; }

private:
    struct Entry {
        bool is_known = false;
        Seen seen;
        Pose pose{};
        std::vector<std::uint8_t> payload;
    };
    [[nodiscard]] bool could_follow(const Entry& entry, const Replica& replica) const;

    const Battlefield* field_;
    std::vector<Entry> entries_;
    std::uint64_t impossible_moves_ = 0;
};

}  // namespace fray::panzer
