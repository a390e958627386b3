// Neighbours are learnt before they come into view, and forgotten after they left it.

#include "overlay/psense_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fray {
namespace {

class PSenseWithMargin : public PSenseTest {
protected:
    PSenseWithMargin() : PSenseTest{with_margin()} {}
    static PSense with_margin() {
        PSense psense = options();
        psense.margin = 30;
        return psense;
    }
    /// How many of ten updates it gets, coming so much closer in each round, from where it is not yet in
    /// view.
    int updates_for(LinkNumber n, float from, float step) {
        int got = 0;
        for (int i = 0; i < 10; ++i) {
            seen(n, {from - step * static_cast<float>(i), 0, 0});
            round();
            got += own_receivers().contains(n) ? 1 : 0;
            dispatch();
        }
        return got;
    }
};

TEST_F(PSenseWithMargin, WhoIsNotYetInViewGetsEveryThirdUpdate) {
    linked(1, {115, 0, 0});
    EXPECT_GE(updates_for(1, 115, 0), 3);
    EXPECT_LE(updates_for(1, 115, 0), 4);
}

TEST_F(PSenseWithMargin, WhoIsAboutToComeIntoViewGetsEveryUpdate) {
    linked(1, {126, 0, 0});
    round();
    EXPECT_EQ(updates_for(1, 116, 10), 10);
}

// Others may see it where it was: they would pass on what it just had.
TEST_F(PSenseWithMargin, WhoJustLeftOurSightIsOnTheListYet) {
    linked(1, {50, 0, 0});
    linked(2, {125, 0, 0});
    for (int i = 0; i < 6; ++i) {
        seen(1, {50, 0, 0});
        seen(2, {125, 0, 0});
        round();
        dispatch();
    }
    const auto named = [&](std::uint64_t n) {
        std::vector<std::uint32_t> names;
        for (const auto& message : actions_.messages) {
            BitReader in{message.bytes};
            if (message.link != 1 || in.bits(2) != static_cast<std::uint64_t>(PSenseKind::receivers))
                continue;
            (void)in.boolean();
            EXPECT_TRUE(read_id_set(in, names, kMaxReceivers));
        }
        return std::ranges::find(names, name(n)) != names.end();
    };
    ASSERT_TRUE(named(1));
    ASSERT_TRUE(named(2));
    const auto moved = [&](float x) {
        seen(1, {50, 0, 0});
        seen(2, {x, 0, 0});
        round();
        dispatch();
    };
    moved(135);
    EXPECT_TRUE(named(2));
    moved(165);
    EXPECT_TRUE(named(1));
    EXPECT_FALSE(named(2)) << "nobody sees it here";
}

TEST_F(PSenseWithMargin, WhoSpeaksLessOftenIsDoubtedUnlessItIsAtTheEdgeOfSight) {
    linked(1, {50, 0, 0});
    linked(2, {90, 0, 0});  // may take us for out of sight already, and speak less often
    linked(3, {20, 0, 0});
    std::set<LinkNumber> doubted;
    for (int i = 0; i < 40; ++i) {
        for (const auto& [n, place] :
             {std::pair<LinkNumber, Vec3>{1, {50, 0, 0}}, {2, {90, 0, 0}}, {3, {20, 0, 0}}}) {
            if (requests_to(n) > 0) suggestion_from(n, contact(n), place);
            if (n == 1 || i < 20 || i % 4 == 0) seen(n, place);
        }
        list_from(1, {});
        round();
        for (const LinkNumber n : {LinkNumber{2}, LinkNumber{3}}) {
            if (!forward_receivers().contains(n)) doubted.insert(n);  // nobody passes anything on to it
        }
        dispatch();
        if (i == 19) {
            EXPECT_TRUE(doubted.empty());
        }
    }
    EXPECT_EQ(doubted, std::set<LinkNumber>{3});
}

}  // namespace
}  // namespace fray
