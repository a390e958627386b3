// Figures 3 to 6 of Panzer Battalion, played by hand; and random sessions against a sequential oracle.

#include <fray/fingerprint.hpp>
#include <fray/random.hpp>
#include <fray/time_warp/time_warp.hpp>

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace fray {
namespace {

constexpr PeerId kA = PeerId::from_number(1);
constexpr PeerId kB = PeerId::from_number(2);
constexpr PeerId kC = PeerId::from_number(3);

/// Tanks that move and destroy each other. Messages are self-sufficient: they say where, not by how much. The
/// owner of a destroyed tank says so (dead), and then that it wants revenge.
struct Tanks {
    struct Tank {
        int place = 0;
        bool is_destroyed = false;
        int kills = 0;
        int deaths_told = 0;
        PeerId enemy{};
        friend bool operator==(const Tank&, const Tank&) = default;
    };
    using State = std::map<PeerId, Tank>;
    struct Message {
        enum class Kind : std::uint8_t { move, shoot, repair, dead, revenge } kind{};
        int place = 0;
        PeerId target{};
        friend bool operator==(const Message&, const Message&) = default;
    };

    [[nodiscard]] State save() const { return tanks; }
    void restore(const State& state) { tanks = state; }
    [[nodiscard]] std::span<const Message> emitted() const { return caused; }
    /// A destroyed tank neither moves nor shoots: such a message should not have been sent.
    bool execute(const Stamp& stamp, const Message& message) {
        using enum Message::Kind;
        caused.clear();
        Tank& tank = tanks[stamp.name.author];
        if (message.kind == repair) tank.is_destroyed = false;
        if (message.kind == revenge) tank.enemy = message.target;
        if (message.kind == dead) {
            ++tank.deaths_told;
            if (stamp.name.author == self) caused.push_back({revenge, 0, message.target});
        }
        if (message.kind != move && message.kind != shoot) return true;
        if (tank.is_destroyed) return false;
        if (message.kind == move)
            tank.place = message.place;
        else
            hit(stamp.name.author, message);
        return true;
    }
    void hit(const PeerId& shooter, const Message& message) {
        Tank& target = tanks[message.target];
        if (target.is_destroyed || target.place != message.place) return;
        target.is_destroyed = true;
        ++tanks[shooter].kills;
        if (message.target == self) caused.push_back({Message::Kind::dead, 0, shooter});
    }
    State tanks;
    std::optional<PeerId> self;  // the peer that emits
    std::vector<Message> caused;
};

using Kind = Tanks::Message::Kind;
constexpr SessionInstant at(int ms) { return SessionInstant{std::chrono::milliseconds{ms}}; }
Tanks::Message shot_at(const PeerId& target, int place) { return {Kind::shoot, place, target}; }
Tanks::Message move_to(int place) { return {Kind::move, place, {}}; }

struct Instance {
    explicit Instance(const PeerId& self, TimeWarpOptions options = {}) : warp{tanks, self, options, at(0)} {
        tanks.self = self;
    }
    Tanks tanks;
    TimeWarp<Tanks> warp;
};

TEST(TimeWarpFigures, Figure3ALateMessageRollsBackToTheSavedStateBeforeIt) {
    Instance a{kA};
    for (const int ms : {20, 150, 230, 320, 450}) a.warp.add_own(at(ms), move_to(ms));
    a.warp.run(at(460));
    EXPECT_EQ(a.warp.counts().rollbacks, 0U);

    a.warp.receive(at(460), {at(210), {kB, 1}}, move_to(7));
    a.warp.run(at(460));
    ASSERT_EQ(a.warp.counts().rollbacks, 1U);
    EXPECT_EQ(a.warp.counts().executed, 9U) << "five, and the three after the straggler again";
    const Rollback rollback = a.warp.take_rollbacks().at(0);
    EXPECT_EQ(rollback.lateness, 250ms);
    EXPECT_EQ(rollback.depth, 260ms) << "the state saved at 200 ms";
    EXPECT_EQ(a.tanks.tanks[kA].place, 450);
    EXPECT_EQ(a.tanks.tanks[kB].place, 7);
}

TEST(TimeWarpFigures, AMessageIsLateIfALaterOneWasExecutedOrALaterStateSaved) {
    Instance a{kA};
    a.warp.add_own(at(110), move_to(1));
    a.warp.run(at(190));
    a.warp.receive(at(190), {at(111), {kB, 1}}, move_to(2));
    a.warp.run(at(195));
    EXPECT_EQ(a.tanks.tanks[kB].place, 2);
    EXPECT_EQ(a.warp.counts().rollbacks, 0U) << "time that has merely passed executes nothing";
    a.warp.receive(at(195), {at(105), {kC, 1}}, move_to(3));
    a.warp.run(at(198));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U) << "messages of 110 and 111 ms were executed";
    a.warp.run(at(210));
    a.warp.receive(at(210), {at(195), {kC, 2}}, move_to(4));
    a.warp.run(at(215));
    EXPECT_EQ(a.warp.counts().rollbacks, 2U) << "the state of 200 ms was saved without it";
    EXPECT_EQ(a.warp.counts().late_messages, 2U);
}

TEST(TimeWarpFigures, SeveralLateMessagesOfOnePassCauseOneRollback) {
    Instance a{kA};
    a.warp.add_own(at(490), move_to(1));
    for (const int ms : {450, 130, 330})
        a.warp.receive(at(500), {at(ms), {kB, 500U - static_cast<unsigned>(ms)}}, move_to(ms));
    a.warp.run(at(510));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U);
    EXPECT_EQ(a.warp.counts().late_messages, 3U);
    EXPECT_EQ(a.warp.take_rollbacks().at(0).lateness, 380ms) << "the largest";
    EXPECT_EQ(a.tanks.tanks[kB].place, 450) << "in the order of their stamps";
}

