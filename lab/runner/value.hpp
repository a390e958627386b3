#pragma once
// One cell of a plan or a result: nothing, a boolean, a number or a text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace fray::lab {

/// monostate: this column does not apply here.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Counts are integers in results; no count comes near 2^63.
[[nodiscard]] inline Value count_value(std::uint64_t count) {
    return Value{static_cast<std::int64_t>(count)};
}

/// The value as a number, if it is one; booleans are not.
[[nodiscard]] std::optional<double> as_number(const Value& value);
/// Numbers compare as numbers: 5 equals 5.0.
[[nodiscard]] bool same(const Value& a, const Value& b);

/// Exact: reading the text again gives the same value. Empty for nothing.
[[nodiscard]] std::string to_text(const Value& value);
/// For a person: significant digits without exponent. "~0" if six decimals do not show it.
[[nodiscard]] std::string rounded_text(double number, int digits);
/// For a person: about four digits.
[[nodiscard]] std::string to_short_text(const Value& value);
/// "a text", "a number": for messages.
[[nodiscard]] std::string_view kind_of(const Value& value);

}  // namespace fray::lab
