// The streams of a match among members that come, crash and are cut off, over a network that loses and
// delays.

#include <fray/random.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace fray {
namespace {

constexpr Duration kFrame{16'667us};
constexpr Duration kTimeout{1s};  // of a link

struct Node {
    std::unique_ptr<TickStreams> streams;
    std::map<Stamp, std::vector<std::uint8_t>> lines;  // of the game, by tick
    std::vector<StreamEvent> events;
    Tick admitted = -1;
    Tick state_of = -1;               // the tick of the state that it got
    std::uint64_t final_changed = 0;  // lines that came for a tick before the horizon
    bool is_up = true;
};

struct Flying {
    Instant due;
    PeerId from;
    StreamMessage message;
};

class Net {
public:
    explicit Net(std::uint64_t seed, double loss = 0.1, Duration delay = 80ms)
        : random_{Seed{seed}, "net"}, loss_{loss}, delay_{delay} {}

    PeerId add(std::uint64_t number, StreamOptions options = {.seats = 8}) {
        const PeerId id = PeerId::from_number(number);
        const bool founds = nodes_.empty();
        Node node;
        node.streams = std::make_unique<TickStreams>(
            (founds ? TickStreams::found(now_, id, options) : TickStreams::join(now_, id, options)).value());
        nodes_[id] = std::move(node);
        for (auto& [other, there] : nodes_) {
            if (other == id || !there.is_up) continue;
            link(id, other);
            link(other, id);
        }
        return id;
    }
    void crash(const PeerId& id) {
        nodes_[id].is_up = false;
        for (auto& [other, there] : nodes_) {
            if (other != id) breaking_.push_back({now_ + kTimeout + jitter(), other, id});
        }
    }
    /// Cuts two peers off from each other.
    void cut(const PeerId& a, const PeerId& b) {
        cut_.insert({a, b});
        cut_.insert({b, a});
        breaking_.push_back({now_ + kTimeout + jitter(), a, b});
        breaking_.push_back({now_ + kTimeout + jitter(), b, a});
    }
    void mend() {
        for (const auto& [a, b] : std::exchange(cut_, {})) link(a, b);
    }
    void run(Duration span, bool talks = true) {
        for (const Instant end = now_ + span; now_ < end; now_ += kFrame) frame(talks);
    }

    [[nodiscard]] Tick tick() const { return now_.time_since_epoch() / kFrame; }
    Node& node(const PeerId& id) { return nodes_[id]; }
    auto& nodes() { return nodes_; }
    RandomStream& random() { return random_; }
    template <class E>
    [[nodiscard]] std::size_t count(const PeerId& id) {
        return static_cast<std::size_t>(std::ranges::count_if(
            nodes_[id].events, [](const StreamEvent& event) { return std::holds_alternative<E>(event); }));
    }
    /// All living members have the same lines for the ticks that are final at all of them.
    void expect_equal(Tick from) {
        Tick final = tick();
        for (auto& [id, node] : nodes_) {
            if (!node.is_up) continue;
            final = std::min(final, node.streams->horizon());
            from = std::max(from, node.admitted);
        }
        EXPECT_GT(final, from + 30);
        std::optional<std::vector<Stamp>> first;
        for (auto& [id, node] : nodes_) {
            if (!node.is_up) continue;
            EXPECT_EQ(node.final_changed, 0U);
            std::vector<Stamp> all;
            for (const auto& [stamp, bytes] : node.lines) {
                const Tick tick = micros(stamp.at.time_since_epoch());
                if (tick >= from && tick < final) all.push_back(stamp);
            }
            EXPECT_GT(all.size(), 10U);
            if (!first) first = all;
            EXPECT_EQ(all, *first) << "peer " << id.number();
        }
    }

private:
    struct Break {
        Instant at;
        PeerId at_peer;
        PeerId other;
    };
    Duration jitter() { return Duration{random_.below(300'000)}; }
    void link(const PeerId& a, const PeerId& b) {
        if (nodes_[a].is_up && nodes_[b].is_up) nodes_[a].streams->link_up(now_, b);
    }

    void frame(bool talks) {
        for (const Break& one : breaking_) {
            if (one.at <= now_ && nodes_[one.at_peer].is_up)
                nodes_[one.at_peer].streams->link_down(now_, one.other);
        }
        std::erase_if(breaking_, [&](const Break& one) { return one.at <= now_; });
        deliver();
        for (auto& [id, node] : nodes_) {
            if (node.is_up) play(id, node, talks);
        }
    }
    void deliver() {
        std::ranges::stable_sort(flying_, {}, &Flying::due);
        while (!flying_.empty() && flying_.front().due <= now_) {
            const Flying one = std::move(flying_.front());
            flying_.pop_front();
            Node& to = nodes_[one.message.to];
            if (!to.is_up || cut_.contains({one.from, one.message.to})) continue;
            to.streams->handle_message(now_, one.from, one.message.bytes);
        }
    }
    void play(const PeerId& id, Node& node, bool talks) {
        TickStreams& streams = *node.streams;
        if (talks && streams.is_member() && streams.seat() != kNoSeat && random_.chance(0.1)) {
            const auto byte = static_cast<std::uint8_t>(random_.below(256));
            (void)streams.say(tick(), std::span{&byte, 1});
        }
        const Tick before = streams.horizon();
        streams.advance(now_, tick() + 1);
        while (auto line = streams.poll_line()) {
            if (line->tick < before && line->tick >= node.admitted) ++node.final_changed;
            if (line->kind == StreamLine::Kind::game)
                node.lines[{SessionInstant{Duration{line->tick}}, {line->author, line->number}}] =
                    line->bytes;
        }
        if (streams.horizon() >= next_hash_[id]) {
            const Tick at = streams.horizon() / 60 * 60;
            streams.set_hash(at, static_cast<std::uint64_t>(at) ^ wrong_[id]);
            next_hash_[id] = at + 60;
        }
        while (auto event = streams.poll_event()) take(id, node, std::move(*event));
        while (auto message = streams.poll_message()) send(id, std::move(*message));
    }
    void take(const PeerId& id, Node& node, StreamEvent event) {
        if (const auto* admitted = std::get_if<Admitted>(&event)) node.admitted = admitted->tick;
        if (const auto* asked = std::get_if<StateAsked>(&event)) {
            const Tick at = asked->exact ? asked->tick : node.streams->horizon();
            node.streams->offer_state(asked->peer, std::max(at, asked->tick),
                                      std::vector<std::uint8_t>(5000, 7));
        }
        if (const auto* state = std::get_if<StateArrived>(&event)) node.state_of = state->tick;
        node.events.push_back(std::move(event));
        (void)id;
    }
    void send(const PeerId& from, StreamMessage message) {
        const bool is_reliable = message.delivery == Delivery::ordered;
        if (!is_reliable && random_.chance(loss_)) return;
        Instant due = now_ + delay_ + Duration{random_.below(40'000)};
        if (is_reliable) {
            Instant& last = last_due_[{from, message.to}];
            due = std::max(due, last + Duration{1});
            last = due;
        }
        flying_.push_back({due, from, std::move(message)});
    }

public:
    std::map<PeerId, std::uint64_t> wrong_;  // what a member's hash is off by

private:
    RandomStream random_;
    double loss_;
    Duration delay_;
    Instant now_{};
    std::map<PeerId, Node> nodes_;
    std::deque<Flying> flying_;
    std::vector<Break> breaking_;
    std::set<std::pair<PeerId, PeerId>> cut_;
    std::map<std::pair<PeerId, PeerId>, Instant> last_due_;
    std::map<PeerId, Tick> next_hash_;
};

TEST(TickStreams, WhatIsBeforeTheHorizonNeverChangesAndIsTheSameForAll) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed, 0.25, 100ms};
        for (std::uint64_t i = 1; i <= 4; ++i) net.add(i);
        net.run(10s);
        net.expect_equal(0);
    }
}

TEST(TickStreams, TheHorizonFollowsByTheDelayAndAFewFrames) {
    Net net{1, 0.0, 80ms};
    for (std::uint64_t i = 1; i <= 3; ++i) net.add(i);
    net.run(5s);
    for (auto& [id, node] : net.nodes()) {
        const Tick behind = net.tick() - node.streams->horizon();
        EXPECT_LE(behind * kFrame, 80ms + 40ms + 100ms) << "largest one-way delay and 100 ms";
        EXPECT_GE(behind * kFrame, 80ms) << "it cannot be known earlier";
    }
}

TEST(TickStreams, ANewcomerGetsASeatAStateAndAllLinesSinceItsAdmission) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed};
        for (std::uint64_t i = 1; i <= 3; ++i) net.add(i);
        net.run(5s);
        const PeerId late = net.add(9);
        net.run(5s);
        Node& node = net.node(late);
        EXPECT_TRUE(node.streams->is_member());
        EXPECT_EQ(node.streams->seat(), 3U);
        EXPECT_GT(node.admitted, 200);
        EXPECT_GE(node.state_of, node.admitted);
        EXPECT_EQ(net.node(PeerId::from_number(1)).streams->members().size(), 4U);
        net.expect_equal(node.state_of);
    }
}

TEST(TickStreams, ANewcomerThatSaysNothingDoesNotHoldTheHorizonBack) {
    Net net{4, 0.0};
    net.add(1);
    net.add(2);
    net.run(2s, false);
    EXPECT_GT(net.node(PeerId::from_number(1)).streams->horizon(), 90);
    EXPECT_GT(net.node(PeerId::from_number(2)).streams->horizon(), 90);
}

TEST(TickStreams, AKnockThatArrivesAfterItsWelcomeIsNoNewStay) {
    const PeerId a = PeerId::from_number(1);
    const PeerId b = PeerId::from_number(2);
    TickStreams host = TickStreams::found(Instant{}, a, {}).value();
    TickStreams guest = TickStreams::join(Instant{}, b, {}).value();
    host.link_up(Instant{}, b);
    guest.link_up(Instant{}, a);
    std::vector<StreamMessage> knocks;
    for (const Duration at : {0ms, 600ms}) {
        guest.advance(Instant{at}, 0);
        while (auto message = guest.poll_message()) knocks.push_back(std::move(*message));
    }
    ASSERT_EQ(knocks.size(), 2U);
    host.handle_message(Instant{700ms}, b, knocks[0].bytes);
    for (int ms = 700; ms < 5000; ms += 20) {
        const Instant now{std::chrono::milliseconds{ms}};
        host.advance(now, ms / 20);
        while (const auto message = host.poll_message()) guest.handle_message(now, a, message->bytes);
        guest.advance(now, ms / 20);
        while (const auto message = guest.poll_message()) host.handle_message(now, b, message->bytes);
        if (ms == 1000) host.handle_message(now, b, knocks[1].bytes);
    }
    EXPECT_EQ(host.members().size(), 2U);
    EXPECT_TRUE(guest.is_member());
    EXPECT_GT(host.horizon(), 200);
}

TEST(TickStreams, SurvivorsAgreeWhichLinesOfACrashedMemberCount) {
    std::uint64_t lines_of_lost = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Net net{seed, 0.3, 150ms};
        for (std::uint64_t i = 1; i <= 5; ++i) net.add(i);
        net.run(5s);
        const PeerId lost = PeerId::from_number(1 + seed % 5);
        net.crash(lost);
        net.run(8s);
        net.expect_equal(0);
        Node& survivor = net.node(PeerId::from_number(lost.number() == 5 ? 4 : 5));
        EXPECT_EQ(survivor.streams->members().size(), 4U);
        EXPECT_GT(survivor.streams->horizon(), net.tick() - 60) << "the match goes on";
        for (const auto& [stamp, bytes] : survivor.lines)
            lines_of_lost += stamp.name.author == lost ? 1U : 0U;
    }
    EXPECT_GT(lines_of_lost, 100U);
}

