// The rule for default tolerances, and the situations of 3.4.

#include "lab/metrics/requirements.hpp"
#include "lab/workloads/situations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace fray::lab::advise {
namespace {

TEST(AdviseRule, ThresholdsOfSectionFourTwo) {
    const auto most = default_tolerances(EntityKind::attack_object, {.by_several = true, .critical = true});
    EXPECT_EQ(most.response_ms, 50);
    EXPECT_EQ(most.propagation_ms, 50);
    EXPECT_EQ(most.animation_ms, 50);
    const auto some = default_tolerances(EntityKind::attack_object, {});
    EXPECT_EQ(some.response_ms, 150);
    EXPECT_EQ(some.propagation_ms, 150);
    EXPECT_EQ(some.animation_ms, 100);
    const auto less = default_tolerances(EntityKind::attack_object, {.critical = true, .timescale_ms = 1000});
    EXPECT_EQ(less.response_ms, 1000);
    EXPECT_EQ(less.propagation_ms, 1000);
    EXPECT_EQ(less.animation_ms, 100);
}

TEST(AdviseRule, EachFactorOfThreeTwoCounts) {
    const auto response = [](const Factors& factors) {
        return default_tolerances(EntityKind::object, factors).response_ms;
    };
    EXPECT_EQ(response({}), 150);
    EXPECT_EQ(response({.critical = true}), 100);
    EXPECT_EQ(response({.by_several = true}), 100);
    EXPECT_EQ(response({.by_several = true, .critical = true}), 50);
    EXPECT_EQ(response({.by_several = true, .critical = true, .probability = 0.05}), 100);
    EXPECT_EQ(response({.probability = 0.05}), 1000);
    EXPECT_EQ(response({.interactive = false}), std::nullopt);
}

TEST(AdviseRule, TheTypeSaysWhatMatters) {
    const auto own = default_tolerances(EntityKind::local_avatar, {});
    EXPECT_TRUE(own.response_ms);
    EXPECT_FALSE(own.propagation_ms || own.state_divergence || own.animation_ms);
    const auto other = default_tolerances(EntityKind::other_avatar, {});
    EXPECT_FALSE(other.response_ms || other.duration_divergence);
    EXPECT_TRUE(other.state_divergence && other.propagation_ms && other.corrections && other.visible_jump);
    const auto health = default_tolerances(EntityKind::player_variable, {});
    EXPECT_TRUE(health.response_ms && health.propagation_ms);
    EXPECT_FALSE(health.state_divergence);
    EXPECT_EQ(default_tolerances(EntityKind::inventory, {.critical = true}).propagation_ms, 1000);
    EXPECT_TRUE(default_tolerances(EntityKind::attack_object, {}).duration_divergence);
    const auto chat = default_tolerances(EntityKind::chat, {});
    for (const Metric& metric : metrics()) EXPECT_FALSE(chat.*metric.allowed) << metric.name;
}

TEST(AdviseRule, TypesHaveNamesBothWays) {
    EXPECT_EQ(entity_kind_names().size(), 8U);
    for (const std::string& name : entity_kind_names()) EXPECT_EQ(name_of(*entity_kind(name)), name);
    EXPECT_FALSE(entity_kind("avatar"));
}

TEST(AdviseTolerances, TheStricterOfTwo) {
    const auto both =
        stricter({.propagation_ms = 100, .response_ms = 50}, {.propagation_ms = 80, .corrections = 1});
    EXPECT_EQ(both.propagation_ms, 80);
    EXPECT_EQ(both.response_ms, 50);
    EXPECT_EQ(both.corrections, 1);
    EXPECT_FALSE(both.animation_ms);
}

TEST(AdviseTolerances, TheWorstExcessComesFirst) {
    const Felt felt{.state_divergence = 3, .propagation_ms = 60, .corrections = 9, .response_ms = 94};
    const auto all = exceeded({.state_divergence = 2, .propagation_ms = 60, .response_ms = 50}, felt);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(to_text(all[0]), "response 94 ms > 50 ms");
    EXPECT_EQ(to_text(all[1]), "state divergence 3 % > 2 %");
    EXPECT_TRUE(exceeded({}, felt).empty());
    const auto none = exceeded({.corrections = 0}, felt);
    ASSERT_EQ(none.size(), 1U);
    EXPECT_EQ(to_text(none[0]), "corrections 9 %/s > 0 %/s");
    const auto close = exceeded({.response_ms = 50}, {.response_ms = 50.004});
    EXPECT_EQ(to_text(close.at(0)), "response 50.004 ms > 50 ms");
    EXPECT_EQ(exceeded({.response_ms = 50}, {.response_ms = std::nan("")}).size(), 1U);
}

TEST(AdviseSituations, AreThoseOfThreeFour) {
    std::set<std::string_view> names;
    for (const Situation& situation : situations()) {
        EXPECT_TRUE(names.insert(situation.name).second);
        EXPECT_EQ(find_situation(situation.name), &situation);
        EXPECT_FALSE(situation.types.empty() || situation.reason.empty());
        EXPECT_EQ(situation.means_note.empty(), situation.factors.interactive) << situation.name;
        for (const Metric& metric : metrics()) {
            const auto& most = situation.tolerances.*metric.allowed;
            EXPECT_TRUE(!most || (*most > 0 && *most <= metric.most)) << situation.name;
        }
    }
    EXPECT_EQ(names,
              (std::set<std::string_view>{"death_decision", "trade", "own_movement", "enemy_position",
                                          "team_position", "clothing", "physics_effects", "animations"}));
    EXPECT_EQ(find_situation("lunch"), nullptr);
    const auto state = [](std::string_view name) {
        return find_situation(name)->tolerances.state_divergence;
    };
    EXPECT_LT(state("enemy_position"), state("team_position"));
}

TEST(AdviseSituations, WhatKeepsAnEntityConsistent) {
    EXPECT_EQ(means_for(EntityKind::object, {.interactive = false}, nullptr), Means::nothing);
    EXPECT_EQ(means_for(EntityKind::chat, {}, nullptr), Means::chat_room);
    EXPECT_EQ(means_for(EntityKind::inventory, {.by_several = true}, nullptr), Means::trade_desk);
    EXPECT_EQ(means_for(EntityKind::inventory, {}, nullptr), Means::algorithm);
    const Situation* trade = find_situation("trade");
    EXPECT_EQ(means_for(EntityKind::object, trade->factors, trade), Means::trade_desk);
    EXPECT_EQ(means_for(EntityKind::local_avatar, {}, nullptr), Means::algorithm);
}

}  // namespace
}  // namespace fray::lab::advise
