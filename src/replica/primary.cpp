#include "replica/primary.hpp"

#include <fray/assert.hpp>
#include <fray/event.hpp>

#include "core/motion.hpp"
#include "wire/input_codec.hpp"
#include "wire/whole_state.hpp"

#include <algorithm>

namespace fray {

namespace {
constexpr std::size_t kPoseRoom = 64;  // bytes: pose, type and lengths, generously
}

void Primary::set(const State& state, SessionInstant stamp) {
    state_.pose = state.pose;
    state_.payload = state.payload;
    state_.input = state.input;
    state_.type = type_;
    stamp_ = stamp;
    set_ = true;
}

Primary::Past& Primary::place(Frame frame) {
    // The ring grows on demand, so an entity that never changes keeps one state.
    if (history_.size() < kPrimaryHistory) {
        history_.emplace_back();
        newest_ = history_.size() - 1;
    } else {
        newest_ = (newest_ + 1) % kPrimaryHistory;
    }
    history_[newest_].frame = frame;
    frame_ = frame;
    cache_.clear();
    return history_[newest_];
}

bool Primary::commit(Frame frame, const PoseCodec& codec) {
    if (!set_) return false;
    set_ = false;
    Past& now = place(frame);
    now.pose = codec.quantise(state_.pose);
    now.stamp = stamp_;
    now.payload.assign(state_.payload.begin(), state_.payload.end());
    now.input.assign(state_.input.begin(), state_.input.end());
    leave_trail(now.stamp, now.pose);
    return true;
}

void Primary::leave_trail(SessionInstant stamp, const QuantisedPose& pose) {
    while (!trail_.empty() && trail_.back().stamp >= stamp) trail_.pop_back();
    trail_.push_back({stamp, pose});
    // Keeps the last step before kMostRewind ago, to interpolate from it to the next one.
    const auto first = std::ranges::upper_bound(trail_, stamp - kMostRewind, {}, &Step::stamp);
    const auto old = first - trail_.begin() - 1;
    if (old > static_cast<std::ptrdiff_t>(trail_.size() / 2)) trail_.erase(trail_.begin(), first - 1);
}

void Primary::refresh(Frame frame, SessionInstant now) {
    if (history_.empty() || frame_ == frame) return;
    const Past before = history_[newest_];
    Past& again = place(frame);
    again.pose = before.pose;
    again.payload = before.payload;
    again.input = before.input;
    again.stamp = now;
    stamp_ = now;
    leave_trail(now, again.pose);
}

void Primary::restamp(SessionInstant now) {
    stamp_ = now;
    if (history_.empty()) return;
    history_[newest_].stamp = now;
    cache_.clear();
    trail_.assign(1, {now, history_[newest_].pose});
}

const Primary::Past* Primary::search(Frame frame) const {
    if (history_.empty()) return nullptr;
    const Frame guess = frame_ >= frame ? frame_ - frame : 0;
    std::size_t back = guess < history_.size() ? guess : history_.size() - 1;
    const auto at = [&](std::size_t i) { return i <= newest_ ? newest_ - i : newest_ + history_.size() - i; };
    while (back > 0 && history_[at(back)].frame < frame && history_[at(back - 1)].frame <= frame) --back;
    const Past& found = history_[at(back)];
    return found.frame > frame ? nullptr : &found;
}

EncodedBody Primary::encode(const World& world, const PoseCodec& codec, std::optional<Frame> baseline) {
    FRAY_ASSERT(frame_ != kNoFrame);
    const Past* base = baseline ? state_at(*baseline) : nullptr;
    if (base != nullptr && base->frame != *baseline) base = nullptr;
    const Frame key = base == nullptr ? kNoFrame : base->frame;
    const auto hit = std::ranges::find(cache_, key, &Cached::baseline);
    if (hit != cache_.end()) return {std::span{cache_bytes_}.subspan(hit->begin), hit->bits, base == nullptr};

    const std::size_t begin = cache_.empty() ? 0 : cache_.back().begin + (cache_.back().bits + 7) / 8;
    // A delta of a payload takes at most twice its bits: one more for each field.
    const std::size_t room =
        kPoseRoom + history_[newest_].payload.size() * 2 + history_[newest_].input.size();
    if (cache_bytes_.size() < begin + room) cache_bytes_.resize(begin + room);
    BitWriter out{std::span{cache_bytes_}.subspan(begin)};
    write_body(out, world, codec, base);
    last_bits_ = out.bit_count();
    out.finish();
    FRAY_ASSERT(!out.overflowed());
    cache_.push_back({key, begin, last_bits_});
    return {std::span{cache_bytes_}.subspan(begin), last_bits_, base == nullptr};
}

Pose Primary::pose_at(SessionInstant moment, const World& world, const PoseCodec& codec) const {
    if (trail_.empty()) return state_.pose;
    const auto later = std::ranges::upper_bound(trail_, moment, {}, &Step::stamp);
    if (later == trail_.begin()) return codec.restore(later->pose);
    const Step& before = *(later - 1);
    // After the last committed state: interpolates to the state that is not sent yet.
    const bool untold = later == trail_.end();
    if (untold && stamp_ <= before.stamp) return codec.restore(before.pose);
    const Pose next = untold ? state_.pose : codec.restore(later->pose);
    const double span = seconds((untold ? stamp_ : later->stamp) - before.stamp);
    const double share = std::min(seconds(moment - before.stamp) / span, 1.0);
    return between(world, codec.restore(before.pose), next, static_cast<float>(share));
}

HeardState Primary::told(const PoseCodec& codec) const {
    const Past& now = history_[newest_];
    return {.number = number_,
            .type = type_,
            .pose = codec.restore(now.pose),
            .when = now.stamp,
            .payload = now.payload,
            .input = now.input};
}

void Primary::write_body(BitWriter& out, const World& world, const PoseCodec& codec, const Past* baseline) {
    const Past& now = history_[newest_];
    const EntityType& type = world.types[static_cast<std::size_t>(type_)];
    if (baseline == nullptr) {
        return write_whole(out, world, codec, {type_, now.pose, now.payload, now.input});
    }
    codec.write_delta(out, baseline->pose, stamp_difference(baseline->stamp, now.stamp), now.pose);
    if (!baseline->payload.empty()) {  // a payload without bits never has any
        fields_.clear();
        type.fields(baseline->payload, fields_);
        type.write_delta(out, fields_, now.payload);
    }
    write_input(out, baseline->input, now.input);
}

std::size_t Primary::memory_bytes() const {
    std::size_t sum = sizeof(*this) + cache_bytes_.capacity() + cache_.capacity() * sizeof(Cached);
    sum += trail_.capacity() * sizeof(Step);
    for (const Past& p : history_) sum += sizeof(Past) + p.payload.capacity() + p.input.capacity();
    return sum;
}

}  // namespace fray
