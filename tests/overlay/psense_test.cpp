#include "overlay/psense.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace fray {
namespace {

constexpr Instant kNow{};

Contact contact(std::uint64_t n) { return {PeerId::from_number(n), Incarnation{1}, Address::from_number(n)}; }

TEST(Sectors, CutTheFullTurnIntoEqualParts) {
    for (const unsigned count : {1U, 2U, 3U, 8U, 13U, 64U}) {
        const Sectors sectors{count};
        for (int i = 0; i < 3600; ++i) {
            const double angle = (i + 0.37) * 6.283185307179586 / 3600;
            const Vec3 offset{static_cast<float>(1000 * std::cos(angle)),
                              static_cast<float>(1000 * std::sin(angle)), 5};
            EXPECT_EQ(sectors.of(offset), static_cast<unsigned>((i + 0.37) * count / 3600))
                << count << ", " << i;
        }
        EXPECT_EQ(sectors.of({}), 0U);
    }
}

TEST(Sectors, TheShorterWayIsTakenWhereTheWorldWraps) {
    World world;
    world.low = {0, 0, 0};
    world.high = {100, 100, 0};
    EXPECT_EQ(way(world, {5, 5, 0}, {95, 5, 0}), (Vec3{90, 0, 0}));
    world.wrap_x = true;
    EXPECT_EQ(way(world, {5, 5, 0}, {95, 5, 0}), (Vec3{-10, 0, 0}));
    EXPECT_EQ(way(world, {95, 5, 0}, {5, 5, 0}), (Vec3{10, 0, 0}));
}

class PSenseTest : public testing::Test {
protected:
    static PSense options() {
        PSense psense;
        psense.vision_range = 100;
        psense.margin = 0;
        psense.sensor_interval = 1;
        psense.lists_per_round = 0;
        return psense;
    }
    /// A linked peer at a place; its link has the number of the peer.
    void linked(LinkNumber n, Vec3 position) {
        overlay_.handle_link_up(kNow, n, contact(n), false);
        seen(n, position);
    }
    void seen(LinkNumber n, Vec3 position) {
        overlay_.handle_sighting(kNow, n, {position, SessionInstant{Duration{++clock_}}});
    }
    void round() {
        actions_.clear();
        overlay_.round(kNow, self_, actions_);
        candidates_.clear();
        const News news{.primary = 0, .position = self_, .bytes = 20};
        overlay_.candidates(std::span{&news, 1}, candidates_);
    }
    void dispatch() { overlay_.dispatch(kNow, candidates_, actions_); }
    [[nodiscard]] std::set<LinkNumber> own_receivers() const {
        std::set<LinkNumber> links;
        for (const Candidate& c : candidates_) {
            if (c.primary < kForwards) links.insert(c.link);
        }
        return links;
    }
    [[nodiscard]] std::set<LinkNumber> forward_receivers() const {
        std::set<LinkNumber> links;
        for (const Candidate& c : candidates_) {
            if (c.primary >= kForwards) links.insert(c.link);
        }
        return links;
    }
    /// The peer's update came with a list.
    void list_from(LinkNumber n, const std::vector<std::uint32_t>& names) {
        std::array<std::uint8_t, 512> memory{};
        BitWriter out{memory};
        out.bits(2, 2);
        WriteStream stream{out};
        float vision = 100;
        serialize_length(stream, vision);
        write_id_set(out, names);
        BitReader in{out.finish()};
        ASSERT_TRUE(overlay_.handle_message(kNow, n, in));
    }
    std::optional<Contact> forward_from(LinkNumber n, std::uint64_t origin, std::uint8_t hops, Vec3 position,
                                        const std::vector<std::uint32_t>& names = {}) {
        std::array<std::uint8_t, 512> memory{};
        BitWriter out{memory};
        write(out, ForwardHeader{hops, contact(origin), 100});
        write_id_set(out, names);
        BitReader in{out.finish()};
        return overlay_.handle_forward(kNow, n, in, {position, SessionInstant{Duration{++clock_}}});
    }
    static std::uint32_t name(std::uint64_t n) { return short_id(PeerId::from_number(n)); }

    World world_;
    PSenseOverlay overlay_{options(), world_, PeerId::from_number(1000), Seed{1}};
    Vec3 self_{};
    OverlayActions actions_;
    std::vector<Candidate> candidates_;
    std::int64_t clock_ = 0;
};

TEST_F(PSenseTest, NearNodesAndTheClosestBeyondInEachSectorGetUpdates) {
    linked(1, {50, 10, 0});    // near
    linked(2, {-99, 0, 0});    // near
    linked(3, {150, 10, 0});   // sensor of the first sector
    linked(4, {200, 10, 0});   // behind it
    linked(5, {-10, 300, 0});  // the only one there
    round();
    EXPECT_EQ(own_receivers(), (std::set<LinkNumber>{1, 2, 3, 5}));
    EXPECT_TRUE(overlay_.keeps(1) && overlay_.keeps(3));
    EXPECT_FALSE(overlay_.keeps(4));
    EXPECT_EQ(overlay_.stats().near, 2U);
    EXPECT_EQ(overlay_.stats().sensors, 2U);
}

TEST_F(PSenseTest, EverySectorAsksItsSensorNodeOrANearNodeOrTheClosestKnown) {
    linked(1, {50, 10, 0});
    linked(3, {150, 10, 0});
    round();
    std::map<LinkNumber, int> asked;
    for (const auto& message : actions_.messages) ++asked[message.link];
    EXPECT_EQ(asked[1] + asked[3], 8);
    EXPECT_GE(asked[3], 1);
}

TEST_F(PSenseTest, AnUpdateIsPassedOnToNeighboursOfItsOriginatorWhoAreNotOnTheList) {
    linked(1, {50, 0, 0});   // the originator
    linked(2, {60, 20, 0});  // on the list
    linked(3, {40, 30, 0});  // not on it
    linked(4, {-70, 0, 0});  // near us, out of the originator's sight
    list_from(1, {name(2)});
    round();
    EXPECT_EQ(forward_receivers(), std::set<LinkNumber>{3});
    dispatch();
    ASSERT_EQ(actions_.forwards.size(), 1U);
    EXPECT_EQ(actions_.forwards[0].origin, PeerId::from_number(1));
    BitReader in{actions_.forwards[0].header};
    ForwardHeader header;
    std::vector<std::uint32_t> receivers;
    ASSERT_TRUE(read(in, header) && read_id_set(in, receivers, kMaxReceivers));
    EXPECT_EQ(header.hops, 1);
    std::vector<std::uint32_t> expected{name(2), name(3)};
    std::ranges::sort(expected);
    EXPECT_EQ(receivers, expected) << "the list grows by whom we pass it on to, and never shrinks";
    round();
    EXPECT_TRUE(forward_receivers().empty()) << "once only";
}

TEST_F(PSenseTest, AnUpdateEndsAtTheHopLimit) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    EXPECT_TRUE(forward_from(1, 7, 1, {55, 0, 0}));
    round();
    EXPECT_EQ(forward_receivers(), std::set<LinkNumber>{2});
    dispatch();
    EXPECT_TRUE(forward_from(1, 7, 2, {55, 0, 0}));  // its third hop brought it here
    round();
    EXPECT_TRUE(forward_receivers().empty());
}

