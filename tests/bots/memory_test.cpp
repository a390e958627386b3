#include "games/panzer/bots/memory.hpp"

#include "bots/bot_fields.hpp"

namespace fray::panzer {
namespace {

/// Looks at a tank that drives east at 10 m/s from x = 100, until step `last`.
Memory watched(const Map& map, std::uint32_t last) {
    Memory memory{map};
    View view;
    for (view.step = 0; view.step <= last; view.step += kLookSteps) {
        const float x = 100 + 10 * kStep * static_cast<float>(view.step);
        view.tanks = {{.number = 7, .position = {x, 0}, .velocity = {10, 0}}};
        memory.look(view);
    }
    return memory;
}

TEST(Memory, BelievesATankToBeWhereItWasAReactionTimeAgoMovedOnByTheLead) {
    const Map map = field_of({"s..s"});
    const Memory memory = watched(map, 60);
    const KnownTank* known = memory.find(7);
    ASSERT_NE(known, nullptr);
    EXPECT_NEAR(known->newest().position.x, 110, 0.01F);
    EXPECT_NEAR(known->believed(60, steps(0.4F), 0, 0).x, 106, 0.01F) << "without lead";
    EXPECT_NEAR(known->believed(60, steps(0.4F), 1, 0).x, 110, 0.01F) << "with all of it";
    EXPECT_NEAR(known->believed(60, steps(0.4F), 1, 0.5F).x, 115, 0.01F) << "in half a second";
}

TEST(Memory, NoticesATankAfterAReactionTimeAndAnewAfterItWasHidden) {
    const Map map = field_of({"s..s"});
    Memory memory = watched(map, 60);
    EXPECT_FALSE(memory.find(7)->is_noticed(10, 20));
    EXPECT_TRUE(memory.find(7)->is_noticed(20, 20));
    View view;
    view.step = 60 + steps(1);
    memory.look(view);
    EXPECT_FALSE(memory.is_visible(*memory.find(7)));
    view.step += kLookSteps;
    view.tanks = {{.number = 7, .position = {1, 0}}};
    memory.look(view);
    EXPECT_TRUE(memory.is_visible(*memory.find(7)));
    EXPECT_FALSE(memory.find(7)->is_noticed(view.step, 20));
    EXPECT_EQ(memory.find(7)->believed(view.step, 20, 1, 0), (Vec2{1, 0}))
        << "what was before does not count";
}

TEST(Memory, ForgetsATankAfterSomeTime) {
    const Map map = field_of({"s..s"});
    Memory memory = watched(map, 60);
    View view;
    view.step = 60 + kForgetSteps;
    memory.look(view);
    EXPECT_NE(memory.find(7), nullptr);
    ++view.step;
    memory.look(view);
    EXPECT_EQ(memory.find(7), nullptr);
}

}  // namespace
}  // namespace fray::panzer
