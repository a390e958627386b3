// Neighbours that lie: whatever they say, nobody is flooded through us, and nobody is shut out.

#include "overlay/psense_fixture.hpp"
#include "support/overlay_calls.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace fray {
namespace {

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
    EXPECT_LE(calls, 4U);
}

TEST_F(PSenseTest, OneAnswerPerSectorAndRoundHoweverOftenItIsAsked) {
    linked(1, {300, 0, 0});
    linked(2, {150, -5, 0});
    for (int i = 0; i < 300; ++i) request_from(1, 4, {300, 0, 0});
    request_from(2, 0, {150, -5, 0});
    round();
    std::map<LinkNumber, int> answers;
    for (const auto& message : actions_.messages)
        answers[message.link] += (message.bytes[0] & 3U) == 1U ? 1 : 0;
    EXPECT_EQ(answers[1], 1);
    EXPECT_EQ(answers[2], 1) << "one who asks all the time leaves room for the others";
}

TEST_F(PSenseTest, ManyListsOfOneNeighbourAreOne) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    linked(3, {40, 0, 0});
    for (int i = 0; i < 100; ++i) list_from(1, {});
    round();
    EXPECT_EQ(forward_receivers(), (std::set<LinkNumber>{2, 3}));
    EXPECT_EQ(std::ranges::count_if(candidates_, [](const Candidate& c) { return c.primary >= kForwards; }),
              2);
}

TEST_F(PSenseTest, NobodyIsBelievedToSeeEverything) {
    linked(1, {50, 0, 0});
    std::array<std::uint8_t, 128> memory{};
    BitWriter out{memory};
    write(out, ForwardHeader{1, contact(7), 1e30F});
    write_id_set(out, {});
    BitReader in{out.finish()};
    EXPECT_FALSE(
        overlay_.handle_forward(kNow, 1, in, {{{2000, 0, 0}, SessionInstant{Duration{++clock_}}}, {}, 0}));
    linked(8, {390, 0, 0});
    request_from(8, 4, {390, 0, 0}, 1e30F);
    linked(9, {0, 410, 0});
    request_from(9, 6, {0, 410, 0}, 1e30F);
    round();
    EXPECT_EQ(overlay_.stats().near, 2U) << "four times our own sight is believed, no more";
}

TEST_F(PSenseTest, WhoIsOnlyNamedIsNotSuggestedUntilItSpeaks) {
    linked(1, {300, 0, 0});
    overlay_.handle_link_up(kNow, {2, contact(2), false});
    overlay_.handle_sighting(kNow, 2, {{150, -5, 0}, SessionInstant{Duration{++clock_}}});
    request_from(1, 4, {300, 0, 0});
    round();
    ASSERT_TRUE(answer_to(1));
    EXPECT_TRUE(answer_to(1)->itself);
    overlay_.handle_alive(kNow, 2);
    request_from(1, 4, {300, 0, 0});
    round();
    ASSERT_TRUE(answer_to(1));
    EXPECT_EQ(answer_to(1)->contact.id, PeerId::from_number(2));
}

TEST_F(PSenseTest, WhatNobodyAskedForIsNotTaken) {
    linked(1, {50, 0, 0});
    suggestion_from(1, contact(7), {55, 0, 0});
    round();
    EXPECT_EQ(calls_to(contact(7).address), 0U);
    suggestion_from(1, contact(7), {55, 0, 0});  // the round asked
    round();
    EXPECT_EQ(calls_to(contact(7).address), 1U);
}

TEST_F(PSenseTest, ANeighbourIsHeardOnThirtyTwoStrangersAtATime) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    for (std::uint64_t n = 100; n < 200; ++n) (void)forward_from(1, n, 1, {40, 0, 0});
    ASSERT_TRUE(forward_from(2, 300, 1, {40, 0, 0})) << "which leaves room for those whom others name";
    std::set<Address> called;
    for (int i = 0; i < 8; ++i) {
        round();
        for (const Contact& c : actions_.calls) called.insert(c.address);
        seen(1, {50, 0, 0});
        seen(2, {60, 0, 0});
    }
    EXPECT_TRUE(called.contains(Address::from_number(300)));
    EXPECT_EQ(called.size(), 33U);
}

TEST_F(PSenseTest, HelpAndForwardsOfALinkThatIsNoneOfOursAreOfNoUse) {
    linked(1, {50, 0, 0});
    linked(2, {60, 20, 0});
    EXPECT_EQ(help_from(9, 1, {3, 3, 0}), std::nullopt);
    EXPECT_EQ(forward_from(9, 5, 1, {3, 3, 0}), std::nullopt);
    EXPECT_EQ(help_from(2, 1, {52, 0, 0}), PeerId::from_number(1)) << "of one of ours they are";
    EXPECT_EQ(forward_from(2, 5, 1, {3, 3, 0}), PeerId::from_number(5));
}

TEST_F(PSenseTest, ManyIdsAtOneAddressAreCalledAsFewTimesAsOne) {
    linked(1, {50, 0, 0});
    const Address victim = Address::from_number(7);
    std::size_t calls = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        seen(1, {50, 0, 0});
        for (std::uint64_t k = 0; k < 8; ++k) {
            suggestion_from(1, {PeerId::from_number(10'000 + 8 * i + k), Incarnation{1}, victim}, {55, 0, 0});
        }
        round();
        dispatch();
        calls += calls_to(victim);
    }
    EXPECT_GT(calls, 0U);
    EXPECT_LE(calls, 16U) << "four, and four again after long";
    EXPECT_LT(overlay_.memory_bytes(), 100'000U);
}

RC_GTEST_FIXTURE_PROP(PSenseTest, ReplayedStampsAreNeverTakenAndAlwaysCounted,
                      (const std::vector<std::pair<std::uint8_t, std::uint8_t>>& told)) {
    for (LinkNumber n = 1; n <= 4; ++n) linked(n, {10.0F * static_cast<float>(n), 0, 0});
    clock_ = 0;
    std::map<std::uint64_t, std::int64_t> newest;  // by originator
    std::uint64_t refused = 0;
    for (std::size_t i = 0; i < told.size(); ++i) {
        const auto& [who, stamp] = told[i];
        const std::uint64_t origin = 4U + who % 4U;  // one of them is linked with us
        const bool news = stamp + 100 > newest[origin];
        clock_ = stamp + 99;
        const auto from = static_cast<LinkNumber>(1 + who / 4U % 3U);
        const auto taken = forward_from(from, origin, 1, {5, 5, 0});
        RC_ASSERT(taken == (news ? std::optional{PeerId::from_number(origin)} : std::nullopt));
        if (news) newest[origin] = stamp + 100;
        refused += news ? 0 : 1;
        RC_ASSERT(overlay_.stats().forward_duplicates == refused);
        if (i % (told.size() / 8 + 1) == 0) round();  // a few, so that nobody is forgotten
    }
}

RC_GTEST_FIXTURE_PROP(PSenseTest, AnyBytesAreReadOrRefused, (const std::vector<std::uint8_t>& bytes)) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    BitReader message{bytes};
    (void)test::hear(overlay_, kNow, 1, message);
    BitReader header{bytes};
    const PassedOn update{{{1, 2, 3}, SessionInstant{Duration{++clock_}}}, {}, 0};
    (void)overlay_.handle_forward(kNow, 2, header, update);
    round();
    dispatch();
    RC_ASSERT(overlay_.memory_bytes() < 1'000'000U);
}

}  // namespace
}  // namespace fray
