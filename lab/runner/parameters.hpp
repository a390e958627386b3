#pragma once
// Parameters of an experiment: their specifications, and the values of one case.

#include <fray/result.hpp>

#include "lab/runner/value.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fray::lab {

/// One parameter of an experiment. Its default determines its kind; a whole number is accepted for a real
/// one.
struct ParameterSpec {
    std::string name;
    Value fallback;
    std::string meaning;  ///< one line, unit included
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices{};  ///< of a text; empty: any
    /// A text may also be one of these prefixes followed by something: "ping:" and a "FILE".
    struct Prefix {
        std::string text;
        std::string what;
    };
    std::vector<Prefix> prefixes{};

    [[nodiscard]] static ParameterSpec number(std::string name, double fallback, double low, double high,
                                              std::string meaning);
    [[nodiscard]] static ParameterSpec integer(std::string name, std::int64_t fallback, std::int64_t low,
                                               std::int64_t high, std::string meaning);
    [[nodiscard]] static ParameterSpec choice(std::string name, std::vector<std::string> choices,
                                              std::string fallback, std::string meaning);

    /// The value converted to this parameter's kind, or an error that names the expected value.
    [[nodiscard]] Result<Value> accept(const Value& value) const;
};

/// Named values in the order they were set.
class Parameters {
public:
    void set(std::string_view name, Value value);
    [[nodiscard]] const Value* find(std::string_view name) const;
    [[nodiscard]] std::span<const std::pair<std::string, Value>> entries() const { return entries_; }

    // For experiments, whose parameters were checked before: a missing one is a bug.
    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] const std::string& text(std::string_view name) const;

private:
    std::vector<std::pair<std::string, Value>> entries_;
};

/// "players=100, system=psense".
[[nodiscard]] std::string to_text(const Parameters& parameters);

}  // namespace fray::lab
