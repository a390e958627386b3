#pragma once
// Poses on the world's grid, whole or as a delta to a baseline.
//
// A delta codes the velocity first, as the change since the baseline; then the position, as the difference to
// where the two velocities lead; then the turn of yaw and pitch. All in integers: both ends agree on every
// bit.

#include <fray/bits.hpp>
#include <fray/geometry.hpp>
#include <fray/time.hpp>
#include <fray/world.hpp>

#include <array>
#include <cstdint>

namespace fray {

/// A pose in steps of the world's precisions.
struct QuantisedPose {
    std::int32_t x = 0;  ///< from the low bound
    std::int32_t y = 0;
    std::int32_t z = 0;
    std::int32_t vx = 0;  ///< signed
    std::int32_t vy = 0;
    std::int32_t vz = 0;
    std::uint16_t yaw = 0;
    std::uint16_t pitch = 0;  ///< from straight down (-90 degrees)

    friend constexpr bool operator==(const QuantisedPose&, const QuantisedPose&) = default;
};

class PoseCodec {
public:
    /// The order in which fields are written.
    // NOLINTBEGIN(readability-identifier-naming): they index arrays, as constants do
    enum Field : std::uint8_t { kVx, kVy, kVz, kX, kY, kZ, kYaw, kPitch };
    // NOLINTEND(readability-identifier-naming)
    static constexpr std::size_t kFieldCount = 8;
    using FieldBits = std::array<unsigned, kFieldCount>;

    /// world.check() holds.
    explicit PoseCodec(const World& world);

    /// The nearest pose on the grid. Values outside are clamped, or wrapped if the world wraps; NaN becomes
    /// the low bound, or zero for velocities and angles.
    [[nodiscard]] QuantisedPose quantise(const Pose& pose) const;
    /// Whether quantise() changes no number of a finite pose by more than half a step, yaw and edges that
    /// wrap aside. What takes no bits does not count.
    [[nodiscard]] bool holds(const Pose& pose) const;
    [[nodiscard]] Pose restore(const QuantisedPose& pose) const;

    void write_full(BitWriter& out, const QuantisedPose& pose) const;
    /// Returns a pose on the grid for any bytes; the reader fails if they are invalid.
    [[nodiscard]] QuantisedPose read_full(BitReader& in) const;
    /// elapsed: from the baseline to the value. The receiver must know it; it is not written.
    void write_delta(BitWriter& out, const QuantisedPose& baseline, Duration elapsed,
                     const QuantisedPose& value) const;
    [[nodiscard]] QuantisedPose read_delta(BitReader& in, const QuantisedPose& baseline,
                                           Duration elapsed) const;

    /// Bits of each field.
    [[nodiscard]] FieldBits full_bits() const;
    [[nodiscard]] FieldBits delta_bits(const QuantisedPose& baseline, Duration elapsed,
                                       const QuantisedPose& value) const;

private:
    /// Range of one number of a pose; if it wraps, the number of values in a round.
    struct Extent {
        std::int32_t low = 0;
        std::int32_t high = 0;
        std::int32_t round = 0;  ///< 0: no wrapping
        unsigned bits = 0;       ///< 0: only one value, never written

        [[nodiscard]] bool holds(std::int64_t number) const { return number >= low && number <= high; }
        [[nodiscard]] std::int32_t fit(std::int64_t number) const;
        [[nodiscard]] std::int64_t difference(std::int32_t value, std::int32_t from) const;
    };
    /// How far a step of old and of new velocity moves an entity, in steps of position, times 2^16.
    struct Weights {
        std::int64_t old_velocity;
        std::int64_t new_velocity;
    };
    /// Writes, reads or measures one field: the three must not differ in anything else.
    class Writer;
    class Reader;
    class Meter;

    static Extent extent_of(float low, float high, float precision, bool wraps);
    [[nodiscard]] std::int32_t position_step(const Extent& extent, float low, float value) const;
    [[nodiscard]] std::int32_t velocity_step(const Extent& extent, float value) const;
    [[nodiscard]] float position_of(std::int32_t step, float low, float high) const;
    [[nodiscard]] float velocity_of(std::int32_t step) const;
    [[nodiscard]] Weights weights(std::int64_t elapsed, std::int64_t tick) const;

    template <class Coder, class Stream>
    void code_full(Stream& stream, QuantisedPose& pose) const;
    template <class Coder, class Stream>
    void code_delta(Stream& stream, const QuantisedPose& old, Duration elapsed, QuantisedPose& now) const;

    Vec3 low_;
    Vec3 high_;
    double position_precision_;
    double velocity_precision_;
    float velocity_limit_;
    unsigned angle_bits_;
    std::int64_t tick_;
    std::int64_t steps_per_second_;  ///< that one step of velocity makes in position, times 2^16
    std::array<Extent, kFieldCount> extent_;
};

}  // namespace fray
