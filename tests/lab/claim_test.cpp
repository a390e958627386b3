#include "lab/runner/claim.hpp"

#include "lab/fake_experiment.hpp"
#include "lab/runner/plan.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

Cell mean_cell(double mean, double deviation = 0) {
    return {.value = mean, .summary = {.count = 5, .mean = mean, .deviation = deviation}};
}

/// players, system | pq, hash: pSense rises from 1.0 to 1.6, the server stays at 1.4.
Table example() {
    Table table{
        .columns = {"players", "system", "pq", "other", "hash"}, .varied_columns = 2, .parameter_columns = 2};
    for (const std::int64_t players : {100, 200, 400}) {
        const double pq = players == 100 ? 1.0 : players == 200 ? 1.2 : 1.6;
        table.rows.push_back(
            {{Value{players}}, {Value{"psense"}}, mean_cell(pq, 0.01), mean_cell(pq), {Value{"ab"}}});
        table.rows.push_back({{Value{players}}, {Value{"server"}}, mean_cell(1.4, 0.3), {}, {Value{"cd"}}});
    }
    return table;
}

Selection only(std::string column, Value value) {
    return {{.column = std::move(column), .any_of = {std::move(value)}}};
}
Selection range(std::string column, double low, double high) {
    return {{.column = std::move(column), .any_of = {}, .at_least = low, .at_most = high}};
}

Claim claim_on(std::string column, Selection where, std::variant<Bound, Comparison, Trend> test) {
    Claim claim{.claim = "c", .paper = "p", .column = std::move(column), .where = std::move(where)};
    claim.test = std::move(test);
    return claim;
}

TEST(Claim, BoundsHoldForEveryRow) {
    const auto held = evaluate(claim_on("pq", only("system", "psense"), Bound{.at_most = 1.6}), example());
    EXPECT_TRUE(held.holds);
    EXPECT_EQ(held.measured, "1 to 1.6 (3 rows)");
    const auto broken = evaluate(claim_on("pq", only("system", "psense"), Bound{.at_most = 1.5}), example());
    EXPECT_FALSE(broken.holds);
    EXPECT_EQ(broken.measured, "1.6 ± 0.012 at players=400, system=psense (2 of 3 rows hold)");
}

TEST(Claim, OneRowWillDoWhereAsked) {
    Claim claim = claim_on("pq", {}, Bound{.at_least = 1.55});
    EXPECT_FALSE(evaluate(claim, example()).holds);
    claim.any_row = true;
    EXPECT_TRUE(evaluate(claim, example()).holds);
    claim.test = Bound{.at_least = 2};
    EXPECT_FALSE(evaluate(claim, example()).holds);
}

TEST(Claim, NoRowNeverHolds) {
    for (const bool any : {false, true}) {
        Claim claim = claim_on("pq", only("players", std::int64_t{999}), Bound{});
        claim.any_row = any;
        EXPECT_FALSE(evaluate(claim, example()).holds);
        EXPECT_EQ(evaluate(claim, example()).measured, "no row selected");
    }
    EXPECT_FALSE(evaluate(claim_on("pq", {}, Bound{}), Table{.columns = {"pq"}}).holds);
}

TEST(Claim, AMissingValueNeverHolds) {
    EXPECT_FALSE(evaluate(claim_on("other", {}, Bound{}), example()).holds);
    Claim largest = claim_on("other", {}, Bound{});
    largest.take = Take::max;
    EXPECT_FALSE(evaluate(largest, example()).holds);
}

TEST(Claim, TextsAreCompared) {
    EXPECT_TRUE(evaluate(claim_on("hash", only("system", "psense"), Bound{.text = "ab"}), example()).holds);
    EXPECT_FALSE(evaluate(claim_on("hash", {}, Bound{.text = "ab"}), example()).holds);
}

TEST(Claim, TakesMeanMinMaxAndExponent) {
    Claim claim = claim_on("pq", only("system", "psense"), Bound{.at_least = 1.26, .at_most = 1.27});
    claim.take = Take::mean;
    EXPECT_TRUE(evaluate(claim, example()).holds);
    claim.take = Take::min;
    EXPECT_EQ(evaluate(claim, example()).measured, "1");
    claim.take = Take::max;
    EXPECT_EQ(evaluate(claim, example()).measured, "1.6");
    claim.column = "players";
    claim.along = "players";
    claim.take = Take::exponent;
    EXPECT_EQ(evaluate(claim, example()).measured, "1");
    claim.where = only("players", std::int64_t{100});
    claim.where.push_back(only("system", "psense").front());
    EXPECT_FALSE(evaluate(claim, example()).holds);  // one point has no slope
}

