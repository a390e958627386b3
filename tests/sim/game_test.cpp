// One game, written against Commands: in a swarm its commands are the swarm's.

#include <fray/game.hpp>
#include <fray/swarm.hpp>

#include "sim/recording.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace fray {
namespace {

struct Chat {
    std::string text;
};
template <class Stream>
void serialize(Stream& stream, Chat& chat) {
    stream.text(chat.text, 50);
}

/// Every game publishes one entity, greets the session, and pokes each entity that it sees once.
class Poker final : public Game {
public:
    void started(Commands& peer) override {
        entity_ = peer.publish(state_of(Pose{})).value();
        EXPECT_TRUE(peer.send(Chat{"hello"}, Audience::session(), Delivery::ordered));
    }
    void frame(Commands& peer) override {
        ++frames;
        EXPECT_TRUE(peer.update(entity_, state_of({.position = {static_cast<float>(frames), 0, 0}})));
        for (const Replica& replica : peer.replicas()) {
            if (poked_[replica.id]++ != 0) continue;
            EXPECT_TRUE(peer.interact(entity_, replica.id, Chat{"poke"}));
        }
    }
    void event(Commands& peer, const Event& event) override {
        if (const auto* message = std::get_if<Message>(&event)) greetings += message->as<Chat>() ? 1 : 0;
        if (const auto* asked = std::get_if<Asked>(&event)) {
            EXPECT_TRUE(peer.answer(asked->request, Chat{"ouch"}));
        }
        if (const auto* answered = std::get_if<Answered>(&event)) answers += answered->as<Chat>() ? 1 : 0;
    }
    int frames = 0;
    int greetings = 0;
    int answers = 0;

private:
    EntityId entity_;
    std::map<EntityId, int> poked_;
};

struct CommandCounter : Observer {
    std::map<CommandKind, int> accepted;
    void on_command(const Command& command) override { accepted[command.kind] += command.accepted ? 1 : 0; }
};

Swarm make(int peers, Observer& observer) {
    SwarmOptions options;
    options.network.latency = ConstantLatency{.delay = 20ms};
    Swarm swarm = std::move(*Swarm::create(options, Seed{3}));
    swarm.add_observer(&observer);
    for (int i = 0; i < peers; ++i) EXPECT_TRUE(swarm.add_peer(PeerOptions{}));
    return swarm;
}

TEST(GamesInASwarm, GiveTheirCommandsThroughTheSwarm) {
    CommandCounter seen;
    Swarm swarm = make(4, seen);
    GameWorkload games{[](PeerIndex) { return std::make_unique<Poker>(); }};
    swarm.set_workload(&games);
    swarm.run_until(5s);
    int frames = 0;
    for (PeerIndex i = 0; i < 4; ++i) {
        const auto& game = dynamic_cast<const Poker&>(*games.game(i));
        EXPECT_EQ(game.greetings, 3);
        EXPECT_EQ(game.answers, 3);
        frames += game.frames;
    }
    EXPECT_GT(frames, 300);
    EXPECT_EQ(seen.accepted[CommandKind::publish], 4);
    EXPECT_EQ(seen.accepted[CommandKind::update], frames);
    EXPECT_EQ(seen.accepted[CommandKind::send], 4);
    EXPECT_EQ(seen.accepted[CommandKind::interact], 12);
    EXPECT_EQ(seen.accepted[CommandKind::answer], 12);
    EXPECT_EQ(games.game(4), nullptr);
}

TEST(GamesInASwarm, ARecordingOfThemIsReplayedWithoutThem) {
    SwarmOptions options;
    options.network.latency = ConstantLatency{.delay = 20ms};
    options.network.loss = IndependentLoss{.mean = 0.1};
    Swarm swarm = std::move(*Swarm::create(options, Seed{3}));
    sim::Recorder recorder{swarm, "pokers"};
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(swarm.add_peer(PeerOptions{}));
    GameWorkload games{[](PeerIndex) { return std::make_unique<Poker>(); }};
    swarm.set_workload(&games);
    swarm.run_until(5s);
    const auto outcome = sim::replay(recorder.finish(), {}, nullptr);
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->same) << "session-wide audiences are recorded, too";
    EXPECT_GT(outcome->counts.delivered, 100U);
}

TEST(GamesInASwarm, APeerThatRejoinsGetsANewGame) {
    CommandCounter seen;
    Swarm swarm = make(2, seen);
    int made = 0;
    GameWorkload games{[&](PeerIndex) {
        ++made;
        return std::make_unique<Poker>();
    }};
    swarm.set_workload(&games);
    ASSERT_TRUE(swarm.schedule({.at = 2s, .kind = ActionKind::rejoin, .peer = 1, .through = {}}));
    swarm.run_until(5s);
    EXPECT_EQ(made, 3);
    EXPECT_EQ(dynamic_cast<const Poker&>(*games.game(1)).answers, 1);
}

TEST(Swarm, ACommandForAPeerThatIsNotAliveIsAnErrorAndUnseen) {
    CommandCounter seen;
    Swarm swarm = make(3, seen);
    const State state = state_of(Pose{});
    const EntityId entity{PeerId::from_number(1), 1};
    const auto expect_dead = [&](PeerIndex index) {
        const std::string expected =
            "peer " + std::to_string(index) +
            " of the swarm is not alive: it has not started, has left or has crashed";
        const auto message = [](const auto& result) { return result ? "" : result.error().message; };
        EXPECT_EQ(message(swarm.publish(index, state)), expected);
        EXPECT_EQ(message(swarm.update(index, entity, state)), expected);
        EXPECT_EQ(message(swarm.withdraw(index, entity)), expected);
        EXPECT_EQ(message(swarm.send(index, {})), expected);
        EXPECT_EQ(message(swarm.set_consistency(index, entity, {})), expected);
        EXPECT_EQ(message(swarm.interact(index, entity, entity, {})), expected);
        EXPECT_EQ(message(swarm.answer(index, {}, {})), expected);
        EXPECT_EQ(message(swarm.join(index, 0)), expected);
    };
    expect_dead(0);  // not started
    swarm.run_until(2s);
    ASSERT_TRUE(swarm.publish(0, state));
    ASSERT_TRUE(swarm.schedule({.at = 2s, .kind = ActionKind::crash, .peer = 1, .through = {}}));
    ASSERT_TRUE(swarm.schedule({.at = 2s, .kind = ActionKind::leave, .peer = 2, .through = {}}));
    swarm.run_until(2500ms);
    expect_dead(1);
    expect_dead(2);  // left, and sends its goodbyes
    expect_dead(3);  // never added
    swarm.run_until(5s);
    expect_dead(2);
    EXPECT_EQ(seen.accepted, (std::map<CommandKind, int>{{CommandKind::publish, 1}}));
}

}  // namespace
}  // namespace fray
