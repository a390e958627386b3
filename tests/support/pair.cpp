#include "support/pair.hpp"

#include <fray/serialize.hpp>

#include "link/datagram.hpp"
#include "link/link.hpp"
#include "session/session.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace fray::test {

namespace {
constexpr auto later = [](const auto& a, const auto& b) {
    return std::pair{a.at, a.order} > std::pair{b.at, b.order};
};
}  // namespace

Network constant(Duration latency) {
    return [latency](const Flight&) { return std::vector<Duration>{latency}; };
}

Network rough(Seed seed, double loss, double duplication, Duration shortest, Duration longest) {
    auto stream = std::make_shared<RandomStream>(seed, "rough network");
    return [=](const Flight&) {
        std::vector<Duration> copies;
        const auto draw = [&] {
            return shortest + from_seconds(stream->uniform() * seconds(longest - shortest));
        };
        if (!stream->chance(loss)) copies.push_back(draw());
        if (!copies.empty() && stream->chance(duplication)) copies.push_back(draw());
        return copies;
    };
}

std::size_t Cluster::add_node(Duration clock_offset, std::int64_t drift_ppm) {
    nodes_.push_back(Node{.peer = nullptr,
                          .address = Address::from_number(nodes_.size() + 1),
                          .offset = clock_offset,
                          .drift_ppm = drift_ppm,
                          .events = {},
                          .sent = {}});
    return nodes_.size() - 1;
}

std::size_t Cluster::add(PeerOptions options, Duration clock_offset, std::int64_t drift_ppm) {
    const std::size_t i = add_node(clock_offset, drift_ppm);
    restart(i, std::move(options), Seed{i + 1});
    return i;
}

std::size_t Cluster::add(PeerOptions options, const Additions& additions, Duration clock_offset) {
    const std::size_t i = add_node(clock_offset, 0);
    if (options.id == PeerId{}) options.id = id(i);
    FRAY_ASSERT(options.check().has_value());
    nodes_[i].peer =
        std::make_unique<Peer>(std::make_unique<Session>(std::move(options), Seed{i + 1}, additions));
    wake(i);
    return i;
}

void Cluster::restart(std::size_t i, PeerOptions options, Seed seed) {
    if (options.id == PeerId{}) options.id = id(i);
    auto made = Peer::create(std::move(options), seed);
    FRAY_ASSERT(made.has_value());
    nodes_[i].peer = std::make_unique<Peer>(std::move(*made));
    wake(i);
}

Instant Cluster::local(std::size_t i, Duration at) const {
    const Node& node = nodes_[i];
    return Instant{node.offset + at + Duration{at.count() * node.drift_ppm / 1'000'000}};
}

Duration Cluster::true_time(const Node& node, Instant local) const {
    const std::int64_t since = micros(local.time_since_epoch() - node.offset);
    // A wake-up may be a microsecond late; one too early would be repeated for ever.
    return Duration{since * 1'000'000 / (1'000'000 + node.drift_ppm) + (node.drift_ppm == 0 ? 0 : 2)};
}

Duration Cluster::next_wakeup() const {
    Duration next = Duration::max();
    for (const Node& node : nodes_) {
        if (!node.peer) continue;
        const Instant wanted = node.peer->poll_wakeup();
        if (wanted == kNever) continue;
        next = std::min(next, wanted == Instant::min() ? now_ : true_time(node, wanted));
    }
    return next;
}

void Cluster::send(std::size_t from, const Datagram& datagram) {
    const auto match = std::ranges::find(nodes_, datagram.to, &Node::address);
    Flight flight{.sent = now_,
                  .from = from,
                  .to = match == nodes_.end() ? kNobody : static_cast<std::size_t>(match - nodes_.begin()),
                  .source = nodes_[from].address,
                  .bytes = {datagram.bytes.begin(), datagram.bytes.end()}};
    if (tamper_) tamper_(flight);
    if (remember_) nodes_[from].sent.push_back(flight);
    if (flight.to == kNobody || std::ranges::find(cuts_, std::pair{from, flight.to}) != cuts_.end()) return;
    for (const Duration delay : network_(flight)) {
        arrivals_.push_back(Arrival{now_ + delay, order_++, flight});
        std::ranges::push_heap(arrivals_, later);
    }
}

void Cluster::flush(std::size_t i) {
    std::array<std::uint8_t, kMaxDatagramBytes> buffer;  // NOLINT(*-member-init): written by the peer
    constexpr int kMostAtOnce = 20'000;
    for (int n = 0; n < kMostAtOnce; ++n) {
        const auto datagram = peer(i).poll_datagram(local(i), buffer);
        if (!datagram) return;
        send(i, *datagram);
    }
    runaway_ = true;
}

void Cluster::settle(std::size_t i) {
    flush(i);
    while (auto event = peer(i).poll_event()) nodes_[i].events.push_back(std::move(*event));
}

