#pragma once
// Members of a match over a network that loses and delays, cuts them off from each other, and lets them
// crash.

#include <fray/random.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace fray::test {

inline constexpr Duration kFrame{16'667us};
inline constexpr Duration kTimeout{1s};  // of a link

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
            Flying one = std::move(flying_.front());
            flying_.pop_front();
            Node& to = nodes_[one.message.to];
            if (!to.is_up || cut_.contains({one.from, one.message.to})) continue;
            if (drops_ && drops_(one.from, one.message)) continue;
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
                                      std::vector<std::uint8_t>(state_bytes_, 7));
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
    std::size_t state_bytes_ = 5000;
    std::function<bool(const PeerId& from, StreamMessage&)> drops_;  // true: it never arrives

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

}  // namespace fray::test
