// What a match in event mode takes as final, with members that are lost, watch, or are slow.

#include <fray/encode.hpp>
#include <fray/random.hpp>

#include "games/panzer/event_warp/event_battle.hpp"
#include "games/panzer/rules/rules.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace fray::panzer {
namespace {

using Warp = EventWarp<EventBattle>;

PeerId id(std::uint64_t number) { return PeerId::from_number(number); }

/// Members of one match; datagrams take 80 to 120 ms, what is sent reliably longer.
class EventWarpTest : public testing::Test {
protected:
    static constexpr Duration kDelay{80ms};

    void add(std::uint64_t number, Duration lag = {}, bool watches = false) {
        EventWarpOptions options{.streams = {.seats = 3, .watches = watches, .most_ahead = most_ahead},
                                 .step = kStepTime};
        options.warp.lag = lag;
        EventBattle first{field, battle};
        auto warp = warps.empty() ? Warp::found(now, id(number), first, options, session())
                                  : Warp::join(now, id(number), first, options);
        for (auto& [other, one] : warps) {
            one->link_up(now, id(number));
            warp.value().link_up(now, other);
        }
        warps[id(number)] = std::make_unique<Warp>(std::move(warp).value());
    }
    void crash(std::uint64_t number) {
        warps.erase(id(number));
        for (auto& [other, one] : warps) one->link_down(now, id(number));
    }
    void run(Duration span) {
        for (const Instant end = now + span; now < end; now += kStepTime) frame();
    }
    /// All members have the same newest final state, which is not old.
    void expect_equal(std::uint64_t desyncs_of_last = 0) {
        Tick common = kLastTick;
        for (auto& [peer, one] : warps) {
            ASSERT_TRUE(one->checkpoints().newest()) << "member " << peer.number();
            common = std::min(common, *one->checkpoints().newest());
        }
        EXPECT_GT(warp(1).times()->begin_of(common), session() - 3s);
        const auto* first = warp(1).checkpoints().find(common);
        ASSERT_NE(first, nullptr);
        for (auto& [peer, one] : warps) {
            const auto* theirs = one->checkpoints().find(common);
            ASSERT_NE(theirs, nullptr) << "member " << peer.number();
            EXPECT_TRUE(*theirs == *first) << "member " << peer.number() << ", tick " << common;
            const bool is_last = peer == warps.rbegin()->first;
            EXPECT_EQ(one->counts().desyncs, is_last ? desyncs_of_last : 0) << "member " << peer.number();
            EXPECT_EQ(one->warp()->counts().refused, 0U) << "member " << peer.number();
        }
    }
    [[nodiscard]] SessionInstant session() const { return SessionInstant{now.time_since_epoch()}; }
    Warp& warp(std::uint64_t number) { return *warps.at(id(number)); }