TEST(TickStreams, TheMatchGoesOnWhenTheKeeperOfTheListCrashesWhileItEndsAnotherMember) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Net net{seed, 0.2, 120ms};
        for (std::uint64_t i = 1; i <= 5; ++i) net.add(i);
        net.run(4s);
        net.crash(PeerId::from_number(3));
        // Between the loss of the link and the end of the agreement.
        net.run(kTimeout + 2s + Duration{net.random().below(900'000)});
        net.crash(PeerId::from_number(1));
        net.run(10s);
        net.expect_equal(0);
        EXPECT_EQ(net.node(PeerId::from_number(5)).streams->members().size(), 3U) << "seed " << seed;
    }
}

TEST(TickStreams, AMemberThatComesBackTakesItsOldSeat) {
    Net net{3};
    for (std::uint64_t i = 1; i <= 4; ++i) net.add(i);
    net.run(3s);
    const PartNumber seat = net.node(PeerId::from_number(3)).streams->seat();
    net.crash(PeerId::from_number(3));
    net.run(6s);
    net.add(3);
    net.run(5s);
    EXPECT_EQ(net.node(PeerId::from_number(3)).streams->seat(), seat);
    EXPECT_EQ(net.node(PeerId::from_number(1)).streams->members().size(), 4U);
    net.expect_equal(net.node(PeerId::from_number(3)).state_of);
}

TEST(TickStreams, AfterAPartitionTheSmallerPartJoinsTheLarger) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed};
        for (std::uint64_t i = 1; i <= 5; ++i) net.add(i);
        net.run(3s);
        // The two with the smallest ids, the keeper among them, against three.
        for (const std::uint64_t a : {1, 2}) {
            for (const std::uint64_t b : {3, 4, 5}) net.cut(PeerId::from_number(a), PeerId::from_number(b));
        }
        net.run(6s);
        EXPECT_EQ(net.node(PeerId::from_number(1)).streams->members().size(), 2U);
        EXPECT_EQ(net.node(PeerId::from_number(4)).streams->members().size(), 3U);
        net.mend();
        net.run(15s);
        EXPECT_EQ(net.count<Evicted>(PeerId::from_number(1)), 1U);
        EXPECT_EQ(net.count<Evicted>(PeerId::from_number(4)), 0U);
        for (std::uint64_t i = 1; i <= 5; ++i)
            EXPECT_EQ(net.node(PeerId::from_number(i)).streams->members().size(), 5U) << "seed " << seed;
    }
}

