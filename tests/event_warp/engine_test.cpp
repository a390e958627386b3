// TimeWarp<Game>: messages that other messages cause, and random sessions against a sequential oracle.

#include <fray/random.hpp>
#include <fray/time_warp/time_warp.hpp>

#include "event_warp/small_tanks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace fray {
namespace {

using namespace small_tanks;

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
            peers_[ids_.back()] = std::make_unique<Instance>(
                ids_.back(), TimeWarpOptions{.save_interval = save_interval, .late_by_state = i % 2 == 0});
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
