// Callers that have proved nothing: what they can make a peer send, hold and refuse.

#include "support/hello_forger.hpp"
#include "support/pair.hpp"
#include "wire/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>

namespace fray {
namespace {

using test::Cluster;
using test::Flight;
using test::HelloForger;

constexpr std::size_t kHeaders = kUdpIpv4Bytes;

Address forged(std::uint64_t i) { return Address::from_number(5000 + i); }

/// Runs in steps of 1 ms and calls `attack` in each.
void run_under(Cluster& cluster, Duration span, const std::function<void(int)>& attack) {
    for (int ms = 0; ms < span / 1ms; ++ms) {
        attack(ms);
        cluster.run_for(1ms);
    }
}

/// Bytes with headers that peer i sent and that `which` selects.
std::size_t bytes_sent(const Cluster& cluster, std::size_t i,
                       const std::function<bool(const Flight&)>& which) {
    std::size_t sum = 0;
    for (const Flight& flight : cluster.sent_by(i)) sum += which(flight) ? flight.bytes.size() + kHeaders : 0;
    return sum;
}

bool to_nobody(const Flight& flight) { return flight.to == Cluster::kNobody; }

/// Two peers with a small upload that exchange more updates than it carries.
class Saturated : public testing::Test {
protected:
    static constexpr std::uint32_t kKbps = 64;
    static constexpr std::size_t kBytesPerSecond = kKbps * 125;

    Saturated() {
        options_.link.upload_kbps = kKbps;
        cluster_.add(options_);
        cluster_.add(options_);
        cluster_.join_all();
        for (int i = 0; i < 40; ++i)
            ids_.push_back(*cluster_.peer(0).publish(cluster_.local(0), state_of(Pose{})));
        run(3s, [](int) {});
        cluster_.remember_sent(true);
    }
    void run(Duration span, const std::function<void(int)>& attack) {
        run_under(cluster_, span, [&](int ms) {
            attack(ms);
            if (ms % 50 != 0) return;
            ++frames_;
            for (std::size_t i = 0; i < ids_.size(); ++i) {
                const auto x = static_cast<float>((frames_ * 13 + i * 7) % 400);
                ASSERT_TRUE(
                    cluster_.peer(0).update(cluster_.local(0), ids_[i], state_of({.position = {x, 0, 0}})));
            }
        });
    }
    [[nodiscard]] std::uint64_t updates() { return cluster_.peer(1).stats().updates_received; }

