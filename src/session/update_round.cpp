#include "session/update_round.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace fray {

namespace {
constexpr std::uint16_t kDatagramCost = 56;  // headers, seal and acknowledgement, in bytes
// Of an even budget: the upload's windows let a little less than its rate leave.
constexpr std::size_t kEvenShare = 15;
constexpr std::size_t kOfEvenShare = 16;
constexpr std::size_t kMostLeft =
    1024;  // bytes that one frame may leave to the next: a bundle that did not fit
constexpr std::size_t kSavedShare = 16;    // of what was saved, for one frame
constexpr double kNewestShare = 1.0 / 64;  // of a frame in the average of what leaves besides updates
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
                                          : is.out.bytes_for_updates(now, is.options.world.tick);
}

std::size_t UpdateRound::even_budget(Instant now, Composition& is) const {
    const std::size_t available = is.out.bytes_for_updates(now, is.options.world.tick);
    const std::size_t usual = is.out.usual_bytes(is.options.world.tick);
    if (usual == SIZE_MAX) return available;
    // Others come in bursts: of what is kept for them, little by little, the part that is saved up is used.
    const std::size_t saved = (available - std::min(available, 2 * usual)) / kSavedShare;
    const auto others = static_cast<std::size_t>(std::max(0.0, others_));
    // A window of the upload holds two frames: what the last one took is not there for this one.
    const std::size_t share = usual / kOfEvenShare * kEvenShare;
    const std::size_t all =
        std::min(share + std::min(left_, kMostLeft), 2 * share - std::min(2 * share, last_spent_));
    return std::min(available, all - std::min(all / 2, others - std::min(others, saved)));
}

void UpdateRound::count_others(const Composition& is) {
    std::int64_t promised = 0;  // of the updates that left
    for (const Promise& promise : promises_) promised += promise.bytes;
    for (const LinkNumber link : is.out.left_over()) {
        if (!is.primaries.first_choice(link)) continue;
        for (const Promise& promise : promises_) promised -= promise.link == link ? promise.bytes : 0;
    }
    const ByteLedger& ledger = is.out.ledger();
    const auto spent =
        static_cast<std::int64_t>(ledger.total_bytes() - std::exchange(sent_, ledger.total_bytes()));
    last_spent_ = static_cast<std::size_t>(spent);
    others_ += (static_cast<double>(spent - promised) - others_) * kNewestShare;
}

void UpdateRound::run(Instant now, Composition& is, OverlayActions& actions) {
    is.policy->begin_frame(now);
    gather(now, is);
    if (is.policy->wants_even_budget()) count_others(is);
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
    left_ = bytes;
    for (const Candidate& c : chosen) left_ -= std::min<std::size_t>(left_, c.bytes);
    is.overlay->dispatch(now, chosen, actions);
    is.primaries.clear_choices();
    order_.clear();
    promises_.clear();
    for (const Candidate& c : chosen) {
        promises_.push_back({c.link, c.bytes});
        if (c.primary >= kForwards) continue;  // dispatched
        is.primaries.choose(now, c.link, c.primary);
        order_.push_back(c.link);
    }
    is.out.schedule(order_);
}

}  // namespace fray
