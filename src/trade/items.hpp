#pragma once
// Arithmetic of stacks. Unless stated otherwise, all lists are well-formed: ascending by item, each once, no
// count of zero.

#include <fray/trade.hpp>

#include <cstdint>
#include <optional>

namespace fray {

[[nodiscard]] bool well_formed(const Items& items);
/// Sorts items and merges equal ones; nothing if a count overflows.
[[nodiscard]] std::optional<Items> sorted(Items items);
[[nodiscard]] std::uint32_t count_of(const Items& items, ItemId item);
/// The caller must ensure that no count overflows.
void put_in(Items& items, const Items& more);
/// The caller must ensure that the items are there.
void take_out(Items& items, const Items& less);

}  // namespace fray
