#pragma once
// Bytes sent during a sliding window of time, counted in slots. A slot counts until it lies entirely outside
// of the window, so the count is never less than what was sent in the window.

#include <fray/time.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace fray {

/// Covers at least (Slots - 1) x SlotMicros.
template <std::int64_t SlotMicros, std::size_t Slots>
class SlidingWindow {
public:
    void advance(Instant now) {
        const std::uint64_t slot = slot_of(now);
        if (!started_) newest_ = slot;
        started_ = true;
        for (std::size_t i = 0; newest_ < slot && i < Slots; ++i) {
            std::uint32_t& reused = slots_[++newest_ % Slots];
            sum_ -= reused;
            reused = 0;
        }
        newest_ = slot;
    }
    /// As of the last advance().
    [[nodiscard]] std::uint32_t bytes() const { return sum_; }
    void add(std::uint32_t bytes) {
        slots_[newest_ % Slots] += bytes;
        sum_ += bytes;
    }
    /// How long until at most `bytes` remain, if nothing is added.
    [[nodiscard]] Duration until(Instant now, std::uint32_t bytes) const {
        Duration wait{0};
        std::uint32_t sum = sum_;
        for (std::size_t age = Slots; age-- > 0 && sum > bytes;) {
            const std::uint64_t slot = newest_ - age;
            sum -= slots_[slot % Slots];
            const auto leaves = static_cast<std::int64_t>(slot + Slots) - kBias;
            wait = Instant{Duration{leaves * SlotMicros}} - now;
        }
        return wait;
    }

private:
    static constexpr std::int64_t kBias = std::int64_t{1} << 60;

    [[nodiscard]] static std::uint64_t slot_of(Instant now) {
        const std::int64_t t = micros(now.time_since_epoch());
        // Local clocks may be negative; flooring division keeps slots in order.
        const std::int64_t slot = t >= 0 ? t / SlotMicros : -((-t + SlotMicros - 1) / SlotMicros);
        return static_cast<std::uint64_t>(slot + kBias);
    }

    std::array<std::uint32_t, Slots> slots_{};
    std::uint64_t newest_ = 0;
    std::uint32_t sum_ = 0;
    bool started_ = false;
};

}  // namespace fray
