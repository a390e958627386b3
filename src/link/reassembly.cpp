#include "link/reassembly.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fray {

namespace {
std::uint64_t all_of(std::uint8_t last) { return ~std::uint64_t{0} >> (63U - last); }
}  // namespace

Reassembly::Partial& Reassembly::partial(std::uint32_t key, std::uint8_t last) {
    if (!held_) held_ = std::make_unique<Held>();
    auto& partials = held_->partials;
    const auto found = std::ranges::find(partials, key, &Partial::key);
    if (found != partials.end()) return *found;
    if (partials.size() >= most_) partials.erase(partials.begin());
    return partials.emplace_back(Partial{.key = key, .last = last});
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
    auto& partials = held_->partials;
    while (partial_bytes() > most_bytes_ && partials.size() > 1)
        partials.erase(partials.front().key == key ? partials.begin() + 1 : partials.begin());
    return Outcome::incomplete;
}

void Reassembly::finish(Partial& whole) {
    const auto order = std::span{whole.order}.first(whole.last + std::size_t{1});
    auto& finished = held_->finished;
    finished = std::move(whole.bytes);
    if (!std::ranges::is_sorted(order)) {
        const std::vector<std::uint8_t> arrived = std::exchange(finished, {});
        finished.resize(arrived.size());
        auto from = arrived.begin();
        for (const std::uint8_t index : order) {
            const std::size_t at = index * kFragmentBytes;
            const auto size = static_cast<std::ptrdiff_t>(std::min(kFragmentBytes, arrived.size() - at));
            std::copy(from, from + size, finished.begin() + static_cast<std::ptrdiff_t>(at));
            from += size;
        }
    }
    held_->partials.erase(held_->partials.begin() + (&whole - held_->partials.data()));
}

void Reassembly::release() {
    if (!held_) return;
    held_->finished = {};
    if (held_->partials.empty()) held_.reset();
}

void Reassembly::put_back(std::uint32_t key, FragmentPlace place) {
    Partial& whole = held_->partials.emplace_back(Partial{.key = key, .last = place.last});
    auto& finished = held_->finished;
    whole.arrived = all_of(place.last) & ~(std::uint64_t{1} << place.index);
    for (std::uint8_t index = 0, at = 0; index <= place.last; ++index) {
        if (index != place.index) whole.order[at++] = index;
    }
    const std::size_t begin = place.index * kFragmentBytes;
    const std::size_t end = std::min(begin + kFragmentBytes, finished.size());
    finished.erase(finished.begin() + static_cast<std::ptrdiff_t>(begin),
                   finished.begin() + static_cast<std::ptrdiff_t>(end));
    whole.bytes = std::move(finished);
    finished = {};
}

void Reassembly::forget_older(std::uint8_t key, std::uint8_t distance) {
    if (!held_) return;
    std::erase_if(held_->partials,
                  [&](const Partial& p) { return static_cast<std::uint8_t>(key - p.key) > distance; });
}

std::size_t Reassembly::heap_bytes() const {
    if (!held_) return 0;
    return sizeof(Held) + held_->finished.capacity() + held_->partials.capacity() * sizeof(Partial) +
           partial_bytes();
}

std::size_t Reassembly::partial_bytes() const {
    std::size_t sum = 0;
    for (const Partial& p : held_->partials) sum += p.bytes.capacity();
    return sum;
}

}  // namespace fray
