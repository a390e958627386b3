#include <fray/random.hpp>

#include "core/message.hpp"
#include "link/reliable_receiver.hpp"
#include "link/reliable_sender.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <vector>

namespace fray {
namespace {

using Bytes = std::vector<std::uint8_t>;

class Collector final : public MessageSink {
public:
    bool handle_reliable(Delivery delivery, std::span<const std::uint8_t> bytes) override {
        if (refuse_every != 0 && ++offered % refuse_every == 0) return false;
        got.push_back({delivery, {bytes.begin(), bytes.end()}});
        return true;
    }
    unsigned refuse_every = 0;  ///< simulates a lack of room
    unsigned offered = 0;
    std::vector<std::pair<Delivery, Bytes>> got;
};

/// A message that contains its number and its length, and reveals damage.
Bytes numbered(std::uint32_t number, std::size_t size) {
    Bytes bytes(std::max<std::size_t>(size, 4));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(number + i / 64);
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
    return bytes;
}
std::uint32_t number_of(const Bytes& bytes) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{bytes[i]} << (8 * i);
    return number;
}

/// A sender and a receiver, and between them datagrams whose fate the test decides.
struct Line {
    struct Flight {
        Bytes bytes;
        SentRecord record;
    };
    ReliableSender out;
    ReliableReceiver in;
    Collector sink;

