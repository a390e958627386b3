#include "lab/runner/value.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::string rounded_text(double number, int digits) {
    constexpr double kExponentFrom = 1e15;
    constexpr int kMostDecimals = 6;
    const double size = std::abs(number);
    if (!std::isfinite(number) || size >= kExponentFrom) return fmt::format("{:.3g}", number);
    if (size == 0) return "0";
    const int magnitude = static_cast<int>(std::floor(std::log10(size)));
    const int decimals = std::clamp(digits - 1 - magnitude, 0, kMostDecimals);
    std::string text = fmt::format("{:.{}f}", number, decimals);
    if (decimals > 0) text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text == "0" || text == "-0" ? "~0" : text;
}

std::string to_short_text(const Value& value) {
    constexpr int kDigits = 4;
    if (const auto* number = std::get_if<double>(&value)) return rounded_text(*number, kDigits);
    return std::holds_alternative<std::monostate>(value) ? "-" : to_text(value);
}

std::string_view kind_of(const Value& value) {
    constexpr std::string_view kNames[] = {"nothing", "true or false", "a whole number", "a number",
                                           "a text"};
    return kNames[value.index()];
}

}  // namespace fray::lab
