#pragma once
// A player: sees a View, presses keys. Deterministic: the same map, options and views give the same inputs.
//
//     Bot bot{{.level = 4, .character = CharacterName::hunter, .seed = seed}, map, query};
//     if (bot.looks(step)) {                 // ten times a second
//         senses.fill_view(battle, number, view);
//         bot.look(view);
//     }
//     const Input input = bot.play(step, battle.tanks[number]);   // 60 times a second

#include <fray/random.hpp>

#include "games/panzer/bots/act.hpp"
#include "games/panzer/bots/character.hpp"
#include "games/panzer/bots/go_to.hpp"
#include "games/panzer/bots/memory.hpp"
#include "games/panzer/bots/mind.hpp"
#include "games/panzer/bots/pace.hpp"
#include "games/panzer/bots/senses.hpp"
#include "games/panzer/rules/input.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace fray::panzer {

struct BotOptions {
    std::uint8_t level = 3;  ///< 1 to kLevels
    CharacterName character = CharacterName::soldier;
    Seed seed{};                            ///< of this bot; bots of one battle need different ones
    std::optional<double> dynamic_share{};  ///< of its time that it moves, 0 to 1; see dynamic_share()
};

class Bot {
public:
    /// Map and query must outlive the bot. Bots on one thread may share a query.
    Bot(const BotOptions& options, const Map& map, const NavQuery& query);

    /// Whether the bot looks at its screen before this step; bots with different seeds do so in different
    /// steps.
    [[nodiscard]] bool looks(std::uint32_t step) const { return step % kLookSteps == phase_; }
    void look(const View& view);
    /// The keys of the coming step. `self`: its tank after the last step.
    [[nodiscard]] Input play(std::uint32_t step, const Tank& self);

    [[nodiscard]] const Decision& decision() const { return mind_.decision(); }
    [[nodiscard]] const GoTo& go_to() const { return go_to_; }

private:
    void notice_shells(const View& view);
    [[nodiscard]] Drive drive(const Tank& self);
    [[nodiscard]] Angle aim_at_target(const Tank& self, const KnownTank& target);
    [[nodiscard]] Angle aim_ahead(const Tank& self) const;
    [[nodiscard]] bool uses_shell(const Tank& self, float distance) const;

    const Skill* skill_;
    const Character* character_;
    const NavQuery* query_;
    RandomStream random_;
    Memory memory_;
    Mind mind_;
    GoTo go_to_;
    Act act_;
    std::optional<Pace> pace_;
    std::uint32_t phase_;
    std::uint32_t now_ = 0;

    // From the last look.
    std::array<Vec2, 4> others_{};  // tanks nearby, to be passed
    std::size_t other_count_ = 0;
    double wobble_ = 0;  // of the aim, in standard deviations
    float sweep_ = 0;    // degrees from the hull, without a target
    bool wants_shell_ = false;
    float tolerance_ = 0;  // degrees

    std::uint32_t shell_since_ = 0;  // step since which a shell comes at us; 0: none
    std::uint32_t dodge_until_ = 0;
    std::uint32_t next_shot_at_ = 0;  // step
    Vec2 dodge_to_{};
    bool moved_ = false;
    bool must_move_ = false;
};

}  // namespace fray::panzer