TEST(TimeWarpFigures, Figures4And5BShotFirst) {
    Instance a{kA};
    a.warp.run(at(90));
    const Stamp own = a.warp.add_own(at(100), shot_at(kB, 0));
    a.warp.run(at(150));
    EXPECT_TRUE(a.tanks.tanks[kB].is_destroyed) << "before the rollback A has shot B";

    a.warp.receive(at(150), {at(95), {kB, 1}}, shot_at(kA, 0));
    a.warp.run(at(160));
    EXPECT_TRUE(a.tanks.tanks[kA].is_destroyed);
    EXPECT_FALSE(a.tanks.tanks[kB].is_destroyed);
    EXPECT_EQ(a.warp.take_nulls(), std::vector<Stamp>{own}) << "A's shot should not have been sent";
    EXPECT_EQ(a.warp.take_emitted().at(0).message.kind, Kind::dead) << "A says that it was destroyed";
    EXPECT_TRUE(a.warp.take_nulls().empty());
}

TEST(TimeWarpFigures, Figure6ANullMessageVoidsItsMessage) {
    Instance c{kC};
    const Stamp shot{at(100), {kA, 1}};
    c.warp.receive(at(110), shot, shot_at(kB, 0));
    c.warp.run(at(150));
    EXPECT_TRUE(c.tanks.tanks[kB].is_destroyed);
    c.warp.receive_null(at(200), kA, shot);
    c.warp.run(at(200));
    EXPECT_FALSE(c.tanks.tanks[kB].is_destroyed);
    EXPECT_EQ(c.tanks.tanks[kA].kills, 0);
    EXPECT_EQ(c.warp.counts().rollbacks, 1U);
}

TEST(TimeWarpFigures, ANullMessageThatComesBeforeItsMessageVoidsItAsWell) {
    Instance c{kC};
    const Stamp shot{at(100), {kA, 1}};
    c.warp.receive_null(at(110), kA, shot);
    c.warp.run(at(150));
    c.warp.receive(at(160), shot, shot_at(kB, 0));
    c.warp.run(at(200));
    EXPECT_FALSE(c.tanks.tanks[kB].is_destroyed);
    EXPECT_EQ(c.warp.counts().rollbacks, 0U) << "there is nothing to undo";
}

