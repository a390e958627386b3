#include "session/update_round.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace fray {

namespace {
constexpr std::uint16_t kDatagramCost = 56;  // headers, seal and acknowledgement, in bytes
}

void UpdateRound::gather(Instant now, Composition& is) {
    ++round_;
    news_.clear();
    is.primaries.list_news(news_);
    candidates_.clear();
    is.overlay->candidates(news_, candidates_);
    const OwnViews& views = is.views.own();
    std::erase_if(candidates_, [&](Candidate& c) {
        if (c.primary >= kForwards) return false;
        const bool direct =
            views.is_default(c.primary) ||
            views.goes_to(c.primary, is.links.peer(c.link), is.primaries.is_told(c.link, c.primary));
        const auto need = is.primaries.need(now, c.link, c.primary);
        c.first = need == Primaries::Need::first;
        return !direct || need == Primaries::Need::none;
    });
    if (is.overlay->own_budget()) return;  // the overlay counts bytes by its own rules
    for (Candidate& c : candidates_) {     // the first candidate of a link pays for the datagram's headers
        if (std::exchange(paid_[c.link], round_) != round_)
            c.bytes = static_cast<std::uint16_t>(c.bytes + kDatagramCost);
    }
}

void UpdateRound::run(Instant now, Composition& is, OverlayActions& actions) {
    is.policy->begin_frame(now);
    gather(now, is);
    const auto left_over = is.out.left_over();
    for (std::size_t i = left_over.size(); i > 0; --i) {  // the last frame could not send everything
        const LinkNumber link = left_over[i - 1];
        if (const auto first = is.primaries.first_choice(link)) is.policy->resume(link, *first);
    }
    const auto own_budget = is.overlay->own_budget();
    const std::size_t budget =
        own_budget ? *own_budget : is.out.bytes_for_updates(now, is.options.world.tick);
    const std::size_t count = is.policy->choose(candidates_, budget);
    upload_is_short_ = count < candidates_.size() && !own_budget;
    const auto chosen = std::span{candidates_}.first(count);
    is.overlay->dispatch(now, chosen, actions);
    is.primaries.clear_choices();
    order_.clear();
    for (const Candidate& c : chosen) {
        if (c.primary >= kForwards) continue;  // dispatched
        is.primaries.choose(now, c.link, c.primary);
        order_.push_back(c.link);
    }
    is.out.schedule(order_);
}

}  // namespace fray