TEST(TickStreams, ASpectatorGetsAllLinesAndNeverHoldsTheHorizonBack) {
    Net net{5};
    for (std::uint64_t i = 1; i <= 3; ++i) net.add(i);
    net.run(3s);
    const PeerId watcher = net.add(7, {.seats = 8, .watches = true});
    net.run(5s);
    EXPECT_TRUE(net.node(watcher).streams->is_member());
    EXPECT_EQ(net.node(watcher).streams->seat(), kNoSeat);
    EXPECT_EQ(net.node(PeerId::from_number(1)).streams->members().size(), 3U);
    net.expect_equal(net.node(watcher).state_of);
    net.crash(watcher);
    const Tick before = net.node(PeerId::from_number(1)).streams->horizon();
    net.run(2s);
    EXPECT_GE(net.node(PeerId::from_number(1)).streams->horizon(), before + 110);
}

TEST(TickStreams, TheMemberWithAnotherHashGetsTheStateOfTheLargerGroup) {
    Net net{6};
    for (std::uint64_t i = 1; i <= 5; ++i) net.add(i);
    net.run(3s);
    net.wrong_[PeerId::from_number(2)] = 99;
    net.run(4s);
    EXPECT_GT(net.count<StateDiffers>(PeerId::from_number(2)), 0U);
    EXPECT_GT(net.node(PeerId::from_number(2)).streams->counts().bad_states, 0U)
        << "the state of this test has not the hash that was voted for";
    for (const std::uint64_t i : {1, 3, 4, 5}) EXPECT_EQ(net.count<StateDiffers>(PeerId::from_number(i)), 0U);
}

