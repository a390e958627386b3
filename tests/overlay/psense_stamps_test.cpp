// What somebody said before is old, whatever became of it meanwhile.

#include "overlay/psense_fixture.hpp"

#include <gtest/gtest.h>

#include <set>

namespace fray {
namespace {

TEST_F(PSenseTest, AnOlderSightingIsNotBelieved) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    const auto told = [&](std::int64_t when, Vec3 position) {
        overlay_.handle_sighting(kNow, 1, {position, SessionInstant{Duration{when}}});
        overlay_.handle_alive(kNow, 1);
        seen(2, {60, 0, 0});
        round();
        return overlay_.stats().near;
    };
    EXPECT_EQ(told(200, {500, 0, 0}), 1U) << "1 is far away";
    EXPECT_EQ(told(199, {50, 0, 0}), 1U) << "and so it was not before";
    EXPECT_EQ(told(201, {50, 0, 0}), 2U);
}

TEST_F(PSenseTest, StampsOfBeforeTheClockWasSetCountNoMore) {
    clock_ = 1'000'000;
    linked(1, {500, 0, 0});
    linked(2, {60, 0, 0});
    linked(7, {55, 0, 0});
    down(7);
    round();
    ASSERT_EQ(overlay_.stats().near, 1U);
    overlay_.handle_clock_set(kNow);
    clock_ = 10;
    seen(1, {50, 0, 0});
    seen(2, {60, 0, 0});
    EXPECT_TRUE(forward_from(1, 7, 1, {55, 0, 0}));
    round();
    EXPECT_EQ(overlay_.stats().near, 3U);
}

TEST_F(PSenseTest, AnOlderStampIsNotTakenAfterItsOriginatorsLinkTimedOut) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    linked(7, {55, 0, 0});
    clock_ = 500;
    ASSERT_TRUE(forward_from(1, 7, 1, {55, 0, 0}));
    round();
    ASSERT_EQ(forward_receivers(), std::set<LinkNumber>{2});
    dispatch();
    down(7);
    for (const std::int64_t before : {400, 500}) {
        clock_ = before;
        EXPECT_FALSE(forward_from(1, 7, 1, {52, 0, 0})) << before;
    }
    round();
    EXPECT_TRUE(forward_receivers().empty());
    EXPECT_EQ(overlay_.stats().forward_duplicates, 2U);
    clock_ = 501;
    EXPECT_TRUE(forward_from(1, 7, 1, {52, 0, 0}));
    round();
    EXPECT_EQ(forward_receivers(), std::set<LinkNumber>{2});
}

TEST_F(PSenseTest, AnOlderSightingIsNotBelievedOverANewLink) {
    linked(1, {50, 0, 0});
    clock_ = 500;
    linked(7, {55, 0, 0});
    round();
    ASSERT_EQ(overlay_.stats().near, 2U);
    down(7);
    clock_ = 400;
    linked(7, {52, 0, 0});
    round();
    EXPECT_EQ(overlay_.stats().near, 1U) << "it does not say where it is now";
    clock_ = 600;
    seen(7, {52, 0, 0});
    round();
    EXPECT_EQ(overlay_.stats().near, 2U);
}

TEST_F(PSenseTest, AnOlderStampIsNotTakenAfterItsOriginatorLeftAndWasForgotten) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    clock_ = 500;
    linked(7, {55, 0, 0});
    down(7, Reason::left);
    round();  // it is forgotten
    dispatch();
    clock_ = 400;
    EXPECT_FALSE(forward_from(1, 7, 1, {52, 0, 0}));
    round();
    EXPECT_TRUE(forward_receivers().empty());
    EXPECT_EQ(overlay_.stats().forward_duplicates, 1U);
    clock_ = 600;
    EXPECT_TRUE(forward_from(1, 7, 1, {52, 0, 0})) << "it came again";
}

TEST_F(PSenseTest, AfterAResetWhatWasOldIsNew) {
    linked(1, {50, 0, 0});
    clock_ = 500;
    linked(7, {55, 0, 0});
    down(7, Reason::left);
    round();
    overlay_.reset();
    clock_ = 300;
    linked(1, {50, 0, 0});
    EXPECT_TRUE(forward_from(1, 7, 1, {52, 0, 0})) << "another session has another time";
}

class PSenseAsPublished : public PSenseTest {
protected:
    PSenseAsPublished() : PSenseTest{PSense::paper(100, 100'000)} {}
};

// Whoever is neither near nor a sensor node is discarded with the next round.
TEST_F(PSenseAsPublished, TheSameStampIsPassedOnOnceThoughItsOriginatorWasDiscarded) {
    linked(1, {-90, 0, 0});
    linked(2, {90, 0, 0});   // closer to the originator than we are
    linked(3, {150, 0, 0});  // our sensor node there
    constexpr Vec3 kPlace{400, 0, 0};
    clock_ = 500;
    (void)forward_from(1, 7, 1, kPlace);
    round();
    ASSERT_FALSE(forward_receivers().empty());
    dispatch();
    clock_ = 500;
    (void)forward_from(1, 7, 1, kPlace);
    round();
    EXPECT_TRUE(forward_receivers().empty());
    EXPECT_EQ(overlay_.stats().forward_duplicates, 1U);
    clock_ = 501;
    (void)forward_from(1, 7, 1, kPlace);
    round();
    EXPECT_FALSE(forward_receivers().empty());
}

}  // namespace
}  // namespace fray
