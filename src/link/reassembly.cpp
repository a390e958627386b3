#include "link/reassembly.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fray {

namespace {
std::uint64_t all_of(std::uint8_t last) { return ~std::uint64_t{0} >> (63U - last); }
}  // namespace

Reassembly::Partial& Reassembly::partial(std::uint32_t key, std::uint8_t last) {
    const auto found = std::ranges::find(partials_, key, &Partial::key);
    if (found != partials_.end()) return *found;
    if (partials_.size() >= most_) partials_.erase(partials_.begin());
    return partials_.emplace_back(Partial{.key = key, .last = last});
}

Reassembly::Outcome Reassembly::add(std::uint32_t key, FragmentPlace place,
                                    std::span<const std::uint8_t> bytes) {
    const bool is_last = place.index == place.last;
    if (place.index > place.last || place.last >= kMaxFragments) return Outcome::impossible;
    if (bytes.size() > kFragmentBytes || (!is_last && bytes.size() != kFragmentBytes))
        return Outcome::impossible;
    Partial& whole = partial(key, place.last);
    if (whole.last != place.last) return Outcome::impossible;
    if ((whole.arrived >> place.index & 1U) != 0) return Outcome::incomplete;  // a duplicate
    const std::size_t size = whole.bytes.size() + bytes.size();
    if (size > whole.bytes.capacity())
        whole.bytes.reserve(std::min((place.last + 1) * kFragmentBytes, size + size / 2));
    whole.bytes.insert(whole.bytes.end(), bytes.begin(), bytes.end());
    whole.order[static_cast<std::size_t>(std::popcount(whole.arrived))] = place.index;
    whole.arrived |= std::uint64_t{1} << place.index;
    if (whole.arrived == all_of(place.last)) {
        finish(whole);
        return Outcome::complete;
    }
    while (partial_bytes() > most_bytes_ && partials_.size() > 1)
        partials_.erase(partials_.front().key == key ? partials_.begin() + 1 : partials_.begin());
    return Outcome::incomplete;
}

void Reassembly::finish(Partial& whole) {
    const auto order = std::span{whole.order}.first(whole.last + std::size_t{1});
    finished_ = std::move(whole.bytes);
    if (!std::ranges::is_sorted(order)) {
        const std::vector<std::uint8_t> arrived = std::move(finished_);
        finished_.resize(arrived.size());
        auto from = arrived.begin();
        for (const std::uint8_t index : order) {
            const std::size_t at = index * kFragmentBytes;
            const auto size = static_cast<std::ptrdiff_t>(std::min(kFragmentBytes, arrived.size() - at));
            std::copy(from, from + size, finished_.begin() + static_cast<std::ptrdiff_t>(at));
            from += size;
        }
    }
    partials_.erase(partials_.begin() + (&whole - partials_.data()));
}

void Reassembly::put_back(std::uint32_t key, FragmentPlace place) {
    Partial& whole = partials_.emplace_back(Partial{.key = key, .last = place.last});
    whole.arrived = all_of(place.last) & ~(std::uint64_t{1} << place.index);
    for (std::uint8_t index = 0, at = 0; index <= place.last; ++index) {
        if (index != place.index) whole.order[at++] = index;
    }
    const std::size_t begin = place.index * kFragmentBytes;
    const std::size_t end = std::min(begin + kFragmentBytes, finished_.size());
    finished_.erase(finished_.begin() + static_cast<std::ptrdiff_t>(begin),
                    finished_.begin() + static_cast<std::ptrdiff_t>(end));
    whole.bytes = std::move(finished_);
    finished_ = {};
}

void Reassembly::forget_older(std::uint8_t key, std::uint8_t distance) {
    std::erase_if(partials_,
                  [&](const Partial& p) { return static_cast<std::uint8_t>(key - p.key) > distance; });
}

std::size_t Reassembly::heap_bytes() const {
    return finished_.capacity() + partials_.capacity() * sizeof(Partial) + partial_bytes();
}

std::size_t Reassembly::partial_bytes() const {
    std::size_t sum = 0;
    for (const Partial& p : partials_) sum += p.bytes.capacity();
    return sum;
}

}  // namespace fray
