// A peer with its socket, a peer that moves or ends while a driver refers to it, and a game over UDP.

#include <fray/udp_peer.hpp>

#include "net/loopback.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fray {
namespace {

using namespace loopback;

UdpPeer open(PeerOptions options = {}) {
    auto opened = UdpPeer::open(std::move(options), {.bind_address = kIpv4});
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return std::move(*opened);
}
std::string address_of(const UdpPeer& peer) { return to_string(peer.local_address()); }

/// Runs both until the condition holds; false after a timeout.
template <class Condition>
bool run_both(UdpPeer& a, UdpPeer& b, Condition&& holds) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!holds() && std::chrono::steady_clock::now() < end) {
        a.wait(1ms);
        b.wait(1ms);
    }
    return holds();
}
bool linked(UdpPeer& a, UdpPeer& b) {
    return run_both(a, b, [&] { return !a.peer().peers().empty() && !b.peer().peers().empty(); });
}

TEST(UdpPeer, OwnsPeerAndSocketAndMayMove) {
    UdpPeer first = open();
    UdpPeer second = open();
    ASSERT_TRUE(second.join(address_of(first)));
    ASSERT_TRUE(linked(first, second));
    std::vector<UdpPeer> moved;
    moved.push_back(std::move(first));
    moved.push_back(std::move(second));
    const auto tank = moved[0].peer().publish(moved[0].pump(), state_of({.position = {4, 0, 0}}));
    ASSERT_TRUE(tank);
    EXPECT_TRUE(run_both(moved[0], moved[1],
                         [&] { return moved[1].peer().replica(moved[1].pump(), *tank).has_value(); }));
}

TEST(UdpPeer, SaysWhichOptionOrPortIsWrong) {
    PeerOptions bad;
    bad.world.tick = 0s;
    const auto no_peer = UdpPeer::open(bad);
    ASSERT_FALSE(no_peer);
    EXPECT_NE(no_peer.error().message.find("tick"), std::string::npos) << no_peer.error().message;
    const UdpPeer first = open();
    const auto no_socket = UdpPeer::open({}, {.port = first.local_address().port, .bind_address = kIpv4});
    ASSERT_FALSE(no_socket);
    EXPECT_NE(no_socket.error().message.find("taken"), std::string::npos) << no_socket.error().message;
}

TEST(UdpPeer, LeavingReturnsWhenTheGoodbyesAreSent) {
    PeerOptions patient;
    patient.link.timeout = 600s;  // so that only a goodbye can be the reason
    PeerOptions slow = patient;
    slow.link.upload_kbps = 16;  // the goodbyes have to wait for each other
    UdpPeer first = open(patient);
    UdpPeer second = open(slow);
    ASSERT_TRUE(second.join(address_of(first)));
    ASSERT_TRUE(linked(first, second));
    const std::uint64_t before = second.counters().datagrams_out;
    second.leave();
    EXPECT_GE(second.counters().datagrams_out, before + 2);
    ASSERT_TRUE(run_both(first, second, [&] { return first.peer().peers().empty(); }));
    ASSERT_TRUE(second.join(address_of(first))) << "it may join again";
    EXPECT_TRUE(linked(first, second));
}

TEST(UdpDriver, ServesAPeerThatMoved) {
    UdpPeer first = open();
    auto peer = Peer::create({}, system_key());
    ASSERT_TRUE(peer);
    auto driver = UdpDriver::open(*peer, {.bind_address = kIpv4});
    ASSERT_TRUE(driver);
    const auto moved = std::make_unique<Peer>(std::move(*peer));
    ASSERT_TRUE(driver->join(address_of(first)));
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (moved->peers().empty() && std::chrono::steady_clock::now() < end) {
        driver->wait(1ms);
        first.wait(1ms);
    }
    EXPECT_EQ(moved->peers(), std::vector<PeerId>{first.peer().id()});
}

