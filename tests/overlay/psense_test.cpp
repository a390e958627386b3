#include "overlay/psense_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace fray {
namespace {

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
    EXPECT_EQ(asked[3], 1) << "its own sector";
    EXPECT_EQ(asked[1], 7) << "we are new: the closest";
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

TEST_F(PSenseTest, WhereTheUploadIsShortTheClosestRichNeighbourIsAskedToHelpOut) {
    linked(1, {10, 0, 0});  // as poor as we are
    linked(2, {40, 0, 0});  // has four times as much
    linked(3, {70, 0, 0});  // so has this one
    linked(4, {90, 0, 0});
    greeting_from(1, 12);
    greeting_from(2, 14);
    greeting_from(3, 14);
    const auto asked_to_help = [&] {
        std::set<LinkNumber> links;
        for (const auto& message : actions_.messages) {
            BitReader in{message.bytes};
            if (in.bits(2) == 2 && in.boolean()) links.insert(message.link);
        }
        return links;
    };
    round(2048);
    ASSERT_EQ(own_receivers().size(), 4U);
    std::erase_if(candidates_, [](const Candidate& c) { return c.link == 4; });
    dispatch();
    EXPECT_EQ(asked_to_help(), std::set<LinkNumber>{2});
    round(2048);
    dispatch();
    EXPECT_TRUE(asked_to_help().empty()) << "all get it anyway";
}

TEST_F(PSenseTest, WhoIsAskedToHelpOutNamesTheOriginatorInSixteenBits) {
    linked(1, {50, 0, 0});
    linked(2, {60, 20, 0});  // has it
    linked(3, {40, 30, 0});  // waits for its turn
    list_from(1, {name(2)}, true);
    round();
    EXPECT_EQ(forward_receivers(), std::set<LinkNumber>{3});
    dispatch();
    ASSERT_EQ(actions_.forwards.size(), 1U);
    EXPECT_EQ(actions_.forwards[0].header_bits, 17U);
    BitReader in{actions_.forwards[0].header};
    ForwardHeader header;
    ASSERT_TRUE(read(in, header));
    EXPECT_TRUE(header.helping);
    EXPECT_EQ(header.name, name(1));
}

TEST_F(PSenseTest, HelpIsTakenForThoseWeAreLinkedWithAndGoesNoFurther) {
    linked(1, {50, 0, 0});
    linked(2, {60, 20, 0});
    linked(3, {40, 30, 0});
    overlay_.handle_link_up(kNow, {4, contact(4), false});  // not a word from it yet
    EXPECT_EQ(help_from(2, 1, {52, 0, 0}), PeerId::from_number(1));
    EXPECT_EQ(help_from(2, 4, {52, 0, 0}), std::nullopt);
    EXPECT_EQ(help_from(2, 77, {52, 0, 0}), std::nullopt) << "nobody knows whom it means";
    round();
    EXPECT_TRUE(forward_receivers().empty());
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
TEST_F(PSenseTest, WhoIsNotHeardOfForLongIsNoNeighbourAnyMore) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    round();
    ASSERT_EQ(own_receivers().size(), 2U);
    for (int i = 0; i < 30; ++i) {
        seen(2, {60, 0, 0});
        overlay_.handle_alive(kNow, 1);  // it is there, and does not say where
        round();
        dispatch();
    }
    EXPECT_EQ(own_receivers(), std::set<LinkNumber>{2});
}

TEST_F(PSenseTest, WhoWalksAwayIsToldOnceMoreWhereWeAre) {
    linked(1, {50, 0, 0});
    linked(2, {150, 1, 0});  // the sensor node there, so that 1 will be none
    round();
    dispatch();
    seen(1, {200, 0, 0});
    round();
    EXPECT_TRUE(own_receivers().contains(1));
    dispatch();
    seen(1, {205, 0, 0});
    round();
    EXPECT_FALSE(own_receivers().contains(1));
}

TEST_F(PSenseTest, ASuggestionIsTheClosestBeyondTheSightOfWhoAsks) {
    linked(1, {300, 0, 0});  // asks for its sector towards us (west: sector 4 of 8)
    linked(2, {150, -5, 0});
    linked(3, {120, -5, 0});
    request_from(1, 4, {300, 0, 0});
    round();
    const auto suggestion = answer_to(1);
    ASSERT_TRUE(suggestion);
    EXPECT_FALSE(suggestion->itself);
    EXPECT_EQ(suggestion->contact.id, PeerId::from_number(2));
}

// Fig. 2 of the paper: a sensor node, somebody on the way, and only then somebody who sees the originator.
TEST_F(PSenseTest, AnUpdatePassesThroughWhoDoesNotSeeItsOriginator) {
    linked(1, {-90, 0, 0});
    linked(2, {90, 0, 0});  // closer to the originator than we are
    EXPECT_FALSE(forward_from(1, 7, 1, {400, 0, 0})) << "not for our game";
    round();
    EXPECT_EQ(forward_receivers(), std::set<LinkNumber>{2});
    dispatch();
    ASSERT_EQ(actions_.forwards.size(), 1U);
    EXPECT_EQ(actions_.forwards[0].origin, PeerId::from_number(7));
    EXPECT_EQ(actions_.forwards[0].state, (std::vector<std::uint8_t>{7, 7})) << "as its owner wrote it";
}

TEST_F(PSenseTest, AForwardAndItsOwnersOwnAreOneUpdate) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    linked(3, {40, 0, 0});
    ASSERT_TRUE(forward_from(2, 1, 1, {51, 0, 0}, {name(2)}));
    seen(1, {52, 0, 0});
    list_from(1, {name(3)});
    round();
    dispatch();
    ASSERT_EQ(actions_.forwards.size(), 1U) << "of the newer one";
    EXPECT_TRUE(actions_.forwards[0].state.empty()) << "which came from its owner";
    EXPECT_EQ(actions_.forwards[0].to, 2);
}

