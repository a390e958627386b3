#pragma once
// Decides what a bot is up to: which tank it fights, where it goes, and whether it moves at all. It decides
// anew whenever the bot looks at its screen; most decisions stand for some seconds.

#include <fray/random.hpp>

#include "games/panzer/bots/character.hpp"
#include "games/panzer/bots/go_to.hpp"
#include "games/panzer/bots/memory.hpp"
#include "games/panzer/bots/nav_mesh.hpp"

#include <cstdint>
#include <optional>

namespace fray::panzer {

enum class Intent : std::uint8_t {
    wander,   ///< to some place of the map
    collect,  ///< an item in view
    camp,     ///< wait for others to come
    fight,    ///< an enemy in view, at the preferred distance
    search,   ///< where an enemy was seen last
    flee,     ///< with little armour, from an enemy in view
    flag,     ///< to the flag, or its carrier
    carry,    ///< the flag, away from enemies
};
inline constexpr std::size_t kIntents = 8;
[[nodiscard]] std::string_view to_string(Intent intent);

struct Decision {
    Intent intent = Intent::wander;
    GoTo::Goal goal{};
    bool moves = false;
    std::uint16_t target = kNone;  ///< a tank
};

class Mind {
public:
    /// Everything must outlive this object.
    Mind(const Map& map, const NavQuery& query, const Skill& skill, const Character& character, Seed seed);

    /// `travel`: how far the bot got on the way to the goal. `must_move`: standing is no choice.
    const Decision& decide(const View& view, const Memory& memory, GoTo::State travel, bool must_move);
    /// After the tank was destroyed.
    void reset();
    [[nodiscard]] const Decision& decision() const { return decision_; }
    [[nodiscard]] std::uint32_t reaction() const { return reaction_; }  ///< steps

private:
    [[nodiscard]] std::uint16_t choose_target(const View& view, const Memory& memory) const;
    [[nodiscard]] Intent choose_intent(const View& view, const Memory& memory, bool must_move);
    [[nodiscard]] Intent choose_quiet_intent(const View& view, bool must_move);
    [[nodiscard]] const SeenItem* wanted_item(const View& view, float reach) const;
    void find_goal(Intent intent, const View& view, const Memory& memory);
    void plan_fight(const View& view, const Memory& memory);
    void plan_flight(const View& view, const Memory& memory);
    void plan_camp(const View& view);
    void plan_flag(const View& view);
    void go(const Vec2& place, float radius, bool stop);
    /// A place of the mesh at about this distance and angle from a point.
    [[nodiscard]] std::optional<Vec2> place_around(const Vec2& centre, Angle towards, float spread, float low,
                                                   float high);
    [[nodiscard]] Vec2 place_of_map(const Vec2& near);
    [[nodiscard]] std::uint32_t later(double low, double high);  // seconds from now, as a step

    const Map* map_;
    const NavQuery* query_;
    const Skill* skill_;
    const Character* character_;
    RandomStream random_;
    std::uint32_t reaction_;
    Decision decision_{};
    std::uint32_t now_ = 0;
    std::uint32_t valid_until_ = 0;
    std::uint32_t may_flee_at_ = 0;
    bool is_camping_ = false;  // has arrived
};

}  // namespace fray::panzer