TEST(UdpDriver, OfAPeerThatEndedDropsWhatArrives) {
    UdpPeer first = open();
    std::optional<Peer> peer = std::move(*Peer::create({}, system_key()));
    auto driver = UdpDriver::open(*peer, {.bind_address = kIpv4});
    ASSERT_TRUE(driver);
    ASSERT_TRUE(driver->join(address_of(first)));
    driver->pump();
    peer.reset();
    const std::uint64_t sent = driver->counters().datagrams_out;
    ASSERT_GT(sent, 0U);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (driver->counters().datagrams_in == 0 && std::chrono::steady_clock::now() < end) {
        first.wait(1ms);  // answers the hello of the join
        driver->wait(1ms);
    }
    EXPECT_GT(driver->counters().datagrams_in, 0U);
    EXPECT_EQ(driver->counters().datagrams_out, sent);
    const auto joined = driver->join(address_of(first));
    ASSERT_FALSE(joined);
    EXPECT_EQ(joined.error().message, "the peer of this driver was destroyed");
}

TEST(UdpDriver, RefusesToJoinAnAddressThatNoMachineHas) {
    UdpPeer peer = open();
    for (const std::string where : {"0.0.0.0:7000", "224.0.0.1:7000", "255.255.255.255:7000"}) {
        const auto joined = peer.join(where);
        ASSERT_FALSE(joined) << where;
        EXPECT_NE(joined.error().message.find("cannot join " + where), std::string::npos)
            << joined.error().message;
    }
    EXPECT_FALSE(peer.join("127.0.0.1:0"));
}

TEST(MovedFrom, APeerSaysSoInsteadOfCrashingWithoutAWord) {
    auto peer = Peer::create({}, Seed{1});
    ASSERT_TRUE(peer);
    const Peer moved = std::move(*peer);
    EXPECT_DEATH((void)peer->id(), "session_ != nullptr");
}

/// Moves its entity by one unit per frame, and greets the session.
class Walker final : public Game {
public:
    void started(Commands& peer) override {
        ++starts;
        entity_ = peer.publish(state_of(Pose{})).value();
        EXPECT_TRUE(peer.send(Greeting{7}, Audience::session()));
    }
    void frame(Commands& peer) override {
        ++frames;
        EXPECT_TRUE(peer.update(entity_, state_of({.position = {static_cast<float>(frames), 0, 0}})));
        for (const Replica& replica : peer.replicas()) seen = replica.pose.position.x;
    }
    void event(Commands&, const Event& event) override {
        if (const auto* message = std::get_if<Message>(&event)) greetings += message->as<Greeting>()->number;
        completed += std::holds_alternative<JoinCompleted>(event) ? 1 : 0;
    }
    struct Greeting {
        int number = 0;
        template <class Stream>
        friend void serialize(Stream& stream, Greeting& greeting) {
            stream.integer(greeting.number, 0, 7);
        }
    };
    int starts = 0;
    int frames = 0;
    int greetings = 0;
    int completed = 0;
    float seen = 0;

private:
    EntityId entity_;
};

TEST(UdpPeer, PlaysAGame) {
    UdpPeer first = open();
    UdpPeer second = open();
    Walker a;
    Walker b;
    ASSERT_TRUE(second.join(address_of(first)));
    const auto end = std::chrono::steady_clock::now() + kPatience;
    const auto is_done = [&] {
        return a.seen > 3 && b.seen > 3 && a.greetings > 0 && b.greetings > 0 && b.completed > 0;
    };
    while (!is_done() && std::chrono::steady_clock::now() < end) {
        first.play(a, 1ms);
        second.play(b, 1ms);
    }
    EXPECT_GT(a.seen, 3);
    EXPECT_GT(b.seen, 3);
    EXPECT_EQ(a.greetings, 7);
    EXPECT_EQ(b.greetings, 7);
    EXPECT_EQ(b.completed, 1);
    EXPECT_EQ(a.starts, 1);
    EXPECT_GT(a.frames, 3);
}

}  // namespace
}  // namespace fray
