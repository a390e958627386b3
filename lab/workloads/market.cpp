#include "lab/workloads/market.hpp"

#include "lab/workloads/snagger_pair.hpp"

#include <algorithm>
#include <utility>

namespace fray::lab {

namespace {
constexpr std::array kGoods{ItemId{1}, ItemId{2}};  // of the first player, of the second
constexpr std::uint32_t kPlenty = 10'000;
constexpr PeerId partner_id() { return PeerId::from_number(2); }
}  // namespace

void Market::started(PeerIndex index, Instant now, const Peer& peer) {
    if (pause_ == Duration{0} || index >= desks_.size()) return;
    auto desk = TradeDesk::open_new(now, peer.id(), Seed{index});
    if (!desk) return;
    if (index < kGoods.size()) (void)desk->add({{kGoods[index], kPlenty}});
    desks_[index] = std::move(*desk);
}

void Market::frame(Swarm& swarm, PeerIndex index, Instant now, bool playing) {
    if (index >= desks_.size() || !desks_[index]) return;
    const SessionInstant at = swarm.session_time(swarm.now());
    if (index == 0 && playing && at >= next_) {
        next_ = at + pause_;
        const auto trade = desks_[0]->propose(now, {.partner = partner_id(),
                                                    .witness = serializer_id(),
                                                    .give = {{kGoods[0], 1}},
                                                    .want = {{kGoods[1], 1}}});
        if (trade) deals_[*trade].offered = at;
    }
    desks_[index]->handle_time(now);
    settle(swarm, index, now);
}

void Market::event(Swarm& swarm, PeerIndex index, Instant now, const Event& event) {
    const auto* message = std::get_if<Message>(&event);
    if (message == nullptr || index >= desks_.size() || !desks_[index]) return;
    desks_[index]->handle_message(now, message->from, message->bytes);
    settle(swarm, index, now);
}

/// No peer crashes here, so journals are not stored. But messages are withheld until the journal is polled.
void Market::settle(Swarm& swarm, PeerIndex index, Instant now) {
    TradeDesk& desk = *desks_[index];
    (void)desk.poll_journal();
    while (const auto event = desk.poll_event()) show(swarm, index, now, *event);
    (void)desk.poll_journal();
    while (auto message = desk.poll_message())
        (void)swarm.send(index, {std::move(message->bytes), Audience::only(message->to)});
}

void Market::show(Swarm& swarm, PeerIndex index, Instant now, const TradeEvent& event) {
    if (const auto* offered = std::get_if<TradeOffered>(&event)) {
        (void)desks_[index]->accept(now, offered->trade);
        return;
    }
    const auto& decided = std::get<TradeDecided>(event);
    const auto deal = deals_.find(decided.trade);
    if (deal == deals_.end() || index >= deal->second.shown.size() || !decided.committed) return;
    deal->second.shown[index] = swarm.session_time(swarm.now()) + kDrawing;
}

TradeFigures Market::figures() const {
    TradeFigures figures;
    for (const auto& [id, deal] : deals_) {
        if (!deal.shown[0] || !deal.shown[1]) {
            ++figures.undone;
            continue;
        }
        ++figures.done;
        figures.response_ms += millis(*deal.shown[0] - deal.offered);
        figures.both_ms += millis(std::max(*deal.shown[0], *deal.shown[1]) - deal.offered);
    }
    const auto count = static_cast<double>(std::max<std::uint64_t>(figures.done, 1));
    figures.response_ms /= count;
    figures.both_ms /= count;
    return figures;
}

}  // namespace fray::lab
