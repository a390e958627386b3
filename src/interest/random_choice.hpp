#pragma once
// Drops random candidates until the rest fits (pSense, step 2c). If copies carry a receiver list, fewer
// copies make each of them smaller; that is accounted for. The budget is never exceeded, as published: an
// update that is longer than the budget of every frame is never sent.

#include <fray/options.hpp>
#include <fray/random.hpp>

#include "interest/copy_prices.hpp"
#include "interest/update_policy.hpp"

#include <cstdint>

namespace fray {

class RandomChoicePolicy final : public UpdatePolicy {
public:
    RandomChoicePolicy(const RandomChoice& options, Seed seed)
        : options_{options}, choice_{seed, "random_choice"} {}
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) override;
    void resume(LinkNumber link, std::uint16_t) override { next_ = link; }
    [[nodiscard]] std::size_t memory_bytes() const override { return sizeof(*this) + prices_.heap_bytes(); }

private:
    /// Moves candidates that are dropped last to the front, and returns their number.
    [[nodiscard]] std::size_t spare(std::span<Candidate> candidates) const;

    RandomChoice options_;
    RandomStream choice_;
    LinkNumber next_ = kNoLink;  // goes first if it is kept
    CopyPrices prices_;          // scratch
};

}  // namespace fray