    Map map = shipped_map("arena").value();
    Battlefield field{map};
    Battle battle = Rules{map}.start({.tanks = 3, .mode = {}, .seed = Seed{1}}).value();
    Instant now{Duration{}};
    RandomStream random{Seed{1}, "net"};
    std::map<PeerId, std::unique_ptr<Warp>> warps;
    Tick most_ahead = 600;
    double talks = 0.1;                 // how often a player says something
    std::map<PeerId, Duration> behind;  // a member's clock
    std::optional<PeerId> pauses;       // a member whose program stands still
    std::function<bool(const PeerId& from, const StreamMessage&)> drops;  // true: it never arrives

private:
    struct Flying {
        Instant due;
        PeerId from;
        StreamMessage message;
    };
    void frame() {
        std::ranges::stable_sort(flying_, {}, &Flying::due);
        for (auto& [due, from, message] : flying_) {
            const auto to = warps.find(message.to);
            if (due > now || message.to == pauses) continue;
            if (to != warps.end()) to->second->handle_message(now, from, message.bytes);
            message.bytes.clear();
        }
        std::erase_if(flying_, [](const Flying& one) { return one.message.bytes.empty(); });
        for (auto& [peer, one] : warps) {
            if (peer != pauses) play(peer, *one, session() - behind[peer]);
        }
    }
    void play(const PeerId& peer, Warp& one, SessionInstant time) {
        one.take_in(time);
        const auto seat = one.streams().seat();
        if (one.game() != nullptr && seat != kNoSeat && random.chance(talks)) {
            EventMessage message{.kind = EventMessage::Kind::angles};
            message.turret = static_cast<Angle>(random.below(65'536));
            (void)one.say(time, message);
        }
        one.send_out(now, time);
        while (auto message = one.poll_message()) {
            if (drops && drops(peer, *message)) continue;
            Instant due = now + kDelay + Duration{random.below(40'000)};
            if (message->delivery == Delivery::ordered) {
                due = std::max(due + kDelay, last_due_[{peer, message->to}] + Duration{1});
                last_due_[{peer, message->to}] = due;
            }
            flying_.push_back({due, peer, std::move(*message)});
        }
    }
    std::deque<Flying> flying_;
    std::map<std::pair<PeerId, PeerId>, Instant> last_due_;
};

TEST_F(EventWarpTest, WhatIsFinalGoesOnAlsoIfTheLastLinesOfALostMemberComeLate) {
    for (std::uint64_t i = 1; i <= 3; ++i) add(i);
    run(3s);
    drops = [](const PeerId& from, const StreamMessage& message) {
        return from == id(3) && message.to == id(2);
    };
    run(500ms);
    crash(3);
    run(10s);
    for (const std::uint64_t i : {1U, 2U}) {
        EXPECT_EQ(warp(i).streams().members().size(), 2U);
        EXPECT_GT(warp(i).committed(), session() - 1s) << "member " << i;
    }
}

TEST_F(EventWarpTest, ASpectatorWithALagHasTheSameFinalStates) {
    for (std::uint64_t i = 1; i <= 3; ++i) add(i);
    run(3s);
    add(9, 500ms, true);
    std::uint64_t compared = 0;
    for (int second = 0; second < 10; ++second) {
        run(1s);
        const auto newest = warp(9).checkpoints().newest();
        if (!newest) continue;
        const auto* theirs = warp(1).checkpoints().find(*newest);
        ASSERT_NE(theirs, nullptr);
        EXPECT_EQ(*warp(9).checkpoints().find(*newest), *theirs) << "tick " << *newest;
        ++compared;
    }
    EXPECT_GT(compared, 5U);
    expect_equal();
}

TEST_F(EventWarpTest, ANewcomerWhoseClockIsBehindSaysNothingThatOthersDoNotGet) {
    for (std::uint64_t i = 1; i <= 2; ++i) add(i);
    run(3s);
    behind[id(3)] = 900ms;
    add(3);
    run(5s);
    ASSERT_NE(warp(3).game(), nullptr);
    expect_equal();
}

TEST_F(EventWarpTest, AStateThatDiffersIsRepairedOnce) {
    for (std::uint64_t i = 1; i <= 3; ++i) add(i);
    run(3s);
    talks = 0;  // otherwise a later message overwrites what differs
    EventMessage unsaid{.kind = EventMessage::Kind::angles, .tank = 2, .turret = 12'345};
    unsaid.tank = static_cast<std::uint16_t>(warp(3).streams().seat());
    (void)warp(3).warp()->add_own(session(), unsaid);
    run(10s);
    expect_equal(1);
    talks = 0.1;
    run(5s);
    expect_equal(1);
}

TEST_F(EventWarpTest, AMemberThatStoodStillForLongSaysNothingThatOthersDoNotGet) {
    most_ahead = 120;
    for (std::uint64_t i = 1; i <= 3; ++i) add(i);
    run(3s);
    for (int i = 0; i < 5; ++i) {
        pauses = id(3);
        run(4s);
        pauses.reset();
        talks = 1;
        run(kStepTime);
        talks = 0;  // otherwise a later message overwrites what differs
        run(4s);
        EXPECT_EQ(warp(1).streams().members().size(), 3U);
        expect_equal();
    }
}

}  // namespace
}  // namespace fray::panzer
