#pragma once
// Computes the columns and the curve of a pSense experiment from its rounds.

#include "lab/metrics/protocol_quality.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/workloads/population.hpp"
#include "lab/workloads/psense_setup.hpp"
#include "lab/workloads/update_system.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray::lab {

class PSenseResults {
public:
    PSenseResults(const PSenseSetup& setup, const Population& population)
        : setup_{setup}, population_{population} {}

    /// The state of all players in one round after the warm-up.
    void add(std::uint32_t round, const RoundQuality& quality);
    /// After the last measurement of such a round.
    void end_round(const std::optional<RoundNetwork>& network);
    void conclude(RunOutput& output) const;

    [[nodiscard]] static std::vector<ColumnSpec> columns();

private:
    /// Sums over measurements, of one round or of all.
    struct Sums {
        std::uint64_t looks = 0;  ///< measurements with at least one player in view
        double pq = 0;
        double pq_p90 = 0;
        QualityCounts counts{};

        Sums& operator+=(const Sums& other);
        [[nodiscard]] double known_pct() const;
    };
    struct Round {
        Sums sums{};
        std::uint64_t isolated_most = 0;
        RoundNetwork network{};
    };
    /// A player that joined after the warm-up, and when it first knew all players in view.
    struct Newcomer {
        bool saw_anybody = false;
        std::uint32_t complete = kNoRound;
        // Under churn, some player in view has nearly always just joined: only settled players count.
        bool overlooks = true;
    };

    void note_newcomers(std::uint32_t round, const RoundQuality& quality);
    void report_quality(RunOutput& output) const;
    void report_network(RunOutput& output) const;
    void report_newcomers(RunOutput& output) const;
    void report_recovery(RunOutput& output) const;
    [[nodiscard]] Curve curve() const;

    const PSenseSetup& setup_;
    const Population& population_;
    Round current_;
    std::vector<Round> rounds_;
    bool has_network_ = false;
    std::vector<Newcomer> newcomers_;  ///< by player; those of the warm-up are not used
};

}  // namespace fray::lab