TEST(TickStreams, TheMiddleQueueHoldsBackWhatOthersSay) {
    Net net{7, 0.0, 20ms};
    net.add(1);
    net.add(2);
    net.run(2s);
    net.node(PeerId::from_number(1)).streams->set_lag(300ms);
    net.run(3s);
    const Tick behind = net.tick() - net.node(PeerId::from_number(1)).streams->horizon();
    EXPECT_GE(behind * kFrame, 300ms);
    EXPECT_LE(behind * kFrame, 300ms + 60ms + 100ms);
}

TEST(TickStreams, AnyBytesAreSafeAndCounted) {
    RandomStream random{Seed{8}, "bytes"};
    Net net{8};
    const PeerId a = net.add(1);
    net.add(2);
    net.run(2s);
    TickStreams& streams = *net.node(a).streams;
    for (int i = 0; i < 20'000; ++i) {
        std::vector<std::uint8_t> bytes(random.below(60));
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
        streams.handle_message(Instant{10s}, PeerId::from_number(1 + random.below(3)), bytes);
    }
    EXPECT_GT(streams.counts().malformed, 19'000U);
    EXPECT_EQ(streams.members().size(), 2U);
}

TEST(TickStreams, ALineForAPromisedTickIsAnError) {
    TickStreams streams = TickStreams::found(Instant{}, PeerId::from_number(1), {}).value();
    const std::uint8_t byte = 1;
    streams.advance(Instant{1s}, 60);
    EXPECT_FALSE(streams.say(59, std::span{&byte, 1}));
    EXPECT_TRUE(streams.say(60, std::span{&byte, 1}));
    EXPECT_FALSE(streams.say(60 + 601, std::span{&byte, 1}));
    EXPECT_FALSE(TickStreams::found(Instant{}, PeerId::from_number(1), {.seats = 0}));
}

}  // namespace
}  // namespace fray
