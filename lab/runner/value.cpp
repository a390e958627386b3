#include "lab/runner/value.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fray::lab {

std::optional<double> as_number(const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value)) return *number;
    return std::nullopt;
}

bool same(const Value& a, const Value& b) {
    const auto x = as_number(a);
    const auto y = as_number(b);
    if (x && y) return *x == *y;
    return a == b;
}

std::string to_text(const Value& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return {};
}

std::string to_short_text(const Value& value) {
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr) return std::holds_alternative<std::monostate>(value) ? "-" : to_text(value);
    const double size = std::abs(*number);
    if (size >= 1000 && size < 1e15) return fmt::format("{:.0f}", *number);
    if (size != 0 && size < 1e-3) return fmt::format("{:.2e}", *number);
    return fmt::format("{:.4g}", *number);
}

std::string_view kind_of(const Value& value) {
    constexpr std::string_view kNames[] = {"nothing", "true or false", "a whole number", "a number",
                                           "a text"};
    return kNames[value.index()];
}

}  // namespace fray::lab
