#include "interest/attention_exchange.hpp"

#include "interest/attention_message.hpp"

#include <algorithm>
#include <array>

namespace fray {

namespace {

constexpr int kChange = 2;       // steps from which on a change is told
constexpr int kMuch = 16;        // a rise by as many steps is urgent: half of a metric
constexpr Duration kRepeat{1s};  // an unchanged attention is told again after this time
constexpr Duration kPause{200ms};

std::uint32_t frames(Duration span, Duration tick) {
    return static_cast<std::uint32_t>(std::max<std::int64_t>(1, span / tick));
}

}  // namespace

AttentionExchange::AttentionExchange(const PartContext& context, const Attention& attention)
    : context_{context},
      attention_{attention},
      repeat_{frames(kRepeat, context.world().tick)},
      pause_{frames(kPause, context.world().tick)} {}

void AttentionExchange::run_frame() { ++frame_; }

bool AttentionExchange::is_due(LinkNumber link) const {
    const int steps = attention_steps(attention_.value(link));
    const Other* other = others_.find(link);
    if (other == nullptr || !other->was_told) return steps != 0;
    return std::abs(steps - other->told) >= kChange || frames_since(*other) >= repeat_;
}

bool AttentionExchange::is_urgent(LinkNumber link) const {
    const int steps = attention_steps(attention_.value(link));
    const Other* other = others_.find(link);
    if (other == nullptr || !other->was_told) return steps >= kMuch;
    return steps - other->told >= kMuch && frames_since(*other) >= pause_;
}

void AttentionExchange::tell(LinkNumber link) {
    Other& other = others_[link];
    other.told = attention_steps(attention_.value(link));
    other.was_told = true;
    other.told_in = frame_;
    ++told_count_;
    const std::array<std::uint8_t, 1> bytes{other.told};
    context_.out.send_bits(link, MessageKind::attention, bytes, 8,
                           {Delivery::unreliable, Purpose::state, true});
}

void AttentionExchange::undo(LinkNumber link) {
    Other* other = others_.find(link);
    if (other != nullptr && other->told_in == frame_) other->told_in = frame_ - repeat_;
}

Receipt AttentionExchange::handle_message(const Arrival& arrival, BitReader& in) {
    AttentionMessage message;
    if (!read(in, message)) return malformed();
    others_[arrival.link].heard = message.steps;
    ++heard_count_;
    return taken_unacknowledged();
}

}  // namespace fray