class PSenseThatSeldomAsks : public PSenseTest {
protected:
    PSenseThatSeldomAsks() : PSenseTest{seldom()} {}
    static PSense seldom() {
        PSense psense = options();
        psense.sensor_interval = 1000;
        return psense;
    }
};

TEST_F(PSenseThatSeldomAsks, WhoFallsSilentIsDoubtedAndManyAtOnceMakeItAskEverybody) {
    const auto place = [](LinkNumber n) {
        return Vec3{static_cast<float>(10 * n), static_cast<float>(3 * n), 0};
    };
    const auto all = [&](LinkNumber last) {
        for (LinkNumber n = 1; n <= last; ++n) {
            if (requests_to(n) > 0) suggestion_from(n, contact(n), place(n));
            seen(n, place(n));
        }
    };
    for (LinkNumber n = 1; n <= 8; ++n) linked(n, place(n));
    for (int i = 0; i < 60; ++i) {  // we are new and wary, and calm down
        all(8);
        round();
        dispatch();
    }
    std::size_t asked = 0;
    for (LinkNumber n = 1; n <= 8; ++n) asked += requests_to(n);
    EXPECT_LE(asked, 1U);
    int rounds = 0;
    for (asked = 0; asked < 8 && rounds < 20; ++rounds) {  // four of eight crash
        all(4);
        round();
        dispatch();
        asked = 0;
        for (LinkNumber n = 1; n <= 4; ++n) asked += requests_to(n);
    }
    EXPECT_EQ(asked, 8U) << "each sector, and only of those who speak";
    EXPECT_LE(rounds, 4);
    request_from(1, 0, place(1), 25);
    round();
    ASSERT_TRUE(answer_to(1));
    EXPECT_EQ(answer_to(1)->contact.id, PeerId::from_number(4))
        << "5 to 8 are closer to the edge, and doubted";
}

class PSenseEveryFourRounds : public PSenseTest {
protected:
    PSenseEveryFourRounds() : PSenseTest{four()} {}
    static PSense four() {
        PSense psense = options();
        psense.sensor_interval = 4;
        return psense;
    }
    /// How often this one is asked in so many rounds, in which everybody answers.
    std::size_t asked_in(int rounds, LinkNumber whom) {
        std::size_t asked = 0;
        for (int i = 0; i < rounds; ++i) {
            for (const auto& [n, place] : places_) {
                if (requests_to(n) > 0) suggestion_from(n, contact(n), place);
                seen(n, place);
            }
            round();
            dispatch();
            asked += requests_to(whom);
        }
        return asked;
    }
    const std::vector<std::pair<LinkNumber, Vec3>> places_{
        {1, {50, 0, 0}}, {2, {500, 0, 0}}, {3, {900, 0, 0}}};
};

TEST_F(PSenseEveryFourRounds, WhoIsYoungAsksMoreOftenThoseLinkedForOtherReasons) {
    for (const auto& [n, place] : places_) linked(n, place);
    (void)asked_in(30, 3);  // new and wary
    const std::size_t young = asked_in(24, 3);
    (void)asked_in(40, 3);
    const std::size_t grown_up = asked_in(24, 3);
    EXPECT_EQ(grown_up, 2U) << "2 is the sensor node there, 3 is behind it";
    EXPECT_EQ(young, 3 * grown_up);
}

}  // namespace
}  // namespace fray