    Flight write(std::size_t room = kMaxDatagram, bool prompt = false) {
        std::array<std::uint8_t, kMaxDatagram> buffer{};
        DatagramBuilder datagram{std::span{buffer}.first(room), DatagramKind::data};
        Flight flight;
        if (prompt)
            out.write_prompt(datagram, static_cast<std::uint64_t>(MessageKind::reliable), kMessageKindBits,
                             flight.record);
        out.write(datagram, static_cast<std::uint64_t>(MessageKind::reliable), kMessageKindBits,
                  flight.record);
        ByteLedger ledger;
        const auto bytes = datagram.finish(Token{1}, Address{}, ledger);
        flight.bytes.assign(bytes.begin(), bytes.end());
        out.sent(flight.record);
        return flight;
    }
    std::vector<Rejection> arrive(const Flight& flight) {
        std::vector<Rejection> refused;
        BitReader body = open_datagram(flight.bytes)->body;
        while (body.bits_left() >= kMessageKindBits) {
            if (body.bits(kMessageKindBits) != static_cast<std::uint64_t>(MessageKind::reliable)) break;
            ReliableHeader header;
            EXPECT_TRUE(read(body, header));
            Bytes bytes(header.length);
            for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(body.bits(8));
            if (const auto why = in.accept(header, bytes, sink)) refused.push_back(*why);
        }
        return refused;
    }
};

TEST(Reliable, AMessageRidesAlongUntilAcknowledged) {
    Line line;
    ASSERT_TRUE(line.out.queue(numbered(1, 10), false, Purpose::reliable));
    EXPECT_TRUE(line.out.has_unsent());
    const auto first = line.write();
    EXPECT_FALSE(line.out.has_unsent());
    const auto second = line.write();
    EXPECT_EQ(second.record.reliable_count, 1);
    EXPECT_TRUE(line.arrive(second).empty());
    EXPECT_TRUE(line.arrive(first).empty());
    EXPECT_EQ(line.sink.got.size(), 1U);
    line.out.delivered(second.record);
    EXPECT_TRUE(line.out.empty());
    EXPECT_EQ(line.write().record.reliable_count, 0);
}

TEST(Reliable, APromptMessageOvertakesALongOneAndBringsItsOrderedPredecessors) {
    Line line;
    ASSERT_TRUE(line.out.queue(numbered(1, 20'000), false, Purpose::reliable));
    ASSERT_TRUE(line.out.queue(numbered(2, 30), true, Purpose::reliable));
    ASSERT_TRUE(line.out.queue(numbered(3, 30), true, Purpose::agreement, Haste::prompt));
    ASSERT_TRUE(line.out.has_unsent_prompt());
    EXPECT_TRUE(line.arrive(line.write(kMaxDatagram, true)).empty());
    EXPECT_FALSE(line.out.has_unsent_prompt());
    ASSERT_EQ(line.sink.got.size(), 2U) << "the long one takes twenty datagrams";
    EXPECT_EQ(number_of(line.sink.got[0].second), 2U);
    EXPECT_EQ(number_of(line.sink.got[1].second), 3U);
}

TEST(Reliable, ANewPromptMessageDoesNotWaitForRepeatedOnes) {
    Line line;
    for (std::uint32_t i = 0; i < 40; ++i)
        ASSERT_TRUE(line.out.queue(numbered(i, 90), false, Purpose::agreement, Haste::prompt));
    int datagrams = 0;
    for (; line.out.has_unsent_prompt() && datagrams < 40; ++datagrams)
        EXPECT_TRUE(line.arrive(line.write(kMaxDatagram, true)).empty());  // none is acknowledged
    EXPECT_LE(datagrams, 5);
    ASSERT_TRUE(line.out.queue(numbered(77, 90), false, Purpose::agreement, Haste::prompt));
    const std::size_t before = line.sink.got.size();
    EXPECT_EQ(before, 40U);
    EXPECT_TRUE(line.arrive(line.write(kMaxDatagram, true)).empty());
    ASSERT_EQ(line.sink.got.size(), before + 1);
    EXPECT_EQ(number_of(line.sink.got.back().second), 77U);
}

/// A deputy that lacks one record confirms none of those after it.
TEST(Reliable, ALostPromptMessageLeavesAgainBeforeNewerOnesThatFillAllDatagrams) {
    Line line;
    const auto queue = [&](std::uint32_t number) {
        ASSERT_TRUE(line.out.queue(numbered(number, 900), true, Purpose::agreement, Haste::prompt));
    };
    queue(0);
    const auto lost = line.write(kMaxDatagram, true);
    for (std::uint32_t i = 1; i <= 3; ++i) {
        queue(i);
        const auto flight = line.write(kMaxDatagram, true);
        EXPECT_TRUE(line.arrive(flight).empty());
        line.out.delivered(flight.record);
    }
    EXPECT_TRUE(line.sink.got.empty()) << "they wait for the first one";
    line.out.lost(lost.record);
    EXPECT_TRUE(line.out.has_unsent_prompt());
    queue(4);
    EXPECT_TRUE(line.arrive(line.write(kMaxDatagram, true)).empty());
    EXPECT_EQ(line.sink.got.size(), 4U);
}

TEST(Reliable, ARidingMessageCausesNothingAndArrivesWithTheNextDatagram) {
    Line line;
    ASSERT_TRUE(line.out.queue(numbered(1, 10), false, Purpose::reliable, Haste::rides));
    EXPECT_FALSE(line.out.has_unsent());
    EXPECT_FALSE(line.out.waits());
    const auto flight = line.write();
    EXPECT_TRUE(line.arrive(flight).empty());
    ASSERT_EQ(line.sink.got.size(), 1U);
    line.out.delivered(flight.record);
    EXPECT_TRUE(line.out.empty());
}

TEST(Reliable, WhereNotAllFitDatagramsTakeTurns) {
    Line line;
    for (std::uint32_t i = 0; i < 6; ++i)
        ASSERT_TRUE(line.out.queue(numbered(i, 500), false, Purpose::reliable));
    std::map<std::uint32_t, int> rides;
    for (int i = 0; i < 9; ++i) {
        const auto flight = line.write();
        for (unsigned j = 0; j < flight.record.reliable_count; ++j) ++rides[flight.record.reliable_from + j];
    }
    ASSERT_EQ(rides.size(), 6U);
    for (const auto& [id, count] : rides) EXPECT_EQ(count, 3) << id;
}

TEST(Reliable, NoMoreThanTheSpanIsUnderWay) {
    Line line;
    for (std::uint32_t i = 0; i < 300; ++i)
        ASSERT_TRUE(line.out.queue(numbered(i, 60), false, Purpose::reliable));
    std::vector<Line::Flight> flights;
    for (int i = 0; i < 60 && line.out.has_unsent(); ++i) flights.push_back(line.write());
    EXPECT_FALSE(line.out.has_unsent());
    for (std::size_t i = 1; i < flights.size(); ++i) ASSERT_TRUE(line.arrive(flights[i]).empty());
    const std::size_t without_first = line.sink.got.size();
    EXPECT_GT(without_first, 0U);
    ASSERT_TRUE(line.arrive(flights[0]).empty());
    EXPECT_EQ(line.sink.got.size(), kReliableSpan);
    for (const auto& flight : flights) line.out.delivered(flight.record);
    EXPECT_TRUE(line.out.has_unsent());
}

TEST(Reliable, OfLastWordsNotSentYetOnlyTheLastAboutTheSameIs) {
    Line line;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        line.out.queue_latest(i % 3, numbered(i, 8 + i % 5), Purpose::reliable);
    }
    EXPECT_TRUE(line.out.has_room(kFragmentBytes * 60)) << "three wait";
    EXPECT_TRUE(line.arrive(line.write()).empty());
    ASSERT_EQ(line.sink.got.size(), 3U);
    for (std::uint32_t about = 0; about < 3; ++about) {
        const std::uint32_t last = 9'999 - (9'999 - about) % 3;
        EXPECT_EQ(line.sink.got[about].second, numbered(last, 8 + last % 5));
    }
}

TEST(Reliable, ALastWordUnderWayIsNotTakenBack) {
    Line line;
    line.out.queue_latest(7, numbered(1, 8), Purpose::reliable);
    const auto lost = line.write();
    line.out.queue_latest(7, numbered(2, 8), Purpose::reliable);
    const auto both = line.write();
    EXPECT_EQ(both.record.reliable_count, 2);
    EXPECT_TRUE(line.arrive(both).empty());
    ASSERT_EQ(line.sink.got.size(), 2U);
    EXPECT_EQ(number_of(line.sink.got[1].second), 2U);
}

TEST(Reliable, LastWordsThatNobodyAcknowledgesAreNoMoreThanTheSpanAndOneEach) {
    Line line;
    constexpr std::uint32_t kThings = 5;
    std::size_t most = 0;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
        line.out.queue_latest(i % kThings, numbered(i, 8), Purpose::reliable);
        most = std::max<std::size_t>(most, line.write().record.reliable_count);
    }
    EXPECT_GT(most, 20U);
    std::vector<Line::Flight> flights;
    for (int i = 0; i < 2000; ++i) {  // now everything arrives
        flights.push_back(line.write());
        EXPECT_TRUE(line.arrive(flights.back()).empty());
        line.out.delivered(flights.back().record);
    }
    EXPECT_TRUE(line.out.empty());
    EXPECT_LE(line.sink.got.size(), kReliableSpan + kThings);
    std::map<std::uint32_t, std::uint32_t> newest;
    for (const auto& [delivery, bytes] : line.sink.got) {
        auto& number = newest[number_of(bytes) % kThings];
        number = std::max(number, number_of(bytes));
    }
    for (std::uint32_t about = 0; about < kThings; ++about)
        EXPECT_EQ(newest[about], 20'000 - kThings + about);
}

TEST(Reliable, ALastWordIsQueuedWhereTheBacklogIsFull) {
    Line line;
    while (line.out.queue(numbered(0, 8), false, Purpose::reliable)) {
    }
    line.out.queue_latest(1, numbered(77, 8), Purpose::reliable);
    for (int i = 0; i < 2000 && !line.out.empty(); ++i) {
        const auto flight = line.write();
        EXPECT_TRUE(line.arrive(flight).empty());
        line.out.delivered(flight.record);
    }
    ASSERT_FALSE(line.sink.got.empty());
    EXPECT_EQ(number_of(line.sink.got.back().second), 77U);
}

TEST(Reliable, AFullBacklogRefusesAndKeepsWhatItHas) {
    Line line;
    std::size_t queued = 0;
    while (queued < 100'000 && line.out.queue(numbered(0, 4), false, Purpose::reliable)) ++queued;
    EXPECT_EQ(queued, 4096U);
    EXPECT_FALSE(line.out.queue(numbered(0, 3000), true, Purpose::reliable));
    EXPECT_FALSE(Line{}.out.queue(Bytes(kMaxFragments * kFragmentBytes + 1), false, Purpose::reliable));
    const auto flight = line.write();
    line.out.delivered(flight.record);
    EXPECT_TRUE(line.out.queue(numbered(0, 4), false, Purpose::reliable));
}

TEST(Reliable, HostileHeadersAreRefusedAndHarmNothing) {
    Line line;
    const auto accept = [&](ReliableHeader header, std::size_t size) {
        header.length = static_cast<std::uint32_t>(size);
        return line.in.accept(header, Bytes(size), line.sink);
    };
    EXPECT_EQ(accept({.id = 128}, 4), Rejection::impossible);
    (void)accept({.id = 60'000}, 4);  // counts as seen long ago
    EXPECT_EQ(accept({.id = 0, .in_pieces = true, .place = {5, 2}}, 1024), Rejection::impossible);
    EXPECT_EQ(accept({.id = 0, .in_pieces = true, .place = {0, 1}}, 3), Rejection::impossible);
    EXPECT_EQ(accept({.id = 1, .ordered = true, .order = 40'000}, 4), Rejection::impossible);
    EXPECT_TRUE(line.sink.got.empty());
    for (std::uint16_t i = 0; i < 5000; ++i) {  // an ordered stream whose beginning never comes
        const auto order = static_cast<std::uint16_t>(1 + i % 30'000);
        (void)accept({.id = i, .ordered = true, .order = order}, 1024);
    }
    EXPECT_LT(line.in.heap_bytes(), kMaxHeldOrdered * 2048 + 65536);
    EXPECT_TRUE(line.sink.got.empty());
}

// Every accepted message must arrive, even if more fragmented messages are in flight than fit the memory for
// fragments.
TEST(Reliable, ManyLongMessagesAtOnceAllArrive) {
    Line line;
    constexpr std::uint32_t kMessages = 30;
    for (std::uint32_t i = 0; i < kMessages; ++i) {
        ASSERT_TRUE(line.out.queue(numbered(i, 2000), true, Purpose::reliable));
    }
    std::vector<Line::Flight> first_round;
    while (line.out.has_unsent()) first_round.push_back(line.write());
    ASSERT_EQ(first_round.size(), 2 * kMessages);
    for (std::size_t i = 0; i < first_round.size(); ++i) {  // every second datagram gets lost
        if (i % 2 == 0) continue;
        ASSERT_TRUE(line.arrive(first_round[i]).empty());
        line.out.delivered(first_round[i].record);
    }
    for (int i = 0; i < 500 && !line.out.empty(); ++i) {
        const auto flight = line.write();
        if (line.arrive(flight).empty()) line.out.delivered(flight.record);
    }
    EXPECT_TRUE(line.out.empty());
    EXPECT_EQ(line.sink.got.size(), kMessages) << "acknowledged, but never handed up";
}

struct Run {
    std::map<std::uint32_t, int> unordered;
    std::vector<std::uint32_t> ordered;
    std::size_t repeats = 0;
    std::size_t no_room = 0;
};

/// Messages of all sizes over a line that loses, duplicates and reorders; returns what was delivered.
Run rough_run(std::uint64_t seed, std::uint32_t messages, std::size_t longest, unsigned refuse_every = 0,
              bool hastes = false) {
    RandomStream random{Seed{seed}, "reliable"};
    Line line;
    line.sink.refuse_every = refuse_every;
    std::deque<Line::Flight> under_way;
    std::deque<SentRecord> acks;
    Run run;
    std::uint32_t queued = 0;
    for (int step = 0; step < 200'000 && (queued < messages || !line.out.empty()); ++step) {
        if (queued < messages && random.chance(0.6)) {
            const Bytes message = numbered(queued, 4 + random.below(static_cast<std::uint32_t>(longest)));
            const auto haste = hastes ? static_cast<Haste>(random.below(3)) : Haste::usual;
            if (line.out.queue(message, queued % 2 == 0, Purpose::reliable, haste)) ++queued;
        }
        const bool prompt = hastes && line.out.has_prompt() && random.chance(0.7);
        under_way.push_back(line.write(random.chance(0.3) ? 1100 : kMaxDatagram, prompt));
        while (!under_way.empty() && (under_way.size() > 12 || random.chance(0.5))) {
            const std::size_t pick = random.below(static_cast<std::uint32_t>(under_way.size()));
            const Line::Flight flight = under_way[pick];
            if (!random.chance(0.1)) under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(pick));
            if (random.chance(0.2)) continue;  // lost
            const auto refused = line.arrive(flight);
            const auto room = static_cast<std::size_t>(std::ranges::count(refused, Rejection::no_room));
            run.no_room += room;
            run.repeats += refused.size() - room;
            if (refused.empty() && !random.chance(0.2)) acks.push_back(flight.record);
        }
        for (; !acks.empty() && random.chance(0.7); acks.pop_front()) line.out.delivered(acks.front());
        if (line.in.stuck() && random.chance(0.1)) line.in.release_held(line.sink);
    }
    for (int i = 0; i < 10'000 && line.in.stuck(); ++i) line.in.release_held(line.sink);
    for (const auto& [delivery, bytes] : line.sink.got) {
        const std::uint32_t number = number_of(bytes);
        EXPECT_EQ(bytes, numbered(number, bytes.size()));
        if (delivery == Delivery::ordered) run.ordered.push_back(number);
        if (delivery == Delivery::reliable) ++run.unordered[number];
    }
    return run;
}

void expect_exactly_once(const Run& run, std::uint32_t messages) {
    EXPECT_EQ(run.repeats, 0U) << "honest datagrams were refused";
    EXPECT_EQ(run.unordered.size(), messages / 2);
    for (const auto& [number, times] : run.unordered) EXPECT_EQ(times, 1) << number;
    ASSERT_EQ(run.ordered.size(), messages - messages / 2);
    EXPECT_TRUE(std::ranges::is_sorted(run.ordered));
}

TEST(Reliable, ThousandsOfShortMessagesArriveExactlyOnceAndTheOrderedOnesInOrder) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) expect_exactly_once(rough_run(seed, 5000, 90), 5000);
}

// Prompt messages overtake others, and riding ones wait: each arrives once all the same.
TEST(Reliable, PromptUsualAndRidingMessagesArriveExactlyOnceAndTheOrderedOnesInOrder) {
    for (const std::uint64_t seed : {11U, 12U, 13U, 14U})
        expect_exactly_once(rough_run(seed, 4000, seed == 14U ? 3000 : 90, 0, true), 4000);
}

// A receiver without room takes a message later: nothing is acknowledged that was not taken.
TEST(Reliable, WhatFoundNoRoomArrivesLaterExactlyOnceAndInOrder) {
    for (const std::uint64_t seed : {8U, 9U, 10U}) {
        const auto run = rough_run(seed, 1000, seed == 10U ? 5000 : 90, 3);
        EXPECT_GT(run.no_room, 100U);
        expect_exactly_once(run, 1000);
    }
}

TEST(Reliable, IdsGoOnAfterTheirWrap) { expect_exactly_once(rough_run(4, 70'000, 12), 70'000); }

TEST(Reliable, LongMessagesArriveExactlyOnceAndUndamaged) {
    for (const std::uint64_t seed : {5U, 6U, 7U}) expect_exactly_once(rough_run(seed, 300, 6000), 300);
}

}  // namespace
}  // namespace fray
