#include "wire/pose_codec.hpp"

#include <fray/quantise.hpp>

#include "wire/pose_tables.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fray {

namespace {

/// Older baselines count as this old: the prediction is poor by then, and products stay within 64 bits.
constexpr std::int64_t kMostElapsed = std::int64_t{1} << 22U;  // microseconds: 4.2 s
constexpr unsigned kFraction = 16;                             // bits after the point of a weight

/// A number at full width, as it is written.
std::uint64_t offset(std::int32_t value, std::int32_t low) {
    return static_cast<std::uint64_t>(std::int64_t{value} - low);
}

std::int64_t rounded(double value) { return static_cast<std::int64_t>(std::floor(value + 0.5)); }

}  // namespace

inline std::int32_t PoseCodec::Extent::fit(std::int64_t number) const {
    if (holds(number)) return static_cast<std::int32_t>(number);
    if (round == 0) return number < low ? low : high;
    const std::int64_t rest = number % round;
    return static_cast<std::int32_t>(rest < 0 ? rest + round : rest);
}

inline std::int64_t PoseCodec::Extent::difference(std::int32_t value, std::int32_t from) const {
    const std::int64_t plain = std::int64_t{value} - from;
    if (round == 0) return plain;
    const std::int64_t half = round / 2;
    if (plain < -half) return plain + round;
    return plain >= round - half ? plain - round : plain;
}

class PoseCodec::Writer {
public:
    explicit Writer(BitWriter& out) : out_{out} {}
    void full(const Extent& extent, std::int32_t& value) {
        out_.bits(offset(value, extent.low), extent.bits);
    }
    unsigned delta(const ClassCode& code, const Extent& extent, std::int32_t predicted, std::int32_t& value) {
        if (extent.bits == 0) return 0;
        const unsigned c = code.write(out_, extent.difference(value, predicted));
        if (c == kLargeClass) full(extent, value);
        return c;
    }

private:
    BitWriter& out_;
};

