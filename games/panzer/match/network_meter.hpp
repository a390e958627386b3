#pragma once
// What one peer measures of its network while a match runs.

#include <fray/game.hpp>

#include "games/panzer/match/match_report.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>

namespace fray::panzer {

class NetworkMeter {
public:
    /// Call it once per frame, with the replicas of this moment. `eye`: where the player's tank is; only what
    /// its screen shows is measured.
    void frame(const Commands& peer, std::span<const Replica> replicas, const Vec2& eye);
    [[nodiscard]] NetworkReport report() const;

private:
    static constexpr std::size_t kFrames = 20;         // in a second
    static constexpr std::size_t kMostAge = 4000;      // milliseconds
    static constexpr std::uint64_t kSampleEvery = 10;  // frames: ages and round-trip times

    void measure_upload(const Stats& stats, Instant now);
    void measure_replicas(std::span<const Replica> replicas, const Vec2& eye);
    void forget_gone(std::span<const Replica> replicas);
    void measure_links(const Stats& stats);
    [[nodiscard]] double age_quantile(double share) const;

    std::uint64_t frames_ = 0;
    Instant first_{};
    Instant last_{};
    std::uint64_t first_bytes_ = 0;
    std::uint64_t last_bytes_ = 0;
    std::uint64_t most_in_second_ = 0;
    struct Sent {
        Instant at{};
        std::uint64_t bytes = 0;
    };
    std::array<Sent, kFrames + 1> sent_{};  // a ring of the last second
    std::array<std::uint32_t, kMostAge + 1> ages_{};
    std::uint64_t age_count_ = 0;
    double rtt_sum_ms_ = 0;
    std::uint64_t rtt_count_ = 0;
    struct Known {
        Corrections corrections{};
        bool is_alive = false;
    };
    std::map<EntityId, Known> known_;  // tanks, as they were last seen
    std::uint64_t corrected_ = 0;
    double corrected_by_ = 0;
    std::uint64_t replica_frames_ = 0;
    std::uint64_t guided_frames_ = 0;
    std::uint64_t focused_ = 0;  // sum over frames
    double gaps_ms_ = 0;         // likewise
};

}  // namespace fray::panzer
