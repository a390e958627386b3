#pragma once
// What a player sees of corrections: tanks that jump, and deaths that are taken back. Independent of how the
// battle is kept consistent: the program feeds it with what the screen shows, frame by frame.
//
//     for (each tank) meter.see(number, {position, speed, life, is_alive});
//     meter.end_frame(has_rolled_back);
//
// A tank jumps if it is shown, from one frame to the next, more than a quarter of its diameter farther away
// than its motion allows: than the larger of its speeds in the two frames, times the time between them. Only
// within one life, and not while it is destroyed. A visible rollback is a frame with a rollback in which at
// least one tank jumps.

#include "games/panzer/rules/tank.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace fray::panzer {

inline constexpr float kVisibleJump = 2 * kTankRadius / 4;  ///< metres

struct ShownTank {
    Vec2 position{};
    float speed = 0;         ///< metres per second; the sign does not matter
    std::uint32_t life = 0;  ///< counts its returns to the battle
    bool is_alive = false;
};

struct JumpCounts {
    std::uint64_t jumps = 0;              ///< of single tanks
    std::uint64_t visible_rollbacks = 0;  ///< frames
    std::uint64_t reversed_deaths = 0;    ///< shown, and then shown alive in the same or an earlier life
    std::uint64_t deaths_shown = 0;
};

class JumpMeter {
public:
    /// frame: seconds between two frames.
    explicit JumpMeter(float frame = kStep) : frame_{frame} {}

    void see(std::size_t number, const ShownTank& now) {
        if (number >= tanks_.size()) tanks_.resize(number + 1);
        Seen& seen = tanks_[number];
        if (seen.before) judge(seen, *seen.before, now);
        seen.before = now;
    }
    void end_frame(bool has_rolled_back) {
        if (has_rolled_back && has_jumped_) ++counts_.visible_rollbacks;
        has_jumped_ = false;
    }
    [[nodiscard]] const JumpCounts& counts() const { return counts_; }

private:
    struct Seen {
        std::optional<ShownTank> before;
        std::optional<std::uint32_t> died_in;  // the life in which it was last shown destroyed
    };
    void judge(Seen& seen, const ShownTank& before, const ShownTank& now) {
        if (!now.is_alive && before.is_alive) {
            ++counts_.deaths_shown;
            seen.died_in = now.life;
        }
        if (now.is_alive && seen.died_in && now.life <= *seen.died_in) {
            ++counts_.reversed_deaths;
            seen.died_in.reset();
        }
        if (!now.is_alive || !before.is_alive || now.life != before.life) return;
        const float allowed = std::max(std::abs(before.speed), std::abs(now.speed)) * frame_;
        if (length(now.position - before.position) <= allowed + kVisibleJump) return;
        ++counts_.jumps;
        has_jumped_ = true;
    }

    float frame_;
    std::vector<Seen> tanks_;
    bool has_jumped_ = false;
    JumpCounts counts_;
};

}  // namespace fray::panzer
