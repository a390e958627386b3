// A line with added delay and loss.

#include "net/conditioner.hpp"

#include <fray/udp_peer.hpp>

#include "net/loopback.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace fray {
namespace {

const Address kEnd = Address::from_number(1);

std::vector<std::uint8_t> bytes_of_number(int number) { return {static_cast<std::uint8_t>(number)}; }

TEST(Conditioner, WithoutConditionsNothingHasToGoThroughIt) {
    const Conditioner line{Seed{1}};
    EXPECT_FALSE(line.is_active());
    EXPECT_FALSE(line.next_due());
}

TEST(Conditioner, HoldsEachDatagramForTheLagAndKeepsTheOrder) {
    Conditioner line{Seed{1}};
    line.set({.lag = 40ms});
    const Instant start{1s};
    for (int i = 0; i < 3; ++i) line.push(start + i * 10ms, kEnd, bytes_of_number(i));
    EXPECT_EQ(line.due(start + 39ms), nullptr);
    for (int i = 0; i < 3; ++i) {
        const auto* next = line.due(start + 60ms);
        ASSERT_NE(next, nullptr);
        EXPECT_EQ(next->due, start + i * 10ms + 40ms);
        EXPECT_EQ(next->bytes, bytes_of_number(i));
        EXPECT_EQ(next->end, kEnd);
        line.pop();
    }
    EXPECT_FALSE(line.next_due());
}

TEST(Conditioner, JitterIsDrawnEvenlyUpToItsValue) {
    Conditioner line{Seed{1}};
    line.set({.lag = 10ms, .jitter = 20ms});
    double sum = 0;
    for (int i = 0; i < 1000; ++i) {
        line.push(Instant{}, kEnd, bytes_of_number(0));
        const Duration delay = *line.next_due() - Instant{};
        EXPECT_GE(delay, 10ms);
        EXPECT_LE(delay, 30ms);
        sum += seconds(delay);
        line.pop();
    }
    EXPECT_NEAR(sum / 1000, 0.020, 0.001);
}

TEST(Conditioner, LosesTheShareThatItWasTold) {
    Conditioner line{Seed{1}};
    line.set({.loss = 0.25});
    int arrived = 0;
    for (int i = 0; i < 4000; ++i) {
        line.push(Instant{}, kEnd, bytes_of_number(0));
        if (line.due(Instant{}) == nullptr) continue;
        ++arrived;
        line.pop();
    }
    EXPECT_NEAR(arrived, 3000, 100);
}

TEST(Conditioner, StaysActiveUntilTheLastDatagramHasLeft) {
    Conditioner line{Seed{1}};
    line.set({.lag = 10ms});
    line.push(Instant{}, kEnd, bytes_of_number(0));
    line.set({});
    EXPECT_TRUE(line.is_active()) << "later datagrams must not overtake it";
    line.push(Instant{}, kEnd, bytes_of_number(1));
    while (line.due(Instant{10ms}) != nullptr) line.pop();
    EXPECT_FALSE(line.is_active());
}

TEST(Conditioner, ClampsValuesThatAreOutOfRange) {
    Conditioner line{Seed{1}};
    line.set({.lag = -5s, .jitter = 10h, .loss = std::numeric_limits<double>::quiet_NaN()});
    for (int i = 0; i < 100; ++i) {
        line.push(Instant{}, kEnd, bytes_of_number(0));
        ASSERT_TRUE(line.next_due()) << "no loss";
        EXPECT_LE(*line.next_due(), Instant{kMostAddedDelay});
        EXPECT_GE(*line.next_due(), Instant{});
        line.pop();
    }
}

TEST(Conditioner, HoldsABoundedNumberOfDatagrams) {
    Conditioner line{Seed{1}};
    line.set({.lag = 1s});
    for (std::size_t i = 0; i < Conditioner::kMostHeld + 10; ++i)
        line.push(Instant{}, kEnd, bytes_of_number(0));
    std::size_t held = 0;
    for (; line.due(Instant{1s}) != nullptr; ++held) line.pop();
    EXPECT_EQ(held, Conditioner::kMostHeld);
}

TEST(UdpConditions, DelayARoundTripByTwiceTheLag) {
    using namespace loopback;
    const auto open = [] {
        auto peer = UdpPeer::open({}, {.bind_address = kIpv4});
        EXPECT_TRUE(peer);
        return std::move(*peer);
    };
    UdpPeer first = open(), second = open();
    second.set_conditions({.lag = 30ms});
    ASSERT_TRUE(second.join(to_string(first.local_address())));
    const auto end = std::chrono::steady_clock::now() + kPatience;
    const auto rtt = [&] {
        const auto links = second.peer().stats().links;
        return links.empty() ? Duration{} : links.front().rtt;
    };
    while (rtt() < 60ms && std::chrono::steady_clock::now() < end) {
        first.wait(1ms);
        second.wait(1ms);
    }
    EXPECT_GE(rtt(), 60ms);
    EXPECT_FALSE(first.peer().peers().empty());
    second.leave();
}

}  // namespace
}  // namespace fray
