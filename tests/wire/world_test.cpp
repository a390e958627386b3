#include <fray/world.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

namespace fray {
namespace {

struct Narrow {
    std::uint8_t armor = 0;
};
template <class Stream>
void serialize(Stream& stream, Narrow& value) {
    stream.integer(value.armor, 0, 100);
}

struct Wide {
    std::uint8_t armor = 0;
};
template <class Stream>
void serialize(Stream& stream, Wide& value) {
    stream.integer(value.armor, 0, 200);
}

using Change = std::function<void(World&)>;

std::string complaint(const Change& change) {
    World world;
    change(world);
    const Result<void> result = world.check();
    return result ? "" : result.error().message;
}

TEST(World, TheDefaultIsFine) {
    EXPECT_EQ(complaint([](World&) {}), "");
}

TEST(World, AFlatWorldWithoutAnglesIsFine) {
    EXPECT_EQ(complaint([](World& w) {
                  w.low.z = w.high.z = 3;
                  w.angle_bits = 0;
                  w.wrap_x = w.wrap_y = true;
                  w.velocity_limit = 0;
              }),
              "");
}

TEST(World, EveryValueThatCannotBeIsNamed) {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::pair<Change, const char*>> cases{
        {[](World& w) { w.name.clear(); }, "name"},
        {[](World& w) { w.low.x = 2000; }, "x:"},
        {[](World& w) { w.high.y = kNaN; }, "y:"},
        {[](World& w) { w.low.z = -std::numeric_limits<float>::infinity(); }, "z:"},
        {[](World& w) { w.position_precision = 0; }, "position_precision"},
        {[](World& w) { w.position_precision = kNaN; }, "position_precision"},
        {[](World& w) { w.position_precision = 1e-9F; }, "2^31"},
        {[](World& w) { w.position_precision = 1e-5F; }, "finer than a float"},
        {[](World& w) { w.velocity_precision = -1; }, "velocity_precision"},
        {[](World& w) { w.velocity_limit = -1; }, "velocity_limit"},
        {[](World& w) { w.velocity_limit = std::numeric_limits<float>::infinity(); }, "velocity_limit"},
        {[](World& w) { w.angle_bits = 17; }, "angle_bits"},
        {[](World& w) { w.high.x += 0.05F, w.wrap_x = true; }, "wraps"},
        {[](World& w) { w.high.y = w.low.y, w.wrap_y = true; }, "wraps"},
        {[](World& w) { w.tick = 999us; }, "tick"},
        {[](World& w) { w.types.clear(); }, "at least one"},
        {[](World& w) { w.types.resize(256, EntityType::bare("x")); }, "at most 255"},
        {[](World& w) { w.types.push_back(EntityType::bare("")); }, "no name"},
        {[](World& w) { w.types.push_back(EntityType::bare("entity")); }, "named 'entity'"},
        {[](World& w) { w.types.push_back(EntityType{.name = "half"}); }, "'half' lacks"},
    };
    for (const auto& [change, word] : cases) {
        EXPECT_NE(complaint(change).find(word), std::string::npos)
            << word << " not in: " << complaint(change);
    }
}

TEST(World, TheFingerprintTellsEveryDifference) {
    const std::vector<Change> changes{
        [](World&) {},
        [](World& w) { w.name = "other"; },
        [](World& w) { w.version = 1; },
        [](World& w) { w.low.x = -1000; },
        [](World& w) { w.high.z = 1000; },
        [](World& w) { w.position_precision = 0.25F; },
        [](World& w) { w.velocity_limit = 100; },
        [](World& w) { w.velocity_precision = 2; },
        [](World& w) { w.angle_bits = 9; },
        [](World& w) { w.wrap_x = true; },
        [](World& w) { w.wrap_y = true; },
        [](World& w) { w.tick = 25ms; },
        [](World& w) { w.types.push_back(EntityType::bare("tank")); },
        [](World& w) { w.types = {EntityType::bare("tank")}; },
        [](World& w) { w.types = {EntityType::of<Narrow>("tank")}; },
        [](World& w) { w.types = {EntityType::of<Wide>("tank")}; },
    };
    std::set<std::uint64_t> seen;
    for (const Change& change : changes) {
        World world;
        change(world);
        seen.insert(world.fingerprint());
        EXPECT_EQ(world.fingerprint(), World{world}.fingerprint());
    }
    EXPECT_EQ(seen.size(), changes.size());
}

TEST(World, NegativeZeroIsTheSameBound) {
    World a;
    World b;
    a.low.x = 0.0F;
    b.low.x = -0.0F;
    EXPECT_EQ(a.fingerprint(), b.fingerprint());
}

TEST(World, MotionModelsAreNotPartOfTheFingerprint) {
    World a;
    World b;
    b.types[0].advance = [](const Pose& pose, std::span<const std::uint8_t>, std::span<const std::uint8_t>,
                            std::uint32_t) { return pose; };
    EXPECT_EQ(a.fingerprint(), b.fingerprint());
}

}  // namespace
}  // namespace fray
