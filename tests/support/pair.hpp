#pragma once
// Peers in virtual time on a network in which a test decides the fate of every datagram. Cluster has any
// number of peers, Pair has two that are linked. Deterministic, and smaller than the simulator: for tests of
// the session itself.

#include <fray/peer.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace fray {
struct Additions;  // session/composition.hpp
}

namespace fray::test {

/// One datagram under way.
struct Flight {
    Duration sent{};  ///< true time
    std::size_t from = 0;
    std::size_t to = 0;
    Address source;
    std::vector<std::uint8_t> bytes;
};

/// The delays of the copies that arrive: none is a loss, two a duplication.
using Network = std::function<std::vector<Duration>(const Flight&)>;

[[nodiscard]] Network constant(Duration latency);
/// Loses, duplicates and delays at random: a delay is drawn evenly from [shortest, longest].
[[nodiscard]] Network rough(Seed seed, double loss, double duplication, Duration shortest, Duration longest);

class Cluster {
public:
    static constexpr std::size_t kNobody = SIZE_MAX;

    /// The address of peer i is Address::from_number(i + 1); an id of zero becomes PeerId::from_number(i +
    /// 1).
    std::size_t add(PeerOptions options = {}, Duration clock_offset = {}, std::int64_t drift_ppm = 0);
    /// A peer with these additional parts.
    std::size_t add(PeerOptions options, const Additions& additions, Duration clock_offset = {});
    [[nodiscard]] Peer& peer(std::size_t i) { return *nodes_[i].peer; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] Address address(std::size_t i) const { return nodes_[i].address; }
    [[nodiscard]] static PeerId id(std::size_t i) { return PeerId::from_number(i + 1); }
    /// Changes the peer's address.
    void move(std::size_t i, const Address& to) { nodes_[i].address = to; }
    /// The peer ends without a goodbye; restart() replaces it with a new one.
    void crash(std::size_t i) { nodes_[i].peer.reset(); }
    void restart(std::size_t i, PeerOptions options, Seed seed);

    [[nodiscard]] Duration now() const { return now_; }
    [[nodiscard]] Instant local(std::size_t i) const { return local(i, now_); }
    [[nodiscard]] Instant local(std::size_t i, Duration at) const;
    /// Session time as peer i estimates it.
    [[nodiscard]] SessionInstant session(std::size_t i) { return peer(i).session_time(local(i)); }

    void join(std::size_t i, std::size_t through);
    /// All peers join through the first, and are linked with each other afterwards.
    void join_all(Duration within = 5s);
    void run_for(Duration span) { run_until(now_ + span); }
    void run_until(Duration t);
    /// Runs until the condition holds; false if it did not within the span.
    bool run_while(const std::function<bool()>& waiting, Duration most);
    /// Polls what peer i wants to send now, as happens by itself when time advances.
    void flush(std::size_t i);
    /// Bytes from any address, at this moment.
    void inject(std::size_t to, const Address& from, std::span<const std::uint8_t> bytes);

    void set_network(Network network) { network_ = std::move(network); }
    /// Changes what is sent, as a peer with another program could.
    void set_tamper(std::function<void(Flight&)> tamper) { tamper_ = std::move(tamper); }
    /// Nothing is delivered between the two, until it is undone.
    void cut(std::size_t a, std::size_t b, bool is_cut = true);
    /// One direction only.
    void cut_way(std::size_t from, std::size_t to, bool is_cut = true);

    /// Everything peer i reported so far.
    [[nodiscard]] const std::vector<Event>& events(std::size_t i) const { return nodes_[i].events; }
    void forget_events();
    template <class T>
    [[nodiscard]] std::vector<T> events_of(std::size_t i) const {
        std::vector<T> found;
        for (const Event& event : events(i)) {
            if (const T* value = std::get_if<T>(&event)) found.push_back(*value);
        }
        return found;
    }
    /// What left peer i: bytes without headers, and when. For budgets and ledgers.
    [[nodiscard]] const std::vector<Flight>& sent_by(std::size_t i) const { return nodes_[i].sent; }
    void remember_sent(bool on) { remember_ = on; }
    /// How often a peer was woken without making progress.
    [[nodiscard]] std::uint64_t stalls() const { return stalls_; }
    [[nodiscard]] std::uint64_t delivered() const { return delivered_; }
    /// Whether a peer sent so much at one moment that it would never have stopped.
    [[nodiscard]] bool runaway() const { return runaway_; }

private:
    struct Node {
        std::unique_ptr<Peer> peer;
        Address address;
        Duration offset{};
        std::int64_t drift_ppm = 0;
        std::vector<Event> events;
        std::vector<Flight> sent;
    };
    struct Arrival {
        Duration at{};
        std::uint64_t order = 0;
        Flight flight;
    };
    std::size_t add_node(Duration clock_offset, std::int64_t drift_ppm);
    [[nodiscard]] Duration true_time(const Node& node, Instant local) const;
    [[nodiscard]] Duration next_wakeup() const;
    void send(std::size_t from, const Datagram& datagram);
    void settle(std::size_t i);
    void wake(std::size_t i);
    bool step(Duration limit);

    std::vector<Node> nodes_;
    std::vector<Arrival> arrivals_;  // a heap, earliest first
    std::vector<std::pair<std::size_t, std::size_t>> cuts_;
    Network network_ = constant(25ms);
    std::function<void(Flight&)> tamper_;
    Duration now_{};
    std::uint64_t order_ = 0;
    std::uint64_t stalls_ = 0;
    std::uint64_t delivered_ = 0;
    bool remember_ = false;
    bool runaway_ = false;
};

/// Two peers, 0 and 1; 1 has joined through 0.
class Pair : public Cluster {
public:
    explicit Pair(const PeerOptions& options = {}, Network network = constant(25ms));
    Pair(const PeerOptions& first, const PeerOptions& second, Network network = constant(25ms));
    [[nodiscard]] bool linked();
};

/// Writes datagrams on another peer's link, with the right seal: what a hostile linked peer can send.
class Forger {
public:
    /// Learns link number, token and sequence from a real data datagram.
    explicit Forger(std::span<const std::uint8_t> real);
    [[nodiscard]] bool ready() const { return ready_; }
    /// A datagram with the next sequence number whose messages `body` writes.
    [[nodiscard]] std::vector<std::uint8_t> make(const std::function<void(BitWriter&)>& body);
    [[nodiscard]] std::uint16_t sequence() const { return sequence_; }

private:
    std::uint64_t link_ = 0;
    std::uint64_t token_ = 0;
    std::uint16_t sequence_ = 0;
    bool ready_ = false;
};

/// The newest data datagram that peer `from` sent to peer `to`, or nothing. Needs remember_sent(true).
[[nodiscard]] std::optional<std::vector<std::uint8_t>> last_data(const Cluster& cluster, std::size_t from,
                                                                 std::size_t to);

/// A game message of one kind, by its first bytes.
[[nodiscard]] Outgoing text(const std::string& words, Delivery delivery = Delivery::reliable);
[[nodiscard]] std::string words_of(const Message& message);

}  // namespace fray::test
