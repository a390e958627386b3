// What an owner tells: to whom, and when it stops.

#include "guidance/advisor.hpp"

#include "guidance/guided_world.hpp"

#include <gtest/gtest.h>

#include <map>

namespace fray {
namespace {

using test::GuidedWorld;
using test::moment;

class ChosenRates final : public FocusState {
public:
    [[nodiscard]] Rate rate(LinkNumber link) const override { return rates.at(link); }
    [[nodiscard]] Duration best_effort_gap() const override { return gap; }
    [[nodiscard]] std::optional<AimTarget> aim_target() const override { return target; }

    std::map<LinkNumber, Rate> rates{{0, Rate::best_effort}, {1, Rate::every_frame}};
    Duration gap{1s};
    std::optional<AimTarget> target;
};

class Advising : public testing::Test {
protected:
    Advising() {
        advisor_.set_focus(&rates_);
        world_.states.own =
            State{.pose = {.position = {0, 0, 0}, .velocity = {10, 0, 0}}, .payload = {}, .input = {128}};
        world_.states.own_told = world_.states.own.pose;
        world_.states.own_set = moment(5s);
    }
    std::vector<Advice> told(LinkNumber link) {
        std::vector<Advice> advice;
        advisor_.advise(link, advice);
        return advice;
    }
    static constexpr std::array<std::uint32_t, 1> kFirst{0};

    GuidedWorld world_;
    ChosenRates rates_;
    Advisor advisor_{world_.context, world_.states, world_.states, world_.states};
};

TEST_F(Advising, BothSeldomUpdatesAndThoseInFocusAreGuidedUntilTheReceiverHasConverged) {
    EXPECT_EQ(told(0).size(), 1U);
    EXPECT_EQ(told(1).size(), 1U);
    advisor_.handle_converged(0, kFirst);
    advisor_.handle_converged(1, kFirst);
    EXPECT_EQ(told(0).size(), 1U) << "out of focus, nothing converges";
    EXPECT_TRUE(told(1).empty());
    rates_.rates[1] = Rate::best_effort;
    EXPECT_EQ(told(1).size(), 1U);
    rates_.rates[1] = Rate::every_frame;
    EXPECT_EQ(told(1).size(), 1U) << "focus was lost in between";
}

TEST_F(Advising, WithoutAFocusNothingIsTold) {
    advisor_.set_focus(nullptr);
    EXPECT_TRUE(told(0).empty());
}

TEST_F(Advising, EntitiesThatDoNotExistCannotConverge) {
    const std::array<std::uint32_t, 2> unknown{1, 77};
    advisor_.handle_converged(1, unknown);
    EXPECT_EQ(world_.rejections.of(Rejection::unknown_entity), 2U);
    EXPECT_EQ(told(1).size(), 1U);
}

TEST_F(Advising, PredictsOneGapAheadAndAtMostASecond) {
    for (const auto& [gap, ahead] :
         {std::pair{300ms, 300ms}, {1000ms, 1000ms}, {5000ms, 1000ms}, {0ms, 50ms}}) {
        rates_.gap = gap;
        const SessionInstant when = complete_advice_time(told(0).at(0).when, moment(5s));
        EXPECT_LE(std::chrono::abs(when - moment(5s) - Duration{ahead}), kAdviceStep / 2) << gap.count();
    }
}

TEST_F(Advising, APositionTravelsOnlyIfTheReceiverWouldPredictAnother) {
    EXPECT_FALSE(told(0).at(0).position);
    world_.states.own_told.velocity = {0, 0, 0};  // rounding, at its worst
    const auto position = told(0).at(0).position;
    ASSERT_TRUE(position);
    EXPECT_NEAR(position->x, 10, 0.5);
}

TEST_F(Advising, FacingIsAnAngleToTheTarget) {
    EXPECT_EQ(told(0).at(0).target, Advice::Target::none);
    world_.hear(moment(5s), {.position = {0, 20, 0}});  // of the peer at link 0
    rates_.target = AimTarget{.link = 0, .deviation = 0.1F};
    world_.states.own_told.yaw = 80;
    const Advice to_target = told(0).at(0);
    EXPECT_EQ(to_target.target, Advice::Target::receiver);
    EXPECT_NEAR(to_target.deviation.yaw, -10, 0.01);
    const Advice to_other = told(1).at(0);
    EXPECT_EQ(to_other.target, Advice::Target::other);
    EXPECT_EQ(to_other.peer, short_name(world_.links.peer(0)));
}

}  // namespace
}  // namespace fray
