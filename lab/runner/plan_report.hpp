#pragma once
// What came of a plan, complete: what result.json holds and the tables show.

#include "lab/runner/claim.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/runner/table.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fray::lab {

enum class Outcome : std::uint8_t {
    finished,
    reused,
    interrupted,
    skipped,  ///< measurements it needs are not at hand
};

struct PlanReport {
    std::string plan;
    std::string paper;
    Outcome outcome = Outcome::finished;
    std::filesystem::path folder;
    std::string missing{};    ///< skipped: the folder of measurements that is not there
    std::size_t runs = 0;     ///< finished
    std::size_t resumed = 0;  ///< of them, found from an earlier, stopped run
    double seconds = 0;       ///< this process took
    Table table{};
    std::vector<ClaimResult> claims{};
    std::vector<std::string> unchecked{};  ///< claims a quick run leaves out
    Work work{};
    double cpu_seconds = 0;

    [[nodiscard]] bool promises_kept() const;
};

}  // namespace fray::lab
