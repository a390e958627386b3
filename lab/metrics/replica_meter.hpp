#pragma once
// What screens show of other peers' entities, beside the truth: in focus, where updates come in every frame,
// and out of focus, where they come seldom and a guide steers the replica (Donnybrook). All lengths are in
// units of the world, all times are session time.

#include <fray/guide.hpp>
#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace fray::lab {

/// One replica on one screen, in one frame.
struct ReplicaSample {
    SessionInstant at{};
    SessionInstant stamp{};     ///< of the newest update
    Vec3 shown{};               ///< on the screen
    Vec3 reckoned{};            ///< what dead reckoning would show instead
    Vec3 truth{};               ///< where the owner has it
    std::uint32_t updates = 0;  ///< that arrived since the last frame
    ReplicaMode mode{};
    bool in_focus = false;  ///< its owner sends it to this peer in every frame
    bool is_there = true;   ///< on the screen and in truth: not destroyed
    /// The rules of the game let it get here from the last sample: heading, turret, walls.
    bool is_possible = true;
};

struct ReplicaLimits {
    float top_speed = 0;  ///< units per second, of the fastest entity
    float diameter = 0;   ///< units
    /// A converging replica may exceed top speed by this share.
    float converging_extra = 0.25F;
    float unit = 1;  ///< units: a twentieth of it is the precision of all figures
};

class ReplicaMeter {
public:
    explicit ReplicaMeter(const ReplicaLimits& limits);

    /// Once per frame for each replica of each screen that is measured.
    void see(PeerIndex viewer, PeerIndex owner, const ReplicaSample& sample);

    /// In focus, or out of it.
    struct Group {
        Histogram age_ms{0, 5, 2000};
        Histogram error{0, 0.05, 4000};
        Histogram reckoned_error{0, 0.05, 4000};
        std::uint64_t updates = 0;
        double seconds = 0;  ///< of all replicas together

        [[nodiscard]] double rate_hz() const {
            return seconds == 0 ? 0 : static_cast<double>(updates) / seconds;
        }
    };
    [[nodiscard]] const Group& focused() const { return focused_; }
    [[nodiscard]] const Group& unfocused() const { return unfocused_; }
    /// Mean time that a replica stays in focus, seconds.
    [[nodiscard]] double focus_stay_s() const {
        return focus_stays_ == 0 ? 0 : focused_.seconds / static_cast<double>(focus_stays_);
    }
    /// Longest time without an update of a replica out of focus, seconds.
    [[nodiscard]] const Histogram& gaps_s() const { return gaps_; }
    /// From the moment a guided replica came into focus until it was within a diameter of where the frequent
    /// updates say, milliseconds. The paper's convergence.
    [[nodiscard]] const Histogram& near_ms() const { return near_; }
    /// The same until it was shown directly.
    [[nodiscard]] const Histogram& converged_ms() const { return converged_; }
    /// Steps on the screen.
    struct Steps {
        Histogram jumps{0, 0.01, 5000};  ///< the part of a frame's step that no tank could drive
        double longest = 0;              ///< of them
        std::uint64_t warps =
            0;  ///< that exceed what a tank can drive by more than a quarter of its diameter
    };
    [[nodiscard]] const Steps& shown() const { return shown_; }
    [[nodiscard]] const Steps& reckoned() const { return reckoned_; }  ///< of dead reckoning
    /// Steps that the rules do not allow; faster ones by more than the precision of a position.
    [[nodiscard]] std::uint64_t impossible() const { return impossible_; }
    /// As a rate: of one replica.
    [[nodiscard]] double per_minute(std::uint64_t count) const {
        const double minutes = (focused_.seconds + unfocused_.seconds) / 60;
        return minutes == 0 ? 0 : static_cast<double>(count) / minutes;
    }

private:
    struct Seen {
        ReplicaSample last{};
        std::optional<SessionInstant> gained{};  // focus, and it has not converged yet
        bool is_near = false;                    // since then
        SessionInstant updated{};
    };
    void measure_step(const ReplicaSample& before, const ReplicaSample& now, double elapsed);
    void add_step(Steps& steps, double excess) const;
    void measure_convergence(Seen& seen, const ReplicaSample& before, const ReplicaSample& now);

    ReplicaLimits limits_;
    std::map<std::pair<PeerIndex, PeerIndex>, Seen> seen_;
    Group focused_;
    Group unfocused_;
    Histogram gaps_{0, 0.05, 1000};
    Histogram near_{0, 10, 1000};
    Histogram converged_{0, 10, 1000};
    std::uint64_t focus_stays_ = 0;
    Steps shown_;
    Steps reckoned_;
    std::uint64_t impossible_ = 0;
};

}  // namespace fray::lab
