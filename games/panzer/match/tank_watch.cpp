#include "games/panzer/match/tank_watch.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace fray::panzer {

bool TankWatch::could_follow(const Entry& entry, const Replica& replica) const {
    const Duration elapsed = replica.stamp - entry.seen.stamp;
    const auto from = [&](std::span<const std::uint8_t> payload) {
        return is_possible(*field_, entry.pose, payload, replica.received, replica.received_payload, elapsed);
    };
    if (from(entry.payload)) return true;
    // Out of sight, updates are rare: the tank may have been destroyed and have entered again meanwhile.
    constexpr Duration kTick{50ms};
    constexpr Duration kRespawn{1'000'000LL * kRespawnSteps / kStepsPerSecond};
    return elapsed > kRespawn - kTick && from({});
}

void TankWatch::see(std::size_t slot, const Replica& replica) {
    if (slot >= entries_.size()) entries_.resize(slot + 1);
    Entry& entry = entries_[slot];
    if (entry.is_known && replica.stamp <= entry.seen.stamp) return;
    entry.is_known = true;
    const bool has_history = std::exchange(entry.has_history, true);
    if (has_history && replica.stamp > entry.seen.stamp && !could_follow(entry, replica)) {
        ++impossible_moves_;
        entry.seen.impossible_until = replica.stamp + kDistrust;
    }
    entry.seen.stamp = replica.stamp;
    entry.seen.tank = tank_of(replica.received, replica.received_payload);
    if (entry.seen.tank.alive())
        entry.seen.destroyed_at.reset();
    else if (!entry.seen.destroyed_at)
        entry.seen.destroyed_at = replica.stamp;
    entry.samples[entry.sampled++ % kSamples] = {replica.stamp, entry.seen.tank.position};
    entry.pose = replica.received;
    entry.payload.assign(replica.received_payload.begin(), replica.received_payload.end());
}

void TankWatch::lose(std::size_t slot) {
    if (slot < entries_.size()) entries_[slot].is_known = false;
}

const TankWatch::Seen* TankWatch::find(std::size_t slot) const {
    return slot < entries_.size() && entries_[slot].is_known ? &entries_[slot].seen : nullptr;
}

std::optional<TankWatch::Sample> TankWatch::nearest(std::size_t slot, SessionInstant at) const {
    if (find(slot) == nullptr) return std::nullopt;
    const Entry& entry = entries_[slot];
    const auto distance = [&](const Sample& sample) {
        return sample.stamp > at ? sample.stamp - at : at - sample.stamp;
    };
    const auto held = std::span{entry.samples}.first(std::min(entry.sampled, kSamples));
    return *std::ranges::min_element(held, {}, distance);
}

}  // namespace fray::panzer
