#pragma once
// The players of a pSense run, and when they join and leave: one after the other at first, then churn, a
// crash of many at once, further newcomers. Independent of any network, so every system sees the same
// players.

#include <fray/random.hpp>
#include <fray/time.hpp>

#include "lab/metrics/neighbour_grid.hpp"
#include "lab/workloads/movement.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fray::lab {

inline constexpr std::uint32_t kNoRound = std::numeric_limits<std::uint32_t>::max();

class Population {
public:
    Population(const Map& map, Duration round, Seed seed) : map_{map}, round_{round}, seed_{seed} {}

    /// A player that will join later.
    PlayerIndex add(std::uint32_t round);
    void appear(PlayerIndex who, Duration now);
    void disappear(PlayerIndex who, std::uint32_t round);
    /// The player's frame: it takes its step, except in the frame in which it appears.
    void step(PlayerIndex who, Duration now);

    [[nodiscard]] std::size_t size() const { return players_.size(); }
    [[nodiscard]] bool present(PlayerIndex who) const { return players_[who].present; }
    [[nodiscard]] const Movement& movement(PlayerIndex who) const { return players_[who].movement; }
    /// The round in which it was due to join.
    [[nodiscard]] std::uint32_t born(PlayerIndex who) const { return players_[who].born; }
    /// The round in which it disappeared; kNoRound: it has not.
    [[nodiscard]] std::uint32_t gone(PlayerIndex who) const { return players_[who].gone; }
    [[nodiscard]] std::vector<PlayerIndex> all_present() const;
    /// Present players whose recorded track has ended.
    [[nodiscard]] std::vector<PlayerIndex> finished() const;
    /// The positions of all players at this moment within the present step.
    [[nodiscard]] std::span<const Placed> placed(Duration now);

private:
    struct Player {
        Movement movement;
        Duration stepped{};
        std::uint32_t born = 0;
        std::uint32_t gone = kNoRound;
        bool present = false;
    };
    [[nodiscard]] Movement movement_of(PlayerIndex who, std::uint32_t round) const;

    const Map& map_;
    Duration round_;
    Seed seed_;
    std::vector<Player> players_;
    std::vector<Placed> placed_;
};

struct ScheduleOptions {
    std::uint32_t players = 100;
    std::uint32_t join_rounds = 50;  ///< rounds in which they join, one after the other
    bool doubling = false;           ///< at most doubles the number of players in a round
    std::uint32_t warm_up_rounds = 100;
    std::uint32_t rounds = 500;     ///< after the warm-up
    double churn_per_round = 0;     ///< share that crashes; a newcomer replaces each in the next round
    double crash_share = 0;         ///< of all players, in one round
    std::uint32_t crash_round = 0;  ///< after the warm-up
    /// Further ones, evenly over three quarters of the rounds after the warm-up.
    std::uint32_t newcomers = 0;

    /// Players come or go after the warm-up.
    [[nodiscard]] bool eventful() const { return churn_per_round > 0 || crash_share > 0 || newcomers > 0; }
};

/// What happens before a round.
struct Change {
    std::vector<PlayerIndex> crashes;
    std::uint32_t joins = 0;
};

class Schedule {
public:
    Schedule(const ScheduleOptions& options, Seed seed);
    /// Call it for each round in turn, from 0.
    [[nodiscard]] Change next(const Population& population);

private:
    [[nodiscard]] std::uint32_t due(std::uint32_t round) const;
    [[nodiscard]] std::vector<PlayerIndex> draw(std::vector<PlayerIndex> from, std::size_t count);

    ScheduleOptions options_;
    RandomStream random_;
    std::uint32_t round_ = 0;
    std::uint32_t replacements_ = 0;
};

}  // namespace fray::lab
