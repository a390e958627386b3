#pragma once
// Three desks, a bad network and crashes at counted steps. A crash can come before any step: a message or the
// time is handled, the journal is stored, one message is sent, one event is shown.

#include <fray/random.hpp>
#include <fray/trade.hpp>

#include "support/trade_ledger.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace fray::test {

struct TradeFaults {
    double loss = 0;
    double duplication = 0;
    double very_late = 0;  ///< share of the copies that arrive seconds later
    double decline = 0;    ///< of all offers
    bool hasty = false;    ///< timeouts shorter than the network's delay: every peer starts recovery
    /// Crashes, one at a time: the peer that acts at each of these counts of steps; the next count applies
    /// only after the former peer has returned.
    struct Crash {
        std::uint64_t step = 0;
        std::optional<Duration> back_after;  ///< nothing: never
    };
    std::vector<Crash> crashes;
};

class TradeWorld {
public:
    static constexpr std::size_t kPeers = 3;
    TradeWorld(std::uint64_t seed, const TradeFaults& faults);

    /// Offers from every player to every other, so that each has each role; they want overlapping items.
    void propose_all(std::size_t count);
    void run_until(Instant end);
    /// Lists everything that does not hold, or nothing.
    [[nodiscard]] std::string judge() const;

    [[nodiscard]] bool alive(std::size_t peer) const { return nodes_[peer].desk.has_value(); }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] std::uint64_t doubled() const { return doubled_; }
    [[nodiscard]] std::uint64_t crashed() const { return crashed_; }
    [[nodiscard]] std::uint64_t returned() const { return returned_; }
    [[nodiscard]] const TradeLedger& ledger() const { return ledger_; }

private:
    struct Node {
        std::optional<TradeDesk> desk;
        std::optional<std::vector<std::uint8_t>> stored;
        bool gone_for_ever = false;
    };
    struct Due {
        Instant at;
        std::uint64_t order = 0;
        std::size_t to = 0;
        std::size_t from = 0;
        std::vector<std::uint8_t> bytes;  // empty: the peer returns
        friend bool operator>(const Due& a, const Due& b) {
            return a.at != b.at ? a.at > b.at : a.order > b.order;
        }
    };

    static PeerId id(std::size_t peer) { return PeerId::from_number(peer + 1); }
    static std::size_t index(const PeerId& id) { return static_cast<std::size_t>(id.number() - 1); }
    static Items first_items(std::size_t peer);
    void start(std::size_t peer);
    /// True if the peer crashed instead.
    bool step(std::size_t peer);
    /// Stores, sends and shows, one step each.
    void drain(std::size_t peer);
    void send(std::size_t from, const TradeMessage& message);
    void show(std::size_t peer, const TradeEvent& event);
    void complain(const std::string& what) { problems_ += what + "\n"; }
    void store(std::size_t peer, std::vector<std::uint8_t> journal);

    RandomStream random_;
    TradeFaults faults_;
    std::size_t next_crash_ = 0;
    Instant now_{1s};
    std::array<Node, kPeers> nodes_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
    std::uint64_t order_ = 0;
    TradeLedger ledger_;
    std::set<TradeId> witnessed_;
    std::string problems_;
    std::uint64_t steps_ = 0, lost_ = 0, doubled_ = 0, crashed_ = 0, returned_ = 0;
};

}  // namespace fray::test
