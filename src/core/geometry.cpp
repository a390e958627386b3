#include <fray/geometry.hpp>

#include <cmath>

namespace fray {

float length(const Vec3& v) { return std::sqrt(dot(v, v)); }

float distance(const Vec3& a, const Vec3& b) { return length(a - b); }

}  // namespace fray
