#pragma once
// The simulated network as plain options: what happens to a datagram between two peers.
//
//   sender -> upload queue -> path (latency + shift + jitter, loss, duplication, reordering) -> download
//   queue -> receiver
//
// Every value applies per direction: A to B and B to A are two paths. Durations are true (simulated) time. A
// swarm uses one NetworkModel for all paths; PathRule overrides single paths, PeerPlan::access single peers.
// Each feature draws from its own random streams, so enabling one never shifts the draws of another.
//
//     auto network = fray::network_profile("same-continent");     // a fitted profile
//     network->loss = fray::BurstLoss{.mean = 0.02, .burst = 3};  // with one change

#include <fray/result.hpp>
#include <fray/time.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace fray {

/// Index of a peer in a swarm: 0, 1, 2, ... in the order of add_peer().
using PeerIndex = std::uint32_t;

/// IPv4 and UDP headers of each datagram, in bytes. Every rate and queue counts them.
inline constexpr std::uint32_t kHeaderBytes = 28;

// --- latency: one-way delay of a datagram; every duration is 0 to 1 h ---

struct ConstantLatency {
    Duration delay{};
};

/// Normally distributed, clamped to at least `least`.
struct NormalLatency {
    Duration mean{};
    Duration deviation{};
    Duration least{};
};

/// `least` plus a Poisson-distributed number of `step`s, uniform within a step. `mean` is the mean of the sum
/// and lies at least half a step above `least`.
struct PoissonLatency {
    Duration mean{};
    Duration least{};
    Duration step{1ms};
};

/// `least` plus a log-normal part; `median` is the median of the sum.
struct LogNormalLatency {
    Duration median{};
    Duration least{};
    double sigma = 0.5;  ///< of the logarithm of the part above `least`; 0 to 5
};

/// Recorded samples in order, repeated. Each direction starts at its own sample, drawn from the seed.
struct TraceLatency {
    /// Round-trip times. A negative value (kLostSample) is a lost probe: the datagram is lost, too.
    std::shared_ptr<const std::vector<Duration>> samples;
    /// Share of a sample that one direction takes, (0, 1]: 0.5 is half an RTT per direction.
    double share = 0.5;
    /// 0: each datagram takes the next sample. Otherwise the time between two samples.
    Duration interval{};
};
inline constexpr Duration kLostSample{-1};

/// One-way delays between sites; need not be symmetric.
struct PairMatrix {
    std::uint32_t size = 0;
    std::vector<Duration> one_way;  ///< [from * size + to], size * size of them
};

struct MatrixLatency {
    std::shared_ptr<const PairMatrix> matrix;
    bool shuffle = true;  ///< assign peers to sites in an order drawn from the seed; false: peer i to site i
    /// Delay between two peers on one site. Sites are shared if there are more peers than sites.
    Duration same_site{500us};
};

/// Any number of peers spread over the world: regions, distances within and between them, detours (so that
/// some paths are shorter via a third peer), and a last mile per peer. Symmetric. Fitted to the PlanetLab
/// matrix; see src/sim/profiles.cpp.
struct WorldLatency {
    double scale = 1;                ///< factor for everything but the last mile; (0, 100]
    Duration last_mile_median{5ms};  ///< one way, per peer, log-normal; 0: none (university hosts)
    double last_mile_sigma = 0.5;    ///< 0 to 5
};

using LatencyModel = std::variant<ConstantLatency, NormalLatency, PoissonLatency, LogNormalLatency,
                                  TraceLatency, MatrixLatency, WorldLatency>;

/// Each pair of peers changes its latency level at intervals, in both directions (satellite hand-over).
struct LevelShift {
    Duration every{};  ///< 0: never. Starlink: 15 s
    Duration mean{};   ///< added to the latency: exponentially distributed with this mean
};

/// Delay added to the latency, drawn per datagram, never negative.
struct Jitter {
    Duration mean{};          ///< exponentially distributed with this mean; 0: none
    double spike_chance = 0;  ///< probability of a spike, added to it
    Duration spike_mean{};    ///< exponentially distributed with this mean: the heavy tail
};

/// A datagram chosen for reordering is held back, so that later ones overtake it.
struct Reordering {
    double chance = 0;     ///< probability, [0, 1]
    Duration extra{10ms};  ///< held back for a time drawn uniformly from [0, extra]
};

/// Sends a second copy, at most `extra` later.
struct Duplication {
    double chance = 0;  ///< probability, [0, 1]
    Duration extra{10ms};
};

// --- loss ---

struct IndependentLoss {
    double mean = 0;  ///< share of datagrams lost, [0, 1]
};

/// Gilbert's model: a direction is in a good state (nothing lost) or a bad one (everything lost) and may
/// change with every datagram. Burst lengths are geometrically distributed.
struct BurstLoss {
    double mean = 0;   ///< share of datagrams lost, [0, 1)
    double burst = 1;  ///< mean number of datagrams lost in a row; at least 1 and at least mean / (1 - mean)
};

using LossModel = std::variant<IndependentLoss, BurstLoss>;

// --- access lines ---

/// Capacity over time: datagrams of 1,500 bytes that the line can carry in each millisecond; repeated.
struct CapacityTrace {
    std::vector<std::uint8_t> packets_per_ms;
};

/// One direction of an access line: a FIFO queue in front of a rate. Datagrams count with kHeaderBytes.
struct LineOptions {
    std::uint32_t kbps = 0;                      ///< 0: no limit
    std::uint32_t queue_bytes = 64 * 1024;       ///< tail drop beyond it; at least 1,228 on a limited line
    std::shared_ptr<const CapacityTrace> trace;  ///< replaces the constant rate
};

struct AccessOptions {
    LineOptions upload;
    LineOptions download;
};

// --- exceptions ---

/// From `from` to `until`, datagrams between different groups are lost. Peers in no group form another one.
struct Partition {
    Duration from{};
    Duration until{};
    std::vector<std::vector<PeerIndex>> groups;
};

/// Overrides the path of one ordered pair. Unset fields keep the model's value.
struct PathRule {
    PeerIndex from = 0;
    PeerIndex to = 0;
    std::optional<LatencyModel> latency;
    std::optional<Jitter> jitter;
    std::optional<LossModel> loss;
};

struct NetworkModel {
    LatencyModel latency = ConstantLatency{};
    LevelShift shift;
    Jitter jitter;
    /// Datagrams of one direction arrive in the order of sending, except those chosen by `reordering` and
    /// second copies. false: arrival follows latency and jitter alone.
    bool keep_order = true;
    Reordering reordering;
    Duplication duplication;
    LossModel loss = IndependentLoss{};
    AccessOptions access;  ///< of every peer without PeerPlan::access
    std::vector<Partition> partitions;
    std::vector<PathRule> paths;

    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
};

/// Returns a built-in network, fitted to measurements (sources: src/sim/profiles.cpp):
///   lan              one local network, RTT well below a millisecond
///   same-continent   median RTT 33 ms
///   other-continent  median RTT 323 ms, heavy tail, some loss
///   starlink         satellite: level shifts every 15 s, spikes, some loss
///   5g               a phone over 5G to a server on the Internet
///   world            peers all over the world, each pair with its own distance
[[nodiscard]] Result<NetworkModel> network_profile(std::string_view name);
[[nodiscard]] std::span<const std::string_view> network_profile_names();

}  // namespace fray
