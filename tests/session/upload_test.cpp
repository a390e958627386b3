// What leaves a peer: never more than its budget, every byte booked, no allocation after warm-up.

#include "support/allocations.hpp"
#include "support/hello_forger.hpp"
#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

namespace fray {
namespace {

using test::Cluster;
using test::Flight;
using test::Pair;
using test::text;

struct Cargo {
    std::vector<std::uint8_t> bytes;
};
template <class Stream>
void serialize(Stream& s, Cargo& c) {
    s.bytes(c.bytes, kMaxPayloadBytes - 4);
}

State at(float x) {
    Pose pose;
    pose.position.x = x;
    pose.velocity.x = 20;
    return state_of(pose);
}

std::size_t network_bytes(const std::vector<Flight>& flights) {
    std::size_t sum = 0;
    for (const Flight& f : flights) sum += f.bytes.size() + 28;
    return sum;
}

std::size_t most_in_window(const std::vector<Flight>& flights) {
    std::size_t most = 0, sum = 0, first = 0;
    for (std::size_t i = 0; i < flights.size(); ++i) {
        sum += flights[i].bytes.size() + 28;
        while (flights[i].sent - flights[first].sent >= 100ms) sum -= flights[first++].bytes.size() + 28;
        most = std::max(most, sum);
    }
    return most;
}

/// Five peers with more to send than their upload carries.
void babble(Cluster& cluster, PeerOptions options, int frames, std::int64_t drift_ppm = 0) {
    cluster.remember_sent(true);
    for (int i = 0; i < 5; ++i) cluster.add(options, {}, drift_ppm);
    cluster.join_all(20s);
    std::vector<EntityId> ids;
    for (std::size_t i = 0; i < 5; ++i) {
        for (int k = 0; k < 6; ++k) ids.push_back(*cluster.peer(i).publish(cluster.local(i), at(0)));
    }
    for (int frame = 0; frame < frames; ++frame) {
        for (const EntityId& id : ids) {
            const std::size_t owner = id.owner.number() - 1;
            ASSERT_TRUE(cluster.peer(owner).update(cluster.local(owner), id, at(static_cast<float>(frame))));
        }
        if (frame % 10 == 0) (void)cluster.peer(0).send(cluster.local(0), text(std::string(900, 'x')));
        if (frame % 40 == 0)
            (void)cluster.peer(1).send(cluster.local(1), text(std::string(5000, 'x'), Delivery::unreliable));
        cluster.run_for(50ms);
    }
}

TEST(Upload, NoHundredMillisecondsHoldMoreThanTheBudgetAndEveryByteIsBooked) {
    for (const std::uint32_t kbps : {64U, 200U, 1000U}) {
        Cluster cluster;
        PeerOptions options;
        options.link.upload_kbps = kbps;
        babble(cluster, options, 300, 1000);  // clocks that run fast: their 100 ms are shorter
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_GT(cluster.sent_by(i).size(), 100U);
            EXPECT_LE(most_in_window(cluster.sent_by(i)), std::max<std::size_t>(kbps * 125 / 10, 1228))
                << kbps;
            EXPECT_EQ(cluster.peer(i).stats().ledger.total_bytes(), network_bytes(cluster.sent_by(i)));
            EXPECT_EQ(cluster.peer(i).stats().ledger.datagrams(), cluster.sent_by(i).size());
        }
    }
}

TEST(Upload, LinksLiveOnAndNobodyStarvesOnASmallUpload) {
    Cluster cluster;
    PeerOptions options;
    options.link.upload_kbps = 64;
    babble(cluster, options, 400);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_TRUE(cluster.events_of<PeerLeft>(i).empty())
            << i << ": " << to_string(cluster.events_of<PeerLeft>(i).front().reason) << ", "
            << cluster.events_of<PeerLeft>(i).size();
        Duration oldest{};
        ASSERT_EQ(cluster.peer(i).replicas(cluster.local(i)).size(), 24U) << i;
        for (const Replica& r : cluster.peer(i).replicas(cluster.local(i))) oldest = std::max(oldest, r.age);
        // The messages alone take nine tenths of the upload, and each is included until it is acknowledged.
        EXPECT_LT(oldest, 3s) << i;
    }
}

