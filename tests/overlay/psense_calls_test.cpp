// Whom to call, and how often: those who are needed, those who were lost, and not too many at once.

#include "overlay/psense_fixture.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace fray {
namespace {

class PSenseCalls : public PSenseTest {
protected:
    /// So many rounds in which these stay where they are; who was called how often.
    std::map<Address, std::size_t> called_in(int rounds, const std::map<LinkNumber, Vec3>& there) {
        std::map<Address, std::size_t> calls;
        for (int i = 0; i < rounds; ++i) {
            for (const auto& [n, place] : there) seen(n, place);
            round();
            dispatch();
            for (const Contact& called : actions_.calls) ++calls[called.address];
        }
        return calls;
    }
    /// A linked peer of whom we never learn where it is.
    void linked_somewhere(LinkNumber n) {
        overlay_.handle_link_up(kNow, {n, contact(n), false});
        overlay_.handle_alive(kNow, n);
    }
    static Address address(std::uint64_t n) { return contact(n).address; }
};

TEST_F(PSenseCalls, WhenEverybodyIsLostThreeContactsAreCalledInARound) {
    for (LinkNumber n = 1; n <= 5; ++n) linked_somewhere(n);
    EXPECT_TRUE(called_in(5, {}).empty());
    for (LinkNumber n = 1; n <= 5; ++n) down(n);
    EXPECT_EQ(called_in(1, {}).size(), 3U);
    EXPECT_EQ(called_in(1, {}).size(), 2U) << "the others";
    EXPECT_EQ(called_in(20, {}).size(), 5U) << "and again";
}

TEST_F(PSenseCalls, WhoWasLostIsCalledNowAndThenThoughAllIsWell) {
    const std::map<LinkNumber, Vec3> there{{1, {50, 0, 0}}};
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});  // in the same direction: it will not be missed
    ASSERT_TRUE(called_in(5, {{1, {50, 0, 0}}, {2, {60, 0, 0}}}).empty());
    down(2);
    const auto calls = called_in(200, there);
    ASSERT_TRUE(calls.contains(address(2)));
    EXPECT_GE(calls.at(address(2)), 3U);
    EXPECT_LE(calls.at(address(2)), 10U) << "every twentieth round, and rarer";
}

TEST_F(PSenseCalls, ContactsThatNeverMatteredAreCalledFarMoreSeldom) {
    const std::map<LinkNumber, Vec3> there{{1, {50, 0, 0}}};
    linked(1, {50, 0, 0});
    linked_somewhere(2);
    for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(called_in(1, there).empty());
        overlay_.handle_alive(kNow, 2);  // it does not fall silent
    }
    down(2);
    EXPECT_LE(called_in(119, there)[address(2)], 1U);
    EXPECT_GE(called_in(240, there)[address(2)], 1U);
}

TEST_F(PSenseCalls, WhoWasLostIsCalledAtOnceWhereNobodyWatchesItsSector) {
    const std::map<LinkNumber, Vec3> there{{1, {50, 1, 0}}};
    linked(1, {50, 1, 0});
    linked(2, {-50, 1, 0});  // alone there
    linked(3, {60, 1, 0});   // 1 is there as well
    ASSERT_TRUE(called_in(5, {{1, {50, 1, 0}}, {2, {-50, 1, 0}}, {3, {60, 1, 0}}}).empty());
    down(2);
    down(3);
    EXPECT_EQ(called_in(1, there)[address(2)], 1U);
    auto calls = called_in(11, there);
    EXPECT_EQ(calls[address(2)], 2U) << "after two rounds, and after four more";
    EXPECT_LE(calls[address(3)], 1U) << "it has its turn with all who were lost";
}

TEST_F(PSenseCalls, WhoIsBehindASensorNodeIsRememberedLongerAndTakesItsPlace) {
    constexpr LinkNumber kSensor = 2;
    linked(1, {-50, 1, 0});
    linked(kSensor, {150, 1, 0});
    linked(3, {200, 1, 0});  // behind it
    linked(4, {250, 1, 0});  // behind both
    const auto everybody_speaks = [&] {
        seen(1, {-50, 1, 0});
        overlay_.handle_alive(kNow, 3);  // they are there, and have no reason to say where
        overlay_.handle_alive(kNow, 4);
        round();
        dispatch();
    };
    for (int i = 0; i < 30; ++i) {
        seen(kSensor, {150, 1, 0});
        everybody_speaks();
    }
    ASSERT_TRUE(overlay_.keeps(kSensor));
    ASSERT_FALSE(overlay_.keeps(3));
    down(kSensor);
    everybody_speaks();
    EXPECT_TRUE(overlay_.keeps(3));
    down(3);
    everybody_speaks();
    EXPECT_FALSE(overlay_.keeps(4)) << "one backup is remembered, and 4 was none";
}

TEST_F(PSenseCalls, SixteenAreCalledInARoundAndTheOthersSoonAfter) {
    const std::map<LinkNumber, Vec3> there{{1, {50, 0, 0}}, {2, {60, 0, 0}}};
    for (const auto& [n, place] : there) linked(n, place);
    for (std::uint64_t n = 100; n < 120; ++n) {
        ASSERT_TRUE(forward_from(1, n, 1, {40, 0, 0}));
        ASSERT_TRUE(forward_from(2, 100 + n, 1, {40, 0, 0}));
    }
    const auto first = called_in(1, there);
    EXPECT_EQ(first.size(), 16U);
    auto all = first;
    for (int i = 0; i < 5; ++i) {
        const auto next = called_in(1, there);
        EXPECT_LE(next.size(), 16U);
        all.insert(next.begin(), next.end());
    }
    EXPECT_EQ(all.size(), 40U);
}

}  // namespace
}  // namespace fray
