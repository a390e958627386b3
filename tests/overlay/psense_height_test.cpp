// Worlds with height: sight is a ball, sectors are in the ground plane.

#include "overlay/psense_fixture.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace fray {
namespace {

TEST(Sectors, WhoIsStraightAboveOrBelowIsInOneOfThem) {
    for (const unsigned count : {1U, 3U, 8U, 64U}) {
        const Sectors sectors{count};
        const float most = std::numeric_limits<float>::max();
        for (const float height : {-most, -300.0F, -1e-30F, 1e-30F, 300.0F, most}) {
            EXPECT_EQ(sectors.of({0, 0, height}), 0U) << height;
            EXPECT_EQ(sectors.of({-0.0F, -0.0F, height}), 0U) << height;
        }
    }
}

TEST_F(PSenseTest, WhoIsAboveIsNearByTheWayInSpace) {
    linked(1, {0, 0, 99});      // straight above
    linked(2, {0, 0, -101});    // straight below, out of sight
    linked(3, {60, 60, 50});    // 98.5 away
    linked(4, {-60, -60, 60});  // 103.9 away, and 85 in the plane
    round();
    EXPECT_EQ(overlay_.stats().near, 2U);
    EXPECT_EQ(overlay_.stats().sensors, 2U) << "one for its sector, and one for whoever is straight below";
    EXPECT_EQ(own_receivers(), (std::set<LinkNumber>{1, 2, 3, 4}));
    linked(5, {110, 1, 0});  // in the same sector as straight below is, and farther away
    linked(6, {0, 0, -150});
    round();
    EXPECT_EQ(own_receivers(), (std::set<LinkNumber>{1, 2, 3, 4}));
}

TEST_F(PSenseTest, UpdatesGoToWhomTheirOriginatorSeesInSpace) {
    linked(1, {0, 0, 80});   // the originator
    linked(2, {0, 0, -30});  // 110 below it
    linked(3, {0, 0, -10});  // 90 below it
    list_from(1, {});
    round();
    EXPECT_EQ(forward_receivers(), std::set<LinkNumber>{3});
}

TEST_F(PSenseTest, SuggestionsAreBeyondTheSightOfWhoAsksInSpace) {
    linked(1, {0, 0, 200});  // asks from above
    linked(2, {20, 5, 150});
    linked(3, {20, 5, 90});
    request_from(1, 0, {0, 0, 200});
    round();
    const auto suggestion = answer_to(1);
    ASSERT_TRUE(suggestion);
    EXPECT_EQ(suggestion->contact.id, PeerId::from_number(3)) << "2 is in its sight, though out of ours";
    EXPECT_NEAR(restore(world_, suggestion->position).z, 90, 0.05F) << "heights travel, too";
}

// Straight above each other, nobody is in any direction of the other, but for what positions lose on the way:
// whoever asks for all sectors hears of the next one beyond its sight all the same.
TEST_F(PSenseTest, ATowerOfPeersIsLinkedFloorByFloor) {
    for (LinkNumber n = 1; n <= 8; ++n) linked(n, {0, 0, 60.0F * static_cast<float>(n)});
    round();
    EXPECT_EQ(overlay_.stats().near, 1U);
    EXPECT_EQ(own_receivers(), (std::set<LinkNumber>{1, 2})) << "the next out of sight is the sensor node";
    for (std::uint8_t sector = 0; sector < 8; ++sector) request_from(8, sector, {0, 0, 480});
    round();
    std::set<std::uint64_t> suggested;
    for (const auto& message : actions_.messages) {
        BitReader in{message.bytes};
        SensorSuggestion suggestion;
        if (message.link != 8 || in.bits(2) != 1 || !read(in, suggestion)) continue;
        suggested.insert(suggestion.contact.id.number());
    }
    EXPECT_TRUE(suggested.contains(6)) << "7 is in its sight";
}

}  // namespace
}  // namespace fray
