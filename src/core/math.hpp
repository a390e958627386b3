#pragma once
// Elementary functions whose results are the same bits with every compiler and at every optimisation level:
// they use only + - * / and the exactly rounded sqrt and floor. libm differs between systems, and compilers
// fold calls to it with yet another one. Every result that enters a hash must come from here.

namespace fray::math {

inline constexpr double kPi = 3.14159265358979323846;

/// Radians. Full accuracy up to a million; beyond that it decreases. Infinities and NaN give NaN.
[[nodiscard]] double sin(double x);
[[nodiscard]] double cos(double x);
/// In [-pi, pi]; atan2(0, 0) is 0.
[[nodiscard]] double atan2(double y, double x);
/// Infinity above about 709.8, zero below about -745.1.
[[nodiscard]] double exp(double x);
/// -infinity at zero, NaN below.
[[nodiscard]] double log(double x);
/// exp(y * log(x)); a negative x needs a whole y, else NaN.
[[nodiscard]] double pow(double x, double y);

}  // namespace fray::math
