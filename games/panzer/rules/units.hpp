#pragma once
// Units of Panzer: metres and seconds on a plane, 60 steps per second. x goes east, y north; the map's
// south-west corner is (0, 0). Only + - * / and sqrt are used, and directions come from a table, so every
// compiler gives the same bits.

#include <array>
#include <cmath>
#include <cstdint>

namespace fray::panzer {

inline constexpr std::uint32_t kStepsPerSecond = 60;
inline constexpr float kStep = 1.0F / kStepsPerSecond;  ///< seconds

/// The number of steps in this many seconds.
[[nodiscard]] constexpr std::uint16_t steps(float seconds) {
    return static_cast<std::uint16_t>(seconds * kStepsPerSecond + 0.5F);
}

struct Vec2 {
    float x = 0;
    float y = 0;

    friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
    constexpr Vec2& operator+=(const Vec2& o) { return x += o.x, y += o.y, *this; }
    constexpr Vec2& operator-=(const Vec2& o) { return x -= o.x, y -= o.y, *this; }
    friend constexpr Vec2 operator+(Vec2 a, const Vec2& b) { return a += b; }
    friend constexpr Vec2 operator-(Vec2 a, const Vec2& b) { return a -= b; }
    friend constexpr Vec2 operator*(const Vec2& a, float s) { return {a.x * s, a.y * s}; }
};

[[nodiscard]] constexpr float dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
[[nodiscard]] constexpr float square_length(const Vec2& v) { return dot(v, v); }
[[nodiscard]] inline float length(const Vec2& v) { return std::sqrt(dot(v, v)); }

/// The largest whole number that is not above v. std::floor is a call on processors without SSE 4.1.
[[nodiscard]] constexpr std::int32_t floor_of(float v) {
    const auto whole = static_cast<std::int32_t>(v);
    return whole - (v < static_cast<float>(whole) ? 1 : 0);
}

/// A direction: 65,536 steps make a circle, counter-clockwise from +x. Arithmetic wraps around by itself.
using Angle = std::uint16_t;

[[nodiscard]] constexpr Angle degrees(float d) {
    return static_cast<Angle>(static_cast<std::int32_t>(d * (65536.0F / 360)));
}
[[nodiscard]] constexpr float in_degrees(Angle a) { return static_cast<float>(a) * (360.0F / 65536); }
/// The shorter way from one angle to another; positive is counter-clockwise.
[[nodiscard]] constexpr std::int16_t turn_between(Angle from, Angle to) {
    return static_cast<std::int16_t>(static_cast<Angle>(to - from));
}

inline constexpr unsigned kDirectionBits = 12;
extern const std::array<Vec2, 1U << kDirectionBits> kDirections;
/// The unit vector in this direction, of 4,096 that there are.
[[nodiscard]] inline Vec2 direction(Angle angle) { return kDirections[angle >> (16U - kDirectionBits)]; }
/// The angle of a vector, to a step of the table of directions; 0 for the zero vector.
[[nodiscard]] Angle angle_of(const Vec2& v);

}  // namespace fray::panzer
