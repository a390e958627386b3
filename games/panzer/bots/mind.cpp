#include "games/panzer/bots/mind.hpp"

#include <algorithm>
#include <array>

namespace fray::panzer {

namespace {

constexpr float kWeak = 60;             // armour and shield; with less, bots without aggression flee
constexpr float kItemDetour = 25;       // metres that a hungry bot goes for an item in a fight
constexpr float kItemReachQuiet = 110;  // metres, without an enemy
constexpr float kSticky = 0.75F;  // a new target must be nearer than this share of the old one's distance
constexpr float kCarrierShare = 0.3F;  // the flag's carrier counts as so much nearer

bool is_quiet(Intent intent) {
    return intent == Intent::wander || intent == Intent::collect || intent == Intent::camp;
}

}  // namespace

std::string_view to_string(Intent intent) {
    constexpr std::array<std::string_view, kIntents> kNames{"wander", "collect", "camp", "fight",
                                                            "search", "flee",    "flag", "carry"};
    return kNames[static_cast<std::size_t>(intent)];
}

Mind::Mind(const Map& map, const NavQuery& query, const Skill& skill, const Character& character, Seed seed)
    : map_{&map},
      query_{&query},
      skill_{&skill},
      character_{&character},
      random_{seed, "mind"},
      reaction_{steps(skill.reaction)} {}

void Mind::reset() {
    decision_ = {};
    valid_until_ = 0;
    may_flee_at_ = 0;
    is_camping_ = false;
}

std::uint32_t Mind::later(double low, double high) {
    return now_ + static_cast<std::uint32_t>(random_.uniform(low, high) * kStepsPerSecond);
}

std::uint16_t Mind::choose_target(const View& view, const Memory& memory) const {
    std::uint16_t best = kNone;
    float best_distance = 0;
    for (const KnownTank& known : memory.known_tanks()) {
        if (known.is_friend || !known.is_noticed(now_, reaction_)) continue;
        float distance = length(known.newest().position - view.self.position);
        if (known.number == decision_.target) distance *= kSticky;
        if (view.flag && view.flag->carrier == known.number) distance *= kCarrierShare;
        if (!memory.is_visible(known)) distance += kViewRange;
        if (best != kNone && distance >= best_distance) continue;
        best = known.number;
        best_distance = distance;
    }
    return best;
}

const SeenItem* Mind::wanted_item(const View& view, float reach) const {
    if (view.items.empty()) return nullptr;
    const SeenItem& nearest = view.items.front();
    return square_length(nearest.position - view.self.position) <= reach * reach ? &nearest : nullptr;
}

Intent Mind::choose_intent(const View& view, const Memory& memory, bool must_move) {
    if (view.flag && view.flag->carrier == view.number) return Intent::carry;
    const KnownTank* enemy = memory.find(decision_.target);
    const bool is_visible = enemy != nullptr && memory.is_visible(*enemy);
    if (is_visible) {
        if (decision_.intent == Intent::flee && now_ < valid_until_) return Intent::flee;
        const float strength = static_cast<float>(view.self.armour + view.self.shield);
        if (strength < kWeak * (1 - character_->aggression) && now_ >= may_flee_at_) return Intent::flee;
    }
    if (view.flag && (!is_visible || view.flag->carrier != decision_.target)) return Intent::flag;
    if (is_visible)
        return wanted_item(view, kItemDetour * character_->hunger) != nullptr ? Intent::collect
                                                                              : Intent::fight;
    if (decision_.intent == Intent::search && now_ < valid_until_) return Intent::search;
    const bool was_fighting = decision_.intent == Intent::fight && enemy != nullptr;
    if (was_fighting && random_.chance(static_cast<double>(character_->aggression))) return Intent::search;
    return choose_quiet_intent(view, must_move);
}

Intent Mind::choose_quiet_intent(const View& view, bool must_move) {
    const bool sees_item = wanted_item(view, kItemReachQuiet * character_->hunger) != nullptr;
    const bool stands = is_quiet(decision_.intent) && now_ < valid_until_;
    if (stands && decision_.intent == Intent::collect && sees_item) return Intent::collect;
    if (stands && decision_.intent == Intent::camp && !must_move) return Intent::camp;
    if (sees_item) return Intent::collect;
    if (stands && decision_.intent == Intent::wander) return Intent::wander;
    return !must_move && random_.chance(static_cast<double>(character_->camping)) ? Intent::camp
                                                                                  : Intent::wander;
}

const Decision& Mind::decide(const View& view, const Memory& memory, GoTo::State travel, bool must_move) {
    now_ = view.step;
    decision_.target = choose_target(view, memory);
    const bool has_arrived = travel == GoTo::State::arrived;
    if (decision_.intent == Intent::camp && has_arrived && !is_camping_) {
        is_camping_ = true;
        decision_.moves = false;
        valid_until_ = later(5, 12);
    }
    const bool waits = decision_.intent == Intent::camp && is_camping_ && !must_move;
    if ((has_arrived && decision_.moves && !waits) || travel == GoTo::State::unreachable ||
        (must_move && !decision_.moves))
        valid_until_ = now_;
    const Intent intent = choose_intent(view, memory, must_move);
    const bool follows = intent == Intent::flag || intent == Intent::collect;
    if (intent != decision_.intent || now_ >= valid_until_ || follows) find_goal(intent, view, memory);
    if (must_move && !decision_.moves) {
        go(place_of_map(view.self.position), 4, false);
        valid_until_ = later(2, 4);
    }
    return decision_;
}

}  // namespace fray::panzer
