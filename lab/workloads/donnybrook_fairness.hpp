#pragma once
// Fairness (Donnybrook, section IV-B): how well the scores of an hour of play reflect skill. The scores of a
// long match without a limit of upload (HiBW) are the expected ones. The same bots play again under a
// condition, and the scores of each hour are correlated with the expected scores.

#include "lab/workloads/tabled_experiment.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fray::lab {

/// What bots gained in each hour of a match.
struct PlayedHours {
    using Scores = std::vector<double>;  ///< by player
    std::vector<Scores> hours;
    std::uint64_t kills = 0;

    [[nodiscard]] Scores total() const {
        Scores sum(hours.empty() ? 0 : hours.front().size());
        for (const Scores& hour : hours) {
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += hour[i];
        }
        return sum;
    }
};

class DonnybrookFairness final : public TabledExperiment {
public:
    DonnybrookFairness();
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;

private:
    class ExpectedScores;
    std::shared_ptr<ExpectedScores> yardstick_;  // played once, for all conditions of a seed
};

}  // namespace fray::lab
