#include "lab/workloads/population.hpp"

#include <fray/assert.hpp>

#include "lab/metrics/protocol_quality.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fray::lab {

PlayerIndex Population::add(std::uint32_t round) {
    const auto who = static_cast<PlayerIndex>(players_.size());
    players_.push_back({.movement = movement_of(who, round), .born = round});
    return who;
}

Movement Population::movement_of(PlayerIndex who, std::uint32_t round) const {
    if (map_.tracks.empty()) return Movement{map_, RandomStream{seed_, "movement", who}};
    return Movement{map_, map_.tracks[who % map_.tracks.size()], round};
}

void Population::appear(PlayerIndex who, Duration now) {
    FRAY_ASSERT(players_[who].gone == kNoRound);
    players_[who].present = true;
    players_[who].stepped = now;
}

void Population::disappear(PlayerIndex who, std::uint32_t round) {
    players_[who].present = false;
    players_[who].gone = round;
}

void Population::step(PlayerIndex who, Duration now) {
    Player& player = players_[who];
    if (now == player.stepped) return;
    player.stepped = now;
    player.movement.advance();
}

std::vector<PlayerIndex> Population::all_present() const {
    std::vector<PlayerIndex> found;
    for (PlayerIndex i = 0; i < players_.size(); ++i) {
        if (players_[i].present) found.push_back(i);
    }
    return found;
}

std::vector<PlayerIndex> Population::finished() const {
    std::vector<PlayerIndex> found;
    if (map_.tracks.empty()) return found;
    for (PlayerIndex i = 0; i < players_.size(); ++i) {
        if (players_[i].present && players_[i].movement.finished()) found.push_back(i);
    }
    return found;
}

std::span<const Placed> Population::placed(Duration now) {
    placed_.clear();
    for (const Player& player : players_) {
        const double done = std::clamp(seconds(now - player.stepped) / seconds(round_), 0.0, 1.0);
        const Vec3 on_the_way =
            player.movement.position() + player.movement.velocity() * static_cast<float>(done);
        const bool settled = seconds(now) > (player.born + kKnownRounds) * seconds(round_);
        placed_.push_back({.position = map_.options.area.inside(on_the_way),
                           .present = player.present,
                           .settled = player.present && settled});
    }
    return placed_;
}

Schedule::Schedule(const ScheduleOptions& options, Seed seed)
    : options_{options}, random_{seed, "schedule"} {}

/// The number of players due to join up to this round, without replacements.
std::uint32_t Schedule::due(std::uint32_t round) const {
    const std::uint64_t others = options_.players - 1;
    const std::uint64_t joining = std::min(round, options_.join_rounds);
    auto first = static_cast<std::uint32_t>(1 + others * joining / options_.join_rounds);
    if (options_.doubling && round < 32) first = std::min(first, std::uint32_t{1} << round);
    if (round < options_.warm_up_rounds || options_.newcomers == 0) return first;
    const std::uint64_t span = std::max<std::uint64_t>(std::uint64_t{options_.rounds} * 3 / 4, 1);
    const std::uint64_t since = std::min<std::uint64_t>(round - options_.warm_up_rounds + 1, span);
    return first + static_cast<std::uint32_t>(options_.newcomers * since / span);
}

std::vector<PlayerIndex> Schedule::draw(std::vector<PlayerIndex> from, std::size_t count) {
    count = std::min(count, from.size());
    for (std::size_t i = 0; i < count; ++i) {
        const auto left = static_cast<std::uint32_t>(from.size() - i);
        std::swap(from[i], from[i + random_.below(left)]);
    }
    from.resize(count);
    std::sort(from.begin(), from.end());
    return from;
}

Change Schedule::next(const Population& population) {
    const std::uint32_t round = round_++;
    Change change;
    change.joins = due(round) - (round == 0 ? 0 : due(round - 1)) + std::exchange(replacements_, 0);
    change.crashes = population.finished();  // recorded players come and go only as recorded
    if (round < options_.warm_up_rounds) return change;
    const bool crash = options_.crash_share > 0 && round == options_.warm_up_rounds + options_.crash_round;
    if (!crash && options_.churn_per_round <= 0) return change;
    const std::vector<PlayerIndex> there = population.all_present();
    const auto all = static_cast<double>(there.size());
    if (options_.churn_per_round > 0) replacements_ = random_.poisson(all * options_.churn_per_round);
    std::size_t count = replacements_;
    if (crash) count += static_cast<std::size_t>(std::llround(all * options_.crash_share));
    change.crashes = draw(there, count);
    return change;
}

}  // namespace fray::lab