class PoseCodec::Reader {
public:
    explicit Reader(BitReader& in) : in_{in}, window_{in.peek()} {}
    ~Reader() { in_.skip(used_); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    void full(const Extent& extent, std::int32_t& value) {
        in_.skip(std::exchange(used_, 0));
        const auto number = static_cast<std::int64_t>(in_.bits(extent.bits)) + extent.low;
        accept(extent, number, number <= extent.high, value);
        window_ = in_.peek();
    }
    unsigned delta(const ClassCode& code, const Extent& extent, std::int32_t predicted, std::int32_t& value) {
        if (extent.bits == 0) return value = extent.low, 0U;
        if (used_ + ClassCode::kMostBits > 64) refill();
        std::int64_t difference = 0;
        unsigned taken = 0;
        const unsigned c = code.read(window_, taken, difference);
        window_ >>= taken;
        used_ += taken;
        if (c == 0) return value = predicted, 0U;  // mostly; a prediction is always inside
        if (c == kLargeClass) {
            full(extent, value);
            difference = extent.difference(value, predicted);
            accept(extent, value, class_of(difference) == kLargeClass, value);
        } else {
            // One encoding per value: not outside the world, and not the long way around it.
            const std::int64_t number = predicted + difference;
            const std::int32_t fitted = extent.fit(number);
            const bool valid =
                extent.round == 0 ? fitted == number : extent.difference(fitted, predicted) == difference;
            accept(extent, fitted, valid, value);
        }
        return c;
    }

private:
    void accept(const Extent& extent, std::int64_t number, bool valid, std::int32_t& value) {
        if (!valid) in_.fail();
        value = valid ? static_cast<std::int32_t>(number) : extent.low;
    }
    /// Advances the reader by the bits used; until then, bits past its end read as zeros.
    void refill() {
        in_.skip(std::exchange(used_, 0));
        window_ = in_.peek();
    }

    // Several fields are read from one word: most poses take one or two. Word and position are in registers
    // as long as no function gets a reference to the reader.
    BitReader& in_;
    std::uint64_t window_;
    unsigned used_ = 0;
};

class PoseCodec::Meter {
public:
    explicit Meter(FieldBits& bits) : bits_{bits} {}
    void full(const Extent& extent, std::int32_t&) { bits_[next_++] = extent.bits; }
    unsigned delta(const ClassCode& code, const Extent& extent, std::int32_t predicted, std::int32_t& value) {
        const unsigned c = extent.bits == 0 ? 0 : class_of(extent.difference(value, predicted));
        bits_[next_++] = extent.bits == 0 ? 0 : code.bits(c) + (c == kLargeClass ? extent.bits : 0);
        return c;
    }

private:
    FieldBits& bits_;
    std::size_t next_ = 0;
};

PoseCodec::Extent PoseCodec::extent_of(float low, float high, float precision, bool wraps) {
    const auto steps = static_cast<std::int32_t>(Range{low, high, precision}.steps());
    Extent extent{.low = 0, .high = steps, .round = 0, .bits = 0};
    if (wraps) extent = {.low = 0, .high = steps - 1, .round = steps, .bits = 0};
    extent.bits = bits_for(static_cast<std::uint32_t>(extent.high));
    return extent;
}

PoseCodec::PoseCodec(const World& world)
    : low_{world.low},
      high_{world.high},
      position_precision_{world.position_precision},
      velocity_precision_{world.velocity_precision},
      velocity_limit_{world.velocity_limit},
      angle_bits_{world.angle_bits},
      tick_{micros(world.tick)},
      steps_per_second_{rounded(std::min(velocity_precision_ / position_precision_ * 65536.0, 2147483647.0))},
      extent_{} {
    extent_[kX] = extent_of(low_.x, high_.x, world.position_precision, world.wrap_x);
    extent_[kY] = extent_of(low_.y, high_.y, world.position_precision, world.wrap_y);
    extent_[kZ] = extent_of(low_.z, high_.z, world.position_precision, false);
    // An axis without extent allows no motion.
    const auto fastest = static_cast<std::int32_t>(rounded(velocity_limit_ / velocity_precision_));
    for (const auto& [velocity, position] : {std::pair{kVx, kX}, {kVy, kY}, {kVz, kZ}}) {
        if (extent_[position].bits == 0 || fastest == 0) continue;
        extent_[velocity] = {
            .low = -fastest, .high = fastest, .round = 0, .bits = bits_for(offset(fastest, -fastest))};
    }
    if (angle_bits_ == 0) return;
    const auto turn = std::int32_t{1} << angle_bits_;
    extent_[kYaw] = {.low = 0, .high = turn - 1, .round = turn, .bits = angle_bits_};
    extent_[kPitch] = {.low = 0,
                       .high = turn / 4 * 2,
                       .round = 0,
                       .bits = bits_for(static_cast<std::uint32_t>(turn / 4 * 2))};
}

std::int32_t PoseCodec::position_step(const Extent& extent, float low, float value) const {
    if (value != value || extent.bits == 0) return 0;
    // Far beyond any world, where wrapping has no meaning.
    constexpr double kFar = 1e15;
    return extent.fit(rounded(std::clamp((double{value} - double{low}) / position_precision_, -kFar, kFar)));
}

std::int32_t PoseCodec::velocity_step(const Extent& extent, float value) const {
    if (value != value || extent.bits == 0) return 0;
    // By magnitude, so that both directions round alike, even half a step above the last one.
    const double size = std::min(std::fabs(double{value}), double{velocity_limit_});
    const std::int64_t steps = rounded(size / velocity_precision_);
    return extent.fit(value < 0 ? -steps : steps);
}

QuantisedPose PoseCodec::quantise(const Pose& pose) const {
    QuantisedPose result;
    result.x = position_step(extent_[kX], low_.x, pose.position.x);
    result.y = position_step(extent_[kY], low_.y, pose.position.y);
    result.z = position_step(extent_[kZ], low_.z, pose.position.z);
    result.vx = velocity_step(extent_[kVx], pose.velocity.x);
    result.vy = velocity_step(extent_[kVy], pose.velocity.y);
    result.vz = velocity_step(extent_[kVz], pose.velocity.z);
    if (angle_bits_ == 0) return result;
    const Extent& pitch = extent_[kPitch];
    const double level = pose.pitch == pose.pitch ? std::clamp<double>(pose.pitch, -90, 90) : 0.0;
    result.yaw = static_cast<std::uint16_t>(quantise_angle(pose.yaw, angle_bits_));
    result.pitch =
        static_cast<std::uint16_t>(pitch.fit(rounded(level / 360 * (1U << angle_bits_)) + pitch.high / 2));
    return result;
}

bool PoseCodec::holds(const Pose& pose) const {
    const auto within = [](const Extent& extent, float value, double low, double high, double step) {
        return extent.bits == 0 || extent.round != 0 || (value >= low - step / 2 && value <= high + step / 2);
    };
    const auto on_axis = [&](Field axis, float value, float low, float high) {
        return within(extent_[axis], value, low, high, position_precision_);
    };
    const auto at_speed = [&](Field axis, float value) {
        return within(extent_[axis], value, -velocity_limit_, velocity_limit_, velocity_precision_);
    };
    return on_axis(kX, pose.position.x, low_.x, high_.x) && on_axis(kY, pose.position.y, low_.y, high_.y) &&
           on_axis(kZ, pose.position.z, low_.z, high_.z) && at_speed(kVx, pose.velocity.x) &&
           at_speed(kVy, pose.velocity.y) && at_speed(kVz, pose.velocity.z) &&
           within(extent_[kPitch], pose.pitch, -90, 90, 0);
}

float PoseCodec::position_of(std::int32_t step, float low, float high) const {
    return static_cast<float>(std::min(double{low} + step * position_precision_, double{high}));
}

float PoseCodec::velocity_of(std::int32_t step) const {
    return static_cast<float>(
        std::clamp<double>(step * velocity_precision_, -velocity_limit_, velocity_limit_));
}

Pose PoseCodec::restore(const QuantisedPose& pose) const {
    Pose result;
    result.position = {position_of(pose.x, low_.x, high_.x), position_of(pose.y, low_.y, high_.y),
                       position_of(pose.z, low_.z, high_.z)};
    result.velocity = {velocity_of(pose.vx), velocity_of(pose.vy), velocity_of(pose.vz)};
    if (angle_bits_ == 0) return result;
    result.yaw = restore_angle(pose.yaw, angle_bits_);
    const std::int32_t level = pose.pitch - extent_[kPitch].high / 2;
    result.pitch = static_cast<float>(level * (360.0 / static_cast<double>(1U << angle_bits_)));
    return result;
}

PoseCodec::Weights PoseCodec::weights(std::int64_t elapsed, std::int64_t tick) const {
    // Assumes that velocity changes linearly from tick to tick, and that each tick moves by the velocity at
    // its end: the mean of those is (old * (elapsed - tick) + new * (elapsed + tick)) / (2 * elapsed).
    constexpr std::int64_t kTwoSeconds = 2'000'000;
    return {(elapsed - tick) * steps_per_second_ / kTwoSeconds,
            (elapsed + tick) * steps_per_second_ / kTwoSeconds};
}

template <class Coder, class Stream>
void PoseCodec::code_full(Stream& stream, QuantisedPose& pose) const {
    Coder coder{stream};
    std::int32_t yaw = pose.yaw;
    std::int32_t pitch = pose.pitch;
    coder.full(extent_[kVx], pose.vx);
    coder.full(extent_[kVy], pose.vy);
    coder.full(extent_[kVz], pose.vz);
    coder.full(extent_[kX], pose.x);
    coder.full(extent_[kY], pose.y);
    coder.full(extent_[kZ], pose.z);
    coder.full(extent_[kYaw], yaw);
    coder.full(extent_[kPitch], pitch);
    pose.yaw = static_cast<std::uint16_t>(yaw);
    pose.pitch = static_cast<std::uint16_t>(pitch);
}

template <class Coder, class Stream>
void PoseCodec::code_delta(Stream& stream, const QuantisedPose& old, Duration elapsed,
                           QuantisedPose& now) const {
    using namespace pose_tables;
    Coder coder{stream};
    const std::int64_t span = std::clamp<std::int64_t>(micros(elapsed), 0, kMostElapsed);
    const Weights steps = weights(span, std::min(tick_, span));
    const Weights smooth = weights(span, 0);  // physics engines average the vertical velocity of a fall
    const auto predict = [&](const Extent& extent, std::int32_t from, std::int32_t v0, std::int32_t v1,
                             Weights w) {
        constexpr std::int64_t kHalf = std::int64_t{1} << (kFraction - 1);
        return extent.fit(from + ((v0 * w.old_velocity + v1 * w.new_velocity + kHalf) >> kFraction));
    };

    const unsigned vx = coder.delta(pose_tables::kVx, extent_[kVx], old.vx, now.vx);
    const unsigned vy = coder.delta(pose_tables::kVy[row_of_vy(vx)], extent_[kVy], old.vy, now.vy);
    const unsigned vz = coder.delta(pose_tables::kVz[old.vz == 0 ? 0 : 1], extent_[kVz], old.vz, now.vz);

    const std::int32_t x = predict(extent_[kX], old.x, old.vx, now.vx, steps);
    const std::int32_t y = predict(extent_[kY], old.y, old.vy, now.vy, steps);
    const std::int32_t z = predict(extent_[kZ], old.z, old.vz, now.vz, smooth);
    coder.delta(kHorizontal[row_of_position(vx)], extent_[kX], x, now.x);
    coder.delta(kHorizontal[row_of_position(vy)], extent_[kY], y, now.y);
    coder.delta(kVertical[vz == 0 ? 0 : 1], extent_[kZ], z, now.z);

    std::int32_t yaw = now.yaw;
    std::int32_t pitch = now.pitch;
    coder.delta(pose_tables::kYaw, extent_[kYaw], old.yaw, yaw);
    coder.delta(pose_tables::kPitch, extent_[kPitch], old.pitch, pitch);
    now.yaw = static_cast<std::uint16_t>(yaw);
    now.pitch = static_cast<std::uint16_t>(pitch);
}

void PoseCodec::write_full(BitWriter& out, const QuantisedPose& pose) const {
    QuantisedPose copy = pose;
    code_full<Writer>(out, copy);
}

QuantisedPose PoseCodec::read_full(BitReader& in) const {
    QuantisedPose pose;
    code_full<Reader>(in, pose);
    return pose;
}

void PoseCodec::write_delta(BitWriter& out, const QuantisedPose& baseline, Duration elapsed,
                            const QuantisedPose& value) const {
    QuantisedPose copy = value;
    code_delta<Writer>(out, baseline, elapsed, copy);
}

QuantisedPose PoseCodec::read_delta(BitReader& in, const QuantisedPose& baseline, Duration elapsed) const {
    QuantisedPose pose;
    code_delta<Reader>(in, baseline, elapsed, pose);
    return pose;
}

PoseCodec::FieldBits PoseCodec::full_bits() const {
    QuantisedPose pose;
    FieldBits bits{};
    code_full<Meter>(bits, pose);
    return bits;
}

PoseCodec::FieldBits PoseCodec::delta_bits(const QuantisedPose& baseline, Duration elapsed,
                                           const QuantisedPose& value) const {
    QuantisedPose copy = value;
    FieldBits bits{};
    code_delta<Meter>(bits, baseline, elapsed, copy);
    return bits;
}

}  // namespace fray
