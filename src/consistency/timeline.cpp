#include "consistency/timeline.hpp"

#include <fray/assert.hpp>

#include "core/motion.hpp"

#include <algorithm>
#include <utility>

namespace fray {

void Timeline::make_room(SessionInstant newest) {
    while (size_ > 2 && (*this)[1].when + kKept < newest) {
        first_ = (first_ + 1) % ring_.size();
        --size_;
    }
    if (size_ < ring_.size()) return;
    if (ring_.size() >= most_) {
        first_ = (first_ + 1) % ring_.size();
        --size_;
        return;
    }
    constexpr std::size_t kFirst = 8;
    std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(first_), ring_.end());
    first_ = 0;
    ring_.resize(std::max(kFirst, 2 * ring_.size()));
}

void Timeline::clear() {
    ring_.clear();
    first_ = 0;
    size_ = 0;
}

void Timeline::put(std::size_t i, const Moment& moment, bool newest) {
    at(i).when = moment.when;
    at(i).pose = moment.pose;
    if (!newest) return;
    at(i).payload = moment.payload;
    at(i).input = moment.input;
}

void Timeline::add(const Moment& moment) {
    std::size_t place = until(moment.when);
    if (place > 0 && (*this)[place - 1].when == moment.when) return put(place - 1, moment, place == size_);
    if (place == 0 && size_ == most_) return;  // older than everything kept
    const std::size_t before = size_;
    make_room(size_ == 0 ? moment.when : std::max(moment.when, newest().when));
    const std::size_t gone = before - size_;
    if (place < gone) return;  // it would have been evicted as well
    place -= gone;
    const bool newest = place == size_;
    if (newest && size_ > 0) {  // reuses the memory of its predecessor
        std::swap(at(size_).payload, at(size_ - 1).payload);
        std::swap(at(size_).input, at(size_ - 1).input);
    }
    put(size_, moment, newest);
    for (std::size_t i = size_; i > place; --i) std::swap(at(i), at(i - 1));
    ++size_;
}

std::size_t Timeline::until(SessionInstant t) const {
    std::size_t i = size_;
    while (i > 0 && (*this)[i - 1].when > t) --i;  // from the end: most queries are recent
    return i;
}

std::size_t Timeline::heap_bytes() const {
    std::size_t sum = ring_.capacity() * sizeof(Moment);
    for (const Moment& m : ring_) sum += m.payload.capacity() + m.input.capacity();
    return sum;
}

Shown as_it_was(const World& world, const Timeline& timeline, SessionInstant moment) {
    FRAY_ASSERT(!timeline.empty());
    const std::size_t n = timeline.until(moment);
    if (n == 0) return {timeline[0].pose, timeline[0].when, timeline[0].when};
    const Moment& first = timeline[n - 1];
    if (n == timeline.size() || first.when == moment) return {first.pose, first.when, first.when};
    const Moment& second = timeline[n];
    const double share = seconds(moment - first.when) / seconds(second.when - first.when);
    return {between(world, first.pose, second.pose, static_cast<float>(share)), second.when, moment};
}

}  // namespace fray
