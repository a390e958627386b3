#pragma once
// The receiver's side of guidance alone: a test says which states arrive and when replicas are read.

#include <fray/random.hpp>

#include "consistency/algorithm.hpp"
#include "core/math.hpp"
#include "core/motion.hpp"
#include "core/space.hpp"
#include "guidance/guided_replicas.hpp"
#include "wire/part_context.hpp"

#include <map>
#include <optional>
#include <vector>

namespace fray::test {

class FakeLinks final : public LinkDirectory {
public:
    explicit FakeLinks(LinkNumber count) {
        for (LinkNumber link = 0; link < count; ++link) add(link, PeerId::from_number(link + 2U));
    }
    [[nodiscard]] bool is_proven(LinkNumber) const override { return true; }
    [[nodiscard]] LinkStats stats(LinkNumber) const override { return {}; }
    [[nodiscard]] Duration patience(LinkNumber) const override { return 100ms; }
};

class FakeOutbox final : public Outbox {
public:
    bool send_bits(LinkNumber, MessageKind, std::span<const std::uint8_t>, std::size_t,
                   const Sending&) override {
        return true;
    }
    [[nodiscard]] bool has_room(LinkNumber, std::size_t) const override { return true; }
    void give_up(LinkNumber) override {}
    void wake(LinkNumber) override {}
    [[nodiscard]] std::size_t largest_datagram() const override { return kMaxDatagram; }
};

/// Session time is local time.
class FakeClock final : public TimeSource {
public:
    [[nodiscard]] SessionInstant session_time(Instant now) const override {
        return SessionInstant{now.time_since_epoch()};
    }
    [[nodiscard]] std::uint8_t hops() const override { return 0; }
    [[nodiscard]] std::uint64_t joined_us() const override { return 0; }
};

/// The newest states of others, and our own entity (number 0).
class FakeStates final : public ReplicaReader, public OwnEntities, public CarriedStates {
public:
    struct Held {
        State state;
        SessionInstant when;
        Duration gap = HeardState::kNoGap;
    };
    using Key = std::pair<LinkNumber, std::uint32_t>;

    void hear(LinkNumber link, std::uint32_t number, const State& state, SessionInstant when) {
        const auto known = held.find({link, number});
        if (known != held.end() && when <= known->second.when) return;
        const Duration gap = known == held.end() ? HeardState::kNoGap : when - known->second.when;
        held[{link, number}] = {state, when, gap};
    }
    [[nodiscard]] std::optional<HeardState> newest(LinkNumber link, std::uint32_t number) const override {
        const auto known = held.find({link, number});
        if (known == held.end()) return std::nullopt;
        const auto& [state, when, gap] = known->second;
        return HeardState{number, state.type, state.pose, when, state.payload, state.input, gap};
    }
    [[nodiscard]] std::optional<HeardState> first(LinkNumber link) const override {
        const auto known = held.lower_bound({link, 0});
        if (known == held.end() || known->first.first != link) return std::nullopt;
        return newest(link, known->first.second);
    }
    [[nodiscard]] bool was_withdrawn(LinkNumber, std::uint32_t) const override { return false; }
    [[nodiscard]] const State* own_state(std::uint32_t number) const override {
        return number == 0 ? &own : nullptr;
    }
    [[nodiscard]] SessionInstant own_set_at(std::uint32_t) const override { return own_set; }
    [[nodiscard]] std::optional<State> own_state_at(std::uint32_t, SessionInstant) const override {
        return own;
    }
    [[nodiscard]] std::size_t carried() const override { return 1; }
    [[nodiscard]] HeardState carried_at(std::size_t) const override {
        return {0, own.type, own_told, own_set, own.payload, own.input, {}};
    }
    [[nodiscard]] std::optional<std::uint32_t> first_number() const override { return 0; }

    std::map<Key, Held> held;
    State own;
    Pose own_told;  ///< as receivers restore it
    SessionInstant own_set{};
};

/// Input of a wanderer: how fast it turns, in steps of 1 degree per second; 128 is straight on.
[[nodiscard]] inline Pose advance_wanderer(const Pose& from, std::span<const std::uint8_t>,
                                           std::span<const std::uint8_t> input, std::uint32_t ticks) {
    constexpr float kTick = 0.05F;
    constexpr double kRadians = 3.14159265358979 / 180;
    const float speed = length(from.velocity);
    const float turn = input.empty() ? 0 : static_cast<float>(input[0]) - 128;
    Pose pose = from;
    for (std::uint32_t i = 0; i < ticks && speed > 0; ++i) {
        pose.yaw += turn * kTick;
        const double yaw = static_cast<double>(pose.yaw) * kRadians;
        pose.velocity = {speed * static_cast<float>(math::cos(yaw)),
                         speed * static_cast<float>(math::sin(yaw)), 0};
        pose.position += pose.velocity * kTick;
    }
    while (pose.yaw < 0) pose.yaw += 360;
    while (pose.yaw >= 360) pose.yaw -= 360;
    return pose;
}

/// Runs at some speed and turns, with another input about once per second.
class Wanderer {
public:
    static constexpr Duration kTick = 50ms;

