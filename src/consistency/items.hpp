#pragma once
// Arithmetic of stacks. All lists are well-formed (ascending by item, each once, none of zero) unless said
// otherwise.

#include <fray/trade.hpp>

#include <cstdint>
#include <optional>

namespace fray {

[[nodiscard]] bool well_formed(const Items& items);
/// The same items in order, equal ones together; nothing where that is more than a stack can count.
[[nodiscard]] std::optional<Items> sorted(Items items);
[[nodiscard]] std::uint32_t count_of(const Items& items, ItemId item);
/// More than a stack can count is a bug of the caller's.
void put_in(Items& items, const Items& more);
/// What is not there is a bug of the caller's.
void take_out(Items& items, const Items& less);

}  // namespace fray
