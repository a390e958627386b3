#include "trade/holdings.hpp"

#include "trade/items.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace fray {

Error too_many_of_one_item() { return Error{"a stack may count at most 4294967295 of an item"}; }

std::uint32_t Holdings::free(ItemId item, const std::vector<Trade>& trades) const {
    return count_of(items_, item) - static_cast<std::uint32_t>(locked(trades, item));
}

Result<void> Holdings::check_room(const Items& in, const std::vector<Trade>& trades) const {
    for (const Stack& stack : in) {
        const std::uint64_t most =
            std::uint64_t{count_of(items_, stack.item)} + incoming(trades, stack.item) + stack.count;
        if (most > std::numeric_limits<std::uint32_t>::max()) return too_many_of_one_item();
    }
    if (kinds(items_, trades, in) > kMostItems) {
        return Error{"a desk may hold at most " + std::to_string(kMostItems) + " different items"};
    }
    return {};
}

Result<void> Holdings::check_free(const Items& out, const std::vector<Trade>& trades) const {
    for (const Stack& stack : out) {
        const std::uint32_t available = free(stack.item, trades);
        if (available >= stack.count) continue;
        return Error{"item " + std::to_string(static_cast<std::uint64_t>(stack.item)) + ": " +
                     std::to_string(stack.count) + " needed, but only " + std::to_string(available) +
                     " are not locked"};
    }
    return {};
}

Result<void> Holdings::add(const Items& items, const std::vector<Trade>& trades) {
    const auto in = sorted(items);
    if (!in) return too_many_of_one_item();
    if (auto room = check_room(*in, trades); !room) return room;
    put_in(items_, *in);
    return {};
}

Result<void> Holdings::remove(const Items& items, const std::vector<Trade>& trades) {
    const auto out = sorted(items);
    if (!out) return too_many_of_one_item();
    if (auto enough = check_free(*out, trades); !enough) return enough;
    take_out(items_, *out);
    return {};
}

void Holdings::settle(const Trade& trade) {
    take_out(items_, trade.out());
    put_in(items_, trade.in());
}

std::uint64_t locked(const std::vector<Trade>& trades, ItemId item) {
    const auto add = [&](std::uint64_t sum, const Trade& trade) {
        return sum + (trade.locks() ? count_of(trade.out(), item) : 0);
    };
    return std::accumulate(trades.begin(), trades.end(), std::uint64_t{0}, add);
}

std::uint64_t incoming(const std::vector<Trade>& trades, ItemId item) {
    const auto add = [&](std::uint64_t sum, const Trade& trade) {
        return sum + (trade.locks() ? count_of(trade.in(), item) : 0);
    };
    return std::accumulate(trades.begin(), trades.end(), std::uint64_t{0}, add);
}

std::size_t kinds(const Items& owned, const std::vector<Trade>& trades, const Items& more) {
    std::vector<ItemId> added;
    const auto add = [&](const Items& items) {
        for (const Stack& stack : items) {
            if (count_of(owned, stack.item) == 0) added.push_back(stack.item);
        }
    };
    add(more);
    for (const Trade& trade : trades) {
        if (trade.locks()) add(trade.in());
    }
    std::ranges::sort(added);
    const auto twice = std::ranges::unique(added);
    return owned.size() + added.size() - twice.size();
}

}  // namespace fray