    Wanderer(std::uint64_t seed, float speed) : random_{Seed{seed}, "wanderer"} {
        state_.pose.position = {static_cast<float>(random_.uniform(-80, 80)),
                                static_cast<float>(random_.uniform(-80, 80)), 0};
        state_.pose.velocity = {speed, 0, 0};
        state_.input = {128};
    }
    const State& step() {
        if (random_.chance(0.05)) state_.input[0] = static_cast<std::uint8_t>(68 + random_.below(121));
        const Vec3 home = state_.pose.position * -1.0F;
        if (length(home) > 100) {
            const double there = math::atan2(static_cast<double>(home.y), static_cast<double>(home.x));
            const auto left =
                detail::shorter(static_cast<float>(there * 180 / math::kPi) - state_.pose.yaw, 360);
            state_.input[0] = left > 0 ? 188 : 68;
        }
        state_.pose = advance_wanderer(state_.pose, {}, state_.input, 1);
        return state_;
    }
    [[nodiscard]] const State& state() const { return state_; }
    [[nodiscard]] const Pose& pose() const { return state_.pose; }

private:
    RandomStream random_;
    State state_;
};

/// What the screen showed at one read.
struct Read {
    SessionInstant at{};
    Pose pose;
    ReplicaMode mode{};
    std::vector<std::uint8_t> payload;
    std::optional<Guidance> guidance;
};

/// A peer that shows the entities of others, on flat ground 400 units wide. Replicas are extrapolated for a
/// second, as the default consistency algorithm does.
class GuidedWorld {
public:
    static constexpr float kTopSpeed = 12;
    static constexpr float kDiameter = 3.6F;

    static PeerOptions usual_options() {
        PeerOptions options;
        options.id = PeerId::from_number(1);
        options.world.low = {-200, -200, 0};
        options.world.high = {200, 200, 0};
        options.world.velocity_limit = 16;
        options.world.velocity_precision = 0.05F;
        options.world.types = {EntityType::bare("wanderer", &advance_wanderer)};
        options.guidance = {
            .enabled = true, .diameter = kDiameter, .top_speed = kTopSpeed, .turn_limit = 180};
        return options;
    }
    explicit GuidedWorld(const PeerOptions& given = usual_options()) : options{given} {}

    void hear(SessionInstant when, const State& state, LinkNumber link = 0) {
        states.hear(link, 0, state, when);
    }
    void hear(SessionInstant when, const Pose& pose) {
        hear(when, State{.pose = pose, .payload = {}, .input = {}});
    }
    /// Without guidance: dead reckoning.
    [[nodiscard]] Shown read_directly(SessionInstant now, LinkNumber link = 0) const {
        return extrapolate({.world = &options.world, .horizon = 1s}, *states.newest(link, 0), now);
    }
    Read read(SessionInstant now, LinkNumber link = 0) {
        const HeardState heard = *states.newest(link, 0);
        const Shown direct = read_directly(now, link);
        Replica replica{};
        replica.pose = replica.target = direct.pose;
        replica.received = heard.pose;
        replica.payload = heard.payload;
        guided.show(link, heard, now, replica);
        return {now,
                replica.pose,
                replica.mode,
                {replica.payload.begin(), replica.payload.end()},
                replica.guidance == nullptr ? std::nullopt : std::optional{*replica.guidance}};
    }
    [[nodiscard]] float moved(const Read& before, const Read& after) const {
        return length(way(options.world, before.pose.position, after.pose.position));
    }
    [[nodiscard]] static float limit(const Read& before, const Read& after) {
        const float hurry = after.mode == ReplicaMode::converging ? 1.25F : 1;
        return kTopSpeed * hurry * static_cast<float>(seconds(after.at - before.at));
    }

    PeerOptions options;
    PoseCodec codec{options.world};
    FakeClock clock;
    FakeLinks links{4};
    FakeOutbox out;
    Mailbox mailbox;
    RejectionCounts rejections;
    PartContext context{options.id, options, codec, clock, links, out, mailbox, rejections};
    FakeStates states;
    GuidedReplicas guided{context, states, states, states};
};

[[nodiscard]] inline SessionInstant moment(Duration d) { return SessionInstant{d}; }

}  // namespace fray::test
