#include "lab/runner/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fray::lab {
namespace {

Error expected(const ParameterSpec& spec, std::string_view what, const Value& value) {
    return Error{fmt::format("{} must be {}, not {}", spec.name, what, to_text(value))};
}

Result<Value> in_range(const ParameterSpec& spec, Value value) {
    const double number = *as_number(value);
    if (number >= spec.low && number <= spec.high) return value;
    if (spec.high == std::numeric_limits<double>::infinity())
        return expected(spec, fmt::format("at least {}", spec.low), value);
    return expected(spec, fmt::format("between {} and {}", spec.low, spec.high), value);
}

bool begins_with_one_of(const std::string& text, std::span<const ParameterSpec::Prefix> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](const ParameterSpec::Prefix& prefix) {
        return text.starts_with(prefix.text) && text.size() > prefix.text.size();
    });
}

std::string listed(const ParameterSpec& spec) {
    std::string text = fmt::format("one of {}", fmt::join(spec.choices, ", "));
    for (const auto& prefix : spec.prefixes) text += fmt::format(", {}{}", prefix.text, prefix.what);
    return text;
}

template <class T>
const T& held(const Parameters& parameters, std::string_view name) {
    const Value* value = parameters.find(name);
    FRAY_ASSERT(value != nullptr && std::holds_alternative<T>(*value));
    return *std::get_if<T>(value);
}

}  // namespace

ParameterSpec ParameterSpec::number(std::string name, double fallback, double low, double high,
                                    std::string meaning) {
    return {.name = std::move(name),
            .fallback = fallback,
            .meaning = std::move(meaning),
            .low = low,
            .high = high};
}

ParameterSpec ParameterSpec::integer(std::string name, std::int64_t fallback, std::int64_t low,
                                     std::int64_t high, std::string meaning) {
    return {.name = std::move(name),
            .fallback = fallback,
            .meaning = std::move(meaning),
            .low = static_cast<double>(low),
            .high = static_cast<double>(high)};
}

ParameterSpec ParameterSpec::choice(std::string name, std::vector<std::string> choices, std::string fallback,
                                    std::string meaning) {
    return {.name = std::move(name),
            .fallback = std::move(fallback),
            .meaning = std::move(meaning),
            .choices = std::move(choices)};
}

Result<Value> ParameterSpec::accept(const Value& value) const {
    const auto number = as_number(value);
    if (std::holds_alternative<double>(fallback) && number) return in_range(*this, Value{*number});
    if (value.index() != fallback.index()) return expected(*this, kind_of(fallback), value);
    if (number) return in_range(*this, value);
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || choices.empty()) return value;
    if (std::find(choices.begin(), choices.end(), *text) != choices.end()) return value;
    if (begins_with_one_of(*text, prefixes)) return value;
    return expected(*this, listed(*this), value);
}

void Parameters::set(std::string_view name, Value value) {
    for (auto& [key, held_value] : entries_) {
        if (key != name) continue;
        held_value = std::move(value);
        return;
    }
    entries_.emplace_back(std::string{name}, std::move(value));
}

const Value* Parameters::find(std::string_view name) const {
    for (const auto& [key, value] : entries_) {
        if (key == name) return &value;
    }
    return nullptr;
}

std::int64_t Parameters::integer(std::string_view name) const { return held<std::int64_t>(*this, name); }
double Parameters::number(std::string_view name) const { return held<double>(*this, name); }
bool Parameters::flag(std::string_view name) const { return held<bool>(*this, name); }
const std::string& Parameters::text(std::string_view name) const { return held<std::string>(*this, name); }

std::string to_text(const Parameters& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters.entries())
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, to_text(value));
    return text;
}

}  // namespace fray::lab
