#include "trade/items.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace fray {

namespace {

constexpr std::uint32_t kMostOfOne = std::numeric_limits<std::uint32_t>::max();

}  // namespace

bool well_formed(const Items& items) {
    const auto wrong = [](const Stack& a, const Stack& b) { return a.item >= b.item; };
    return std::ranges::adjacent_find(items, wrong) == items.end() &&
           std::ranges::find(items, 0U, &Stack::count) == items.end();
}

std::optional<Items> sorted(Items items) {
    std::ranges::sort(items);
    Items joined;
    for (const Stack& stack : items) {
        if (stack.count == 0) continue;
        if (joined.empty() || joined.back().item != stack.item) {
            joined.push_back(stack);
        } else if (stack.count > kMostOfOne - joined.back().count) {
            return std::nullopt;
        } else {
            joined.back().count += stack.count;
        }
    }
    return joined;
}

std::uint32_t count_of(const Items& items, ItemId item) {
    const auto place = std::ranges::lower_bound(items, item, {}, &Stack::item);
    return place != items.end() && place->item == item ? place->count : 0;
}

void put_in(Items& items, const Items& more) {
    for (const Stack& stack : more) {
        const auto place = std::ranges::lower_bound(items, stack.item, {}, &Stack::item);
        if (place == items.end() || place->item != stack.item) {
            items.insert(place, stack);
        } else {
            FRAY_ASSERT(stack.count <= kMostOfOne - place->count);
            place->count += stack.count;
        }
    }
}

void take_out(Items& items, const Items& less) {
    for (const Stack& stack : less) {
        const auto place = std::ranges::lower_bound(items, stack.item, {}, &Stack::item);
        FRAY_ASSERT(place != items.end() && place->item == stack.item && place->count >= stack.count);
        place->count -= stack.count;
        if (place->count == 0) items.erase(place);
    }
}

}  // namespace fray
