#pragma once
// Measurements that are stored with gzip.

#include <fray/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace fray::lab {

/// The file, unpacked. Refused if it is damaged, or longer than `most` bytes.
[[nodiscard]] Result<std::vector<std::uint8_t>> gunzip(const std::string& file, std::size_t most);

}  // namespace fray::lab
