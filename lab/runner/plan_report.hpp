#pragma once
// The complete outcome of a plan: the content of result.json and of the printed tables.

#include "lab/runner/claim.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/runner/figure.hpp"
#include "lab/runner/table.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fray::lab {

enum class Outcome : std::uint8_t {
    finished,
    reused,
    interrupted,
    skipped,  ///< measurements that it needs are absent
};

struct PlanReport {
    std::string plan;
    std::string paper;
    Outcome outcome = Outcome::finished;
    std::filesystem::path folder;
    std::string missing{};    ///< skipped: the folder of measurements that is absent
    std::size_t runs = 0;     ///< finished
    std::size_t resumed = 0;  ///< of these, taken over from an earlier, interrupted run
    /// With --record: cases that have a recording now. Not all experiments make some.
    std::optional<std::size_t> recordings{};
    double seconds = 0;  ///< of this process
    Table table{};
    std::vector<ClaimResult> claims{};
    std::vector<std::string> unchecked{};  ///< claims that this version of the plan leaves out
    std::vector<DrawnFigure> figures{};    ///< empty if the result is reused: they are in its files
    Work work{};
    double cpu_seconds = 0;

    [[nodiscard]] bool promises_kept() const;
};

}  // namespace fray::lab
