#pragma once
// Three-dimensional vectors in single precision. The game chooses the unit of length; angles are in degrees.

#include <cmath>
#include <compare>

namespace fray {

struct Vec3 {
    float x = 0;
    float y = 0;
    float z = 0;

    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
    constexpr Vec3& operator+=(const Vec3& o) { return x += o.x, y += o.y, z += o.z, *this; }
    constexpr Vec3& operator-=(const Vec3& o) { return x -= o.x, y -= o.y, z -= o.z, *this; }
    constexpr Vec3& operator*=(float s) { return x *= s, y *= s, z *= s, *this; }
    friend constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
    friend constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
    friend constexpr Vec3 operator*(Vec3 a, float s) { return a *= s; }
};

[[nodiscard]] constexpr float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline float length(const Vec3& v) { return std::sqrt(dot(v, v)); }
[[nodiscard]] inline float distance(const Vec3& a, const Vec3& b) { return length(a - b); }

/// Position, motion and orientation of an entity.
struct Pose {
    Vec3 position{};  ///< units
    Vec3 velocity{};  ///< units per second
    float yaw = 0;    ///< degrees, [0, 360), counter-clockwise from +x
    float pitch = 0;  ///< degrees, [-90, 90]

    friend constexpr bool operator==(const Pose&, const Pose&) = default;
};

}  // namespace fray
