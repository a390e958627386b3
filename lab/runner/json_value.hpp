#pragma once
// Value to JSON and back. Includes nlohmann/json: only for files that write or read results.

#include "lab/runner/value.hpp"

#include <nlohmann/json.hpp>

namespace fray::lab {

/// Keeps the order of keys.
using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Value& value);
/// Nothing if the JSON is no Value.
[[nodiscard]] Value value_from(const Json& json);

}  // namespace fray::lab
