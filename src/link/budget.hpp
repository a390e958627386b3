#pragma once
// The upload budget of a peer, over all its links, headers counted.
//
// In any window of 100 ms at most the larger of rate x 100 ms and one datagram leaves; in any window of 1 s
// at most the rate plus one datagram; over longer times at most the rate. What one link does not use is
// available to the next.

#include <fray/time.hpp>

#include "link/sliding_window.hpp"
#include "wire/limits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fray {

class UploadBudget {
public:
    static constexpr Duration kWindow{100ms};
    static constexpr Duration kSecond{1s};

    [[nodiscard]] static UploadBudget unlimited() { return UploadBudget{}; }
    /// 0: unlimited.
    [[nodiscard]] static UploadBudget rate(std::uint32_t kbps);
    /// From now on this rate; 0: unlimited. What was spent before counts, if it had a rate. Returns whether
    /// anything changed; a budget per round does not.
    bool change_rate(std::uint32_t kbps);
    /// A number of bytes per round, not paced within the round.
    [[nodiscard]] static UploadBudget per_round(std::uint32_t bytes);

    /// Whether a datagram of this size, headers included, may leave now.
    [[nodiscard]] bool allows(Instant now, std::size_t bytes);
    void spend(Instant now, std::size_t bytes);
    /// Starts a new round (only for per_round).
    void begin_round();
    /// Largest datagram, headers included, that can ever leave.
    [[nodiscard]] std::size_t largest_datagram() const {
        return kind_ == Kind::round ? round_limit_ : SIZE_MAX;
    }
    /// Bytes that may leave in a frame of this length that starts now; used to choose updates before
    /// encoding.
    [[nodiscard]] std::size_t frame_bytes(Instant now, Duration frame);
    /// Bytes of a frame without credit or debt from earlier frames.
    [[nodiscard]] std::size_t usual_bytes(Duration frame) const;
    /// Whether it has a rate, so that time alone brings more.
    [[nodiscard]] bool is_paced() const { return kind_ == Kind::rate; }
    /// When a datagram of this size will be allowed; kNever: not before the next round.
    [[nodiscard]] Instant next_chance(Instant now, std::size_t bytes);

private:
    enum class Kind : std::uint8_t { unlimited, rate, round };

    void advance(Instant now) {
        if (!started_ || now != credited_) advance_to(now);
    }
    void advance_to(Instant now);

    Kind kind_ = Kind::unlimited;
    std::uint32_t bytes_per_second_ = 0;
    std::uint32_t window_limit_ = 0;
    std::uint32_t second_limit_ = 0;
    std::uint32_t round_limit_ = 0;
    std::uint32_t round_left_ = 0;
    // One slot more than the window needs: if our clock runs fast, its 100 ms are shorter than real ones.
    SlidingWindow<250, 402> window_;
    SlidingWindow<16'000, 64> second_;
    std::int64_t credit_micro_bytes_ = 0;  // of the long-term rate, in millionths of a byte
    Instant credited_{};
    bool started_ = false;
};

inline bool UploadBudget::allows(Instant now, std::size_t bytes) {
    if (kind_ == Kind::unlimited) return true;
    if (kind_ == Kind::round) return bytes <= round_left_;
    advance(now);
    const bool in_window = window_.bytes() == 0 || window_.bytes() + bytes <= window_limit_;
    return credit_micro_bytes_ > 0 && in_window && second_.bytes() + bytes <= second_limit_;
}

inline void UploadBudget::spend(Instant now, std::size_t bytes) {
    if (kind_ == Kind::unlimited) return;
    if (kind_ == Kind::round) {
        round_left_ -= static_cast<std::uint32_t>(std::min<std::size_t>(bytes, round_left_));
        return;
    }
    advance(now);
    window_.add(static_cast<std::uint32_t>(bytes));
    second_.add(static_cast<std::uint32_t>(bytes));
    credit_micro_bytes_ -= static_cast<std::int64_t>(bytes) * 1'000'000;
}

}  // namespace fray
