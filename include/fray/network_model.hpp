#pragma once
// The simulated network as plain options: what a datagram meets between two peers.
//
//   sender -> upload queue -> path (latency + shift + jitter, loss, duplication, reordering) -> download
//   queue -> receiver
//
// Everything is per direction: A to B and B to A are two paths. Durations are true (simulated) time. A swarm
// takes one NetworkModel for all its paths; PathRule overrides single pairs, PeerPlan::access single peers.
// Every feature draws from random streams of its own, so switching one on never shifts the draws of another.
//
//     auto network = fray::network_profile("same-continent");   // a fitted profile ...
//     network->loss = fray::BurstLoss{.mean = 0.02, .burst = 3};  // ... with one thing changed

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

/// Peers of a swarm are numbered 0, 1, 2, ... in the order of add_peer().
using PeerIndex = std::uint32_t;

/// Headers that the network carries with each datagram (IPv4 + UDP), counted in every rate and queue.
inline constexpr std::uint32_t kHeaderBytes = 28;

// --- latency: how long a datagram is under way in one direction ---

struct ConstantLatency {
    Duration delay{};
};

/// Normally distributed, never below `least`.
struct NormalLatency {
    Duration mean{};
    Duration deviation{};
    Duration least{};
};

/// `least` plus a Poisson-distributed number of `step`s, spread evenly within a step; `mean` is the mean of
/// it all.
struct PoissonLatency {
    Duration mean{};
    Duration least{};
    Duration step{1ms};
};

/// `least` plus a log-normal part; `median` is the median of the whole.
struct LogNormalLatency {
    Duration median{};
    Duration least{};
    double sigma = 0.5;  ///< of the natural logarithm of the part above `least`
};

/// Recorded samples, in order, looped; each direction starts at a place of its own, drawn from the seed.
struct TraceLatency {
    /// Round-trip times; a negative one (kLostSample) means that the probe was lost, and so is the datagram.
    std::shared_ptr<const std::vector<Duration>> samples;
    /// Part of a sample that one direction takes: 0.5 is half an RTT sample per leg, 1 a full sample.
    double share = 0.5;
    /// 0: every datagram takes the next sample. Else: the samples are this far apart in time.
    Duration interval{};
};
inline constexpr Duration kLostSample{-1};

/// One-way delays between sites; not necessarily symmetric.
struct PairMatrix {
    std::uint32_t size = 0;
    std::vector<Duration> one_way;  ///< [from * size + to], size * size of them
};

struct MatrixLatency {
    std::shared_ptr<const PairMatrix> matrix;
    bool shuffle = true;  ///< peers sit on sites in an order drawn from the seed; else peer i on site i
    // With more peers than sites several peers share one; the way between them takes `same_site`.
    Duration same_site{500us};
};

/// Any number of peers spread over the world: regions, distances inside and between them, detours (so that
/// some triangles are shorter by way of a third peer), and a last mile per peer. Symmetric. Fitted to the
/// PlanetLab matrix; see profiles.
struct WorldLatency {
    double scale = 1;                ///< stretches everything but the last mile
    Duration last_mile_median{5ms};  ///< one way, per peer, log-normal; 0: university hosts, none
    double last_mile_sigma = 0.5;
};

using LatencyModel = std::variant<ConstantLatency, NormalLatency, PoissonLatency, LogNormalLatency,
                                  TraceLatency, MatrixLatency, WorldLatency>;

/// Each pair of peers moves to another level from time to time, both directions alike (satellite hand-over).
struct LevelShift {
    Duration every{};  ///< 0: never. Starlink: 15 s
    Duration
        mean{};  ///< levels lie above the latency model's value, exponentially distributed with this mean
};

/// Delay on top of the latency, drawn per datagram, never negative.
struct Jitter {
    Duration mean{};          ///< exponentially distributed with this mean; 0: none
    double spike_chance = 0;  ///< and with this probability a spike as well,
    Duration spike_mean{};    ///< exponentially distributed with this mean: the heavy tail
};

/// A datagram chosen for reordering is held back, and later ones overtake it.
struct Reordering {
    double chance = 0;
    Duration extra{10ms};  ///< held back by a uniform share of this
};

/// A second copy, `extra` later at most.
struct Duplication {
    double chance = 0;
    Duration extra{10ms};
};

// --- loss ---

struct IndependentLoss {
    double mean = 0;  ///< share of datagrams, [0, 1]
};

/// Gilbert's model: a direction is either good (nothing lost) or bad (everything lost), and changes by chance
/// with every datagram; bursts have geometrically distributed lengths.
struct BurstLoss {
    double mean = 0;   ///< share of datagrams, [0, 1)
    double burst = 1;  ///< mean number of datagrams lost in a row; at least 1 and mean / (1 - mean)
};

using LossModel = std::variant<IndependentLoss, BurstLoss>;

// --- the peer's own line ---

/// Capacity over time: how many datagrams of 1,500 bytes the line could carry in each millisecond; looped.
struct CapacityTrace {
    std::vector<std::uint8_t> packets_per_ms;
};

/// One direction of a line: a first-in-first-out queue in front of a rate. Datagrams count with kHeaderBytes.
struct LineOptions {
    std::uint32_t kbps = 0;                      ///< 0: no limit
    std::uint32_t queue_bytes = 64 * 1024;       ///< what does not fit is dropped (tail drop)
    std::shared_ptr<const CapacityTrace> trace;  ///< instead of a constant rate
};

struct AccessOptions {
    LineOptions upload;
    LineOptions download;
};

// --- exceptions ---

/// Between `from` and `until`, datagrams sent from one group to another are lost. Peers in no group form one
/// more.
struct Partition {
    Duration from{};
    Duration until{};
    std::vector<std::vector<PeerIndex>> groups;
};

/// The path of one ordered pair differs from the rest. Unset fields stay as they are.
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
    /// Datagrams of one direction arrive in the order of sending, whatever latency and jitter say; only those
    /// chosen by `reordering`, and second copies, are out of order. false: whoever is faster is first.
    bool keep_order = true;
    Reordering reordering;
    Duplication duplication;
    LossModel loss = IndependentLoss{};
    AccessOptions access;  ///< of every peer, where its PeerPlan says nothing else
    std::vector<Partition> partitions;
    std::vector<PathRule> paths;

    /// Says the first value that cannot be.
    [[nodiscard]] Result<void> check() const;
};

/// Built-in networks, fitted to measurements (sources: src/sim/profiles.cpp):
///   lan              one local network, RTT well below a millisecond
///   same-continent   median RTT 33 ms
///   other-continent  median RTT 323 ms, heavy tail, some loss
///   starlink         satellite: level shifts every 15 s, spikes, some loss
///   5g               a phone over 5G to a server on the Internet
///   world            peers all over the world, each with its own distance to each other
[[nodiscard]] Result<NetworkModel> network_profile(std::string_view name);
[[nodiscard]] std::span<const std::string_view> network_profile_names();

}  // namespace fray