    PeerOptions options_;
    Cluster cluster_;
    std::vector<EntityId> ids_;
    std::uint64_t frames_ = 0;
};

TEST_F(Saturated, RefusalsTakeAtMostFivePercentOfTheUpload) {
    HelloForger forger{options_};
    forger.hello().version = kProtocolVersion + 1;
    const std::uint64_t before = updates();
    run(5s, [](int) {});
    const std::uint64_t quiet = updates() - before;
    run(10s, [&](int ms) {  // 200 a second
        if (ms % 5 == 0)
            cluster_.inject(0, forged(static_cast<std::uint64_t>(ms)),
                            forger.call(static_cast<std::uint64_t>(ms)));
    });
    const std::size_t refused = bytes_sent(cluster_, 0, to_nobody);
    EXPECT_GT(refused, 1000U) << "or nobody is refused";
    EXPECT_LE(refused, 10 * kBytesPerSecond * kRefusalPercent / 100 + kLeastShareBurst);
    EXPECT_GE(updates() - before - quiet, quiet * 2 * 9 / 10) << "the game is silenced";
}

TEST_F(Saturated, AnswersToStrangersTakeAtMostAQuarterOfTheUpload) {
    HelloForger forger{options_};
    const std::uint64_t before = updates();
    run(5s, [](int) {});
    const std::uint64_t quiet = updates() - before;
    run(10s, [&](int ms) {
        cluster_.inject(0, forged(static_cast<std::uint64_t>(ms)),
                        forger.call(static_cast<std::uint64_t>(ms)));
    });
    const std::size_t answered = bytes_sent(cluster_, 0, to_nobody);
    EXPECT_GT(answered, 5000U) << "or nobody is answered";
    EXPECT_LE(answered, (10 * kBytesPerSecond + kBytesPerSecond / 2) * kStrangerPercent / 100);
    EXPECT_GE(updates() - before - quiet, quiet * 2 * 7 / 10);
    ASSERT_EQ(cluster_.peer(0).peers().size(), 1U);
}

TEST_F(Saturated, ANewcomerThatEchoesOurTokenComesBeforeUpdates) {
    // Four more neighbours with messages of their own, so that both queues are full whenever something may
    // leave: the one of updates, and the one of links that have something urgent.
    for (int i = 0; i < 4; ++i) cluster_.join(cluster_.add(options_), 0);
    run(8s, [](int) {});
    ASSERT_EQ(cluster_.peer(0).peers().size(), 5U);
    HelloForger forger{options_};
    const std::size_t newcomer = cluster_.add(options_);
    const std::size_t before = cluster_.sent_by(0).size();
    cluster_.join(newcomer, 0);
    run(2s, [&](int ms) {  // 40 a second: they take all that strangers may have
        if (ms % 25 == 0)
            cluster_.inject(0, forged(static_cast<std::uint64_t>(ms)),
                            forger.call(static_cast<std::uint64_t>(ms)));
        if (ms % 100 == 0) {
            ASSERT_TRUE(cluster_.peer(0).send(cluster_.local(0), test::text(std::string(200, 'x'))));
        }
    });
    EXPECT_EQ(cluster_.events_of<Joined>(newcomer).size(), 1U);

    // The newcomer's second datagram echoes our token. After it arrived, the next but one datagram at the
    // latest is for the newcomer, though those for five links wait.
    ASSERT_GE(cluster_.sent_by(newcomer).size(), 2U);
    const Duration echoed = cluster_.sent_by(newcomer)[1].sent + 25ms;
    const auto later = std::span{cluster_.sent_by(0)}.subspan(before);
    std::size_t updates_before = 0;
    std::size_t updates_after = 0;
    bool served = false;
    for (const Flight& flight : later) {
        if (flight.sent <= echoed) continue;
        served = served || flight.to == newcomer;
        if (flight.to >= 1 && flight.to < newcomer) ++(served ? updates_after : updates_before);
    }
    EXPECT_TRUE(served);
    EXPECT_GT(updates_after, 5U) << "nothing else was waiting";
    EXPECT_LE(updates_before, 1U);
}

TEST(Strangers, HellosUnderTheIdAndAddressOfMembersDoNotLockNewcomersOut) {
    constexpr std::size_t kMembers = 3;
    for (const int every_ms : {25, 5}) {
        Cluster cluster;
        for (std::size_t i = 0; i < kMembers; ++i) cluster.add();
        cluster.join_all();
        cluster.run_for(1s);
        const std::size_t before = cluster.peer(0).memory_bytes();
        HelloForger forger;
        std::uint64_t calls = 0;
        const auto attack = [&](int ms) {
            if (ms % every_ms != 0) return;
            for (std::size_t victim = 0; victim < kMembers; ++victim) {
                const std::size_t spoofed = victim == 0 ? 1 : 0;
                (void)forger.call(++calls);
                forger.hello().newcomer = false;
                forger.hello().id = Cluster::id(spoofed);
                cluster.inject(victim, cluster.address(spoofed), forger.make());
            }
        };
        run_under(cluster, 3s, attack);
        const std::size_t newcomer = cluster.add();
        cluster.join(newcomer, 0);
        run_under(cluster, 3s, attack);
        EXPECT_GT(calls, 500U);
        EXPECT_EQ(cluster.peer(newcomer).peers().size(), kMembers) << every_ms;
        for (std::size_t i = 0; i < kMembers; ++i) EXPECT_EQ(cluster.peer(i).peers().size(), kMembers) << i;
        EXPECT_LT(cluster.peer(0).memory_bytes(), before + 64 * 1024);
    }
}

TEST(Strangers, ForgedHellosDoNotLockNewcomersOutOfASmallSession) {
    PeerOptions options;
    options.overlay = FullMesh{.most_peers = 16};
    for (const int every_ms : {125, 5, 1}) {
        Cluster cluster;
        HelloForger forger{options};
        cluster.add(options);
        std::uint64_t calls = 0;
        const auto attack = [&](int ms) {
            if (ms % every_ms != 0) return;
            ++calls;
            cluster.inject(0, forged(calls), forger.call(calls));
        };
        run_under(cluster, 4s, attack);
        const std::size_t before = cluster.peer(0).memory_bytes();
        const std::size_t newcomer = cluster.add(options);
        cluster.join(newcomer, 0);
        run_under(cluster, 1s, attack);
        EXPECT_EQ(cluster.events_of<Joined>(newcomer).size(), 1U) << every_ms;
        EXPECT_EQ(cluster.peer(0).peers().size(), 1U) << every_ms;
        EXPECT_LE(cluster.peer(0).memory_bytes(), before + 32 * 1024) << every_ms;
    }
}

TEST(Strangers, TheLastPlaceIsForACallerThatProvesItsAddress) {
    PeerOptions options;
    options.overlay = FullMesh{.most_peers = 1};
    Cluster cluster;
    HelloForger forger{options};
    cluster.add(options);
    cluster.remember_sent(true);
    cluster.inject(0, forged(1), forger.call(1));
    const std::size_t newcomer = cluster.add(options);
    cluster.join(newcomer, 0);
    cluster.run_for(1s);
    EXPECT_EQ(cluster.events_of<Joined>(newcomer).size(), 1U);
    EXPECT_EQ(cluster.peer(0).peers().size(), 1U);
    bool asked_proof = false;
    for (const Flight& flight : cluster.sent_by(0)) {
        const auto refusal = test::refusal_in(flight.bytes);
        asked_proof = asked_proof || (refusal && refusal->asks_proof && flight.to == newcomer);
    }
    EXPECT_TRUE(asked_proof) << "or it proves nothing";
}

TEST(Strangers, AProofIsOfNoUseAtAnotherAddressOrLater) {
    PeerOptions options;
    options.overlay = FullMesh{.most_peers = 1};
    Cluster cluster;
    HelloForger forger{options};
    cluster.add(options);
    cluster.remember_sent(true);
    cluster.inject(0, forged(1), forger.call(1));
    cluster.inject(0, forged(2), forger.call(2));
    cluster.run_for(1ms);
    const auto asked = test::refusal_in(cluster.sent_by(0).back().bytes);
    ASSERT_TRUE(asked && asked->asks_proof);
    const auto answers = [&](const Address& from) {
        const std::size_t before = cluster.sent_by(0).size();
        cluster.inject(0, from, forger.call(2, asked->proof));
        cluster.run_for(1ms);
        return cluster.sent_by(0).size() > before &&
               test::hello_in(cluster.sent_by(0).back().bytes).has_value();
    };
    EXPECT_FALSE(answers(forged(3)));
    cluster.run_for(10s);
    cluster.inject(0, forged(1), forger.call(1));  // the place of a stranger is taken again
    EXPECT_FALSE(answers(forged(2)));
}

/// Five members; the first one is asked by callers that forge their addresses.
class Amplifier : public testing::Test {
protected:
    Amplifier() {
        for (int i = 0; i < 5; ++i) cluster_.add();
        cluster_.join_all();
        cluster_.run_for(1s);
        cluster_.remember_sent(true);
    }
    void ask(std::uint64_t number, const std::vector<std::uint8_t>& bytes) {
        asked_[number] += bytes.size();
        cluster_.inject(0, forged(number), bytes);
    }
    /// The call without the bytes of its body from this one on.
    static std::vector<std::uint8_t> cut(std::vector<std::uint8_t> call, std::size_t body) {
        const std::size_t end = call.size() - kSealBytes;
        call.erase(call.begin() + static_cast<std::ptrdiff_t>(std::min(body, end)), call.end() - kSealBytes);
        return call;
    }
    /// The callers are told apart by the link numbers of their calls.
    void count_answers() {
        for (const Flight& flight : cluster_.sent_by(0)) {
            if (flight.to != Cluster::kNobody) continue;
            const auto hello = test::hello_in(flight.bytes);
            const auto refusal = test::refusal_in(flight.bytes);
            ASSERT_TRUE(hello || refusal);
            const std::uint64_t number = hello ? hello->answered_link : refusal->link;
            answered_[number] += flight.bytes.size();
            ++datagrams_[number];
            named_ += hello ? hello->others.count : 0;
        }
    }

