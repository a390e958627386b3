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
        EventWarpOptions options{.streams = {.seats = 3, .watches = watches}, .step = kStepTime};
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
    [[nodiscard]] SessionInstant session() const { return SessionInstant{now.time_since_epoch()}; }
    Warp& warp(std::uint64_t number) { return *warps.at(id(number)); }

    Map map = shipped_map("arena").value();
    Battlefield field{map};
    Battle battle = Rules{map}.start({.tanks = 3, .mode = {}, .seed = Seed{1}}).value();
    Instant now{Duration{}};
    RandomStream random{Seed{1}, "net"};
    std::map<PeerId, std::unique_ptr<Warp>> warps;
    std::function<bool(const PeerId& from, const StreamMessage&)> drops;  // true: it never arrives

private:
    struct Flying {
        Instant due;
        PeerId from;
        StreamMessage message;
    };
    void frame() {
        std::ranges::stable_sort(flying_, {}, &Flying::due);
        for (; !flying_.empty() && flying_.front().due <= now; flying_.pop_front()) {
            const auto to = warps.find(flying_.front().message.to);
            if (to != warps.end())
                to->second->handle_message(now, flying_.front().from, flying_.front().message.bytes);
        }
        for (auto& [peer, one] : warps) play(peer, *one);
    }
    void play(const PeerId& peer, Warp& one) {
        one.take_in(session());
        const auto seat = one.streams().seat();
        if (one.game() != nullptr && seat != kNoSeat && random.chance(0.1)) {
            EventMessage message{.kind = EventMessage::Kind::angles};
            message.turret = static_cast<Angle>(random.below(65'536));
            (void)one.say(session(), message);
        }
        one.send_out(now, session());
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
    EXPECT_EQ(warp(9).warp()->counts().refused, 0U);
    EXPECT_EQ(warp(9).counts().desyncs, 0U);
}

}  // namespace
}  // namespace fray::panzer
