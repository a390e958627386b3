#include "link/send_window.hpp"

#include <fray/random.hpp>

#include "link/receive_window.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace fray {
namespace {

Instant at(std::int64_t ms) { return Instant{Duration{ms * 1000}}; }

AckHeader ack(std::uint16_t newest, std::uint32_t earlier = 0) {
    return AckHeader{.newest = newest, .earlier = earlier, .delay = {}, .delay_known = true};
}

void send(SendWindow& window, int count, std::int64_t ms = 0) {
    for (int i = 0; i < count; ++i) window.sent(at(ms), SentRecord{.frame = window.next_sequence()});
}

TEST(SendWindow, AnAcknowledgementTellsEachFateOnce) {
    SendWindow window;
    send(window, 4);
    const auto first = window.acknowledge(at(10), ack(2, 0b10));  // 2 and 0
    ASSERT_TRUE(first);
    EXPECT_EQ(first->newest, 2);
    EXPECT_EQ(first->delivered, 0b101U);
    const auto again = window.acknowledge(at(20), ack(2, 0b10));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->delivered, 0U);
    EXPECT_EQ(window.delivered(), 2U);
}

TEST(SendWindow, WhatWasNeverSentCannotBeAcknowledged) {
    SendWindow window;
    EXPECT_FALSE(window.acknowledge(at(0), ack(0)));
    send(window, 3);
    EXPECT_FALSE(window.acknowledge(at(0), ack(3)));
    EXPECT_FALSE(window.acknowledge(at(0), ack(0xFFFF)));
    const auto fates = window.acknowledge(at(0), ack(1, ~std::uint32_t{0}));  // bits before the first one
    ASSERT_TRUE(fates);
    EXPECT_EQ(fates->delivered, 0b11U);
    EXPECT_EQ(window.delivered(), 2U);
    EXPECT_EQ(window.lost(), 0U);
}

TEST(SendWindow, OvertakenByThreeIsLostAndALateAcknowledgementTakesItBack) {
    SendWindow window;
    send(window, 8);
    ASSERT_TRUE(window.acknowledge(at(1), ack(2, 0b01)));  // 0 is only two behind
    EXPECT_EQ(window.lost(), 0U);
    const auto fates = window.acknowledge(at(2), ack(3, 0b011));
    ASSERT_TRUE(fates);
    EXPECT_EQ(fates->lost, 0b1000U);
    EXPECT_EQ(window.lost(), 1U);
    EXPECT_GT(window.loss(), 0.0);
    const auto late = window.acknowledge(at(3), ack(4, 0b1111));
    ASSERT_TRUE(late);
    EXPECT_EQ(late->delivered, 0b10001U);
    EXPECT_EQ(window.lost(), 0U);
    EXPECT_EQ(window.delivered(), 5U);
}

TEST(SendWindow, AnOlderAcknowledgementStillTells) {
    SendWindow window;
    send(window, 40);
    ASSERT_TRUE(window.acknowledge(at(1), ack(39)));  // acknowledges only 39
    const auto older = window.acknowledge(at(2), ack(20, 0b11));
    ASSERT_TRUE(older);
    EXPECT_EQ(older->newest, 39);
    EXPECT_EQ(std::popcount(older->delivered), 3);
    EXPECT_EQ(older->delivered, std::uint64_t{0b111} << 19U);
}

// A burst longer than the number of records held: later acknowledgements must still be accepted.
TEST(SendWindow, AnAcknowledgementOfAForgottenDatagramIsNoLie) {
    SendWindow window;
    send(window, static_cast<int>(kMaxInFlight) + 50);
    EXPECT_EQ(window.record(0), nullptr);  // no longer held
    const auto fates = window.acknowledge(at(50), ack(3, 0b111));
    ASSERT_TRUE(fates) << "an honest acknowledgement counts as impossible, and its datagram is dropped";
    EXPECT_EQ(fates->delivered, 0U);
}

/// What it carried is to be sent again.
TEST(SendWindow, ADatagramThatIsJudgedLostIsStillRecorded) {
    for (int burst = 4; burst <= 32; ++burst) {
        SendWindow window;
        int lost = 0;
        send(window, burst);
        for (int round = 0; round < 40; ++round) {
            const auto newest = static_cast<std::uint16_t>(window.next_sequence() - 1);
            send(window, burst);  // they leave before the acknowledgement of the former ones comes
            const auto fates = window.acknowledge(
                at(round), ack(newest, ~std::uint32_t{0b100}));  // one of each burst is lost
            ASSERT_TRUE(fates);
            for (std::uint64_t left = fates->lost; left != 0; left &= left - 1) {
                const auto sequence = static_cast<std::uint16_t>(fates->newest - std::countr_zero(left));
                ASSERT_NE(window.record(sequence), nullptr) << burst << " at once, " << round;
                EXPECT_EQ(window.record(sequence)->frame, sequence);
                ++lost;
            }
        }
        EXPECT_GT(lost, 0) << burst;
    }
}

TEST(SendWindow, RoundTripsAreMeasuredWithoutTheDelayOfTheAnswer) {
    SendWindow window;
    for (int i = 0; i < 50; ++i) {
        window.sent(at(i * 100), SentRecord{});
        AckHeader header = ack(static_cast<std::uint16_t>(i), ~std::uint32_t{0});
        header.delay = 30ms;
        ASSERT_TRUE(window.acknowledge(at(i * 100 + 70), header));
    }
    EXPECT_EQ(window.rtt().smoothed(), Duration{40ms});
    EXPECT_LT(window.rtt().deviation(), 1ms);
    EXPECT_EQ(window.delivered(), 50U);
}

