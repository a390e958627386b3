// Two drivers on real sockets in one process.

#include <fray/udp_driver.hpp>

#include "net/loopback.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fray {
namespace {

using namespace loopback;

State standing_at(float x) { return state_of(Pose{.position = {x, 2, 3}}); }

bool joined(Player& first, Player& second) {
    const auto asked = second.driver->join(first.address());
    EXPECT_TRUE(asked.has_value()) << (asked ? "" : asked.error().message);
    return run_until({&first, &second}, [&] { return first.sees(second) && second.sees(first); });
}

TEST(UdpDriver, TwoPeersSeeEachOthersEntities) {
    Player first = make_player(1);
    Player second = make_player(2);
    ASSERT_TRUE(joined(first, second));
    const auto tank = first.peer->publish(first.driver->pump(), standing_at(10));
    const auto plane = second.peer->publish(second.driver->pump(), standing_at(20));
    ASSERT_TRUE(tank && plane);

    std::optional<Replica> seen_tank;
    std::optional<Replica> seen_plane;
    ASSERT_TRUE(run_until({&first, &second}, [&] {
        seen_plane = first.peer->replica(first.driver->pump(), *plane);
        seen_tank = second.peer->replica(second.driver->pump(), *tank);
        return seen_tank && seen_plane;
    }));
    EXPECT_FLOAT_EQ(seen_tank->pose.position.x, 10);
    EXPECT_FLOAT_EQ(seen_plane->pose.position.x, 20);
    ASSERT_NE(second.event<Joined>(), nullptr);
    EXPECT_EQ(second.event<Joined>()->through, first.peer->id());
    EXPECT_EQ(first.peer->stats().rejections.total(), 0U);
}

TEST(UdpDriver, CarriesReliableMessagesThatNeedManyDatagrams) {
    Player first = make_player(1);
    Player second = make_player(2);
    ASSERT_TRUE(joined(first, second));
    std::vector<std::uint8_t> letter(kMaxMessageBytes);
    for (std::size_t i = 0; i < letter.size(); ++i) letter[i] = static_cast<std::uint8_t>(i * 7 / 5);
    ASSERT_TRUE(first.peer->send(first.driver->pump(), {.bytes = letter, .delivery = Delivery::ordered}));

    ASSERT_TRUE(run_until({&first, &second}, [&] { return second.event<Message>() != nullptr; }));
    EXPECT_EQ(second.event<Message>()->from, first.peer->id());
    EXPECT_EQ(second.event<Message>()->bytes, letter);
}

TEST(UdpDriver, WhatThePeerBookedIsWhatTheSocketSent) {
    Player first = make_player(1);
    Player second = make_player(2);
    ASSERT_TRUE(joined(first, second));
    constexpr std::uint64_t kUdpIpBytes = 28;
    for (const Player* player : {&first, &second}) {
        const UdpCounters& counters = player->driver->counters();
        const Stats stats = player->peer->stats();
        EXPECT_EQ(stats.ledger.datagrams(), counters.datagrams_out);
        EXPECT_EQ(stats.ledger.total_bytes(), counters.bytes_out + counters.datagrams_out * kUdpIpBytes);
        EXPECT_EQ(stats.datagrams_received, counters.datagrams_in);
        EXPECT_EQ(stats.bytes_received, counters.bytes_in);
        EXPECT_EQ(counters.send_failures, 0U);
    }
}

TEST(UdpDriver, LeavingIsHeardWithoutWaitingForATimeout) {
    PeerOptions patient;
    patient.link.timeout = 600s;  // so that only a goodbye can be the reason
    Player first = make_player(1, patient);
    Player second = make_player(2, patient);
    ASSERT_TRUE(joined(first, second));
    second.peer->leave(second.driver->pump());
    second.driver->pump();
    ASSERT_TRUE(run_until({&first}, [&] { return first.event<PeerLeft>() != nullptr; }));
    EXPECT_EQ(first.event<PeerLeft>()->reason, Reason::left);
}

TEST(UdpDriver, APeerThatVanishesTimesOut) {
    PeerOptions impatient;
    impatient.link.timeout = 400ms;
    impatient.link.keep_alive = 100ms;
    Player first = make_player(1, impatient);
    Player second = make_player(2, impatient);
    ASSERT_TRUE(joined(first, second));
    second.driver.reset();  // from now on the system reports that the port is closed
    ASSERT_TRUE(run_until({&first}, [&] { return first.event<PeerLeft>() != nullptr; }));
    EXPECT_EQ(first.event<PeerLeft>()->peer, second.peer->id());
    EXPECT_EQ(first.event<PeerLeft>()->reason, Reason::timed_out);
    EXPECT_TRUE(first.peer->peers().empty());
}

TEST(UdpDriver, NobodyThereIsARefusal) {
    PeerOptions impatient;
    impatient.link.timeout = 400ms;
    impatient.link.keep_alive = 100ms;
    Player alone = make_player(1, impatient);
    std::string deserted;
    {
        const Player gone = make_player(2);
        deserted = gone.address();
    }
    ASSERT_TRUE(alone.driver->join(deserted));
    ASSERT_TRUE(run_until({&alone}, [&] { return alone.event<Refused>() != nullptr; }));
    EXPECT_EQ(to_string(alone.event<Refused>()->address), deserted);
    EXPECT_EQ(alone.event<Refused>()->reason, Reason::timed_out);
}

TEST(UdpDriver, AnotherWorldIsRefusedWithTheReason) {
    Player first = make_player(1);
    PeerOptions elsewhere;
    elsewhere.world.name = "elsewhere";
    Player second = make_player(2, elsewhere);
    ASSERT_TRUE(second.driver->join(first.address()));
    ASSERT_TRUE(run_until({&first, &second}, [&] { return second.event<Refused>() != nullptr; }));
    EXPECT_EQ(second.event<Refused>()->reason, Reason::world_mismatch);
}

TEST(UdpDriver, MayMoveAndServesOn) {
    Player first = make_player(1);
    Player second = make_player(2);
    UdpDriver moved = std::move(*first.driver);
    *first.driver = std::move(moved);
    ASSERT_TRUE(joined(first, second));
}

TEST(UdpDriver, TimeNeverGoesBackAcrossDrivers) {
    Player player = make_player(1);
    const Instant before = player.driver->wait(1ms);
    player.driver.reset();
    auto next = UdpDriver::open(*player.peer, {.bind_address = kIpv4});
    ASSERT_TRUE(next);
    EXPECT_GE(next->pump(), before);
}

TEST(UdpDriver, RefusesAPeerWhoseSecretsCanBeGuessed) {
    auto guessable = Peer::create({}, Seed{1});
    ASSERT_TRUE(guessable);
    const auto driver = UdpDriver::open(*guessable, {.bind_address = kIpv4});
    ASSERT_FALSE(driver);
    EXPECT_NE(driver.error().message.find("system_key"), std::string::npos) << driver.error().message;
    auto secret = Peer::create({}, system_key());
    ASSERT_TRUE(secret);
    EXPECT_TRUE(UdpDriver::open(*secret, {.bind_address = kIpv4}));
}

TEST(SystemKey, DiffersEveryTime) { EXPECT_NE(system_key().bytes, system_key().bytes); }
TEST(SystemSeed, DiffersEveryTime) { EXPECT_NE(system_seed(), system_seed()); }

}  // namespace
}  // namespace fray