TEST(Upload, ABigEntityOnASmallUploadArrivesAndTheOthersMove) {
    PeerOptions options;
    options.link.upload_kbps = 64;
    options.world.types = {EntityType::bare("small"), EntityType::of<Cargo>("big")};
    Pair pair{options};
    const auto big = pair.peer(0).publish(
        pair.local(0), state_of(Pose{}, Cargo{std::vector<std::uint8_t>(3500, 7)}, EntityTypeId{1}));
    ASSERT_TRUE(big);
    const auto small = pair.peer(0).publish(pair.local(0), at(0));
    ASSERT_TRUE(small);
    for (int frame = 0; frame < 400; ++frame) {
        ASSERT_TRUE(pair.peer(0).update(pair.local(0), *small, at(static_cast<float>(frame))));
        pair.run_for(50ms);
    }
    EXPECT_TRUE(pair.peer(1).replica(pair.local(1), *big));
    const auto replica = pair.peer(1).replica(pair.local(1), *small);
    ASSERT_TRUE(replica);
    EXPECT_LT(replica->age, 1s);
}

TEST(Upload, ManyEntitiesOnASmallUploadAllMove) {
    PeerOptions options;
    options.link.upload_kbps = 64;
    Pair pair{options};
    std::vector<EntityId> ids;
    for (int i = 0; i < 200; ++i) ids.push_back(*pair.peer(0).publish(pair.local(0), at(0)));
    for (int frame = 0; frame < 400; ++frame) {
        for (const EntityId& id : ids)
            ASSERT_TRUE(pair.peer(0).update(pair.local(0), id, at(static_cast<float>(frame))));
        pair.run_for(50ms);
    }
    Duration oldest{};
    ASSERT_EQ(pair.peer(1).replicas(pair.local(1)).size(), 200U);
    for (const Replica& r : pair.peer(1).replicas(pair.local(1))) oldest = std::max(oldest, r.age);
    EXPECT_LT(oldest, 5s) << "some entities get no update while others get them all";
}

TEST(Upload, ARoundKeepsToItsBytes) {
    PeerOptions options;
    options.link.upload_bytes_per_round = 2000;
    Cluster cluster;
    cluster.set_network(
        test::constant(23'700us));  // so that nothing arrives, and is answered, on the border of two rounds
    babble(cluster, options, 100);
    for (std::size_t i = 0; i < 5; ++i) {
        std::map<std::int64_t, std::size_t> rounds;
        for (const Flight& f : cluster.sent_by(i)) rounds[f.sent / 50ms] += f.bytes.size() + 28;
        EXPECT_GT(rounds.size(), 50U);
        for (const auto& [round, bytes] : rounds) EXPECT_LE(bytes, 2000U);
        EXPECT_EQ(cluster.peer(i).peers().size(), 4U);
    }
}

TEST(Upload, TheSmallestRoundFitsTheLongestHelloOverIpv6) {
    PeerOptions options;
    options.link.upload_bytes_per_round = 256;
    Cluster cluster;
    for (std::uint8_t i = 0; i < 5; ++i) {
        cluster.add(options);
        Address address{{0x20, 0x01, 0x0D, 0xB8}, 7000};
        address.ip[15] = i;
        cluster.move(i, address);
    }
    cluster.remember_sent(true);
    cluster.join_all(30s);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(cluster.peer(i).peers().size(), 4U) << i;
        for (const Flight& f : cluster.sent_by(i)) {
            EXPECT_LE(f.bytes.size() + kUdpIpv6Bytes, 256U);
            if (const auto hello = test::hello_in(f.bytes); hello && hello->others.count == 3)
                longest = std::max(longest, f.bytes.size());
        }
    }
    EXPECT_EQ(longest, kNewcomerCallBytesIpv6) << "a hello that names three peers";
}

TEST(Upload, AMessageLongerThanARoundDoesNotMuteThePeer) {
    PeerOptions options;
    options.link.upload_bytes_per_round = 600;
    Pair pair{options};
    const auto id = pair.peer(0).publish(pair.local(0), at(0));
    ASSERT_TRUE(id);
    pair.run_for(1s);
    ASSERT_TRUE(pair.linked());
    EXPECT_FALSE(pair.peer(0).send(pair.local(0), text(std::string(2000, 'x')))) << "it could never leave";
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), text(std::string(400, 'x'))));
    for (int frame = 0; frame < 100; ++frame) {
        ASSERT_TRUE(pair.peer(0).update(pair.local(0), *id, at(static_cast<float>(frame))));
        pair.run_for(50ms);
    }
    const auto replica = pair.peer(1).replica(pair.local(1), *id);
    ASSERT_TRUE(replica);
    EXPECT_LT(replica->age, 1s);
    EXPECT_EQ(pair.events_of<Message>(1).size(), 1U);
}

