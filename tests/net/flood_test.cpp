// A flood over real sockets: hellos from many addresses, and garbage. By default a part of it;
// FRAY_FLOOD_HELLOS=1000000 runs all of it. The rate is what the machine gives, and printed.

#include <fray/udp_driver.hpp>

#include "net/loopback.hpp"
#include "support/hello_forger.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fray {
namespace {

using namespace loopback;

constexpr std::uint64_t kHellosPerSource = 16;
constexpr std::size_t kGarbagePerHello = 3;
constexpr std::size_t kHellosPerRound = 32;
constexpr std::size_t kRoundsOfNewcomer = 16;

std::uint64_t wanted_hellos() {
    const char* wanted = std::getenv("FRAY_FLOOD_HELLOS");
    return wanted == nullptr ? 50'000 : std::strtoull(wanted, nullptr, 10);
}

/// A socket of an address of this machine that no other attacker had: 127.x.y.z.
class Attacker {
public:
    Attacker(std::uint32_t number, std::uint16_t victim_port) {
        to_.sin_family = AF_INET;
        to_.sin_port = htons(victim_port);
        to_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        sockaddr_in own{};
        own.sin_family = AF_INET;
        own.sin_addr.s_addr = htonl((127U << 24U) + (1U << 16U) + number % 0xFE0000U);
        descriptor_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        ready_ =
            descriptor_ >= 0 && bind(descriptor_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0;
    }
    Attacker(const Attacker&) = delete;
    Attacker& operator=(const Attacker&) = delete;
    ~Attacker() { close(descriptor_); }
    [[nodiscard]] bool ready() const { return ready_; }
    [[nodiscard]] bool send(std::span<const std::uint8_t> bytes) const {
        return sendto(descriptor_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to_),
                      sizeof to_) == static_cast<ssize_t>(bytes.size());
    }

private:
    sockaddr_in to_{};
    int descriptor_ = -1;
    bool ready_ = false;
};

class Flood : public testing::Test {
protected:
    Flood() : host_{make_player(1)}, member_{make_player(2)} {
        for (auto& byte : garbage_) byte = static_cast<std::uint8_t>(random_.next());
    }
    /// One round of the flood, and of the players.
    void run_round(std::initializer_list<Player*> players) {
        for (std::size_t i = 0; i < kHellosPerRound; ++i) {
            if (hellos_ % kHellosPerSource == 0) {
                attacker_ = std::make_unique<Attacker>(static_cast<std::uint32_t>(hellos_ / kHellosPerSource),
                                                       host_.driver->local_address().port);
                ASSERT_TRUE(attacker_->ready());
            }
            sent_ += attacker_->send(forger_.call(hellos_++)) ? 1U : 0U;
            for (std::size_t k = 0; k < kGarbagePerHello; ++k) {
                const std::size_t size = 1 + random_.below(200);
                garbage_[random_.below(8)] = static_cast<std::uint8_t>(random_.next());
                sent_ += attacker_->send(std::span{garbage_}.first(size)) ? 1U : 0U;
            }
        }
        for (Player* player : players) {
            player->driver->pump();
            while (auto event = player->peer->poll_event()) player->events.push_back(std::move(*event));
        }
    }

    Player host_;
    Player member_;
    test::HelloForger forger_;
    RandomStream random_{Seed{1}, "garbage"};
    std::array<std::uint8_t, 200> garbage_{};
    std::unique_ptr<Attacker> attacker_;
    std::uint64_t hellos_ = 0;
    std::uint64_t sent_ = 0;  // hellos and garbage that the system accepted
};

TEST_F(Flood, AFloodedPeerKeepsItsLinksStaysSmallAndIsJoined) {
    ASSERT_TRUE(member_.driver->join(host_.address()));
    ASSERT_TRUE(run_until({&host_, &member_}, [&] { return host_.sees(member_) && member_.sees(host_); }));
    const std::uint64_t hellos = wanted_hellos();
    const std::size_t before = host_.peer->memory_bytes();
    const std::uint64_t received_before = host_.driver->counters().datagrams_in;
    const auto start = std::chrono::steady_clock::now();
    std::size_t most = before;
    while (hellos_ < hellos / 2) {
        run_round({&host_, &member_});
        most = std::max(most, host_.peer->memory_bytes());
    }
    Player newcomer = make_player(3);
    ASSERT_TRUE(newcomer.driver->join(host_.address()));
    const auto joined = [&] { return newcomer.event<Joined>() != nullptr && host_.sees(newcomer); };
    const auto joined_here = [&] {
        return joined() && newcomer.event<Joined>()->through == host_.peer->id();
    };
    // The newcomer is far away: more hellos than a peer keeps pending arrive between its call and its next
    // one.
    for (std::size_t round = 0; hellos_ < hellos || (!joined() && hellos_ < 2 * hellos); ++round) {
        if (round % kRoundsOfNewcomer == 0)
            run_round({&host_, &member_, &newcomer});
        else
            run_round({&host_, &member_});
        most = std::max(most, host_.peer->memory_bytes());
    }
    const std::chrono::duration<double> span = std::chrono::steady_clock::now() - start;
    const std::uint64_t arrived = host_.driver->counters().datagrams_in - received_before;
    std::printf("%.0f datagrams per second, %llu hellos; growth %zu bytes\n",
                static_cast<double>(sent_) / span.count(), static_cast<unsigned long long>(hellos_),
                most - before);
    EXPECT_GE(arrived, sent_ * 9 / 10) << "the flood did not arrive";
    EXPECT_GT(host_.peer->stats().rejections.of(Rejection::no_room), hellos / 2);
    EXPECT_LT(most - before, 64U * 1024U);
    EXPECT_TRUE(joined_here()) << "a newcomer must get in, and not through the other member";
    EXPECT_TRUE(host_.sees(member_) && member_.sees(host_));
    EXPECT_EQ(host_.event<PeerLeft>(), nullptr);
    EXPECT_EQ(member_.event<PeerLeft>(), nullptr);
}

}  // namespace
}  // namespace fray