TEST_F(PSenseTest, ASensorNodeThatKnowsNobodyThereSendsItTowardsTheOriginator) {
    linked(1, {400, 0, 0});  // the originator, far away
    linked(2, {90, 0, 0});   // closer to it than we are
    linked(3, {-90, 0, 0});
    list_from(1, {});
    round();
    EXPECT_EQ(forward_receivers(), std::set<LinkNumber>{2});
}

TEST_F(PSenseTest, WhatIsKnownAlreadyIsNotTakenAgain) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    ASSERT_TRUE(forward_from(1, 7, 1, {55, 0, 0}));
    --clock_;
    EXPECT_FALSE(forward_from(2, 7, 1, {55, 0, 0}));
    EXPECT_EQ(overlay_.stats().forward_duplicates, 1U);
    EXPECT_FALSE(forward_from(1, 1000, 1, {0, 0, 0})) << "our own comes back";
    EXPECT_FALSE(forward_from(1, 8, 1, {500, 0, 0})) << "out of sight: not the game's business";
}

TEST_F(PSenseTest, WhoIsHeardOfInSightIsCalled) {
    linked(1, {50, 0, 0});
    ASSERT_TRUE(forward_from(1, 7, 1, {55, 0, 0}));
    round();
    ASSERT_EQ(actions_.calls.size(), 1U);
    EXPECT_EQ(actions_.calls[0].id, PeerId::from_number(7));
}

// A liar names an address that never answers: it must not be called for ever.
TEST_F(PSenseTest, AVictimIsCalledAFewTimesOnly) {
    linked(1, {50, 0, 0});
    std::size_t calls = 0;
    for (int i = 0; i < 300; ++i) {
        seen(1, {50, 0, 0});
        (void)forward_from(1, 7, 1, {55, 0, 0});
        round();
        dispatch();
        for (const Contact& called : actions_.calls) calls += called.id == PeerId::from_number(7) ? 1 : 0;
    }
    EXPECT_GT(calls, 0U);
    EXPECT_LT(calls, 60U);
}

TEST_F(PSenseTest, WhoFellSilentIsForgottenWithinTenRounds) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    round();
    ASSERT_EQ(own_receivers().size(), 2U);
    for (int i = 0; i < 11; ++i) {
        seen(2, {60, 0, 0});
        round();
        dispatch();
    }
    EXPECT_EQ(own_receivers(), std::set<LinkNumber>{2});
}

TEST_F(PSenseTest, ASuggestionIsTheClosestBeyondTheSightOfWhoAsks) {
    linked(1, {300, 0, 0});  // asks for its sector towards us (west: sector 4 of 8)
    linked(2, {150, -5, 0});
    linked(3, {120, -5, 0});
    std::array<std::uint8_t, 64> memory{};
    BitWriter out{memory};
    out.bits(0, 2);
    write(out, SensorRequest{.sector = 4, .vision = 100, .position = {300, 0, 0}});
    BitReader in{out.finish()};
    ASSERT_TRUE(overlay_.handle_message(kNow, 1, in));
    round();
    const auto answer = std::ranges::find_if(actions_.messages, [](const auto& message) {
        return message.link == 1 && (message.bytes[0] & 3U) == 1U;
    });
    ASSERT_NE(answer, actions_.messages.end());
    BitReader reader{answer->bytes};
    reader.skip(2);
    SensorSuggestion suggestion;
    ASSERT_TRUE(read(reader, suggestion));
    EXPECT_FALSE(suggestion.itself);
    EXPECT_EQ(suggestion.contact.id, PeerId::from_number(2));
}

RC_GTEST_FIXTURE_PROP(PSenseTest, AnyBytesAreReadOrRefused, (const std::vector<std::uint8_t>& bytes)) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    BitReader message{bytes};
    (void)overlay_.handle_message(kNow, 1, message);
    BitReader header{bytes};
    (void)overlay_.handle_forward(kNow, 2, header, {{1, 2, 3}, SessionInstant{Duration{++clock_}}});
    round();
    dispatch();
    RC_ASSERT(overlay_.memory_bytes() < 1'000'000U);
}

}  // namespace
}  // namespace fray
