#pragma once
// Reads results and writes the page.

#include <fray/result.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace fray::lab {

/// Writes the page of all results in these folders. Returns what was left out, one line each.
[[nodiscard]] Result<std::vector<std::string>> write_report(std::span<const std::filesystem::path> folders,
                                                            const std::filesystem::path& page);
/// Writes the same as Markdown, without figures.
[[nodiscard]] Result<std::vector<std::string>> write_results_page(
    std::span<const std::filesystem::path> folders, const std::filesystem::path& page);

}  // namespace fray::lab