TEST(Upload, EarlyDataReachesAPeerThatNeverAnswered) {
    PeerOptions options;
    options.link.early_data = true;
    Cluster cluster;
    for (int i = 0; i < 3; ++i) cluster.add(options);
    const auto id = cluster.peer(2).publish(cluster.local(2), at(5));
    ASSERT_TRUE(id);
    cluster.join(1, 0);
    cluster.join(2, 0);
    cluster.run_for(1s);
    cluster.cut(1, 2);
    cluster.run_for(7s);
    ASSERT_FALSE(cluster.peer(1).replica(cluster.local(1), *id));
    cluster.cut_way(2, 1, false);  // 2 calls 1 again, and gets no answer
    cluster.run_for(3s);
    EXPECT_TRUE(cluster.peer(1).replica(cluster.local(1), *id));
}

TEST(Upload, EarlyDataThatDoesNotFitDoesNotRunAway) {
    PeerOptions options;
    options.link.early_data = true;
    options.world.types = {EntityType::of<Cargo>("big")};
    Cluster cluster;
    for (int i = 0; i < 3; ++i) cluster.add(options);
    for (std::size_t size = 1000; size < 1150; size += 10) {
        ASSERT_TRUE(cluster.peer(2).publish(cluster.local(2),
                                            state_of(Pose{}, Cargo{std::vector<std::uint8_t>(size, 1)})));
    }
    cluster.join(1, 0);
    cluster.run_for(300ms);
    cluster.join(2, 0);
    cluster.run_for(2s);
    EXPECT_FALSE(cluster.runaway()) << "hellos without end";
    EXPECT_EQ(cluster.peer(1).replicas(cluster.local(1)).size(), 15U);
}

