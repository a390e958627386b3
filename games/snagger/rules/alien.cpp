#include "games/snagger/rules/alien.hpp"

#include "core/math.hpp"
#include "games/snagger/rules/screen.hpp"

namespace fray::snagger {
namespace {

void bounce(float& position, float& velocity, float extent) {
    if (position < 0) {
        position = -position;
        velocity = -velocity;
    } else if (position > extent) {
        position = 2 * extent - position;
        velocity = -velocity;
    }
}

}  // namespace

Alien arrival(Seed seed, std::uint32_t number) {
    RandomStream random{seed, "alien", number};
    const auto edge = random.below(4);
    const auto along = static_cast<float>(random.uniform());
    const double speed = random.uniform(kAlienSpeedLeast, kAlienSpeedMost);
    // Edges are numbered by the direction of entry: 0 right, 1 up, 2 left, 3 down. No alien moves along an
    // edge.
    const double way = (edge + random.uniform(-2.0 / 3, 2.0 / 3)) * math::kPi / 2;
    Alien alien;
    if (edge % 2 == 0) alien.position = {edge == 0 ? 0 : kWidth, along * kHeight, 0};
    if (edge % 2 == 1) alien.position = {along * kWidth, edge == 1 ? 0 : kHeight, 0};
    alien.velocity = {static_cast<float>(speed * math::cos(way)), static_cast<float>(speed * math::sin(way)),
                      0};
    return alien;
}

Alien drift(const Alien& alien) {
    Alien next = alien;
    next.position += alien.velocity * kTickSeconds;
    bounce(next.position.x, next.velocity.x, kWidth);
    bounce(next.position.y, next.velocity.y, kHeight);
    return next;
}

}  // namespace fray::snagger