TEST(Claim, ComparesRowsThatDifferOnlyInTheSelections) {
    const Comparison below{.relation = Relation::below, .column = "pq", .where = only("system", "server")};
    Claim claim = claim_on("pq", only("system", "psense"), below);
    const auto broken = evaluate(claim, example());
    EXPECT_FALSE(broken.holds);
    EXPECT_EQ(broken.measured,
              "1.6 ± 0.012 against 1.4 ± 0.37 at players=400, system=psense (2 of 3 rows hold)");
    claim.where.push_back(range("players", 0, 300).front());
    // Now a selection names the players, so every row of the server is compared.
    EXPECT_TRUE(evaluate(claim, example()).holds);
}

TEST(Claim, ComparesWithAFactor) {
    const Comparison half{
        .relation = Relation::below, .column = "pq", .where = only("system", "server"), .factor = 0.5};
    EXPECT_FALSE(evaluate(claim_on("pq", only("system", "psense"), half), example()).holds);
    const Comparison twice{
        .relation = Relation::below, .column = "pq", .where = only("system", "server"), .factor = 2};
    EXPECT_TRUE(evaluate(claim_on("pq", only("system", "psense"), twice), example()).holds);
}

TEST(Claim, ComparesWithTheMeanOfRows) {
    Comparison above{.relation = Relation::above, .column = "pq", .where = only("system", "psense")};
    above.where.push_back(range("players", 0, 1000).front());
    Claim claim = claim_on("pq", only("system", "server"), above);
    EXPECT_FALSE(evaluate(claim, example()).holds);  // not above the worst of them
    std::get_if<Comparison>(&claim.test)->mean = true;
    EXPECT_TRUE(evaluate(claim, example()).holds) << evaluate(claim, example()).measured;
    std::get_if<Comparison>(&claim.test)->where = only("system", "voronoi");
    EXPECT_FALSE(evaluate(claim, example()).holds);
}

TEST(Claim, NothingToCompareWithNeverHolds) {
    const Comparison nobody{.relation = Relation::below, .column = "pq", .where = only("system", "voronoi")};
    const auto result = evaluate(claim_on("pq", only("system", "psense"), nobody), example());
    EXPECT_FALSE(result.holds);
    EXPECT_NE(result.measured.find("with nothing to compare"), std::string::npos);
}

TEST(Claim, ComparesColumnsOfOneRow) {
    const Comparison equal{.relation = Relation::equal_to, .column = "other"};
    EXPECT_TRUE(evaluate(claim_on("pq", only("system", "psense"), equal), example()).holds);
    EXPECT_FALSE(evaluate(claim_on("pq", {}, equal), example()).holds);  // the server's is missing
}

TEST(Claim, SignificanceAsksForClearDifferences) {
    const Comparison below{.relation = Relation::below, .column = "pq", .where = only("system", "server")};
    Claim claim = claim_on("pq", only("players", std::int64_t{200}), below);
    claim.where.push_back(only("system", "psense").front());
    EXPECT_TRUE(evaluate(claim, example()).holds);
    claim.significance = 0.05;  // 1.2 against 1.4 with a deviation of 0.3 is not significant
    EXPECT_FALSE(evaluate(claim, example()).holds);
    std::get<Comparison>(claim.test).relation = Relation::not_below;
    EXPECT_TRUE(evaluate(claim, example()).holds);
    claim.significance = 0;
    EXPECT_FALSE(evaluate(claim, example()).holds);
}

TEST(Claim, EqualWithSignificanceMeansNoClearDifference) {
    const Comparison equal{.relation = Relation::equal_to, .column = "pq", .where = only("system", "server")};
    Claim claim = claim_on("pq", only("players", std::int64_t{200}), equal);
    claim.where.push_back(only("system", "psense").front());
    EXPECT_FALSE(evaluate(claim, example()).holds);  // 1.2 is not 1.4
    claim.significance = 0.05;                       // but with a deviation of 0.3 it may be
    EXPECT_TRUE(evaluate(claim, example()).holds);
    Table clear = example();
    for (Row& row : clear.rows) row[2].summary.deviation = 0.01;
    EXPECT_FALSE(evaluate(claim, clear).holds);
}

TEST(Claim, TrendsFollowTheirColumn) {
    Claim claim = claim_on("pq", only("system", "psense"), Trend{.rising = true});
    claim.along = "players";
    EXPECT_TRUE(evaluate(claim, example()).holds);
    EXPECT_EQ(evaluate(claim, example()).measured, "1, 1.2, 1.6");
    claim.test = Trend{.rising = false};
    EXPECT_FALSE(evaluate(claim, example()).holds);
    claim.tolerance = 0.5;
    EXPECT_TRUE(evaluate(claim, example()).holds);
    claim.where = only("players", std::int64_t{100});
    claim.where.push_back(only("system", "psense").front());
    EXPECT_FALSE(evaluate(claim, example()).holds);  // one point is no trend
}

