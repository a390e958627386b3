// A member of a match in event mode that says anything: refused, counted, and the others go on.

#include <fray/encode.hpp>

#include "games/panzer/event_warp/event_match.hpp"
#include "games/panzer/rules/rules.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

using Warp = EventWarp<EventBattle>;
using Line = Warp::Line;
constexpr PeerId kHonest = PeerId::from_number(1);
constexpr PeerId kLiar = PeerId::from_number(2);

/// An honest player, and a member that writes its lines by hand.
class HostileEvents : public testing::Test {
protected:
    HostileEvents()
        : honest{Warp::found(now, kHonest, EventBattle{field, battle}, options(), SessionInstant{}).value()},
          liar{TickStreams::join(now, kLiar, options().streams).value()} {
        honest.link_up(now, kLiar);
        liar.link_up(now, kHonest);
        run(120);
    }
    static EventWarpOptions options() { return {.streams = {.seats = 2}, .step = kStepTime}; }

    void run(int frames) {
        for (int i = 0; i < frames; ++i) {
            now += kStepTime;
            const SessionInstant session{now.time_since_epoch()};
            const Tick tick = now.time_since_epoch() / kStepTime;
            honest.take_in(session);
            honest.send_out(now, session);
            liar.advance(now, tick);
            while (auto message = honest.poll_message()) liar.handle_message(now, kHonest, message->bytes);
            while (auto message = liar.poll_message()) honest.handle_message(now, kLiar, message->bytes);
            while (liar.poll_line()) {
            }
            while (liar.poll_event()) {
            }
        }
    }
    void lie(const Line& line) { lie(bytes_of(line).value()); }
    void lie(const std::vector<std::uint8_t>& bytes) {
        ASSERT_TRUE(liar.say(liar.promised(), bytes)) << "the streams let it through";
    }
    [[nodiscard]] const TimeWarpCounts& counts() { return honest.warp()->counts(); }

    Map map = shipped_map("duel").value();
    Battlefield field{map};
    Battle battle = Rules{map}.start({.tanks = 2, .mode = {}, .seed = Seed{1}}).value();
    Instant now{Duration{}};
    Warp honest;
    TickStreams liar;
};

TEST_F(HostileEvents, TheLiarIsAMemberAndItsMessagesMoveItsOwnTankOnly) {
    ASSERT_TRUE(liar.is_member());
    ASSERT_EQ(liar.seat(), 1U);
    const EventTank before = honest.game()->tanks()[0];
    Line line{.kind = Line::Kind::message, .number = 1};
    line.message = {.kind = EventMessage::Kind::move, .tank = 0, .position = {20, 20}};
    lie(line);
    run(10);
    EXPECT_EQ(honest.game()->tanks()[1].tank.position, (Vec2{20, 20}));
    EXPECT_EQ(honest.game()->tanks()[0], before);
}

TEST_F(HostileEvents, LinesThatAreNoneAreRefusedAndCounted) {
    lie(std::vector<std::uint8_t>{0xFF, 0xFF, 0xFF});
    lie(std::vector<std::uint8_t>{});
    lie(Line{.kind = Line::Kind::message, .number = 1, .offset = 16'667});  // of the next tick
    run(10);
    EXPECT_EQ(honest.counts().refused_lines, 3U);
    // A time in the far future, beyond what a reader takes.
    lie(Line{.kind = Line::Kind::null, .number = 1, .offset = ~std::uint64_t{0}});
    run(10);
    EXPECT_EQ(honest.counts().refused_lines, 4U);
}

TEST_F(HostileEvents, TenThousandNullMessagesVoidNothingAndHoldUpNoOne) {
    const SessionInstant before = honest.committed();
    ASSERT_GT(before, SessionInstant{});
    lie(Line{.kind = Line::Kind::executed, .tick = liar.horizon()});
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        lie(Line{.kind = Line::Kind::null, .number = i, .offset = i * 100});
        if (i % 16 == 0) run(1);  // as fast as packets carry lines; a faster member is lost
    }
    run(300);
    ASSERT_TRUE(liar.is_member());
    EXPECT_TRUE(honest.game()->tanks()[0].is_present) << "it cannot void that a player has entered";
    EXPECT_LE(honest.warp()->queue().voids(), TimeWarpOptions{}.most_per_author);
    EXPECT_GT(counts().refused, 0U) << "of times that are final";
    lie(Line{.kind = Line::Kind::executed, .tick = liar.horizon()});
    run(60);
    EXPECT_GT(honest.committed(), before + 4s) << "what is final goes on";
}

TEST_F(HostileEvents, AVoidedMessageIsNotFinalUntilItsAuthorHasExecutedTheNullMessage) {
    lie(Line{.kind = Line::Kind::executed, .tick = liar.horizon()});
    const Tick said = liar.promised();
    Line line{.kind = Line::Kind::message, .number = 1};
    line.message = {.kind = EventMessage::Kind::move, .tank = 0, .position = {20, 20}};
    lie(line);
    run(10);
    lie(Line{.kind = Line::Kind::null,
             .number = 1,
             .offset = static_cast<std::uint64_t>(micros(said * kStepTime))});
    const Tick voided = liar.promised();
    lie(Line{.kind = Line::Kind::executed, .tick = said + 5});
    run(60);
    EXPECT_EQ(honest.committed(), honest.times()->begin_of(said));
    lie(Line{.kind = Line::Kind::executed, .tick = voided + 1});
    run(60);
    EXPECT_EQ(honest.committed(), honest.times()->begin_of(voided + 1));
}

TEST_F(HostileEvents, NullMessagesForTheBeginningInEveryTickDoNotStopWhatBecomesFinal) {
    for (int frame = 0; frame < 600; ++frame) {
        lie(Line{.kind = Line::Kind::null, .number = 1, .offset = 0});
        if (frame % 6 == 0) lie(Line{.kind = Line::Kind::executed, .tick = liar.horizon()});
        run(1);
    }
    ASSERT_TRUE(liar.is_member());
    EXPECT_GT(honest.committed(), SessionInstant{now.time_since_epoch()} - 1s);
}

TEST_F(HostileEvents, AMemberThatNeverSaysWhatItHasExecutedIsLostAndTheOthersGoOn) {
    lie(Line{.kind = Line::Kind::executed, .tick = liar.horizon()});
    run(600);
    const SessionInstant before = honest.committed();
    ASSERT_LT(before, SessionInstant{now.time_since_epoch()} - 5s) << "it holds the match up";
    run(1200);
    EXPECT_EQ(honest.streams().members().size(), 1U);
    EXPECT_GT(honest.committed(), SessionInstant{now.time_since_epoch()} - 1s);
}

TEST_F(HostileEvents, AMessageOfAnotherTimeThanItsTickCannotBeSaid) {
    // The tick of a line is its time: before the horizon, the streams refuse it.
    EXPECT_FALSE(liar.say(liar.promised() - 1, bytes_of(Line{}).value()));
    EXPECT_FALSE(liar.say(liar.promised() + 100'000, bytes_of(Line{}).value()));
}

}  // namespace
}  // namespace fray::panzer
