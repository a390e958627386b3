#include "lab/metrics/protocol_quality.hpp"

#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace fray::lab {
namespace {

constexpr Ranges kPaper{.interaction = 50, .vision = 200};

TEST(ProtocolQuality, TheWorkedExampleOfThePaper) {
    EXPECT_NEAR(protocol_quality(3, 3, {.interaction = 2, .vision = 5}), 2.08, 0.005);
}

TEST(ProtocolQuality, IsTheAgeWhereOneCanInteract) {
    EXPECT_EQ(protocol_quality(1, 10, kPaper), 1);
    EXPECT_EQ(protocol_quality(7, 50, kPaper), 7);
    EXPECT_EQ(protocol_quality(35, 0, kPaper), 20);
}

TEST(ProtocolQuality, CountsLessAndLessTowardsTheRim) {
    EXPECT_NEAR(protocol_quality(2, 125, kPaper), 1.41421356, 1e-6);
    EXPECT_NEAR(protocol_quality(20, 200, kPaper), 1, 1e-9);
    EXPECT_EQ(protocol_quality(1, 150, kPaper), 1);
}

/// Knowledge given as a table.
class Notes : public Knowledge {
public:
    std::optional<Sighting> about(PlayerIndex who, PlayerIndex whom) override {
        const auto found = notes.find({who, whom});
        if (found == notes.end()) return std::nullopt;
        return found->second;
    }
    std::map<std::pair<PlayerIndex, PlayerIndex>, Sighting> notes;
};

Placed at(float x, float y) { return {.position = {x, y, 0}, .present = true}; }

TEST(QualityMeter, MeansOverNeighboursThenPlayers) {
    // 0 and 1 see each other at 30 units, 2 is 125 from 0 and out of 1's interaction range, 3 is alone, 4
    // gone.
    const std::vector<Placed> players{at(100, 100), at(130, 100), at(100, 225), at(900, 900), Placed{}};
    Notes notes;
    notes.notes[{0, 1}] = {.position_age = 3, .shown = {130, 104, 0}, .received = {130, 110, 0}};
    notes.notes[{0, 2}] = {.position_age = 2, .shown = {102, 225, 0}, .received = {100, 225, 0}};
    notes.notes[{2, 0}] = {.position_age = 15, .shown = {0, 0, 0}, .received = {0, 0, 0}};
    QualityMeter meter{{}, kPaper};
    const RoundQuality& round = meter.measure(players, notes);
    EXPECT_EQ(round.players, 4U);
    EXPECT_EQ(round.in_view, 6U);
    EXPECT_EQ(round.known, 2U);
    EXPECT_EQ(round.one_hop, 0U);
    EXPECT_EQ(round.isolated, 2U);  // 1 knows no player; 2 holds only an update that is too old
    EXPECT_NEAR(round.each[0].pq, (3 + 1.41421356) / 2, 1e-6);
    EXPECT_NEAR(round.each[1].pq, (20 + protocol_quality(20, 128.55, kPaper)) / 2, 1e-3);
    EXPECT_EQ(round.each[3].in_view, 0U);
    EXPECT_NEAR(round.pq, (round.each[0].pq + round.each[1].pq + round.each[2].pq) / 3, 1e-9);
    EXPECT_EQ(round.position_age_sum, 3 + 2 + 15 + 3 * 20);
    EXPECT_NEAR(round.position_error_sum, 4 + 2, 1e-5);
    EXPECT_NEAR(round.received_error_sum, 10, 1e-5);
}

TEST(QualityMeter, OverlookedIsWhoHasBeenThereForAWhile) {
    std::vector<Placed> players{at(100, 100), at(110, 100), at(120, 100), at(130, 100)};
    players[1].settled = players[2].settled = true;  // the fourth has just joined
    Notes notes;
    notes.notes[{0, 1}] = {.position_age = 1};
    notes.notes[{3, 1}] = {.position_age = 10};
    notes.notes[{3, 2}] = {.position_age = 11};
    QualityMeter meter{{}, kPaper};
    const RoundQuality& round = meter.measure(players, notes);
    EXPECT_EQ(round.each[0].overlooked, 1U);
    EXPECT_EQ(round.each[1].overlooked, 1U) << "nobody overlooks itself";
    EXPECT_EQ(round.each[3].overlooked, 1U) << "what is too old is not known";
    EXPECT_EQ(round.settled, 2U);
    EXPECT_EQ(round.settled_known, 0U);
}

TEST(QualityMeter, ThePercentileIsOverPlayers) {
    std::vector<Placed> players;
    Notes notes;
    for (PlayerIndex i = 0; i < 20; i += 2) {  // ten pairs far apart
        players.push_back(at(static_cast<float>(i) * 500, 0));
        players.push_back(at(static_cast<float>(i) * 500 + 10, 0));
        const double age = i == 0 ? 11 : 1;
        notes.notes[{i, i + 1}] = {.position_age = age};
        notes.notes[{i + 1, i}] = {.position_age = age};
    }
    QualityMeter meter{{.width = 20'000, .height = 10}, kPaper};
    const RoundQuality& round = meter.measure(players, notes);
    EXPECT_NEAR(round.pq, 2, 1e-9);
    EXPECT_NEAR(round.pq_p90, 2, 1.0001);  // between the 18th of 20 and the 19th
}

/// Against a comparison of every pair.
void compare(const Area& area, float range, std::size_t count) {
    RandomStream random{Seed{5}, "grid"};
    std::vector<Placed> players;
    for (std::size_t i = 0; i < count; ++i) {
        players.push_back(at(static_cast<float>(random.uniform(0, double{area.width})),
                             static_cast<float>(random.uniform(0, double{area.height}))));
        players.back().present = random.chance(0.9);
    }
    players[0] = at(area.width, area.height);
    players[1] = at(0, 0);
    NeighbourGrid grid{area, range};
    grid.place(players);
    for (PlayerIndex who = 0; who < count; ++who) {
        std::vector<PlayerIndex> expected;
        for (PlayerIndex other = 0; other < count; ++other) {
            if (other == who || !players[other].present) continue;
            const Vec3 way = area.between(players[who].position, players[other].position);
            if (dot(way, way) <= range * range) expected.push_back(other);
        }
        std::vector<PlayerIndex> found;
        for (const auto& neighbour : grid.around(who)) found.push_back(neighbour.who);
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected) << who;
    }
}

TEST(NeighbourGrid, FindsExactlyThoseInRange) {
    compare({.width = 1000, .height = 1000}, 200, 300);
    compare({.width = 3000, .height = 700}, 130, 500);
    compare({.width = 300, .height = 300}, 200, 50);  // fewer cells than it searches
}

TEST(NeighbourGrid, FindsThemAcrossTheBordersOfATorus) {
    compare({.width = 1000, .height = 1000, .wraps = true}, 200, 300);
    compare({.width = 1000, .height = 450, .wraps = true}, 200, 300);
    compare({.width = 799, .height = 1200, .wraps = true}, 100, 500);
}

}  // namespace
}  // namespace fray::lab
