#include "lab/advise/ways_out.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace fray::lab::advise {
namespace {

/// Rounds up to two digits: the value to write into the file.
std::string enough(double measured) {
    const double digit = std::pow(10.0, std::floor(std::log10(std::max(measured, 1e-3))) - 1);
    return fmt::format("{:g}", std::ceil(measured / digit) * digit);
}

/// A change of the game's design that helps, by the metric that is missed.
std::string_view design_for(std::string_view metric) {
    if (metric == "response_ms")
        return "let players give orders instead of steering, as in a strategy game (click to move): then a "
               "delay is hardly noticed (5.3, 6.2)";
    if (metric == "propagation_ms" || metric == "decision_ms")
        return "stretch the time scale: casting times, wind-ups, slower weapons (6.3)";
    if (metric == "state_divergence" || metric == "shape_divergence" || metric == "wrong_decisions")
        return "let players choose a target instead of aiming at it (3.3), make weapons less precise or "
               "movement slower (6.3)";
    if (metric == "corrections" || metric == "visible_jump")
        return "make movement slower or easier to foresee: inertia, no sharp turns (6.3)";
    if (metric == "duration_divergence")
        return "let nothing depend on how long an animation is seen, or make it long (3.3)";
    if (metric == "animation_ms") return "blur or blend what moves (4.2), or update it more often";
    return "update it less often, or let it be seen by fewer";
}

bool any_of(const Description& description, const Group& group, const auto& predicate) {
    return std::any_of(group.entities.begin(), group.entities.end(),
                       [&](std::size_t i) { return predicate(description.entities[i]); });
}

bool decides_death(const Entity& entity) {
    return entity.situation != nullptr && entity.situation->name == "death_decision";
}

/// An avatar that several players can harm and aim at.
bool is_target(const Entity& entity) {
    const bool avatar = entity.type == EntityKind::other_avatar;
    return decides_death(entity) || (avatar && entity.factors.critical && entity.factors.by_several);
}

}  // namespace

bool is_death_decision(const Description& description, const Group& group) {
    return any_of(description, group, decides_death);
}

std::vector<std::string> ways_out(const Description& description, const Group& group, const Tried& nearest) {
    // If nothing was seen, no tolerance helps, and the few figures would be too good.
    if (!nearest.playable())
        return {fmt::format("nothing meets this; nearest is {}: {}", to_text(nearest.consistency),
                            nearest.unplayable),
                "keep such players apart: this needs a network with shorter delays or less loss"};
    std::vector<std::string> tolerances;
    std::vector<std::string_view> designs;
    for (const Excess& excess : nearest.exceeded) {
        tolerances.push_back(fmt::format("{} = {}", excess.metric->name, enough(excess.measured)));
        const auto design = design_for(excess.metric->name);
        if (std::find(designs.begin(), designs.end(), design) == designs.end()) designs.push_back(design);
    }
    std::vector<std::string> notes;
    notes.push_back(fmt::format("nothing meets this; nearest is {}, and would with {}",
                                to_text(nearest.consistency), fmt::join(tolerances, ", ")));
    for (const auto design : designs) notes.push_back(fmt::format("or {}", design));
    const bool aimed_at = any_of(description, group, is_target) && !is_death_decision(description, group) &&
                          group.tolerances.state_divergence;
    if (aimed_at)
        notes.emplace_back("or decide hits in the shooter's view: situation = \"death_decision\" (5.4, 7.1)");
    return notes;
}

std::vector<std::string> agreement_notes(const Description& description, const Group& group,
                                         const Tried* chosen) {
    const Entity& entity = description.entities[group.entities.front()];
    std::vector<std::string> notes;
    const auto has = [&](EntityKind type) {
        return any_of(description, group, [&](const Entity& one) { return one.type == type; });
    };
    const bool several = any_of(description, group, [](const Entity& one) { return one.factors.by_several; });
    if (group.means == Means::trade_desk)
        notes.emplace_back(
            "several can own it: move it with TradeDesk (fray/trade.hpp), for both or for neither "
            "(3.4, 4.3)");
    if (group.means == Means::chat_room)
        notes.emplace_back("every line has one place for all in ChatRoom (fray/chat.hpp; 3.1, 4.3)");
    if (group.means == Means::nothing)
        notes.push_back(fmt::format("nothing interacts with it (3.2): {}",
                                    entity.situation != nullptr && !entity.situation->means_note.empty()
                                        ? entity.situation->means_note
                                        : "send it when it changes, or let every peer compute its own"));
    if (chosen == nullptr) return notes;
    const bool late = std::holds_alternative<HalfLife>(chosen->consistency.algorithm);
    const bool targets = any_of(description, group, is_target);
    if (is_death_decision(description, group) || (targets && late))
        notes.emplace_back("decide hits once, in the shooter's view: Peer::interact (5.4, 7.1)");
    else if (targets || (has(EntityKind::player_variable) && several))
        notes.emplace_back("let its owner decide what others do to it: Peer::interact (3.4)");
    else if (has(EntityKind::object) && several)
        notes.emplace_back("let its owner decide which player gets it: Peer::interact (3.2)");
    return notes;
}

}  // namespace fray::lab::advise
