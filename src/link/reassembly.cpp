#include "link/reassembly.hpp"

#include <algorithm>

namespace fray {

namespace {
std::uint64_t all_of(std::uint8_t last) { return ~std::uint64_t{0} >> (63U - last); }
}  // namespace

Reassembly::Partial& Reassembly::partial(std::uint32_t key, std::uint8_t last) {
    const auto found = std::ranges::find(partials_, key, &Partial::key);
    if (found != partials_.end()) return *found;
    if (partials_.size() >= most_) partials_.erase(partials_.begin());
    return partials_.emplace_back(Partial{.key = key, .last = last, .bytes = {}});
}

Reassembly::Outcome Reassembly::add(std::uint32_t key, FragmentPlace place,
                                    std::span<const std::uint8_t> bytes) {
    const bool is_last = place.index == place.last;
    if (place.index > place.last || place.last >= kMaxFragments) return Outcome::impossible;
    if (bytes.size() > kFragmentBytes || (!is_last && bytes.size() != kFragmentBytes))
        return Outcome::impossible;
    Partial& whole = partial(key, place.last);
    if (whole.last != place.last) return Outcome::impossible;
    const std::size_t at = place.index * kFragmentBytes;
    if (whole.bytes.size() < at + bytes.size()) whole.bytes.resize(at + bytes.size());
    std::ranges::copy(bytes, whole.bytes.begin() + static_cast<std::ptrdiff_t>(at));
    whole.arrived |= std::uint64_t{1} << place.index;
    if (whole.arrived != all_of(place.last)) return Outcome::incomplete;
    finished_ = std::move(whole.bytes);
    partials_.erase(partials_.begin() + (&whole - partials_.data()));
    return Outcome::complete;
}

void Reassembly::put_back(std::uint32_t key, FragmentPlace place) {
    const std::uint64_t others = all_of(place.last) & ~(std::uint64_t{1} << place.index);
    partials_.push_back({.key = key, .last = place.last, .arrived = others, .bytes = std::move(finished_)});
    finished_ = {};
}

void Reassembly::forget_older(std::uint8_t key, std::uint8_t distance) {
    std::erase_if(partials_,
                  [&](const Partial& p) { return static_cast<std::uint8_t>(key - p.key) > distance; });
}

std::size_t Reassembly::heap_bytes() const {
    std::size_t sum = finished_.capacity() + partials_.capacity() * sizeof(Partial);
    for (const Partial& p : partials_) sum += p.bytes.capacity();
    return sum;
}

}  // namespace fray