/// Two peers of a kind, each with one entity that moves, over a network that loses and reorders; counts what
/// their calls allocate.
class WarmPair {
public:
    explicit WarmPair(const PeerOptions& options) : pair_{options} {
        for (std::size_t i = 0; i < 2; ++i) entity_[i] = *pair_.peer(i).publish(pair_.local(i), at(0));
    }
    void run(int frames) {
        Instant now = pair_.local(0) + passed_;
        for (int frame = 0; frame < frames; ++frame, now += 50ms, passed_ += 50ms) {
            for (std::size_t i = 0; i < 2; ++i) run_frame(now, i, static_cast<float>(frame % 900));
        }
    }
    std::uint64_t counted = 0;
    std::uint64_t delivered = 0;
    std::uint64_t lost = 0;
    [[nodiscard]] Stats stats() { return pair_.peer(0).stats(); }

private:
    struct InFlight {
        Instant at;
        std::vector<std::uint8_t> bytes;
    };
    template <class F>
    auto count(F&& call) {
        const std::uint64_t before = test::allocations();
        auto result = call();
        counted += test::allocations() - before;
        return result;
    }
    void run_frame(Instant now, std::size_t i, float x) {
        Peer& peer = pair_.peer(i);
        EXPECT_TRUE(count([&] { return peer.update(now, entity_[i], at(x)); }));
        count([&] { return peer.handle_time(now), true; });
        while (const auto datagram = count([&] { return peer.poll_datagram(now, buffer_); })) {
            if (chance_.below(20) == 0) {
                ++lost;
                continue;
            }
            const auto delay = Duration{20'000 + chance_.below(130'000)};
            to_[1 - i].push_back({now + delay, {datagram->bytes.begin(), datagram->bytes.end()}});
        }
        for (std::size_t k = 0; k < to_[i].size();) {
            if (to_[i][k].at > now) {
                ++k;
                continue;
            }
            count([&] { return peer.handle_datagram(now, pair_.address(1 - i), to_[i][k].bytes), true; });
            to_[i].erase(to_[i].begin() + static_cast<std::ptrdiff_t>(k));
            ++delivered;
        }
        while (count([&] { return peer.poll_event(); })) {
        }
    }

    Pair pair_;
    Duration passed_{};
    RandomStream chance_{Seed{5}, "chance"};
    std::array<EntityId, 2> entity_{};
    std::array<std::vector<InFlight>, 2> to_;
    std::array<std::uint8_t, kMaxDatagramBytes> buffer_{};
};

void expect_nothing_allocated(const PeerOptions& options) {
    WarmPair pair{options};
    ASSERT_GT(test::allocations(), 0U) << "nothing is counted";
    pair.run(30000);  // until no queue gets longer than ever before
    pair.counted = pair.delivered = pair.lost = 0;
    pair.run(2000);
    EXPECT_GT(pair.delivered, 3000U);
    EXPECT_GT(pair.lost, 100U);
    EXPECT_GT(pair.stats().updates_received, 3000U);
    EXPECT_EQ(pair.counted, 0U);
}

TEST(Upload, NothingIsAllocatedPerDatagramOnceWarm) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the thread sanitizer's allocator is not counted";
    expect_nothing_allocated({});
}

TEST(Upload, NothingIsAllocatedPerRoundOfAnOpenWorldOnceWarm) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the thread sanitizer's allocator is not counted";
    PeerOptions options;
    options.overlay = PSense{};
    expect_nothing_allocated(options);
}

/// The bytes that a peer reports, and the bytes that it releases at its end.
void expect_memory_is_told(const PeerOptions& options) {
    Cluster cluster;
    for (int i = 0; i < 12; ++i) cluster.add(options);
    for (std::size_t i = 0; i < 12; ++i)
        ASSERT_TRUE(cluster.peer(i).publish(cluster.local(i), at(static_cast<float>(i))));
    for (std::size_t i = 1; i < 12; ++i) cluster.join(i, 0);
    cluster.run_for(5s);
    ASSERT_EQ(cluster.peer(5).replicas(cluster.local(5)).size(), 11U);
    Peer moved = std::move(cluster.peer(5));
    const auto told = static_cast<double>(moved.memory_bytes());
    const std::int64_t before = test::bytes_held();
    { const Peer ended = std::move(moved); }
    const auto given_back = static_cast<double>(before - test::bytes_held());
    EXPECT_GT(given_back, 10'000);
    EXPECT_NEAR(told, given_back, 0.05 * given_back);
}

TEST(Memory, APeerTellsWhatItHolds) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the thread sanitizer's allocator is not counted";
    expect_memory_is_told({});
}

TEST(Memory, APeerOfAnOpenWorldTellsWhatItHolds) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the thread sanitizer's allocator is not counted";
    PeerOptions options;
    options.overlay = PSense{};
    expect_memory_is_told(options);
}

}  // namespace
}  // namespace fray
