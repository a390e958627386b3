#pragma once
// Measures many cells: cached ones are read, the others are measured in threads and cached.

#include <fray/result.hpp>

#include "lab/advise/cell_cache.hpp"
#include "lab/advise/cells.hpp"
#include "lab/advise/network.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <span>
#include <string>

namespace fray::lab::advise {

struct MeasureOptions {
    unsigned jobs = 1;
    std::atomic<bool>& stop;  ///< set by Ctrl-C: cells in progress are finished, no further one is started
    /// Progress; called from the thread that called measure_cells().
    std::function<void(std::size_t finished, std::size_t total, std::size_t known)> progress{};
    std::function<void(std::string_view)> warn{};
};

/// By cell_key().
using Measured = std::map<std::string, CellResult, std::less<>>;

/// Incomplete if stop was set. Fails at the first cell that cannot be measured; a cell that cannot be stored
/// is a warning.
[[nodiscard]] Result<Measured> measure_cells(std::span<const Cell> cells, const Network& network,
                                             CellRunner& runner, const CellCache& cache,
                                             const MeasureOptions& options);

}  // namespace fray::lab::advise