TEST(TimeWarpFigures, ANullMessageForAnothersMessageIsRefused) {
    Instance c{kC};
    const Stamp shot{at(100), {kA, 1}};
    c.warp.receive(at(100), shot, shot_at(kB, 0));
    c.warp.receive_null(at(100), kB, shot);
    c.warp.receive(at(100), {at(100), {kC, 9}}, move_to(5));
    c.warp.run(at(200));
    EXPECT_TRUE(c.tanks.tanks[kB].is_destroyed);
    EXPECT_EQ(c.tanks.tanks[kC].place, 0) << "no other peer writes messages of this one";
    EXPECT_EQ(c.warp.counts().refused, 2U);
}

TEST(TimeWarpFigures, TheMiddleQueueHoldsMessagesBackAndMayChangeWhilePlaying) {
    Instance a{kA, {.lag = 200ms}};
    a.warp.add_own(at(5), move_to(3));
    a.warp.receive(at(10), {at(0), {kB, 1}}, move_to(1));
    a.warp.run(at(209));
    EXPECT_EQ(a.tanks.tanks[kB].place, 0);
    a.warp.run(at(210));
    EXPECT_EQ(a.tanks.tanks[kB].place, 1);
    EXPECT_EQ(a.warp.take_rollbacks().at(0).lateness, 210ms);
    a.warp.set_lag(0ms);
    a.warp.receive(at(220), {at(215), {kB, 2}}, move_to(2));
    a.warp.run(at(220));
    EXPECT_EQ(a.tanks.tanks[kB].place, 2);
}

TEST(TimeWarpFigures, AsPublishedSmallLatenessIsIgnored) {
    Instance a{kA, {.ignored_lateness = 20ms}};
    a.warp.add_own(at(95), move_to(0));
    a.warp.receive(at(100), {at(90), {kB, 1}}, move_to(1));
    a.warp.run(at(100));
    EXPECT_EQ(a.warp.counts().rollbacks, 0U);
    EXPECT_EQ(a.warp.counts().ignored, 1U);
    EXPECT_EQ(a.tanks.tanks[kB].place, 1);
    a.warp.receive(at(110), {at(60), {kB, 2}}, shot_at(kA, 0));
    a.warp.run(at(120));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U);
}