TEST(SendWindow, RoundTripsSurviveTheWrapOfTheirClock) {
    SendWindow window;
    const Instant near_wrap{Duration{(std::int64_t{1} << 32) - 10'000}};
    window.sent(near_wrap, SentRecord{});
    ASSERT_TRUE(window.acknowledge(near_wrap + 50ms, ack(0)));
    EXPECT_EQ(window.rtt().smoothed(), Duration{50ms});
}

TEST(SendWindow, UnmeasuredRoundTripsAreWaitedForGenerously) {
    RttEstimator rtt;
    EXPECT_EQ(rtt.smoothed(), Duration{0});
    EXPECT_EQ(rtt.patience(), Duration{200ms});
    rtt.sample(Duration{-5ms});
    EXPECT_GE(rtt.smoothed(), Duration{0});
    for (int i = 0; i < 100; ++i) rtt.sample(i % 2 == 0 ? 90ms : 110ms);
    EXPECT_NEAR(millis(rtt.smoothed()), 100, 5);
    EXPECT_NEAR(millis(rtt.deviation()), 10, 3);
    EXPECT_GT(rtt.patience(), rtt.smoothed());
}

constexpr std::uint32_t kTotal = 70'000;  // datagrams, beyond the wrap of the sequence

/// Both windows, and a list of what truly arrived.
struct BothEnds {
    SendWindow out;
    ReceiveWindow in;
    std::vector<bool> arrived = std::vector<bool>(kTotal);  // by number, as the next
    std::vector<bool> told = std::vector<bool>(kTotal);
    std::uint64_t duplicates_refused = 0;

    void arrive(std::uint32_t n) {
        const auto sequence = static_cast<std::uint16_t>(n);
        if (in.refuse(sequence)) return void(duplicates_refused += arrived[n] ? 1 : 0);
        RC_ASSERT(!arrived[n]);  // never twice
        arrived[n] = true;
        in.accept(at(n), sequence);
    }
    void acknowledge(std::uint32_t n) {
        const auto fates = out.acknowledge(at(n), in.acknowledgement(at(n)));
        RC_ASSERT(fates.has_value());
        for (unsigned i = 0; i < 64; ++i) {
            if ((fates->delivered >> i & 1U) == 0) continue;
            const SentRecord* record = out.record(static_cast<std::uint16_t>(fates->newest - i));
            if (record == nullptr) continue;  // its fate is known, but its record is no longer held
            RC_ASSERT(arrived[record->frame]);
            RC_ASSERT(!told[record->frame]);
            told[record->frame] = true;
        }
    }
};

RC_GTEST_PROP(Windows, FatesAreTrueUnderLossDuplicationAndReordering, (std::uint32_t seed)) {
    RandomStream random{Seed{seed}, "windows"};
    BothEnds ends;
    std::vector<std::uint32_t> delayed;
    // Summed: a single estimate fluctuates, because it covers only about thirty datagrams.
    double estimates = 0;
    for (std::uint32_t n = 0; n < kTotal; ++n) {
        ends.out.sent(at(n), SentRecord{.frame = n});
        if (!random.chance(0.1)) delayed.push_back(n);
        if (random.chance(0.02)) delayed.push_back(n);
        while (!delayed.empty() && (delayed.size() > 20 || random.chance(0.5))) {
            const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(delayed.size(), 6));
            const auto pick = static_cast<std::ptrdiff_t>(random.below(most));
            ends.arrive(delayed[static_cast<std::size_t>(pick)]);
            delayed.erase(delayed.begin() + pick);
        }
        if (ends.in.any() && random.chance(0.4)) ends.acknowledge(n);
        estimates += ends.out.loss();
    }
    const auto never_came = static_cast<double>(std::ranges::count(ends.arrived, false));
    RC_ASSERT(ends.duplicates_refused > 0U);
    RC_ASSERT(std::ranges::count(ends.told, true) > kTotal / 2);
    // A late datagram counts as lost until it arrives, so the estimate is rather too high.
    RC_ASSERT(never_came > 0.05 * kTotal);
    RC_ASSERT(std::abs(static_cast<double>(ends.out.lost()) - never_came) < 0.01 * kTotal);
    RC_ASSERT(estimates > 0.8 * never_came);
    RC_ASSERT(estimates < 1.5 * never_came);
}

TEST(ReceiveWindow, ADuplicateAndAStaleDatagramAreRefusedByName) {
    ReceiveWindow in;
    EXPECT_FALSE(in.refuse(40'000));  // the first may be any
    in.accept(at(0), 100);
    EXPECT_EQ(in.refuse(100), Rejection::duplicate);
    EXPECT_FALSE(in.refuse(37));
    EXPECT_EQ(in.refuse(36), Rejection::stale);
    in.accept(at(0), 90);
    EXPECT_EQ(in.refuse(90), Rejection::duplicate);
    in.accept(at(1), 101);
    EXPECT_EQ(in.refuse(90), Rejection::duplicate);
    EXPECT_FALSE(in.refuse(91));
}

TEST(ReceiveWindow, SequencesGoOnAfterTheirWrap) {
    ReceiveWindow in;
    in.accept(at(0), 0xFFFE);
    EXPECT_FALSE(in.refuse(1));
    in.accept(at(1), 1);
    EXPECT_EQ(in.newest(), 1);
    EXPECT_EQ(in.refuse(0xFFFE), Rejection::duplicate);
    EXPECT_FALSE(in.refuse(0xFFFF));
    EXPECT_EQ(in.acknowledgement(at(6)).earlier, 0b100U);
    EXPECT_EQ(in.acknowledgement(at(6)).delay, Duration{5ms});
}

}  // namespace
}  // namespace fray
