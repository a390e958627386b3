#pragma once
// How a limited upload is divided in the course of a frame: evenly. What leaves in one burst is blocked in
// one burst one window later, and a prompt message would wait for that; in an even flow it waits for the next
// step. A game that fetches datagrams only once per frame gets all of them at once.

#include <fray/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fray {

class UploadPace {
public:
    /// usual: bytes of a frame; SIZE_MAX: the upload has no rate.
    void begin_frame(Instant now, Duration tick, std::size_t usual) {
        is_even_ = polled_ - began_ >= tick_ / 2;  // in the last frame
        began_ = now;
        tick_ = tick;
        usual_ = usual;
        last_updates_ = std::exchange(updates_, 0);
        left_ = 0;
        if (!is_paced()) return;
        const auto share = static_cast<std::int64_t>(usual / kPromptShare);
        prompt_credit_ = std::min(prompt_credit_ + share, share * kPromptFrames);
    }
    /// The caller asks for datagrams.
    void poll(Instant now) { polled_ = now; }
    struct What {
        bool is_prompt = false;
        bool has_update = false;
    };
    /// A datagram has left.
    void count(std::size_t bytes, const What& what) {
        if (!what.is_prompt) left_ += bytes;
        if (what.has_update) updates_ += bytes;
    }
    /// Bytes of the last frame's datagrams with updates.
    [[nodiscard]] std::size_t last_updates() const { return last_updates_; }
    /// Whether this frame has taken as many bytes as it may by now. Prompt messages do not wait.
    [[nodiscard]] bool holds(Instant now) const {
        const std::size_t step = step_of(now) + 1;
        return is_even_ && is_paced() && step < kSteps && left_ >= usual_ * step / kSteps;
    }
    [[nodiscard]] Instant next_step(Instant now) const {
        return began_ + tick_ * static_cast<std::int64_t>(step_of(now) + 1) / std::int64_t{kSteps} +
               Duration{1};
    }
    /// A datagram for prompt messages has left.
    void prompt_left(std::size_t bytes) { prompt_credit_ -= static_cast<std::int64_t>(bytes); }
    /// Others cause prompt messages, by requests that are answered: beyond their share, these take turns with
    /// all others.
    [[nodiscard]] bool may_be_prompt() const { return !is_paced() || prompt_credit_ > 0; }
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
    static constexpr std::size_t kPromptShare = 2;     // of a frame's bytes, of prompt messages over time
    static constexpr std::int64_t kPromptFrames = 10;  // whose unused shares are kept
    static constexpr std::size_t kReliableShare = 3;   // of a frame's bytes
    static constexpr std::size_t kSteps = 8;           // of a frame

    [[nodiscard]] bool is_paced() const { return usual_ != SIZE_MAX; }
    [[nodiscard]] std::size_t step_of(Instant now) const {
        if (tick_ <= Duration{0}) return kSteps;
        const std::int64_t since = std::clamp<std::int64_t>(micros(now - began_), 0, micros(tick_));
        return static_cast<std::size_t>(since) * kSteps / static_cast<std::size_t>(micros(tick_));
    }

    Instant began_{};
    Instant polled_{};
    bool is_even_ = false;
    std::int64_t prompt_credit_ = 0;  // bytes
    Duration tick_{};
    Duration resend_{};
    std::size_t usual_ = SIZE_MAX;
    std::size_t left_ = 0;          // bytes of this frame's datagrams
    std::size_t updates_ = 0;       // of those with updates
    std::size_t last_updates_ = 0;  // likewise of the last frame
};

}  // namespace fray
