// Members that are lost: what the survivors, their keeper of the list and newcomers know of them.

#include <fray/encode.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include "time_warp/stream_messages.hpp"
#include "time_warp/stream_net.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fray {
namespace {

using test::kTimeout;
using test::Net;
using test::Node;

PeerId id(std::uint64_t number) { return PeerId::from_number(number); }

TEST(StreamLosses, ANewcomerLearnsTheSeatsOfMembersThatWereLostBefore) {
    Net net{1};
    for (std::uint64_t i = 1; i <= 4; ++i) net.add(i);
    net.run(3s);
    const PartNumber seat = net.node(id(2)).streams->seat();
    net.crash(id(2));
    net.run(6s);
    const PeerId late = net.add(9);
    net.run(3s);
    std::vector<MemberLeft> left;
    for (const StreamEvent& event : net.node(late).events) {
        if (const auto* one = std::get_if<MemberLeft>(&event)) left.push_back(*one);
    }
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].peer, id(2));
    EXPECT_EQ(left[0].seat, seat);
    EXPECT_EQ(net.node(late).streams->members().size(), 4U) << "it is no member";
}

StreamDatum read(const StreamMessage& message) { return value_of<StreamDatum>(message.bytes).value(); }

TEST(StreamLosses, ANewKeeperGetsTheLinesThatItLacksOfAMemberThatWasEndedBefore) {
    std::uint64_t lacking = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed};
        for (std::uint64_t i = 1; i <= 4; ++i) net.add(i);
        net.run(3s);
        net.drops_ = [&](const PeerId& from, StreamMessage& message) {
            const StreamDatum datum = read(message);
            const bool is_last_word = from == id(4) && message.to == id(2);
            return is_last_word || (datum.is_note && datum.note.kind == StreamNote::Kind::legacy &&
                                    from == id(1) && message.to == id(2));
        };
        net.run(1s);
        net.crash(id(4));
        for (int i = 0; i < 100 && net.count<MemberLeft>(id(2)) == 0; ++i) net.run(100ms);
        ASSERT_EQ(net.count<MemberLeft>(id(2)), 1U);
        net.run(500ms);
        lacking += net.node(id(2)).streams->horizon() + 60 < net.tick() ? 1U : 0U;
        net.crash(id(1));
        net.run(10s);
        EXPECT_GT(net.node(id(2)).streams->horizon(), net.tick() - 60) << "seed " << seed;
        EXPECT_EQ(net.node(id(3)).streams->members().size(), 2U);
        net.expect_equal(0);
    }
    EXPECT_EQ(lacking, 10U);
}

TEST(StreamLosses, AMemberThatReturnsAtOnceEntersAlsoWhereLinesOfItsFormerStayAreStillMissing) {
    std::uint64_t lacking = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed};
        for (std::uint64_t i = 1; i <= 4; ++i) net.add(i);
        net.run(3s);
        net.drops_ = [](const PeerId& from, StreamMessage& message) {
            return from == id(4) && message.to == id(2);
        };
        net.run(500ms);
        // It is cut off from member 2, and starts anew. The lines that member 2 lacks come late: a datagram
        // was lost, and is sent again.
        std::vector<std::vector<std::uint8_t>> late;
        net.drops_ = [&](const PeerId& from, StreamMessage& message) {
            const StreamDatum datum = read(message);
            const bool is_legacy = datum.is_note && datum.note.kind == StreamNote::Kind::legacy;
            if (message.to == id(2) && is_legacy) late.push_back(message.bytes);
            return message.to == id(2) && (is_legacy || (from == id(4) && !datum.is_note));
        };
        net.add(4);
        net.run(3s);
        lacking += net.node(id(1)).streams->members().size() == 4 &&
                           net.node(id(2)).streams->members().size() == 3 && !late.empty()
                       ? 1U
                       : 0U;
        net.drops_ = {};
        for (const auto& bytes : late)
            net.node(id(2)).streams->handle_message(Instant{net.tick() * test::kFrame}, id(1), bytes);
        net.run(4s);
        EXPECT_EQ(net.node(id(2)).streams->members().size(), 4U) << "seed " << seed;
        EXPECT_EQ(net.count<Evicted>(id(2)), 0U);
        EXPECT_GT(net.node(id(2)).streams->horizon(), net.tick() - 60) << "seed " << seed;
        net.expect_equal(net.node(id(4)).admitted);
    }
    EXPECT_GT(lacking, 7U) << "it had been admitted while lines were missing";
}

