#pragma once
// Finds and reads the results of plans. They may be partial, damaged or hostile: what cannot be used is left
// out and named.

#include <fray/result.hpp>

#include "lab/runner/json_value.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace fray::lab {

struct PlanResult {
    std::string name;
    std::string version;  ///< "full", "quick" or "long"
    Json result;          ///< of result.json: all keys that are used have their types
    Json manifest;        ///< an object, empty if there is none
    std::filesystem::path folder;
    std::size_t rows_in_all = 0;  ///< result has at most kMostReportRows of them
};

struct Collected {
    std::vector<PlanResult> plans;      ///< one per plan, by name: of several the long, else the full one
    std::vector<std::string> problems;  ///< one line per result that is left out
};

inline constexpr std::size_t kMostReportRows = 2000;

/// Each folder holds a result or folders with results. An error if a folder does not exist or none holds any.
[[nodiscard]] Result<Collected> collect_results(std::span<const std::filesystem::path> folders);

}  // namespace fray::lab
