#pragma once
// Recorded round-trip times over time, as in the folders starlink_ping, private5g_ping, mobile_ie_5g4g and
// game_pings.

#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fray::sim {

/// Probes in order of sending.
struct PingTrace {
    std::vector<Duration> at;   ///< since the first
    std::vector<Duration> rtt;  ///< kLostSample if there was no answer

    [[nodiscard]] std::size_t lost() const;
    /// As a latency model. share: 0.5 for half a sample per leg, 1 for a full one.
    [[nodiscard]] TraceLatency latency(double share) const;
};

/// file: starlink_ping/noisl.csv or isl.csv.
[[nodiscard]] Result<PingTrace> load_starlink(const std::string& file);
/// file: the output of `ping`, one probe a second, as in private5g_ping. A missing sequence number is a lost
/// probe.
[[nodiscard]] Result<PingTrace> load_ping_output(const std::string& file);

/// One short burst of pings of a phone that downloads.
struct MobilePing {
    std::uint32_t session = 0;
    bool driving = false;
    Duration at{};
    std::string mode;  ///< 5G, LTE, HSPA+, UMTS, ...
    double speed_kmh = 0;
    std::optional<Duration> average;  ///< nothing if the whole burst was lost
    std::optional<Duration> least;
    std::optional<Duration> most;
    double loss = 0;  ///< share
};
/// file: mobile_ie_5g4g/ping.csv.
[[nodiscard]] Result<std::vector<MobilePing>> load_mobile_pings(const std::string& file);

/// One player's ping as a game server published it; a value holds until the next.
struct GamePings {
    std::string match;
    std::uint32_t player = 0;
    bool bot = false;
    std::vector<Duration> at;
    std::vector<Duration> ping;
    std::vector<double> loss;  ///< share; empty if the game does not publish it

    /// The value every `interval`, from the first to the last row.
    [[nodiscard]] std::vector<Duration> sampled(Duration interval) const;
};
/// file: game_pings/rocketleague_ping.csv.
[[nodiscard]] Result<std::vector<GamePings>> load_rocketleague_pings(const std::string& file);
/// file: game_pings/quakeworld_ping.csv.
[[nodiscard]] Result<std::vector<GamePings>> load_quakeworld_pings(const std::string& file);

}  // namespace fray::sim
