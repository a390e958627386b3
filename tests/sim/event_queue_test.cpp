#include "sim/event_queue.hpp"

#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fray::sim {
namespace {

std::vector<std::uint32_t> take_all(EventQueue& queue, Micros limit) {
    std::vector<std::uint32_t> subjects;
    QueuedEvent event;
    while (queue.pop(limit, event)) subjects.push_back(event.subject);
    return subjects;
}

TEST(EventQueue, EqualTimesComeOutInTheOrderTheyWentIn) {
    EventQueue queue;
    for (std::uint32_t i = 0; i < 1000; ++i) queue.push(i % 2 == 0 ? 50 : 40, EventKind::due, i);
    const std::vector<std::uint32_t> out = take_all(queue, 100);
    ASSERT_EQ(out.size(), 1000U);
    for (std::uint32_t i = 0; i < 500; ++i) {
        EXPECT_EQ(out[i], 2 * i + 1);
        EXPECT_EQ(out[i + 500], 2 * i);
    }
}

TEST(EventQueue, EqualTimesComeOutGroupByGroupAndInAGroupInTheOrderTheyWentIn) {
    EventQueue queue;
    for (std::uint32_t i = 0; i < 1000; ++i) queue.push(40, EventKind::deliver, i, 9 - i % 10);
    queue.push(39, EventKind::deliver, 5000, 77);
    const std::vector<std::uint32_t> out = take_all(queue, 100);
    ASSERT_EQ(out.size(), 1001U);
    EXPECT_EQ(out[0], 5000U) << "the time goes before the group";
    for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(out[i + 1], i % 100 * 10 + 9 - i / 100);
}

TEST(EventQueue, NothingLaterThanTheLimitComesOut) {
    EventQueue queue;
    queue.push(10, EventKind::due, 1);
    queue.push(20, EventKind::due, 2);
    EXPECT_EQ(take_all(queue, 19), std::vector<std::uint32_t>{1});
    EXPECT_EQ(queue.size(), 1U);
    EXPECT_EQ(take_all(queue, 20), std::vector<std::uint32_t>{2});
}

TEST(EventQueue, WhatIsPutInAfterALimitStillFindsItsPlace) {
    EventQueue queue;
    queue.push(100'000'000, EventKind::due, 3);  // far beyond the wheel
    EXPECT_TRUE(take_all(queue, 50'000'000).empty());
    queue.push(50'000'001, EventKind::due, 1);
    queue.push(99'999'999, EventKind::due, 2);
    EXPECT_EQ(take_all(queue, 200'000'000), (std::vector<std::uint32_t>{1, 2, 3}));
}

/// Times of all scales, pushed while others are popped, compared with a sorted list.
TEST(EventQueue, AgreesWithASortedListOverAnyMixOfTimes) {
    EventQueue queue;
    RandomStream random{Seed{3}, "mix"};
    std::vector<QueuedEvent> expected;
    Micros now = 0;
    std::uint32_t made = 0;
    std::size_t late = 0;
    for (int round = 0; round < 20'000; ++round) {
        for (std::uint32_t i = random.below(4); i > 0; --i) {
            const Micros scale = Micros{1} << random.below(24);
            const Micros time = now + static_cast<Micros>(random.uniform() * static_cast<double>(scale));
            queue.push(time, EventKind::due, made);
            expected.push_back({.time = time, .order = made, .subject = made, .kind = EventKind::due});
            ++made;
            late += time < now + 128 ? 1 : 0;
        }
        QueuedEvent event;
        if (!queue.pop(now + 100'000, event)) {
            now += 100'000;
            continue;
        }
        const auto first = std::min_element(expected.begin(), expected.end(), earlier);
        ASSERT_EQ(event.subject, first->subject);
        ASSERT_GE(event.time, now);
        now = event.time;
        *first = expected.back();
        expected.pop_back();
    }
    EXPECT_GT(late, 1000U) << "slots already open were hardly ever put into";
    EXPECT_EQ(queue.size(), expected.size());
}

TEST(EventQueue, HoldsNoMoreMemoryOnceAsManyEventsWereInAsEverWillBe) {
    EventQueue queue;
    const auto turn = [&queue](Micros from) {
        for (std::uint32_t i = 0; i < 5000; ++i) queue.push(from + i * 37 % 50'000, EventKind::deliver, i);
        take_all(queue, from + 60'000);
    };
    turn(0);
    turn(60'000);
    const std::size_t warm = queue.memory_bytes();
    for (Micros i = 2; i < 50; ++i) turn(i * 60'000);
    EXPECT_EQ(queue.memory_bytes(), warm);
}

}  // namespace
}  // namespace fray::sim
