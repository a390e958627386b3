#pragma once
// "Did you mean …?"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

/// The candidate with the fewest changed letters, if they are few enough for a typing error.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);
/// "; did you mean X?", or nothing.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace fray::lab
