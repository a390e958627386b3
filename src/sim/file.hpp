#pragma once
// Files as bytes. Errors are one line that begins with the file's name.

#include <fray/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fray::sim {

enum class Overwrite : std::uint8_t { no, yes };

/// Refuses files longer than `most` bytes.
[[nodiscard]] Result<std::vector<std::uint8_t>> read_file(const std::string& path,
                                                          std::size_t most = std::size_t{1} << 30U);
/// Overwrite::no: an existing file is an error, and is left unchanged.
[[nodiscard]] Result<void> write_file(const std::string& path, std::span<const std::uint8_t> bytes,
                                      Overwrite overwrite);

}  // namespace fray::sim
