#include "session/update_round.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace fray {

namespace {
constexpr std::uint16_t kDatagramCost = 56;  // headers, seal and acknowledgement, in bytes
// An even budget has room for one update more: what does not leave goes first among the others in the next
// frame.
constexpr std::size_t kOneMore = 64;
constexpr double kNewestShare =
    1.0 / 64;  // of a frame in the average of what updates take beyond their prices
}  // namespace

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

std::size_t UpdateRound::budget(Instant now, Composition& is) {
    if (const auto own = is.overlay->own_budget()) return *own;
    return is.policy->wants_even_budget() ? even_budget(now, is)
                                          : is.out.bytes_for_updates(now, is.options.world.tick).available;
}

std::size_t UpdateRound::even_budget(Instant now, Composition& is) {
    const auto [available, taken] = is.out.bytes_for_updates(now, is.options.world.tick);
    const std::size_t usual = is.out.usual_bytes(is.options.world.tick);
    if (usual == SIZE_MAX) return available;
    count_extra(is, taken);
    const auto extra = static_cast<std::size_t>(std::max(0.0, extra_));
    return std::min(available, usual + kOneMore - std::min(usual / 2, extra));
}

void UpdateRound::count_extra(const Composition& is, std::size_t taken) {
    std::size_t promised = 0;  // of the updates that left
    for (const Promise& promise : promises_) promised += promise.bytes;
    for (const LinkNumber link : is.out.left_over()) {
        if (!is.primaries.first_choice(link)) continue;
        for (const Promise& promise : promises_) promised -= promise.link == link ? promise.bytes : 0U;
    }
    const double extra = static_cast<double>(taken) - static_cast<double>(promised);
    extra_ += (extra - extra_) * kNewestShare;
}

void UpdateRound::run(Instant now, Composition& is, OverlayActions& actions) {
    is.primaries.take_riders(riders_);
    for (const auto& [link, primary] : riders_) is.policy->handle_rider(link, primary);
    is.policy->begin_frame(now);
    gather(now, is);
    const auto left_over = is.out.left_over();
    for (std::size_t i = left_over.size(); i > 0; --i) {  // the last frame could not send everything
        const LinkNumber link = left_over[i - 1];
        if (const auto first = is.primaries.first_choice(link)) {
            is.policy->resume(link, *first);
            is.overlay->handle_unsent(link);
        }
    }
    const std::size_t bytes = budget(now, is);
    const std::size_t count = is.policy->choose(candidates_, bytes);
    upload_is_short_ = count < candidates_.size() && !is.overlay->own_budget();
    const auto chosen = std::span{candidates_}.first(count);
    is.overlay->dispatch(now, chosen, actions);
    is.primaries.clear_choices();
    order_.clear();
    promises_.clear();
    std::size_t before_others = 0;
    for (const Candidate& c : chosen) {
        promises_.push_back({c.link, c.bytes});
        if (c.primary >= kForwards) continue;  // dispatched
        is.primaries.choose(now, c.link, c.primary);
        order_.push_back(c.link);
        if (promises_.size() <= is.policy->before_others()) before_others = order_.size();
    }
    is.out.schedule(order_, before_others);
    if (!is.policy->wants_even_budget()) return;
    for (const Candidate& c : std::span{candidates_}.subspan(count)) {
        if (c.primary < kForwards) is.primaries.offer(c.link, c.primary);
    }
}

}  // namespace fray
