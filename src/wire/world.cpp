#include <fray/fingerprint.hpp>
#include <fray/world.hpp>

#include "wire/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace fray {

namespace {

constexpr double kMostSteps = 2147483647.0;  // steps are signed 32-bit numbers in the pose codec
constexpr unsigned kMostAngleBits = 16;
constexpr std::size_t kMostTypes = 255;

Result<void> no(std::string message) { return Error{std::move(message)}; }

/// One quantity that is quantised.
struct Axis {
    std::string_view name;
    float low;
    float high;
    float precision;
    bool wraps = false;
};

/// A wrapped axis must end on a step: otherwise the two sides of the seam would differ.
bool ends_on_a_step(const Axis& axis) {
    const double steps = (double{axis.high} - double{axis.low}) / double{axis.precision};
    return steps >= 1 && std::fabs(steps - std::floor(steps + 0.5)) < 0.01;
}

Result<void> check_axis(const Axis& axis) {
    const std::string name{axis.name};
    if (!std::isfinite(axis.low) || !std::isfinite(axis.high)) return no(name + ": bounds must be finite");
    if (axis.low > axis.high) return no(name + ": the low bound must not be above the high bound");
    const double extent = double{axis.high} - double{axis.low};
    if (extent / double{axis.precision} > kMostSteps)
        return no(name + ": the extent must be at most 2^31 steps of the precision");
    const double largest = std::max(std::fabs(double{axis.low}), std::fabs(double{axis.high}));
    if (extent > 0 && largest * 0x1p-23 > double{axis.precision}) {
        return no(name + ": the precision must not be finer than a float's at the bounds");
    }
    if (axis.wraps && !ends_on_a_step(axis))
        return no(name +
                  ": the extent of an axis that wraps must be a whole number of steps of the precision");
    return {};
}

Result<void> check_precision(std::string_view name, float precision) {
    if (std::isfinite(precision) && precision > 0) return {};
    return no(std::string{name} + " must be above 0 and finite");
}

bool has_all_functions(const EntityType& type) {
    return type.fields != nullptr && type.write_delta != nullptr && type.read_delta != nullptr &&
           type.read_full != nullptr && type.write_full != nullptr;
}

Result<void> check_types(const std::vector<EntityType>& types) {
    if (types.empty()) return no("types: a world must have at least one entity type");
    if (types.size() > kMostTypes)
        return no("types: a world may have at most 255 entity types, not " + std::to_string(types.size()));
    for (std::size_t i = 0; i < types.size(); ++i) {
        const EntityType& type = types[i];
        if (type.name.empty())
            return no("types: entity type " + std::to_string(i) + " has no name: give it one");
        if (!has_all_functions(type))
            return no("types: '" + type.name + "' lacks functions: create it with EntityType::of");
        const auto same_name = [&](const EntityType& other) { return other.name == type.name; };
        if (std::any_of(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(i), same_name)) {
            return no("types: two entity types are named '" + type.name + "': names must differ");
        }
    }
    return {};
}

/// Negative zero is the same bound as zero.
float plain(float value) { return value == 0 ? 0.0F : value; }

void add(Fingerprint& sum, const Vec3& v) { sum.add(plain(v.x)).add(plain(v.y)).add(plain(v.z)); }

}  // namespace

std::uint64_t World::fingerprint() const {
    Fingerprint sum;
    sum.add(std::string_view{name}).add(std::uint64_t{version});
    add(sum, low);
    add(sum, high);
    sum.add(position_precision).add(velocity_limit).add(velocity_precision);
    sum.add(std::uint64_t{angle_bits}).add(std::uint64_t{wrap_x}).add(std::uint64_t{wrap_y});
    sum.add(static_cast<std::uint64_t>(micros(tick)));
    for (const EntityType& type : types) sum.add(std::string_view{type.name}).add(type.layout);
    return sum.value();
}

Result<void> World::check() const {
    if (name.empty()) return no("name: a world needs a name");
    if (auto fine = check_precision("position_precision", position_precision); !fine) return fine;
    if (auto fine = check_precision("velocity_precision", velocity_precision); !fine) return fine;
    if (!(velocity_limit >= 0)) return no("velocity_limit must not be negative");
    const std::array axes{
        Axis{"x", low.x, high.x, position_precision, wrap_x},
        Axis{"y", low.y, high.y, position_precision, wrap_y},
        Axis{"z", low.z, high.z, position_precision},
        Axis{"velocity_limit", -velocity_limit, velocity_limit, velocity_precision},
    };
    for (const Axis& axis : axes) {
        if (auto fine = check_axis(axis); !fine) return fine;
    }
    if (angle_bits > kMostAngleBits) return no("angle_bits must be 0 to 16");
    if (tick < 1ms || tick > kMostTick) return no("tick must be between 1 ms and 150 s");
    return check_types(types);
}

}  // namespace fray
