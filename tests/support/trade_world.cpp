#include "support/trade_world.hpp"

#include <fray/assert.hpp>

#include "trade/trade_journal.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fray::test {

namespace {

constexpr ItemId kGold{1000};
constexpr TradeOptions kQuick{.offer = 3s, .vote = 400ms, .doubt = 700ms, .resend = 50ms};
constexpr TradeOptions kHasty{.offer = 3s, .vote = 90ms, .doubt = 60ms, .resend = 20ms};

}  // namespace

TradeWorld::TradeWorld(std::uint64_t seed, const TradeFaults& faults)
    : random_{Seed{seed}, "trade world"}, faults_{faults} {
    for (std::size_t peer = 0; peer < kPeers; ++peer) {
        start(peer);
        FRAY_ASSERT(nodes_[peer].desk->add(first_items(peer)).has_value());
        ledger_.owns(id(peer), first_items(peer));
        nodes_[peer].stored = *nodes_[peer].desk->poll_journal();
    }
}

/// Two unique things each, and gold.
Items TradeWorld::first_items(std::size_t peer) {
    return {{ItemId{10 * peer + 1}, 1}, {ItemId{10 * peer + 2}, 1}, {kGold, 100}};
}

void TradeWorld::start(std::size_t peer) {
    const auto& stored = nodes_[peer].stored;
    const TradeOptions& options = faults_.hasty ? kHasty : kQuick;
    auto desk = stored ? TradeDesk::reopen(now_, id(peer), *stored, options)
                       : TradeDesk::open_new(now_, id(peer), Seed{peer}, options);
    FRAY_ASSERT(desk.has_value());
    nodes_[peer].desk.emplace(std::move(*desk));
}

void TradeWorld::propose_all(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t peer = (i + random_.below(2)) % kPeers;
        const std::size_t partner = (peer + 1 + random_.below(2)) % kPeers;
        if (!alive(peer)) continue;
        const TradeTerms terms{.partner = id(partner),
                               .witness = id(kPeers - peer - partner),
                               .give = {{ItemId{10 * peer + 1}, 1}, {kGold, 1 + random_.below(40)}},
                               .want = {{ItemId{10 * partner + 1 + random_.below(2)}, 1}}};
        const auto made = nodes_[peer].desk->propose(now_, terms);
        if (!made) continue;  // locked in another trade
        ledger_.proposed(*made, terms);
        drain(peer);
    }
}

bool TradeWorld::step(std::size_t peer) {
    const std::uint64_t count = steps_++;
    if (next_crash_ >= faults_.crashes.size() || count < faults_.crashes[next_crash_].step) return false;
    if (std::ranges::count_if(nodes_, [](const Node& node) { return !node.desk; }) > 0) return false;
    const TradeFaults::Crash& crash = faults_.crashes[next_crash_++];
    ++crashed_;
    nodes_[peer].desk.reset();
    nodes_[peer].gone_for_ever = !crash.back_after;
    if (crash.back_after) due_.push({now_ + *crash.back_after, order_++, peer, peer, {}});
    return true;
}

/// In the order that would do the most harm if the desk did not withhold what depends on the journal.
void TradeWorld::drain(std::size_t peer) {
    Node& node = nodes_[peer];
    while (!step(peer)) {
        if (const auto message = node.desk->poll_message()) {
            send(peer, *message);
        } else if (const auto event = node.desk->poll_event()) {
            show(peer, *event);
        } else if (auto journal = node.desk->poll_journal()) {
            store(peer, std::move(*journal));
        } else {
            return;
        }
    }
}

void TradeWorld::send(std::size_t from, const TradeMessage& message) {
    const bool lost = random_.chance(faults_.loss);
    const bool twice = random_.chance(faults_.duplication);
    lost_ += lost ? 1 : 0;
    doubled_ += twice ? 1 : 0;
    for (int copy = lost ? 1 : 0; copy < (twice ? 2 : 1); ++copy) {
        const Duration most = random_.chance(faults_.very_late) ? Duration{12s} : Duration{80ms};
        const Duration delay = 5ms + from_seconds(random_.uniform() * seconds(most));
        due_.push({now_ + delay, order_++, index(message.to), from, message.bytes});
    }
}

void TradeWorld::show(std::size_t peer, const TradeEvent& event) {
    if (const auto* offered = std::get_if<TradeOffered>(&event)) {
        TradeDesk& desk = *nodes_[peer].desk;
        if (random_.chance(faults_.decline) || !desk.accept(now_, offered->trade)) {
            (void)desk.refuse(offered->trade);
        }
        return;
    }
    const auto& decided = std::get<TradeDecided>(event);
    ledger_.decided(id(peer), decided);
    if (decided.committed && !witnessed_.contains(decided.trade)) {
        complain("a commit was shown before the witness recorded it");
    }
}

/// Records which commits a witness ever had on record. In a contested recovery its last record may be an
/// abort of a later ballot that lost.
void TradeWorld::store(std::size_t peer, std::vector<std::uint8_t> journal) {
    nodes_[peer].stored = std::move(journal);
    const auto read = decode_journal(*nodes_[peer].stored, id(peer));
    if (!read) return complain("a journal that cannot be read");
    for (const Trade& trade : read->trades) {
        const auto& accepted = trade.verdict.accepted();
        if (trade.role == TradeRole::witness && accepted && accepted->commit)
            witnessed_.insert(trade.name.id);
    }
}

void TradeWorld::run_until(Instant end) {
    while (true) {
        std::size_t first = 0;
        Instant wake = kNever;
        for (std::size_t i = 0; i < kPeers; ++i) {
            const Instant wanted = nodes_[i].desk ? nodes_[i].desk->poll_wakeup() : kNever;
            if (wanted < wake) {
                wake = wanted;
                first = i;
            }
        }
        const Instant arrival = due_.empty() ? kNever : due_.top().at;
        if (std::min(wake, arrival) > end) return;
        now_ = std::max(now_, std::min(wake, arrival));
        if (wake < arrival) {
            nodes_[first].desk->handle_time(now_);
            drain(first);
            continue;
        }
        const Due due = due_.top();
        due_.pop();
        if (due.bytes.empty()) {
            start(due.to);
            ++returned_;
        } else if (alive(due.to)) {
            nodes_[due.to].desk->handle_message(now_, id(due.from), due.bytes);
        }
        if (alive(due.to)) drain(due.to);
    }
}

std::string TradeWorld::judge() const {
    std::map<PeerId, const TradeDesk*> living;
    for (std::size_t peer = 0; peer < kPeers; ++peer) {
        if (alive(peer)) living[id(peer)] = &*nodes_[peer].desk;
    }
    const auto still_away = [](const Node& node) { return !node.desk && !node.gone_for_ever; };
    const std::string away = std::ranges::any_of(nodes_, still_away) ? "somebody is still away\n" : "";
    return problems_ + away + ledger_.judge(living);
}

}  // namespace fray::test
