#include "lab/workloads/situations.hpp"

#include <algorithm>

namespace fray::lab {
namespace {

// If 3.4 says "low" or "high", times are taken from 4.2; distances are ours, as in the rule for entities
// (requirements.cpp).

Situation death_decision() {
    return {
        .name = "death_decision",
        .title = "FPS death decisions",
        .types = {EntityKind::other_avatar, EntityKind::player_variable, EntityKind::attack_object},
        .factors = {.by_several = true, .critical = true},
        .tolerances = {.propagation_ms = 150,
                       .corrections = 0.5,
                       .visible_jump = 0.5,
                       .response_ms = 50,
                       .animation_ms = 50,
                       .decision_ms = 150,
                       .wrong_decisions = 1},
        .reason =
            "the same on all clients, and soon (3.4): one peer decides, and the shooter has its answer "
            "within 150 ms, after which 4.2 calls any response noticed. Decided in the shooter's view (5.4, "
            "7.1), so what the shooter sees may be late, but must have been true: hardly a correction or a "
            "jump, and one wrong decision in a hundred. It must not be long ago either, or a player that is "
            "behind cover by now dies: 150 ms (all ours). State divergence does not matter",
        .means_note = {}};
}

Situation trade() {
    return {.name = kTrade,
            .title = "Trade",
            .types = {EntityKind::inventory, EntityKind::object, EntityKind::player_variable},
            .factors = {.by_several = true, .critical = true, .timescale_ms = 3000},
            .tolerances = {.propagation_ms = 3000, .response_ms = 1000},
            .reason =
                "must be the same for all, but a few seconds are no problem (3.4); the second of less "
                "interactive tasks for the player that acts (4.2). For the trade itself, not for movement",
            .means_note = {}};
}

Situation own_movement() {
    return {.name = "own_movement",
            .title = "Feedback for a moving player",
            .types = {EntityKind::local_avatar},
            .factors = {.critical = true},
            .tolerances = {.response_ms = 50},
            .reason =
                "fast feedback about the own movement is critical (3.4): below what is noticed at all, "
                "50 ms (4.2)",
            .means_note = {}};
}

Situation enemy_position() {
    return {.name = "enemy_position",
            .title = "Other players' positions: enemies",
            .types = {EntityKind::other_avatar},
            .factors = {.by_several = true, .critical = true},
            .tolerances = {.state_divergence = 1,
                           .propagation_ms = 150,
                           .corrections = 2,
                           .visible_jump = 1,
                           .animation_ms = 50},
            .reason =
                "low tolerance for state divergence, for aiming (3.4): half of an avatar's width; no "
                "jumps under the cross-hair (3.3), and 20 changes per second (4.2)",
            .means_note = {}};
}

Situation team_position() {
    return {.name = "team_position",
            .title = "Other players' positions: team",
            .types = {EntityKind::other_avatar},
            .factors = {.by_several = true},
            .tolerances = {.state_divergence = 5,
                           .propagation_ms = 1000,
                           .corrections = 5,
                           .visible_jump = 3,
                           .animation_ms = 100},
            .reason =
                "not targeted, so positions matter less (3.4); the second of less interactive tasks, and "
                "10 changes per second (4.2)",
            .means_note = {}};
}

Situation clothing() {
    return {.name = "clothing",
            .title = "Clothing choice",
            .types = {EntityKind::local_avatar, EntityKind::other_avatar, EntityKind::inventory,
                      EntityKind::player_variable},
            .factors = {.interactive = false},
            .tolerances = {.propagation_ms = 10'000},
            .reason = "no player interacts with it; it must arrive eventually (3.4)",
            .means_note = "put it into the avatar's payload; it comes with the next update"};
}

Situation physics_effects() {
    return {.name = "physics_effects",
            .title = "Physics effects",
            .types = {EntityKind::object, EntityKind::terrain},
            .factors = {.interactive = false},
            .tolerances = {},
            .reason = "shards and sparks do no harm and need not be consistent (3.4)",
            .means_note = "let every peer compute its own, from the event that caused it"};
}

Situation animations() {
    return {.name = "animations",
            .title = "Avatar animations",
            .types = {EntityKind::local_avatar, EntityKind::other_avatar},
            .factors = {.interactive = false},
            .tolerances = {.animation_ms = 100},
            .reason = "the phase of an avatar's stride may differ (3.4); it must only look smooth (4.2)",
            .means_note = "let every peer play it, from what the avatar does"};
}

}  // namespace

std::span<const Situation> situations() {
    static const std::vector<Situation> kSituations{death_decision(),  trade(),         own_movement(),
                                                    enemy_position(),  team_position(), clothing(),
                                                    physics_effects(), animations()};
    return kSituations;
}

const Situation* find_situation(std::string_view name) {
    const auto all = situations();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Situation& one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

const std::vector<std::string>& situation_names() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        for (const Situation& situation : situations()) names.emplace_back(situation.name);
        return names;
    }();
    return kNames;
}

Means means_for(EntityKind type, const Factors& factors, const Situation* situation) {
    if (!factors.interactive) return Means::nothing;
    if (type == EntityKind::chat) return Means::chat_room;
    if (situation != nullptr && situation->name == kTrade) return Means::trade_desk;
    if (type == EntityKind::inventory && factors.by_several) return Means::trade_desk;
    return Means::algorithm;
}

}  // namespace fray::lab
