#pragma once

#include <fray/result.hpp>

#include <filesystem>

namespace fray::cli {

/// Shows the file with the program that the desktop has for it.
[[nodiscard]] Result<void> open_in_browser(const std::filesystem::path& page);

}  // namespace fray::cli
