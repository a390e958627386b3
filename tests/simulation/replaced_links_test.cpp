// Peers that call each other while one of them comes back: whichever links come up, and whichever they
// replace, ordered messages that were accepted for an incarnation reach it in order and exactly once.

#include <fray/encode.hpp>
#include <fray/swarm.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace fray::test {
namespace {

/// An ordered message: which stay sent it, and its number in the run.
struct Numbered {
    std::uint32_t incarnation = 0;
    std::uint64_t number = 0;
};

template <class Stream>
void serialize(Stream& s, Numbered& message) {
    s.whole(message.incarnation);
    s.whole(message.number);
}

/// In each frame every peer sends a numbered message to all peers that it is linked with.
class NumberedStream final : public Workload {
public:
    explicit NumberedStream(Duration until) : until_{until} {}

    using Stay = std::pair<PeerId, Incarnation>;
    using Way = std::pair<Stay, Stay>;  // from, to
    using Numbers = std::map<Way, std::vector<std::uint64_t>>;
    [[nodiscard]] const Numbers& accepted() const { return accepted_; }
    [[nodiscard]] const std::vector<std::uint64_t>& delivered(const Way& way) { return delivered_[way]; }
    /// Links to an incarnation that the peer was linked with before.
    [[nodiscard]] std::uint64_t linked_again() const { return linked_again_; }

    void started(Swarm&, PeerIndex index, Instant, const Peer&) override { linked_[index].clear(); }
    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer& peer) override {
        if (swarm.now() > until_ || peer.peers().empty()) return;
        const Numbered message{static_cast<std::uint32_t>(peer.incarnation()), ++number_};
        ASSERT_TRUE(swarm.send(index, {bytes_of(message).value(), {}, Delivery::ordered, {}}));
        for (const PeerId& to : peer.peers())
            accepted_[{stay_of(peer), {to, linked_[index][to]}}].push_back(number_);
    }
    void event(Swarm& swarm, PeerIndex index, Instant, const Peer& peer, const Event& event) override {
        if (const auto* joined = std::get_if<PeerJoined>(&event)) {
            Incarnation& linked = linked_[index][joined->peer];
            if (linked == joined->incarnation) ++linked_again_;
            linked = joined->incarnation;
        }
        if (const auto* message = std::get_if<Message>(&event)) {
            const auto content = value_of<Numbered>(message->bytes);
            ASSERT_TRUE(content);
            const Stay from{message->from, Incarnation{content->incarnation}};
            delivered_[{from, stay_of(peer)}].push_back(content->number);
        }
        const auto* refused = std::get_if<Refused>(&event);
        if (refused != nullptr && refused->reason == Reason::timed_out) {
            EXPECT_TRUE(swarm.join(index, swarm.index_of(refused->address)));
        }
    }

private:
    static Stay stay_of(const Peer& peer) { return {peer.id(), peer.incarnation()}; }

    Duration until_;
    std::map<PeerIndex, std::map<PeerId, Incarnation>> linked_;
    std::uint64_t number_ = 0;
    std::uint64_t linked_again_ = 0;
    Numbers accepted_;
    Numbers delivered_;
};

/// Counts datagrams that reach a peer before an answer to its first hello can: calls that cross its own.
class CrossingCalls final : public Observer {
public:
    void on_started(Duration at, PeerIndex index, const Peer&) override { started_[index] = at; }
    void on_delivered(const Transit& transit) override {
        if (transit.at - started_[transit.to] < 2 * kLeastLatency) ++count_;
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }

    static constexpr Duration kLeastLatency{15ms};

private:
    std::map<PeerIndex, Duration> started_;
    std::uint64_t count_ = 0;
};

struct Churn {
    PeerIndex peers = 0;
    double loss = 0;
    Duration away{};  // between a crash and the return
};

class ReplacedLinks : public ::testing::Test {
protected:
    /// Each peer crashes and comes back twice, one after the other.
    void run(const Churn& churn, Seed seed) {
        SCOPED_TRACE(seed.value);
        Swarm swarm = make_swarm(churn.loss, seed);
        for (PeerIndex i = 0; i < churn.peers; ++i) ASSERT_TRUE(swarm.add_peer(PeerOptions{}));
        Duration at = 4s;
        for (PeerIndex i = 0; i < 2 * churn.peers; ++i, at += churn.away + 4s) {
            const PeerIndex peer = i % churn.peers;
            ASSERT_TRUE(swarm.schedule({at, ActionKind::crash, peer, {}}));
            ASSERT_TRUE(swarm.schedule({at + churn.away, ActionKind::rejoin, peer, {}}));
        }
        NumberedStream stream{at + 5s};
        CrossingCalls crossing;
        swarm.set_workload(&stream);
        swarm.add_observer(&crossing);
        swarm.run_until(at + 15s);
        judge(swarm, stream);
        crossing_ += crossing.count();
        linked_again_ += stream.linked_again();
    }

    std::uint64_t crossing_ = 0;
    std::uint64_t linked_again_ = 0;

private:
    static Swarm make_swarm(double loss, Seed seed) {
        SwarmOptions options;
        options.network.latency =
            LogNormalLatency{.median = 16'300us, .least = CrossingCalls::kLeastLatency, .sigma = 0.7};
        options.network.loss = IndependentLoss{loss};
        options.network.reordering = {.chance = 0.1, .extra = 60ms};
        options.network.duplication = {.chance = 0.05, .extra = 10ms};
        return std::move(Swarm::create(options, seed).value());
    }
    /// Both ways between all last stays.
    static void judge(Swarm& swarm, NumberedStream& stream) {
        std::size_t judged = 0;
        const auto is_last = [&](const NumberedStream::Stay& stay) {
            for (PeerIndex i = 0; i < swarm.size(); ++i) {
                const Peer& peer = swarm.peer(i);
                if (peer.id() == stay.first && peer.incarnation() == stay.second) return true;
            }
            return false;
        };
        for (const auto& [way, numbers] : stream.accepted()) {
            if (!is_last(way.first) || !is_last(way.second)) continue;
            ++judged;
            EXPECT_GT(numbers.size(), 100U);
            EXPECT_EQ(numbers, stream.delivered(way));
        }
        EXPECT_EQ(judged, swarm.size() * (swarm.size() - 1));
    }
};

/// A peer that comes back calls a member by its address, while that member still calls the peer that it lost.
TEST_F(ReplacedLinks, ACallThatCrossesAJoinThroughTheCallerLosesNoOrderedMessage) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) run({.peers = 3, .loss = 0.4, .away = 9s}, Seed{seed});
    EXPECT_GT(crossing_, 20U);
}

/// A peer that was left alone joins by address again, and is answered by the peer that it is linked with.
TEST_F(ReplacedLinks, AJoinByAddressToALinkedPeerContinuesItsChannel) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) run({.peers = 2, .loss = 0.25, .away = 8s}, Seed{seed});
    EXPECT_GT(linked_again_, 100U);
}

}  // namespace
}  // namespace fray::test