TEST(TimeWarpFigures, WhatIsOlderThanTheWindowIsRefusedAndMemoryIsBounded) {
    Instance a{kA, {.window = 1s}};
    for (int ms = 0; ms < 60'000; ms += 50) {
        a.warp.add_own(at(ms), move_to(ms));
        a.warp.run(at(ms + 50));
        ASSERT_LE(a.warp.saved_states(), 13U);
        ASSERT_LE(a.warp.queue().size(), 24U);
    }
    a.warp.receive(at(60'000), {at(100), {kB, 1}}, move_to(1));
    a.warp.run(at(60'010));
    EXPECT_EQ(a.warp.counts().refused, 1U);
    EXPECT_EQ(a.warp.counts().rollbacks, 0U);
}

TEST(TimeWarpFigures, MessagesFromTheFarFutureAreRefused) {
    Instance a{kA, {.ahead = 2s}};
    a.warp.receive(at(0), {at(2001), {kB, 1}}, move_to(1));
    a.warp.receive_null(at(0), kB, {at(9000), {kB, 2}});
    EXPECT_EQ(a.warp.counts().refused, 2U);
    a.warp.receive(at(0), {at(2000), {kB, 3}}, move_to(3));
    a.warp.run(at(1999));
    EXPECT_EQ(a.tanks.tanks[kB].place, 0) << "not before its time";
    a.warp.run(at(2000));
    EXPECT_EQ(a.tanks.tanks[kB].place, 3);
}

TEST(TimeWarpFigures, AFloodOfNullMessagesTakesBoundedWorkAndNoRoomOfOthers) {
    Instance a{kA, {.most_per_author = 100}};
    for (unsigned i = 0; i < 200; ++i) a.warp.receive(at(50), {at(40), {kB, i}}, move_to(1));
    a.warp.run(at(60));
    EXPECT_EQ(a.warp.counts().refused, 100U);
    for (unsigned i = 0; i < 10'000; ++i) a.warp.receive_null(at(100), kB, {at(40), {kB, i}});
    const Stamp shot{at(90), {kC, 1}};
    a.warp.receive(at(100), shot, shot_at(kB, 0));
    a.warp.receive_null(at(100), kC, shot);
    a.warp.run(at(100));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U);
    EXPECT_EQ(a.warp.counts().refused, 100U + 9'900U);
    EXPECT_EQ(a.warp.queue().voids(), 101U);
    EXPECT_EQ(a.warp.queue().size(), 0U);
    EXPECT_FALSE(a.tanks.tanks[kB].is_destroyed);
}

// --- messages that other messages cause ---

TEST(TimeWarpEmissions, AreStampedWithThePresentAndKeptIfTheirCauseHasTheSameEffectAgain) {
    Instance b{kB};
    b.warp.receive(at(300), {at(100), {kA, 1}}, shot_at(kB, 0));
    b.warp.run(at(300));
    const auto sent = b.warp.take_emitted();
    ASSERT_EQ(sent.size(), 2U) << "dead, and what it caused";
    EXPECT_EQ(sent[0].stamp.at, at(300));
    EXPECT_EQ(b.tanks.tanks[kB].enemy, kA);

    b.warp.receive(at(400), {at(50), {kC, 1}}, move_to(5));
    b.warp.run(at(400));
    EXPECT_EQ(b.warp.counts().rollbacks, 1U);
    EXPECT_TRUE(b.warp.take_emitted().empty());
    EXPECT_TRUE(b.warp.take_nulls().empty());
    EXPECT_EQ(b.tanks.tanks[kB].deaths_told, 1);
}

TEST(TimeWarpEmissions, AreVoidedWithWhatTheyCausedIfTheirCauseIsVoided) {
    Instance b{kB};
    const Stamp shot{at(100), {kA, 1}};
    b.warp.receive(at(200), shot, shot_at(kB, 0));
    b.warp.run(at(200));
    const auto sent = b.warp.take_emitted();
    ASSERT_EQ(sent.size(), 2U);
    b.warp.receive_null(at(300), kA, shot);
    b.warp.run(at(300));
    EXPECT_EQ(b.warp.counts().rollbacks, 1U);
    EXPECT_EQ(b.warp.take_nulls(), (std::vector<Stamp>{sent[0].stamp, sent[1].stamp}));
    EXPECT_EQ(b.tanks.tanks[kB], Tanks::Tank{});
}

TEST(TimeWarpEmissions, AreReplacedIfReExecutionGivesOthers) {
    Instance b{kB};
    b.warp.receive(at(200), {at(100), {kA, 1}}, shot_at(kB, 0));
    b.warp.run(at(200));
    const auto first = b.warp.take_emitted();
    b.warp.receive(at(300), {at(90), {kC, 1}}, shot_at(kB, 0));  // C shot first
    b.warp.run(at(300));
    EXPECT_EQ(b.warp.take_nulls(), (std::vector<Stamp>{first.at(0).stamp, first.at(1).stamp}));
    const auto second = b.warp.take_emitted();
    ASSERT_EQ(second.size(), 2U);
    EXPECT_EQ(second[0].message.target, kC);
    EXPECT_EQ(b.tanks.tanks[kB].enemy, kC);
    EXPECT_EQ(b.tanks.tanks[kB].deaths_told, 1);
}

TEST(TimeWarpEmissions, AreVoidedIfTheShotTurnsOutImpossible) {
    Instance b{kB};
    b.warp.receive(at(200), {at(100), {kA, 1}}, shot_at(kB, 0));
    b.warp.run(at(200));
    ASSERT_EQ(b.warp.take_emitted().size(), 2U);
    b.warp.receive(at(300), {at(90), {kC, 1}}, shot_at(kA, 0));  // A was destroyed before it shot
    b.warp.run(at(300));
    EXPECT_EQ(b.warp.take_nulls().size(), 2U);
    EXPECT_FALSE(b.tanks.tanks[kB].is_destroyed);
}

// --- random sessions ---

/// Four peers whose messages take up to 600 ms, in any order, some twice.
class RandomSession {
public:
    RandomSession(Seed seed, Duration save_interval) : random_{seed, "time warp"} {
        for (std::uint64_t i = 1; i <= 4; ++i) {
            ids_.push_back(PeerId::from_number(i));
            peers_[ids_.back()] =
                std::make_unique<Instance>(ids_.back(), TimeWarpOptions{.save_interval = save_interval});
        }
        for (int ms = 0; ms < 8000; ms += kFrame) {
            for (const PeerId& id : ids_) frame(at(ms), id, ms < 5000);
        }
    }
    /// A game that executes in order all messages that were not voided.
    [[nodiscard]] Tanks oracle() const {
        Tanks tanks;
        for (const auto& [stamp, message] : all_) tanks.execute(stamp, message);
        return tanks;
    }
    [[nodiscard]] const auto& peers() const { return peers_; }

private:
    static constexpr int kFrame = 17;
    struct Sent {
        SessionInstant due;
        PeerId to;
        Stamp stamp;
        std::optional<Tanks::Message> message;  // none: a null-message
    };

    void frame(SessionInstant now, const PeerId& id, bool plays) {
        Instance& peer = *peers_[id];
        deliver(now, id, peer);
        if (plays && random_.chance(0.15)) act(now, id, peer);
        peer.warp.run(now + std::chrono::milliseconds{kFrame});
        for (const auto& sent : peer.warp.take_emitted()) {
            all_[sent.stamp] = sent.message;
            send(now, id, sent.stamp, sent.message);
        }
        for (const Stamp& stamp : peer.warp.take_nulls()) {
            all_.erase(stamp);
            send(now, id, stamp, std::nullopt);
        }
    }
    void deliver(SessionInstant now, const PeerId& id, Instance& peer) {
        for (const Sent& sent : flying_) {
            if (sent.to != id || sent.due > now) continue;
            if (sent.message)
                peer.warp.receive(now, sent.stamp, *sent.message);
            else
                peer.warp.receive_null(now, sent.stamp.name.author, sent.stamp);
        }
        std::erase_if(flying_, [&](const Sent& sent) { return sent.to == id && sent.due <= now; });
    }
    void act(SessionInstant now, const PeerId& id, Instance& peer) {
        Tanks::Message message = move_to(static_cast<int>(random_.below(2)));
        if (random_.chance(0.4)) message = shot_at(ids_[random_.below(4)], message.place);
        if (random_.chance(0.2)) message = {Kind::repair, 0, {}};
        if (peer.tanks.tanks[id].is_destroyed && message.kind != Kind::repair) return;
        const Stamp stamp = peer.warp.add_own(now, message);
        all_[stamp] = message;
        send(now, id, stamp, message);
    }
    void send(SessionInstant now, const PeerId& from, const Stamp& stamp,
              const std::optional<Tanks::Message>& message) {
        for (const PeerId& to : ids_) {
            if (to == from) continue;
            flying_.push_back({now + Duration{random_.below(600'000)}, to, stamp, message});
            if (random_.chance(0.1))
                flying_.push_back({now + Duration{random_.below(900'000)}, to, stamp, message});
        }
    }

    RandomStream random_;
    std::vector<PeerId> ids_;
    std::map<PeerId, std::unique_ptr<Instance>> peers_;
    std::vector<Sent> flying_;
    std::map<Stamp, Tanks::Message> all_;
};

TEST(TimeWarp, EveryPeerEndsAsASequentialOracleDoes) {
    std::uint64_t rollbacks = 0;
    std::uint64_t nulls = 0;
    std::uint64_t emitted = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const RandomSession session{Seed{seed}, seed % 2 == 0 ? Duration{100ms} : Duration{20ms}};
        const Tanks oracle = session.oracle();
        for (const auto& [id, peer] : session.peers()) {
            EXPECT_EQ(peer->tanks.tanks, oracle.tanks) << "seed " << seed << ", peer " << id.number();
            EXPECT_EQ(peer->warp.counts().refused, 0U);
            rollbacks += peer->warp.counts().rollbacks;
            nulls += peer->warp.counts().null_messages;
            emitted += peer->warp.counts().emitted;
        }
    }
    EXPECT_GT(rollbacks, 1000U);
    EXPECT_GT(nulls, 50U);
    EXPECT_GT(emitted, 50U);
}

}  // namespace
}  // namespace fray
