#pragma once
// A battle cut into parts (fray/time_warp/parts.hpp), and what players do to them.

#include <fray/time_warp/parts.hpp>

#include "games/panzer/rules/rules.hpp"

#include <array>
#include <cstdint>
#include <variant>

namespace fray::panzer {

/// A shell is older by kShellSteps than the next one of its tank, and the last step of its life is its own.
inline constexpr std::size_t kShellsOfTank = kShellLife / kShellSteps + 1;
// A tank that is destroyed and enters again has a loaded gun.
static_assert(kRespawnSteps >= kShellSteps);

/// A tank with what only its player decides about.
struct TankPart {
    Tank tank;
    Record record;
    Input input;              ///< in force until the next message
    bool is_present = false;  ///< has a player; otherwise it does not enter
    std::uint8_t shell_count = 0;
    std::array<Shell, kShellsOfTank> shells{};  ///< in flight, oldest first; the others are Shell{}
    friend constexpr bool operator==(const TankPart&, const TankPart&) = default;
};

using BattlePart = std::variant<TankPart, Item, Door, Flag>;

/// The order of the parts: tanks, items, doors, the flag.
struct PartLayout {
    PartNumber tanks = 0;
    PartNumber items = 0;
    PartNumber doors = 0;

    [[nodiscard]] constexpr PartNumber first_item() const { return tanks; }
    [[nodiscard]] constexpr PartNumber first_door() const { return tanks + items; }
    [[nodiscard]] constexpr PartNumber flag() const { return tanks + items + doors; }
    [[nodiscard]] constexpr PartNumber size() const { return flag() + 1; }
};

/// What a player does.
struct BattleMessage {
    enum class Kind : std::uint8_t {
        input,  ///< other keys
        enter,  ///< the tank gets a player: it enters at a spawn point
        leave,  ///< it disappears; its record stays, and its shells fly on
    };
    PartNumber tank = 0;
    Kind kind{};
    Input input{};
    friend constexpr bool operator==(const BattleMessage&, const BattleMessage&) = default;
};
template <class Stream>
void serialize(Stream& stream, BattleMessage& message) {
    stream.integer(message.tank, 0, kMostTanks - 1);
    stream.enumeration(message.kind, BattleMessage::Kind::leave);
    if (message.kind == BattleMessage::Kind::input) serialize(stream, message.input);
}

struct BattleOutcome {
    PartNumber part = 0;  ///< happening.tank
    Happening happening{};
    friend constexpr bool operator==(const BattleOutcome&, const BattleOutcome&) = default;
};

}  // namespace fray::panzer
