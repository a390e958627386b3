#pragma once
// The battle as a game of parts (fray/time_warp/parts.hpp): a late message executes anew only the tanks,
// items and doors that it can have touched.
//
//     auto game = PartBattle::start(map, {.tanks = 64, .seed = Seed{7}}, PartBattle::Players::absent);
//     game->step(0, messages, all_parts);          // the same as Rules::step
//     game->reach(0, messages, at, some_parts);    // adds what these parts may touch
//     game->step(0, messages, some_parts);         // the same for them, without the others

#include <fray/result.hpp>

#include "games/panzer/warp/battle_part.hpp"
#include "games/panzer/warp/links.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fray::panzer {

class PartBattle {
public:
    using Part = BattlePart;
    using Message = BattleMessage;
    using Outcome = BattleOutcome;

    enum class Players : std::uint8_t {
        present,  ///< every tank has one at the beginning
        absent,   ///< tanks enter when their players do
    };
    /// The map must outlive the battle. Returns an error as Rules::start does.
    [[nodiscard]] static Result<PartBattle> start(const Map& map, const Rules::Setup& setup, Players players);

    [[nodiscard]] std::size_t parts() const { return layout_.size(); }
    [[nodiscard]] const PartLayout& layout() const { return layout_; }
    [[nodiscard]] Part get(PartNumber part) const;
    void set(PartNumber part, const Part& value);
    /// Messages for tanks that do not exist have no effect, but are no part of the battle.
    [[nodiscard]] static PartNumber part_of(const Message& message) { return message.tank; }

    template <class At>
    void reach(Tick tick, std::span<const Stamped<Message>> messages, At&& at, PartSet& set) const {
        links_.close(tick, messages, std::forward<At>(at), set);
    }
    void step(Tick tick, std::span<const Stamped<Message>> messages, const PartSet& set);
    [[nodiscard]] std::span<const Outcome> outcomes() const { return outcomes_; }

    /// The battle before this tick, for screens and bots.
    void copy_to(Battle& battle, Tick tick) const;
    [[nodiscard]] bool is_present(PartNumber tank) const { return states_[tank].is_present; }
    [[nodiscard]] const Map& map() const { return rules_.map(); }

private:
    /// What the rules do not keep by tank.
    struct TankState {
        bool is_present = true;
        std::uint8_t shell_count = 0;
        std::array<Shell, kShellsOfTank> shells{};
    };

    PartBattle(const Map& map, Battle battle, Players players);
    void execute(const Message& message, const PartSet& set);
    void leave(PartNumber tank, const PartSet& set);
    void list_members(const PartSet& set);
    void prepare(std::uint16_t tank);
    void keep_shells();
    void step_members(const PartSet& set);

    Rules rules_;
    PartLayout layout_;
    Battle battle_;  // except its shells, which are scratch
    std::vector<Input> inputs_;
    std::vector<TankState> states_;
    mutable Links links_;  // scratch
    std::vector<Outcome> outcomes_;
    // Members of the set that is stepped, by their numbers in the battle, in order; scratch.
    std::vector<std::uint16_t> tanks_;
    std::vector<std::uint16_t> items_;
    std::vector<std::uint16_t> doors_;
};
static_assert(Parted<PartBattle>);

}  // namespace fray::panzer
