#include "interest/copy_prices.hpp"

#include <algorithm>

namespace fray {

void CopyPrices::begin(std::span<const Candidate> candidates) {
    // Our own updates are numbered from 0, forwarded ones from kForwards.
    own_ = 0;
    std::size_t forwards = 0;
    for (const Candidate& c : candidates) {
        if (c.update < kForwards)
            own_ = std::max<std::size_t>(own_, c.update + 1U);
        else
            forwards = std::max<std::size_t>(forwards, c.update - kForwards + 1U);
    }
    updates_.assign(own_ + forwards, {});
}

CopyPrices::Update& CopyPrices::update(const Candidate& c) {
    return updates_[c.update < kForwards ? c.update : own_ + (c.update - kForwards)];
}

std::size_t CopyPrices::price(const Candidate& c, const Update& u) {
    const std::size_t into_others = c.named ? u.copies - 1 : 0;
    return c.bytes + c.per_copy * (u.named + into_others);
}

std::size_t CopyPrices::add(const Candidate& c) {
    Update& u = update(c);
    ++u.copies;
    u.named += c.named ? 1 : 0;
    return price(c, u);
}

std::size_t CopyPrices::remove(const Candidate& c) {
    Update& u = update(c);
    const std::size_t saved = price(c, u);
    --u.copies;
    u.named -= c.named ? 1 : 0;
    return saved;
}

std::size_t CopyPrices::fit(std::span<const Candidate> candidates, std::size_t budget_bytes) {
    if (budget_bytes == 0) return 0;
    // Most overlays send no receiver list: then only the bytes count.
    const bool named = std::ranges::any_of(candidates, [](const Candidate& c) { return c.per_copy != 0; });
    if (named) begin(candidates);
    std::size_t fitting = 0;
    for (std::size_t total = 0; fitting < candidates.size(); ++fitting) {
        total += named ? add(candidates[fitting]) : candidates[fitting].bytes;
        if (total > budget_bytes && fitting != 0) break;
    }
    return fitting;
}

}  // namespace fray
