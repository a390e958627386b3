#include "games/snagger/rules/game.hpp"

#include <fray/fingerprint.hpp>

namespace fray::snagger {
namespace {

// Side by side in the middle of the screen, pointing up.
constexpr Vec3 kFirstStart{40, 45, 0};
constexpr Vec3 kSecondStart{60, 45, 0};
constexpr float kStartYaw = 90;
/// The first aliens entered long ago, each at its own time, so that they are spread over the screen.
constexpr std::uint32_t kTicksBetweenFirst = 4 * kTicksPerSecond;

Alien next_alien(Game& game) { return arrival(game.seed, game.arrivals++); }

void catch_aliens(Game& game) {
    for (Alien& alien : game.aliens) {
        if (!is_enclosed(game, alien)) continue;
        ++game.score;
        alien = next_alien(game);
    }
}

void add(Fingerprint& print, const Vec3& vector) { print.add(vector.x).add(vector.y).add(vector.z); }

}  // namespace

Game start(Seed seed) {
    Game game{.seed = seed};
    game.ships[0].pose = {.position = kFirstStart, .yaw = kStartYaw};
    game.ships[1].pose = {.position = kSecondStart, .yaw = kStartYaw};
    game.net = lay_net(kFirstStart, kSecondStart);
    for (Alien& alien : game.aliens) {
        alien = next_alien(game);
        for (std::uint32_t i = 0; i < game.arrivals * kTicksBetweenFirst; ++i) alien = drift(alien);
    }
    return game;
}

Game step(const Game& game, const Inputs& inputs) {
    Game next = game;
    ++next.tick;
    bool snagged = false;
    for (std::size_t i = 0; i < kShips; ++i) {
        next.ships[i] = advance(game.ships[i], inputs[i]);
        snagged = snagged || (next.ships[i].snagging && !game.ships[i].snagging);
    }
    next.net = drag(game.net, next.ships[0].pose.position, next.ships[1].pose.position);
    for (Alien& alien : next.aliens) alien = drift(alien);
    if (snagged) catch_aliens(next);
    return next;
}

bool is_enclosed(const Game& game, const Alien& alien) {
    return encloses(game.net, game.ships[0].pose.position, game.ships[1].pose.position, alien.position);
}

std::uint64_t fingerprint(const Game& game) {
    Fingerprint print;
    print.add(game.seed.value).add(std::uint64_t{game.tick});
    print.add(std::uint64_t{game.score}).add(std::uint64_t{game.arrivals});
    for (const Ship& ship : game.ships) {
        add(print, ship.pose.position);
        add(print, ship.pose.velocity);
        print.add(ship.pose.yaw).add(ship.pose.pitch).add(std::uint64_t{ship.snagging});
    }
    for (const Vec3& knot : game.net.knots) add(print, knot);
    for (const Alien& alien : game.aliens) {
        add(print, alien.position);
        add(print, alien.velocity);
    }
    return print.value();
}

}  // namespace fray::snagger
