#include "sim/recording.hpp"

#include <optional>
#include <utility>

namespace fray::sim {

namespace {

/// Gives a swarm the recorded inputs, each at its position in the run. Replaces the workload and the code
/// that set up the run.
class Replayer : public Workload {
public:
    Replayer(const Recording& recording, std::vector<World> worlds)
        : recording_{recording}, worlds_{std::move(worlds)}, reader_{recording.inputs} {
        advance();
    }

    void started(Swarm& swarm, PeerIndex, Instant, const Peer&) override { inside(swarm); }
    void frame(Swarm& swarm, PeerIndex, Instant, const Peer&) override { inside(swarm); }
    void event(Swarm& swarm, PeerIndex, Instant, const Peer&, const Event&) override { inside(swarm); }

    /// Gives the inputs between two events.
    Result<void> outside(Swarm& swarm) {
        while (has_next_ && next_.callback == 0 && next_.events <= swarm.counts().events) {
            if (swarm.now() < next_.at) swarm.run_until(next_.at);
            if (Result<void> result = give(swarm); !result) return result;
            advance();
        }
        return {};
    }

private:
    void inside(Swarm& swarm) {
        while (has_next_ && next_.callback != 0 && next_.callback <= swarm.counts().callbacks) {
            (void)give(swarm);  // a failure changes the trace, and so the hash
            advance();
        }
    }

    void advance() {
        has_next_ = given_ < recording_.input_count && codec_.read(reader_, next_);
        ++given_;
    }

    Result<void> give(Swarm& swarm) {
        if (auto* peer = std::get_if<AddedPeer>(&next_.what)) {
            PeerOptions options = peer->options;
            options.world = worlds_[peer->world];
            Result<PeerIndex> added = swarm.add_peer(std::move(options), peer->plan);
            return added ? Result<void>{} : Result<void>{added.error()};
        }
        if (auto* action = std::get_if<Action>(&next_.what)) return swarm.schedule(*action);
        if (auto* partition = std::get_if<Partition>(&next_.what)) return swarm.partition(*partition);
        return give(swarm, std::get<GameCommand>(next_.what));
    }

    static Result<void> give(Swarm& swarm, const GameCommand& command) {
        if (!swarm.alive(command.peer)) return Error{"a command for a peer that is not alive"};
        switch (command.kind) {
            case CommandKind::publish:
            case CommandKind::publish_with_tenure: {
                const auto made = swarm.publish(command.peer, command.state, command.tenure);
                return made ? Result<void>{} : Result<void>{made.error()};
            }
            case CommandKind::update:
                return swarm.update(command.peer, command.entity, command.state);
            case CommandKind::withdraw:
                return swarm.withdraw(command.peer, command.entity);
            case CommandKind::hand_over:
                return swarm.hand_over(command.peer, command.entity, command.to);
            case CommandKind::send:
                return swarm.send(command.peer, command.message);
            case CommandKind::join:
                return swarm.join(command.peer, command.through);
            case CommandKind::choose:
                return swarm.set_consistency(command.peer, command.entity, command.consistency);
            case CommandKind::set_attention:
                return set_attention(swarm, command.peer, command.attention);
            case CommandKind::interact: {
                const auto asked =
                    swarm.interact(command.peer, command.entity, command.target, command.bytes);
                return asked ? Result<void>{} : Result<void>{asked.error()};
            }
            case CommandKind::answer:
                return swarm.answer(command.peer, command.request, command.bytes);
        }
        return {};
    }

    const Recording& recording_;
    std::vector<World> worlds_;
    ArchiveReader reader_;
    InputCodec codec_;
    RecordedInput next_;
    bool has_next_ = false;
    std::uint64_t given_ = 0;
};

/// The recorded worlds, with the code of those that need some.
Result<std::vector<World>> find_worlds(const Recording& recording, const ReplayOptions& options) {
    std::vector<World> worlds = recording.worlds;
    for (std::size_t i = 0; i < worlds.size(); ++i) {
        const std::uint64_t wanted = recording.world_fingerprints[i];
        for (const World& known : options.worlds) {
            if (known.name == worlds[i].name && known.fingerprint() == wanted) worlds[i] = known;
        }
        for (const EntityType& type : worlds[i].types) {
            if (type.fields != nullptr) continue;
            return Error{"recording: the world \"" + worlds[i].name + "\" has the entity type \"" +
                         type.name + "\", which this program does not know or knows differently"};
        }
        if (worlds[i].fingerprint() == wanted) continue;
        return Error{"recording: the world \"" + worlds[i].name + "\" differs from the recorded one"};
    }
    return worlds;
}

}  // namespace

Result<ReplayOutcome> replay(const Recording& recording, const ReplayOptions& options,
                             ReplayListener* listener) {
    Result<std::vector<World>> worlds = find_worlds(recording, options);
    if (!worlds) return worlds.error();
    Result<Swarm> swarm = Swarm::create(recording.options, recording.seed);
    if (!swarm) return Error{"recording: " + swarm.error().message};
    Replayer replayer{recording, std::move(*worlds)};
    swarm->set_workload(&replayer);
    ReplayOutcome outcome;
    outcome.complete = true;
    for (;;) {
        if (Result<void> result = replayer.outside(*swarm); !result) {
            return Error{"recording: " + result.error().message};
        }
        const std::optional<Step> step = swarm->step(recording.end);
        if (!step) break;
        if (listener != nullptr && !listener->on_step(*step, *swarm)) {
            outcome.complete = false;
            break;
        }
    }
    outcome.trace_hash = swarm->trace_hash();
    outcome.same = outcome.complete && outcome.trace_hash == recording.trace_hash;
    outcome.counts = swarm->counts();
    return outcome;
}

}  // namespace fray::sim
