#pragma once
// What does not fit is dropped at random (pSense, step 2c). Fewer copies of an update make each copy smaller
// where it names all its receivers, and that is counted.

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
    void resume(LinkNumber, std::uint16_t) override {}

private:
    /// Puts those first that are dropped last, and says how many they are.
    [[nodiscard]] std::size_t spare(std::span<Candidate> candidates) const;

    RandomChoice options_;
    RandomStream choice_;
    CopyPrices prices_;  // scratch
};

}  // namespace fray
