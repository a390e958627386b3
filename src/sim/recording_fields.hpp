#pragma once
// The fields of each type that a recording holds. Every struct is unpacked with structured bindings: if a
// field is added elsewhere, this does not compile until the field is recorded as well (then increment
// Recording::kVersion).

#include <fray/swarm.hpp>

#include "sim/archive.hpp"

#include <string>
#include <vector>

namespace fray::sim {

template <class A>
void fields(A& a, Vec3& v) {
    a(v.x, v.y, v.z);
}
template <class A>
void fields(A& a, Pose& pose) {
    a(pose.position, pose.velocity, pose.yaw, pose.pitch);
}
template <class A>
void fields(A& a, PeerId& id) {
    a(id.bytes);
}
template <class A>
void fields(A& a, EntityId& id) {
    a(id.owner, id.number);
}
template <class A>
void fields(A& a, State& state) {
    auto& [pose, payload, input, type, invalid_field] = state;
    a(pose, payload, input, type, invalid_field);
}
template <class A>
void fields(A& a, Outgoing& message) {
    auto& [bytes, audience, delivery, at] = message;
    auto& [peers, within] = audience;
    a(bytes, peers, within, delivery, at);
}

template <class A>
void fields(A& a, RequestId& request) {
    auto& [asker, number] = request;
    a(asker, number);
}
template <class A>
void fields(A& a, EverQuest& options) {
    auto& [motion_model, validator] = options;
    a(motion_model, validator);
}
template <class A>
void fields(A& a, CentralizedSerialization& options) {
    auto& [serializer] = options;
    a(serializer);
}
template <class A>
void fields(A& a, LocalLag& options) {
    auto& [lag] = options;
    a(lag);
}
template <class A>
void fields(A& a, BucketSync& options) {
    auto& [bucket, depth] = options;
    a(bucket, depth);
}
template <class A>
void fields(A& a, HalfLife& options) {
    auto& [remote_lag] = options;
    a(remote_lag);
}
template <class A>
void fields(A& a, Adaptive& options) {
    auto& [most_lag, least_lag, blend, lag] = options;
    a(most_lag, least_lag, blend, lag);
}
template <class A>
void fields(A& a, Consistency& consistency) {
    auto& [algorithm, interval, horizon] = consistency;
    a(algorithm, interval, horizon);
}

// --- the network ---

template <class A>
void fields(A& a, ConstantLatency& model) {
    auto& [delay] = model;
    a(delay);
}
template <class A>
void fields(A& a, NormalLatency& model) {
    auto& [mean, deviation, least] = model;
    a(mean, deviation, least);
}
template <class A>
void fields(A& a, PoissonLatency& model) {
    auto& [mean, least, step] = model;
    a(mean, least, step);
}
template <class A>
void fields(A& a, LogNormalLatency& model) {
    auto& [median, least, sigma] = model;
    a(median, least, sigma);
}
template <class A>
void fields(A& a, TraceLatency& model) {
    auto& [samples, share, interval] = model;
    a(samples, share, interval);
}
template <class A>
void fields(A& a, PairMatrix& matrix) {
    auto& [size, one_way] = matrix;
    a(size, one_way);
}
template <class A>
void fields(A& a, MatrixLatency& model) {
    auto& [matrix, shuffle, same_site] = model;
    a(matrix, shuffle, same_site);
}
template <class A>
void fields(A& a, WorldLatency& model) {
    auto& [scale, last_mile_median, last_mile_sigma] = model;
    a(scale, last_mile_median, last_mile_sigma);
}
template <class A>
void fields(A& a, LevelShift& shift) {
    auto& [every, mean] = shift;
    a(every, mean);
}
template <class A>
void fields(A& a, Jitter& jitter) {
    auto& [mean, spike_chance, spike_mean] = jitter;
    a(mean, spike_chance, spike_mean);
}
template <class A>
void fields(A& a, Reordering& reordering) {
    auto& [chance, extra] = reordering;
    a(chance, extra);
}
template <class A>
void fields(A& a, Duplication& duplication) {
    auto& [chance, extra] = duplication;
    a(chance, extra);
}
template <class A>
void fields(A& a, IndependentLoss& loss) {
    auto& [mean] = loss;
    a(mean);
}
template <class A>
void fields(A& a, BurstLoss& loss) {
    auto& [mean, burst] = loss;
    a(mean, burst);
}
template <class A>
void fields(A& a, CapacityTrace& trace) {
    auto& [packets_per_ms] = trace;
    a(packets_per_ms);
}
template <class A>
void fields(A& a, LineOptions& line) {
    auto& [kbps, queue_bytes, trace] = line;
    a(kbps, queue_bytes, trace);
}
template <class A>
void fields(A& a, AccessOptions& access) {
    auto& [upload, download] = access;
    a(upload, download);
}
template <class A>
void fields(A& a, Partition& partition) {
    auto& [from, until, groups] = partition;
    a(from, until, groups);
}
template <class A>
void fields(A& a, PathRule& rule) {
    auto& [from, to, latency, jitter, loss] = rule;
    a(from, to, latency, jitter, loss);
}
template <class A>
void fields(A& a, NetworkModel& model) {
    auto& [latency, shift, jitter, keep_order, reordering, duplication, loss, access, partitions, paths] =
        model;
    a(latency, shift, jitter, keep_order, reordering, duplication, loss, access, partitions, paths);
}

// --- the swarm and its peers ---

template <class A>
void fields(A& a, SwarmOptions& options) {
    auto& [network, clock_offset_most, clock_drift_most_ppm, stagger, round] = options;
    a(network, clock_offset_most, clock_drift_most_ppm, stagger, round);
}
template <class A>
void fields(A& a, PeerPlan& plan) {
    auto& [start, through, access, clock_offset, clock_drift_ppm] = plan;
    a(start, through, access, clock_offset, clock_drift_ppm);
}
template <class A>
void fields(A& a, Action& action) {
    auto& [at, kind, peer, through] = action;
    a(at, kind, peer, through);
}
template <class A>
void fields(A& a, FullMesh& mesh) {
    auto& [most_peers, retry, retry_most, forget] = mesh;
    a(most_peers, retry, retry_most, forget);
}
template <class A>
void fields(A& a, PSense& psense) {
    auto& [vision_range, margin, sectors, hop_limit, backups, contacts, sensor_interval, lists_per_round,
           paper_cap_bytes, paper_update_bytes, watchful, most_vision] = psense;
    a(vision_range, margin, sectors, hop_limit, backups, contacts, sensor_interval, lists_per_round,
      paper_cap_bytes, paper_update_bytes, watchful, most_vision);
}
template <class A>
void fields(A& a, Crowd& crowd) {
    auto& [most_peers, most_links, interval] = crowd;
    a(most_peers, most_links, interval);
}
template <class A>
void fields(A&, Broadcast&) {}
template <class A>
void fields(A& a, RandomChoice& choice) {
    auto& [drop] = choice;
    a(drop);
}
template <class A>
void fields(A&, Nearest&) {}
template <class A>
void fields(A& a, Look& look) {
    auto& [yaw, pitch] = look;
    a(yaw, pitch);
}
template <class A>
void fields(A& a, AttentionWeights& weights) {
    auto& [proximity, aim, interaction, look] = weights;
    a(proximity, aim, interaction, look);
}
template <class A>
void fields(A& a, FocusSet& focus) {
    auto& [bandwidth_share, most_gap, least_focus, weights, d_max, aim_average, interval] = focus;
    a(bandwidth_share, most_gap, least_focus, weights, d_max, aim_average, interval);
}
template <class A>
void fields(A& a, LinkOptions& link) {
    auto& [upload_kbps, upload_bytes_per_round, timeout, keep_alive, early_data, most_links] = link;
    a(upload_kbps, upload_bytes_per_round, timeout, keep_alive, early_data, most_links);
}
template <class A>
void fields(A& a, ClockOptions& clock) {
    auto& [interval] = clock;
    a(interval);
}
template <class A>
void fields(A& a, GuidanceOptions& guidance) {
    auto& [enabled, diameter, top_speed, turn_limit, longest_prediction] = guidance;
    a(enabled, diameter, top_speed, turn_limit, longest_prediction);
}
/// Without the world: a recording stores each one once.
template <class A>
void fields(A& a, PeerOptions& options) {
    auto& [id, incarnation, world, overlay, interest, link, clock, count_corrections, consistency, guidance] =
        options;
    a(id, incarnation, overlay, interest, link, clock, count_corrections, consistency, guidance);
}

/// Code cannot be recorded: only the name and layout of an entity type are. That suffices for a bare one;
/// others have no functions until the caller of replay() passes their world.
template <class A>
void fields(A& a, EntityType& type) {
    bool is_bare = type.layout == EntityType::bare("").layout && type.advance == nullptr;
    a(type.name, type.layout, is_bare);
    if constexpr (A::kReading) {
        if (is_bare) type = EntityType::bare(type.name);
    }
}
template <class A>
void fields(A& a, World& world) {
    auto& [name, version, low, high, position_precision, velocity_limit, velocity_precision, angle_bits,
           wrap_x, wrap_y, tick, types] = world;
    a(name, version, low, high, position_precision, velocity_limit, velocity_precision, angle_bits, wrap_x,
      wrap_y, tick, types);
}

}  // namespace fray::sim