Evidence evidence_of(const Claim& claim) { return evaluate(claim, example()).evidence; }

TEST(Claim, TheEvidenceIsTheFirstFailingRowOrTheOneNearestToALimit) {
    Claim claim = claim_on("pq", only("system", "psense"), Bound{.at_least = 0.5, .at_most = 1.5});
    EXPECT_EQ(evaluate(claim, example()).test, "between");
    EXPECT_EQ(evidence_of(claim), (Evidence{.value = 1.6, .at_least = 0.5, .at_most = 1.5}));
    claim.test = Bound{.at_most = 2};
    EXPECT_EQ(evaluate(claim, example()).test, "at_most");
    EXPECT_EQ(evidence_of(claim), (Evidence{.value = 1.6, .at_most = 2}));
    claim.take = Take::min;
    EXPECT_EQ(evidence_of(claim), (Evidence{.value = 1.0, .at_most = 2}));
}

TEST(Claim, TheLimitOfAComparisonIsTheOtherValue) {
    Claim claim = claim_on(
        "pq", only("system", "psense"),
        Comparison{
            .relation = Relation::below, .column = "pq", .where = only("system", "server"), .factor = 0.5});
    EXPECT_EQ(evaluate(claim, example()).test, "below");
    EXPECT_EQ(evidence_of(claim), (Evidence{.value = 1.0, .at_most = 0.7}));
    std::get<Comparison>(claim.test) = {
        .relation = Relation::equal_to, .column = "pq", .where = only("system", "server")};
    claim.tolerance = 0.25;
    EXPECT_EQ(evidence_of(claim), (Evidence{.value = 1.0, .at_least = 1.4 - 0.25, .at_most = 1.4 + 0.25}));
}

TEST(Claim, TheEvidenceOfATrendIsItsSmallestStep) {
    Claim claim = claim_on("pq", only("system", "psense"), Trend{.rising = true});
    claim.along = "players";
    EXPECT_EQ(evaluate(claim, example()).test, "rising");
    EXPECT_NEAR(*as_number(evidence_of(claim).value), 0.2, 1e-9);
    EXPECT_EQ(evidence_of(claim).at_least, 0);
    claim.test = Trend{.rising = false};
    EXPECT_NEAR(*as_number(evidence_of(claim).value), -0.4, 1e-9);
}

TEST(Claim, IsAPromiseOrAnAimNotBoth) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(
        experiment,
        "[[expected]]\nclaim = \"a\"\nmust = true\naim = true\ncolumn = \"score\"\nat_least = 1\n");
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().message,
              "dir/p.toml:9:7: [[expected]]: aim does not go with must: a claim is a promise or an aim");
}

TEST(Claim, FieldsOfAPlanBecomeAClaim) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, R"([sweep]
peers = [2, 4]
[[expected]]
claim = "a"
must = true
column = "score"
where = { peers = [2, 3], loss = { at_most = 0.5 } }
equals = 2.5
tolerance_pct = 20
[[expected]]
claim = "b"
paper = "Fig. 2"
column = "score"
not_above = { column = "worst", where = { peers = 2 }, factor = 3 }
significance = 0.05
[[expected]]
claim = "c"
aim = true
column = "score"
at_least = 1
)");
    ASSERT_TRUE(plan) << plan.error().message;
    const Claim& a = plan->claims.at(0);
    EXPECT_EQ(a.kind, ClaimKind::promise);
    EXPECT_EQ(a.paper, "");
    EXPECT_EQ(plan->claims.at(1).kind, ClaimKind::paper);
    EXPECT_EQ(plan->claims.at(2).kind, ClaimKind::aim);
    EXPECT_EQ(a.where.size(), 2U);
    EXPECT_DOUBLE_EQ(std::get<Bound>(a.test).at_least, 2.0);
    EXPECT_DOUBLE_EQ(std::get<Bound>(a.test).at_most, 3.0);
    const auto& comparison = std::get<Comparison>(plan->claims.at(1).test);
    EXPECT_EQ(comparison.relation, Relation::not_above);
    EXPECT_EQ(comparison.column, "worst");
    EXPECT_EQ(comparison.factor, 3);
    EXPECT_FALSE(comparison.mean);
}

}  // namespace
}  // namespace fray::lab