void Cluster::wake(std::size_t i) {
    peer(i).handle_time(local(i));
    settle(i);
}

void Cluster::inject(std::size_t to, const Address& from, std::span<const std::uint8_t> bytes) {
    peer(to).handle_datagram(local(to), from, bytes);
    settle(to);
}

bool Cluster::step(Duration limit) {
    Duration wakeup = next_wakeup();
    if (wakeup <= now_) {  // it was woken just now and wants to be woken again: advance the time
        ++stalls_;
        wakeup = now_ + 1us;
    }
    const Duration arrival = arrivals_.empty() ? Duration::max() : arrivals_.front().at;
    const Duration next = std::min(wakeup, arrival);
    if (next > limit) return false;
    now_ = std::max(now_, next);
    if (arrival <= wakeup) {
        std::ranges::pop_heap(arrivals_, later);
        const Flight flight = std::move(arrivals_.back().flight);
        arrivals_.pop_back();
        if (!nodes_[flight.to].peer) return true;
        ++delivered_;
        inject(flight.to, flight.source, flight.bytes);
        return true;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].peer && nodes_[i].peer->poll_wakeup() <= local(i)) wake(i);
    }
    return true;
}

void Cluster::run_until(Duration t) {
    for (std::size_t i = 0; i < size(); ++i) {
        if (nodes_[i].peer) settle(i);  // commands since the last run
    }
    while (step(t)) {
    }
    now_ = std::max(now_, t);
}

bool Cluster::run_while(const std::function<bool()>& waiting, Duration most) {
    const Duration end = now_ + most;
    while (waiting()) {
        if (now_ >= end) return false;
        run_for(std::min<Duration>(1ms, end - now_));
    }
    return true;
}

void Cluster::join(std::size_t i, std::size_t through) {
    (void)peer(i).join(local(i), address(through));
    settle(i);
}

void Cluster::join_all(Duration within) {
    for (std::size_t i = 1; i < size(); ++i) join(i, 0);
    run_while(
        [&] {
            for (std::size_t i = 0; i < size(); ++i) {
                if (peer(i).peers().size() + 1 != size()) return true;
            }
            return false;
        },
        within);
}

void Cluster::cut(std::size_t a, std::size_t b, bool is_cut) {
    cut_way(a, b, is_cut);
    cut_way(b, a, is_cut);
}

void Cluster::cut_way(std::size_t from, std::size_t to, bool is_cut) {
    std::erase(cuts_, std::pair{from, to});
    if (is_cut) cuts_.emplace_back(from, to);
}

void Cluster::forget_events() {
    for (Node& node : nodes_) node.events.clear();
}

Pair::Pair(const PeerOptions& options, Network network) : Pair{options, options, std::move(network)} {}

Pair::Pair(const PeerOptions& first, const PeerOptions& second, Network network) {
    set_network(std::move(network));
    add(first);
    add(second);
    join_all();
}

bool Pair::linked() { return peer(0).peers().size() == 1 && peer(1).peers().size() == 1; }

Forger::Forger(std::span<const std::uint8_t> real) {
    auto opened = open_datagram(real);
    if (!opened || opened->kind != DatagramKind::data) return;
    token_ = static_cast<std::uint64_t>(opened->token);
    link_ = read_varint(opened->body);
    const auto header = Link::read_header(opened->counter, opened->body);
    if (!header) return;
    sequence_ = header->sequence;
    ready_ = true;
}

std::vector<std::uint8_t> Forger::make(const std::function<void(BitWriter&)>& body) {
    std::array<std::uint8_t, kMaxDatagramBytes> buffer;  // NOLINT(*-member-init): written below
    DatagramBuilder datagram{buffer, DatagramKind::data};
    write_varint(datagram.out(), link_);
    datagram.set_counter(++sequence_);
    datagram.out().boolean(false);  // no acknowledgement
    body(datagram.out());
    ByteLedger ledger;
    const auto bytes = datagram.finish(Token{token_}, Address{}, ledger);
    return {bytes.begin(), bytes.end()};
}

std::optional<std::vector<std::uint8_t>> last_data(const Cluster& cluster, std::size_t from, std::size_t to) {
    const auto& sent = cluster.sent_by(from);
    for (auto flight = sent.rbegin(); flight != sent.rend(); ++flight) {
        if (flight->to == to && Forger{flight->bytes}.ready()) return flight->bytes;
    }
    return std::nullopt;
}

Outgoing text(const std::string& words, Delivery delivery) {
    return Outgoing{.bytes = {words.begin(), words.end()}, .audience = {}, .delivery = delivery, .at = {}};
}

std::string words_of(const Message& message) { return {message.bytes.begin(), message.bytes.end()}; }

}  // namespace fray::test