TEST(StreamLosses, AMemberThatIsAdmittedInTheFirstTickTakesTheFoundersOwnEntry) {
    TickStreams founder = TickStreams::found(Instant{1s}, id(1), {}).value();
    TickStreams reader = TickStreams::join(Instant{1s}, id(2), {}).value();
    founder.link_up(Instant{1s}, id(2));
    reader.link_up(Instant{1s}, id(1));
    for (int frame = 0; frame < 240; ++frame) {
        const Instant now{1s + frame * test::kFrame};
        const Tick tick = std::max(0, frame - 120);  // the match begins later than its members meet
        founder.advance(now, tick);
        while (const auto message = founder.poll_message()) reader.handle_message(now, id(1), message->bytes);
        reader.advance(now, tick);
        while (const auto message = reader.poll_message()) founder.handle_message(now, id(2), message->bytes);
    }
    EXPECT_EQ(founder.members().size(), 2U);
    EXPECT_GT(founder.horizon(), 100);
    EXPECT_GT(reader.horizon(), 100);
}

TEST(StreamLosses, AKeeperThatHasJustJoinedTakesTheNewLinesOfALostMemberThatItNeverHeard) {
    std::uint64_t lines_of_lost = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed};
        for (std::uint64_t i = 2; i <= 5; ++i) net.add(i);
        net.run(4s);
        const PeerId keeper = net.add(1);
        net.cut(keeper, id(4));
        net.run(2s);
        net.crash(id(4));
        net.run(8s);
        Node& node = net.node(keeper);
        EXPECT_EQ(node.streams->members().size(), 4U);
        EXPECT_GT(node.streams->horizon(), net.tick() - 60) << "seed " << seed;
        net.expect_equal(node.admitted);
        for (const auto& [stamp, bytes] : node.lines) lines_of_lost += stamp.name.author == id(4) ? 1U : 0U;
    }
    EXPECT_GT(lines_of_lost, 30U);
}

TEST(StreamLosses, AKeeperThatCannotGetTheLinesOfALostMemberGivesUpItsSeatAndJoinsAgain) {
    Net net{1};
    for (std::uint64_t i = 1; i <= 3; ++i) net.add(i);
    net.run(3s);
    // Member 2 has heard more of member 3 than the keeper has, but has forgotten the lines.
    net.drops_ = [](const PeerId& from, StreamMessage& message) {
        StreamDatum datum = read(message);
        if (from == id(2) && datum.is_note && datum.note.kind == StreamNote::Kind::report) {
            datum.note.lines.clear();
            datum.note.first = datum.note.number + 1;
            message.bytes = to_bytes(datum);
        }
        return from == id(3) && message.to == id(1);
    };
    net.run(1s);
    net.crash(id(3));
    net.run(8s);
    EXPECT_EQ(net.count<MemberLeft>(id(2)), 0U) << "what member 2 may have taken as final stays final";
    net.run(20s);
    EXPECT_EQ(net.count<Evicted>(id(1)), 1U);
    EXPECT_EQ(net.count<Evicted>(id(2)), 0U);
    for (const PeerId& peer : {id(1), id(2)}) {
        EXPECT_EQ(net.node(peer).streams->members().size(), 2U);
        EXPECT_GT(net.node(peer).streams->horizon(), net.tick() - 60);
    }
    net.expect_equal(net.node(id(1)).state_of);
}

TEST(StreamLosses, AMemberThatLagsByMoreLinesThanAreKeptIsLostAndNeverGetsLinesUnderWrongNumbers) {
    TickStreams author = TickStreams::found(Instant{}, id(1), {}).value();
    TickStreams reader = TickStreams::join(Instant{}, id(2), {}).value();
    author.link_up(Instant{}, id(2));
    reader.link_up(Instant{}, id(1));
    std::uint32_t said = 1;  // the founder's own entry
    bool was_member = false;
    for (int frame = 0; frame < 400; ++frame) {
        const Instant now{frame * test::kFrame};
        // After two seconds the author's messages do not arrive any more; at the end they do again.
        for (int i = 0; i < 4 && frame >= 120; ++i) {
            ++said;
            const std::uint8_t bytes[]{static_cast<std::uint8_t>(said / 256),
                                       static_cast<std::uint8_t>(said)};
            ASSERT_TRUE(author.say(frame, bytes));
        }
        author.advance(now, frame + 1);
        while (const auto message = author.poll_message()) {
            if (frame < 120 || frame > 390) reader.handle_message(now, id(1), message->bytes);
        }
        reader.advance(now, frame + 1);
        while (const auto message = reader.poll_message()) author.handle_message(now, id(2), message->bytes);
        while (const auto line = reader.poll_line()) {
            if (line->kind != StreamLine::Kind::game) continue;
            EXPECT_EQ(line->number, line->bytes[0] * 256U + line->bytes[1]);
        }
        was_member = was_member || author.members().size() == 2;
    }
    EXPECT_TRUE(was_member);
    EXPECT_GT(said, 1100U);
    EXPECT_EQ(author.members().size(), 1U) << "it cannot be served any more";
}

}  // namespace
}  // namespace fray
