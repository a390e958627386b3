#include "net/conditioner.hpp"

#include <algorithm>

namespace fray {

namespace {

bool is_later(const Conditioner::Held& a, const Conditioner::Held& b) {
    return a.due != b.due ? a.due > b.due : a.number > b.number;
}

}  // namespace

void Conditioner::set(const UdpConditions& conditions) {
    conditions_.lag = std::clamp(conditions.lag, Duration{}, kMostAddedDelay);
    conditions_.jitter = std::clamp(conditions.jitter, Duration{}, kMostAddedDelay);
    conditions_.loss = conditions.loss > 0 ? std::min(conditions.loss, 1.0) : 0;  // NaN: none
}

void Conditioner::push(Instant now, const Address& end, std::span<const std::uint8_t> bytes) {
    if (held_.size() >= kMostHeld || random_.uniform() < conditions_.loss) return;
    const Duration jitter{
        static_cast<std::int64_t>(random_.uniform() * static_cast<double>(micros(conditions_.jitter)))};
    held_.push_back({.due = now + conditions_.lag + jitter,
                     .number = pushed_++,
                     .end = end,
                     .bytes = {bytes.begin(), bytes.end()}});
    std::ranges::push_heap(held_, is_later);
}

const Conditioner::Held* Conditioner::due(Instant now) const {
    return held_.empty() || held_.front().due > now ? nullptr : &held_.front();
}

void Conditioner::pop() {
    std::ranges::pop_heap(held_, is_later);
    held_.pop_back();
}

std::optional<Instant> Conditioner::next_due() const {
    return held_.empty() ? std::nullopt : std::optional{held_.front().due};
}

}  // namespace fray
