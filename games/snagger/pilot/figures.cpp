#include "games/snagger/pilot/figures.hpp"

namespace fray::snagger {
namespace {

int key_changes(const Input& a, const Input& b) {
    return (a.thrust != b.thrust) + (a.left != b.left) + (a.right != b.right) + (a.snag != b.snag);
}

}  // namespace

Figures figures(const Recording& recording) {
    Figures result;
    Game game = start(recording.seed);
    Inputs before{};
    for (const Inputs& inputs : recording.inputs) {
        const Game next = step(game, inputs);
        for (std::size_t i = 0; i < kShips; ++i) {
            const Vec3 change = next.ships[i].pose.velocity - game.ships[i].pose.velocity;
            result.ships[i].speed += double{length(next.ships[i].pose.velocity)};
            result.ships[i].acceleration += double{length(change)} * kTicksPerSecond;
            result.ships[i].key_changes += key_changes(before[i], inputs[i]) * double{kTicksPerSecond};
        }
        game = next;
        before = inputs;
    }
    for (ShipFigures& ship : result.ships) {
        const auto ticks = static_cast<double>(recording.inputs.size());
        ship = {ship.speed / ticks, ship.acceleration / ticks, ship.key_changes / ticks};
    }
    result.caught = game.score;
    return result;
}

ShipFigures mean_ship(std::span<const Figures> all) {
    ShipFigures sum;
    for (const Figures& one : all) {
        for (const ShipFigures& ship : one.ships) {
            sum.speed += ship.speed;
            sum.acceleration += ship.acceleration;
            sum.key_changes += ship.key_changes;
        }
    }
    const auto count = static_cast<double>(all.size() * kShips);
    return {sum.speed / count, sum.acceleration / count, sum.key_changes / count};
}

}  // namespace fray::snagger
