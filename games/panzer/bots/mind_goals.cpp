// The part of Mind that finds places to go to.

#include "games/panzer/bots/mind.hpp"

#include <algorithm>

namespace fray::panzer {

namespace {

constexpr int kPlacesTried = 6;
constexpr float kWanderFar = 140;  // metres
constexpr float kFlagMoved = 5;    // metres; a carrier's place is followed in such steps
constexpr double kFleeLeast = 8;   // seconds from one flight to the next
constexpr double kFleeMost = 12;

}  // namespace

void Mind::go(const Vec2& place, float radius, bool stop) {
    decision_.goal = {place, radius, stop};
    decision_.moves = true;
}

std::optional<Vec2> Mind::place_around(const Vec2& centre, Angle towards, float spread, float low,
                                       float high) {
    const auto turn =
        static_cast<float>(random_.uniform(static_cast<double>(-spread), static_cast<double>(spread)));
    const auto away =
        static_cast<float>(random_.uniform(static_cast<double>(low), static_cast<double>(high)));
    return query_->nearest(centre + direction(static_cast<Angle>(towards + degrees(turn))) * away);
}

/// A spawn point or an item's place, not too far away if there is one.
Vec2 Mind::place_of_map(const Vec2& near) {
    const auto items = static_cast<std::uint32_t>(map_->items.size());
    const auto all = items + static_cast<std::uint32_t>(map_->spawns.size());
    for (int i = 0; i < kPlacesTried; ++i) {
        const std::uint32_t draw = random_.below(all);
        const Vec2& place = draw < items ? map_->items[draw] : map_->spawns[draw - items].position;
        const float square = square_length(place - near);
        if (square < kWanderFar * kWanderFar && square > 15 * 15) return place;
    }
    const auto around = place_around(near, static_cast<Angle>(random_.below(65536)), 0, 30, 100);
    return around ? *around
                  : map_->spawns[random_.below(static_cast<std::uint32_t>(map_->spawns.size()))].position;
}

void Mind::find_goal(Intent intent, const View& view, const Memory& memory) {
    const bool is_new = intent != decision_.intent;
    decision_.intent = intent;
    is_camping_ = false;
    switch (intent) {
        case Intent::wander:
            go(place_of_map(view.self.position), 6, false);
            valid_until_ = later(12, 20);
            break;
        case Intent::collect:
            if (view.items.empty()) break;
            go(view.items.front().position, 1.5F, false);
            if (is_new) valid_until_ = later(8, 12);
            break;
        case Intent::camp:
            plan_camp(view);
            break;
        case Intent::fight:
            plan_fight(view, memory);
            break;
        case Intent::search:
            if (const KnownTank* enemy = memory.find(decision_.target))
                go(enemy->newest().position + enemy->newest().velocity * 0.7F, 4, false);
            valid_until_ = later(3, 5);
            break;
        case Intent::flee:
            plan_flight(view, memory);
            may_flee_at_ = later(kFleeLeast, kFleeMost);
            break;
        case Intent::flag:
            plan_flag(view);
            break;
        case Intent::carry:
            plan_flight(view, memory);
            break;
    }
}

/// Some place at the preferred distance from the enemy, preferably within sight of it and some way off, so
/// that the bot keeps crossing the enemy's aim.
void Mind::plan_fight(const View& view, const Memory& memory) {
    const KnownTank& enemy = *memory.find(decision_.target);
    decision_.moves = random_.chance(static_cast<double>(skill_->footwork));
    valid_until_ = decision_.moves ? later(1.2, 2.6) : later(0.7, 1.5);
    if (!decision_.moves) return;
    const Vec2 at = enemy.newest().position;
    const Vec2 self = view.self.position;
    float best = -1e9F;
    Vec2 best_place = self;
    for (int i = 0; i < kPlacesTried; ++i) {
        const auto place =
            place_around(at, angle_of(self - at), 75, character_->range * 0.6F, character_->range * 1.3F);
        if (!place) continue;
        const float way = length(*place - self);
        const float score = (sees(memory.ground(), *place, at) ? 40.0F : 0.0F) - std::abs(way - 16);
        if (score <= best) continue;
        best = score;
        best_place = *place;
    }
    go(best_place, 3, false);
}

/// Away from the enemy, preferably out of its sight.
void Mind::plan_flight(const View& view, const Memory& memory) {
    const KnownTank* enemy = memory.find(decision_.target);
    const Vec2 self = view.self.position;
    valid_until_ = later(2, 3.5);
    if (enemy == nullptr) return go(place_of_map(self), 5, false);
    const Vec2 at = enemy->newest().position;
    float best = -1e9F;
    Vec2 best_place = self;
    for (int i = 0; i < kPlacesTried; ++i) {
        const auto place = place_around(self, angle_of(self - at), 110, 20, 45);
        if (!place) continue;
        const float score = length(*place - at) + (sees(memory.ground(), *place, at) ? 0.0F : 30.0F);
        if (score <= best) continue;
        best = score;
        best_place = *place;
    }
    go(best_place, 4, false);
}

/// Near an item, if one is not far: others come for it.
void Mind::plan_camp(const View& view) {
    const Vec2 centre = place_of_map(view.self.position);
    const auto place = place_around(centre, static_cast<Angle>(random_.below(65536)), 0, 6, 14);
    go(place ? *place : centre, 3, true);
    valid_until_ = later(12, 20);
}

void Mind::plan_flag(const View& view) {
    valid_until_ = later(1, 2);
    const bool is_same = decision_.moves &&
                         square_length(view.flag->position - decision_.goal.place) < kFlagMoved * kFlagMoved;
    if (!is_same || view.flag->carrier == kNone) go(view.flag->position, 1.5F, false);
}

}  // namespace fray::panzer
