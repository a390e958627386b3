#pragma once
// The items of one player. Undecided trades lock some of them and may bring others, so every check takes the
// trades that the desk holds.

#include <fray/trade.hpp>

#include "trade/trade.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace fray {

class Holdings {
public:
    /// `items` must be well-formed, and cover what the desk's trades lock.
    explicit Holdings(Items items) : items_{std::move(items)} {}

    /// All items owned, including locked ones.
    [[nodiscard]] const Items& items() const { return items_; }
    /// Owned and not locked.
    [[nodiscard]] std::uint32_t free(ItemId item, const std::vector<Trade>& trades) const;
    /// Returns an error if, with `in` and all incoming items, a limit could be exceeded.
    [[nodiscard]] Result<void> check_room(const Items& in, const std::vector<Trade>& trades) const;
    /// Returns an error naming the first stack that is not free.
    [[nodiscard]] Result<void> check_free(const Items& out, const std::vector<Trade>& trades) const;

    Result<void> add(const Items& items, const std::vector<Trade>& trades);
    Result<void> remove(const Items& items, const std::vector<Trade>& trades);
    /// Moves the items of a committed trade. They were locked, and their room was checked.
    void settle(const Trade& trade);

private:
    Items items_;
};

/// The error if a stack overflows.
[[nodiscard]] Error too_many_of_one_item();

/// The count of an item that undecided trades lock, and the count that they may bring.
[[nodiscard]] std::uint64_t locked(const std::vector<Trade>& trades, ItemId item);
[[nodiscard]] std::uint64_t incoming(const std::vector<Trade>& trades, ItemId item);
/// The number of different items that we may come to own: present ones, incoming ones, and `more`.
[[nodiscard]] std::size_t kinds(const Items& owned, const std::vector<Trade>& trades, const Items& more = {});

}  // namespace fray
