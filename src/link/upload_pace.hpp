#pragma once
// How a limited upload is divided in the course of a frame. What leaves in one burst is blocked in one burst
// one window later; so the least important updates leave in steps. And while players interact, all but prompt
// messages leave some bytes free: an interaction is seldom alone.

#include <fray/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fray {

class UploadPace {
public:
    /// usual: bytes of a frame; SIZE_MAX: the upload has no rate.
    void begin_frame(Instant now, Duration tick, std::size_t usual) {
        began_ = now;
        tick_ = tick;
        usual_ = usual;
        left_ = 0;
        if (!is_paced()) return;
        const auto share = static_cast<std::int64_t>(usual / kPromptShare);
        prompt_credit_ = std::min(prompt_credit_ + share, share * kPromptFrames);
    }
    /// An update of this frame has left.
    void update_left(std::size_t bytes) { left_ += bytes; }
    /// Whether this frame's updates have taken as many bytes as they may by now.
    [[nodiscard]] bool holds_updates(Instant now) const {
        const std::size_t step = step_of(now);
        if (!is_paced() || step + 1 >= kSteps) return false;
        const std::size_t paced = usual_ / kPacedShare;
        return left_ >= usual_ - paced + paced * step / (kSteps - 1);
    }
    [[nodiscard]] Instant next_step(Instant now) const {
        return began_ + tick_ * static_cast<std::int64_t>(step_of(now) + 1) / std::int64_t{kSteps} +
               Duration{1};
    }
    /// A prompt message waits to leave.
    void prompt_waits(Instant now) {
        if (now >= prompt_until_) largest_prompt_ = 0;
        prompt_until_ = now + kInteracts;
    }
    /// A datagram for prompt messages takes at least so many bytes: the next one is likely to be as long.
    void prompt_takes(std::size_t bytes) { largest_prompt_ = std::max(largest_prompt_, bytes); }
    /// A datagram for prompt messages has left.
    void prompt_left(std::size_t bytes) { prompt_credit_ -= static_cast<std::int64_t>(bytes); }
    /// Others cause prompt messages, by requests that are answered: beyond their share, these take turns with
    /// all others.
    [[nodiscard]] bool may_be_prompt() const { return !is_paced() || prompt_credit_ > 0; }
    /// Bytes that only prompt messages may use.
    [[nodiscard]] std::size_t spare(Instant now) const {
        if (!is_paced() || now >= prompt_until_ || !may_be_prompt()) return 0;
        return std::clamp(largest_prompt_, usual_ / kSpareShare, usual_ / kMostSpareShare);
    }
    /// Bits of reliable messages that one datagram carries: links wait for each other, and one that has much
    /// to send must not keep the others silent.
    [[nodiscard]] std::size_t reliable_bits() const {
        return is_paced() ? usual_ * 8 / kReliableShare : SIZE_MAX;
    }
    [[nodiscard]] Duration tick() const { return tick_; }
    /// By how much longer an acknowledgement is waited for, because the other side delays it likewise; zero:
    /// reliable messages are repeated in every datagram.
    void set_resend(Duration resend) { resend_ = resend; }
    [[nodiscard]] Duration resend() const { return resend_; }

private:
    static constexpr Duration kInteracts{5s};      // after a prompt message, others are likely
    static constexpr std::size_t kSpareShare = 8;  // of a frame's bytes, at least
    static constexpr std::size_t kMostSpareShare = 3;
    static constexpr std::size_t kPromptShare = 2;     // likewise, of prompt messages over time
    static constexpr std::int64_t kPromptFrames = 10;  // whose unused shares are kept
    static constexpr std::size_t kReliableShare = 3;   // likewise
    static constexpr std::size_t kPacedShare = 4;      // likewise: they leave in steps
    static constexpr std::size_t kSteps = 4;           // of a frame

    [[nodiscard]] bool is_paced() const { return usual_ != SIZE_MAX; }
    [[nodiscard]] std::size_t step_of(Instant now) const {
        if (tick_ <= Duration{0}) return kSteps;
        const std::int64_t since = std::clamp<std::int64_t>(micros(now - began_), 0, micros(tick_));
        return static_cast<std::size_t>(since) * kSteps / static_cast<std::size_t>(micros(tick_));
    }

    Instant began_{};
    Instant prompt_until_ = Instant::min();
    std::size_t largest_prompt_ = 0;  // datagram of prompt messages alone, while players interact
    std::int64_t prompt_credit_ = 0;  // bytes
    Duration tick_{};
    Duration resend_{};
    std::size_t usual_ = SIZE_MAX;
    std::size_t left_ = 0;  // bytes of this frame's updates
};

}  // namespace fray
