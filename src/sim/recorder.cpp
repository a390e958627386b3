#include "sim/recording.hpp"
#include "sim/recording_fields.hpp"

#include <limits>
#include <utility>

namespace fray::sim {

template <class A>
void fields(A& a, AddedPeer& peer) {
    a(peer.world, peer.options, peer.plan);
}

template <class A>
void fields(A& a, GameCommand& command) {
    a(command.peer, command.kind);
    switch (command.kind) {
        case CommandKind::publish:
        case CommandKind::update:
            return a(command.entity, command.state);
        case CommandKind::withdraw:
            return a(command.entity);
        case CommandKind::send:
            return a(command.message);
        case CommandKind::join:
            return a(command.through);
        case CommandKind::choose:
            return a(command.entity, command.consistency);
        case CommandKind::interact:
            return a(command.entity, command.target, command.bytes);
        case CommandKind::answer:
            return a(command.request, command.bytes);
        case CommandKind::publish_with_tenure:
            return a(command.entity, command.state, command.tenure);
        case CommandKind::hand_over:
            return a(command.entity, command.to);
        case CommandKind::set_attention:
            return a(command.attention);
    }
    a.fail();  // no such kind
}

template <class A>
void InputCodec::code(A& archive, RecordedInput& input) {
    const auto difference = [&archive](std::int64_t value, std::int64_t& last) {
        std::int64_t step = A::kReading ? 0 : value - last;
        archive(step);
        // Neither times nor counts decrease, and none overflows.
        const bool possible = step >= 0 && step <= std::numeric_limits<std::int64_t>::max() - last;
        if (!possible) archive.fail();
        last += possible ? step : 0;
        return last;
    };
    input.at = Duration{difference(input.at.count(), at_)};
    input.events = static_cast<std::uint64_t>(difference(static_cast<std::int64_t>(input.events), events_));
    bool inside = input.callback != 0;
    archive(inside);
    if (inside) {
        input.callback =
            static_cast<std::uint64_t>(difference(static_cast<std::int64_t>(input.callback), callback_));
    }
    archive(input.what);
}

void InputCodec::write(RecordedInput& input, std::vector<std::uint8_t>& out) {
    ArchiveWriter writer{out};
    code(writer, input);
}

bool InputCodec::read(ArchiveReader& in, RecordedInput& input) {
    input = RecordedInput{};
    code(in, input);
    return in.ok();
}

Recorder::Recorder(Swarm& swarm, std::string workload, std::vector<Parameter> parameters) : swarm_{swarm} {
    recording_.seed = swarm.seed();
    recording_.options = swarm.options();
    recording_.workload = std::move(workload);
    recording_.parameters = std::move(parameters);
    swarm.add_observer(this);
}

Recording Recorder::finish() const {
    Recording recording = recording_;
    recording.end = swarm_.now();
    recording.trace_hash = swarm_.trace_hash();
    recording.sent = swarm_.counts().sent;
    recording.delivered = swarm_.counts().delivered;
    return recording;
}

void Recorder::add(RecordedInput input) {
    input.at = swarm_.now();
    input.events = swarm_.counts().events;
    input.callback = swarm_.in_callback() ? swarm_.counts().callbacks : 0;
    codec_.write(input, recording_.inputs);
    ++recording_.input_count;
}

std::uint32_t Recorder::world_number(const World& world) {
    const std::uint64_t fingerprint = world.fingerprint();
    for (std::size_t i = 0; i < recording_.worlds.size(); ++i) {
        if (recording_.world_fingerprints[i] == fingerprint) return static_cast<std::uint32_t>(i);
    }
    recording_.worlds.push_back(world);
    recording_.world_fingerprints.push_back(fingerprint);
    return static_cast<std::uint32_t>(recording_.worlds.size() - 1);
}

void Recorder::on_peer_added(PeerIndex, const PeerOptions& options, const PeerPlan& plan) {
    AddedPeer peer{.world = world_number(options.world), .options = options, .plan = plan};
    peer.options.world = World{};
    add({.what = std::move(peer)});
}

void Recorder::on_scheduled(const Action& action) { add({.what = action}); }

void Recorder::on_partition(const Partition& partition) { add({.what = partition}); }

void Recorder::on_command(const Command& command) {
    if (!command.accepted) return;  // it changed nothing
    GameCommand recorded{.peer = command.peer, .kind = command.kind, .entity = command.entity};
    recorded.through = command.through;
    if (command.state != nullptr) recorded.state = *command.state;
    if (command.message != nullptr) recorded.message = *command.message;
    if (command.consistency != nullptr) recorded.consistency = *command.consistency;
    if (command.attention != nullptr) recorded.attention = *command.attention;
    recorded.target = command.target;
    recorded.request = command.request;
    recorded.bytes.assign(command.bytes.begin(), command.bytes.end());
    recorded.tenure = command.tenure;
    recorded.to = command.to;
    add({.what = std::move(recorded)});
}

}  // namespace fray::sim