    Cluster cluster_;
    HelloForger forger_;
    std::map<std::uint64_t, std::size_t> asked_;      // bytes
    std::map<std::uint64_t, std::size_t> answered_;   // bytes
    std::map<std::uint64_t, std::size_t> datagrams_;  // in answer
    std::size_t named_ = 0;                           // addresses of other peers
};

TEST_F(Amplifier, AnswersAreNeverLongerThanTheirQuestions) {
    for (std::uint64_t i = 0; i < 100; ++i) ask(i, forger_.call(i));
    for (std::uint64_t i = 100; i < 120; ++i) ask(i, cut(forger_.call(i), 13 + 4 * (i - 100)));
    forger_.hello().world ^= 1U;
    for (std::uint64_t i = 120; i < 140; ++i) ask(i, forger_.call(i));
    cluster_.run_for(1s);
    forger_.hello().version ^= 1U;
    for (std::uint64_t i = 140; i < 160; ++i)
        ask(i, cut(forger_.call(i), 13));  // the fields of every version
    cluster_.run_for(10s);
    count_answers();
    EXPECT_GE(answered_.size(), 100U);
    EXPECT_GE(named_, 3 * kMaxStrangers) << "newcomers are told of others";
    for (const auto& [number, bytes] : answered_) {
        EXPECT_LE(bytes, asked_[number]) << number;
        EXPECT_EQ(datagrams_[number], 1U) << "with headers, it is not more either";
    }
}

TEST(Strangers, ForgedCallsInTheHostsNameDoNotBlockAJoin) {
    Cluster cluster;
    cluster.set_network(test::constant(100ms));
    cluster.add();
    cluster.add();
    HelloForger forger;
    cluster.join(1, 0);
    std::uint64_t calls = 0;
    run_under(cluster, 1s, [&](int) {
        ++calls;
        cluster.inject(1, cluster.address(0), forger.call(calls));
    });
    EXPECT_EQ(cluster.events_of<Joined>(1).size(), 1U);
    EXPECT_EQ(cluster.peer(1).peers(), std::vector<PeerId>{Cluster::id(0)});
}

TEST(Strangers, ForgedCallsInAContactsNameDoNotRedirectOurCalls) {
    test::Pair pair;
    pair.run_for(1s);
    pair.cut(0, 1);
    pair.run_for(6s);
    ASSERT_FALSE(pair.linked());
    pair.remember_sent(true);
    HelloForger forger;
    forger.hello().id = Cluster::id(1);
    run_under(pair, 3s, [&](int ms) {
        forger.hello().token = 1000 + static_cast<std::uint64_t>(ms);
        pair.inject(0, forged(static_cast<std::uint64_t>(ms)), forger.make());
    });
    std::size_t calls = 0;
    std::size_t astray = 0;
    for (const Flight& flight : pair.sent_by(0)) {
        const auto hello = test::hello_in(flight.bytes);
        if (!hello || hello->answers) continue;
        ++calls;
        astray += flight.to == Cluster::kNobody ? 1 : 0;
    }
    EXPECT_GE(calls, 10U);
    EXPECT_EQ(astray, 0U);
    pair.cut(0, 1, false);
    pair.run_for(3s);
    EXPECT_TRUE(pair.linked());
}

TEST(Strangers, AHelloInAnswerIsSentOncePerCall) {
    Cluster cluster;
    cluster.add();
    cluster.remember_sent(true);
    HelloForger forger;
    for (int i = 0; i < 5; ++i) {
        cluster.inject(0, forged(1), forger.call(1));
        cluster.run_for(100ms);
    }
    cluster.run_for(5s);
    EXPECT_EQ(cluster.sent_by(0).size(), 5U);
}

}  // namespace
}  // namespace fray
