// Liars who name others so that we call a victim: it is called a few times, however they go about it. And who
// names honestly is heeded, though some of those it names are gone.

#include "overlay/psense_fixture.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace fray {
namespace {

class PSenseVictims : public PSenseTest {
protected:
    static constexpr std::uint64_t kRounds = 2000;
    const Address victim_ = Address::from_number(777);

    void run_round() {
        round();
        dispatch();
        to_victim_ += calls_to(victim_);
        all_ += actions_.calls.size();
    }
    Contact stranger(const Address& address) {
        return {PeerId::from_number(++last_id_), Incarnation{1}, address};
    }
    std::uint64_t last_id_ = 100'000;
    std::size_t to_victim_ = 0;
    std::size_t all_ = 0;
};

TEST_F(PSenseVictims, LostContactsSaidToBeAtOneAddressAreCalledThereAFewTimes) {
    constexpr LinkNumber kLast = 25;
    for (LinkNumber n = 1; n <= kLast; ++n) linked(n, {60, static_cast<float>(n), 0});
    for (int i = 0; i < 5; ++i) {
        for (LinkNumber n = 1; n <= kLast; ++n) seen(n, {50, static_cast<float>(n), 0});
        run_round();
    }
    for (LinkNumber n = 2; n <= kLast; ++n) down(n);
    for (std::uint64_t i = 0; i < kRounds; ++i) {
        seen(1, {50, 0, 0});
        for (LinkNumber n = 2; n <= kLast; ++n) {
            Contact moved = contact(n);
            moved.address = victim_;
            if ((i + n) % 8 == 0) (void)forward_from(1, moved, {55, static_cast<float>(n), 0});
        }
        run_round();
    }
    EXPECT_GT(to_victim_, 0U) << "it may have moved";
    EXPECT_LE(to_victim_, 16U) << "four, and four again after long";
}

TEST_F(PSenseVictims, WhoWasLostIsCalledWhereItIsSaidToBeNow) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    run_round();
    down(2);
    Contact moved = contact(2);
    moved.address = victim_;
    for (int i = 0; i < 12; ++i) {
        seen(1, {50, 0, 0});
        (void)forward_from(1, moved, {60, 0, 0});
        run_round();
    }
    EXPECT_GT(to_victim_, 0U);
    overlay_.handle_link_up(kNow, {2, moved, false});
    seen(2, {60, 0, 0});
    run_round();
    EXPECT_EQ(own_receivers(), (std::set<LinkNumber>{1, 2}));
}

// More addresses than are remembered, in turn.
TEST_F(PSenseVictims, EightyAddressesNamedByThreeLiarsAreCalledAFewTimesEach) {
    constexpr std::uint64_t kAddresses = 80;
    for (LinkNumber n = 1; n <= 3; ++n) linked(n, {45, static_cast<float>(n), 0});
    for (std::uint64_t i = 0; i < kRounds; ++i) {
        for (LinkNumber n = 1; n <= 3; ++n) {
            seen(n, {45, static_cast<float>(n), 0});
            for (int k = 0; k < 6; ++k) {
                const std::uint64_t which = (last_id_ + 1) % kAddresses;
                const Address address = which == 0 ? victim_ : Address::from_number(5000 + which);
                (void)forward_from(n, stranger(address), {55, 0, 0});
            }
        }
        run_round();
    }
    EXPECT_GT(all_, kAddresses) << "they are called";
    EXPECT_LE(all_, 900U)
        << "one in forty of those named, and seven times fewer than if liars were heeded on";
    EXPECT_LE(to_victim_, 16U);
}

TEST_F(PSenseVictims, AHundredPortsOfOneHostNamedByOneLiarAreCalledSeldom) {
    constexpr std::uint64_t kPorts = 100;
    linked(1, {50, 0, 0});
    linked(2, {45, 0, 0});
    for (std::uint64_t i = 0; i < kRounds; ++i) {
        for (const LinkNumber n : {LinkNumber{1}, LinkNumber{2}}) seen(n, {50, static_cast<float>(n), 0});
        for (int k = 0; k < 16; ++k) {
            Address address = victim_;
            address.port = static_cast<std::uint16_t>(1000 + last_id_ % kPorts);
            (void)forward_from(1, stranger(address), {55, 0, 0});
        }
        run_round();
    }
    EXPECT_GT(all_, 16U) << "at first it is believed";
    EXPECT_LE(all_, 400U);
}

// More addresses than are remembered, all at once.
TEST_F(PSenseVictims, WhoIsNamedAlongWithManyOthersIsGivenUpAsWell) {
    constexpr LinkNumber kLiars = 5;
    constexpr std::uint64_t kNamedByEach = 20;
    for (LinkNumber n = 1; n <= kLiars; ++n) linked(n, {45, static_cast<float>(n), 0});
    std::map<Address, std::size_t> calls;
    for (int i = 0; i < 200; ++i) {
        for (LinkNumber n = 1; n <= kLiars; ++n) {
            seen(n, {45, static_cast<float>(n), 0});
            for (std::uint64_t k = 0; k < kNamedByEach; ++k)
                (void)forward_from(n, contact(2000 + n * kNamedByEach + k), {55, 0, 0});
        }
        run_round();
        for (const Contact& called : actions_.calls) ++calls[called.address];
    }
    EXPECT_EQ(calls.size(), kLiars * kNamedByEach);
    for (const auto& [address, count] : calls) EXPECT_LE(count, 8U) << to_string(address);
    EXPECT_LE(all_, 6 * calls.size()) << "four, and for some a few more, until no liar is heeded";
}

TEST_F(PSenseVictims, WhomALiarNamesIsNotHeededForAWhileAndWhomOthersNameIs) {
    constexpr std::uint64_t kRoundsApart = 5;
    constexpr std::uint64_t kUntilGivenUp = 36;
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    // One after the other, and each until it is given up.
    std::uint64_t heeded = 0;
    std::uint64_t now = 0;
    const auto lie = [&](bool anew) {
        for (const LinkNumber n : {LinkNumber{1}, LinkNumber{2}}) seen(n, {50, static_cast<float>(n), 0});
        for (std::uint64_t k = 0; k < heeded; ++k) {
            if (now < k * kRoundsApart + kUntilGivenUp) (void)forward_from(1, 2000 + k, 1, {55, 0, 0});
        }
        const bool taken = anew && forward_from(1, 2000 + heeded, 1, {55, 0, 0});
        heeded += taken ? 1 : 0;
        run_round();
        ++now;
        return taken;
    };
    bool believed = true;
    while (believed && now < 200) {
        const bool anew = now % kRoundsApart == 0;
        believed = lie(anew) || !anew;
    }
    EXPECT_FALSE(believed);
    EXPECT_GE(heeded, 8U) << "or it was not given a chance";
    EXPECT_TRUE(forward_from(1, 2, 1, {61, 0, 0})) << "of whom we know it may tell us";
    EXPECT_TRUE(forward_from(2, 8, 1, {55, 0, 0}));
    (void)lie(false);
    EXPECT_EQ(calls_to(contact(8).address), 1U);
    for (int i = 0; i < 200; ++i) (void)lie(false);
    EXPECT_TRUE(lie(true)) << "after a while";
}

// A lie is passed on by those who believe it. They pay less for it, so that it ends with the liar.
TEST_F(PSenseVictims, WhoPassesLiesOnIsHeededForTwiceAsManyAsTheLiar) {
    constexpr int kRoundsApart = 5;
    constexpr LinkNumber kLiar = 1;
    constexpr LinkNumber kBeliever = 2;
    constexpr LinkNumber kFromAfar = 3;  // among us it begins anew, as if the next one were the first
    const std::map<LinkNumber, Vec3> places{
        {kLiar, {50, 0, 0}}, {kBeliever, {50, 2, 0}}, {kFromAfar, {-90, 0, 0}}};
    for (const auto& [n, place] : places) linked(n, place);
    std::map<LinkNumber, std::uint64_t> heeded;
    std::set<LinkNumber> distrusted;
    for (int now = 0; now < 600 && distrusted.size() < places.size(); ++now) {
        for (const auto& [n, place] : places) {
            seen(n, place);
            if (now % kRoundsApart != 0 || distrusted.contains(n)) continue;
            const ForwardHeader header{static_cast<std::uint8_t>(n), stranger(Address::from_number(last_id_)),
                                       100};
            if (forward_from(n, header, {55, 0, 0}, {}))
                ++heeded[n];
            else
                distrusted.insert(n);
        }
        run_round();
    }
    ASSERT_EQ(distrusted.size(), places.size());
    EXPECT_GE(heeded[kFromAfar], 4U);
    EXPECT_GE(heeded[kLiar], heeded[kFromAfar] + 3);
    EXPECT_GE(heeded[kBeliever], heeded[kLiar] + 7);
}

TEST_F(PSenseVictims, WhoHasTheShortNameOfALiarIsNotTakenForIt) {
    std::uint64_t twin = 200'000;
    while (name(twin) != name(1)) ++twin;
    constexpr LinkNumber kTwin = 2;
    linked(1, {50, 0, 0});
    overlay_.handle_link_up(kNow, {kTwin, contact(twin), false});
    bool believed = true;
    for (int now = 0; now < 200 && believed; ++now) {
        for (const LinkNumber n : {LinkNumber{1}, kTwin}) seen(n, {50, static_cast<float>(n), 0});
        if (now % 5 == 0)
            believed = forward_from(1, stranger(Address::from_number(last_id_)), {55, 0, 0}).has_value();
        run_round();
    }
    ASSERT_FALSE(believed) << "or there was nothing to be mistaken for";
    for (std::uint64_t n = 10; n < 40; ++n) EXPECT_TRUE(forward_from(kTwin, n, 1, {55, 0, 0})) << n;
}

TEST_F(PSenseVictims, ALiarWhoLeavesAndComesAgainIsNotForgiven) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    const auto lies_until_distrusted = [&] {
        std::uint64_t heeded = 0;
        for (int now = 0; now < 200; ++now) {
            for (const LinkNumber n : {LinkNumber{1}, LinkNumber{2}}) seen(n, {50, static_cast<float>(n), 0});
            if (now % 5 == 0) {
                if (!forward_from(1, stranger(Address::from_number(last_id_)), {55, 0, 0})) break;
                ++heeded;
            }
            run_round();
        }
        return heeded;
    };
    const std::uint64_t at_first = lies_until_distrusted();
    EXPECT_GE(at_first, 8U);
    EXPECT_LT(at_first, 40U) << "or it is never found out";
    down(1, Reason::left);
    run_round();
    linked(1, {50, 0, 0});
    EXPECT_EQ(lies_until_distrusted(), 0U);
}

// Where no more can be remembered, one of those who were only named makes room.
TEST_F(PSenseVictims, WhoMakesRoomForOthersIsNoted) {
    constexpr LinkNumber kIntroducers = 64;
    constexpr std::uint64_t kNamedByEach = 31;
    constexpr std::uint64_t kMost = 2048;
    for (LinkNumber n = 1; n <= kIntroducers; ++n) linked(n, {50, static_cast<float>(n), 0});
    clock_ = 500;
    std::uint64_t remembered = kIntroducers;
    for (LinkNumber n = 1; n <= kIntroducers; ++n) {
        for (std::uint64_t k = 0; k < kNamedByEach; ++k)
            remembered += forward_from(n, 10'000 + n * kNamedByEach + k, 1, {55, 0, 0}) ? 1 : 0;
    }
    ASSERT_EQ(remembered, kMost);
    const std::uint64_t first = 10'000 + kNamedByEach;
    linked(kIntroducers + 1, {60, 0, 0});
    clock_ = 400;
    EXPECT_FALSE(forward_from(2, first, 1, {55, 0, 0})) << "no room, for it was forgotten";
    down(kIntroducers + 1, Reason::left);
    run_round();
    const std::uint64_t copies = overlay_.stats().forward_duplicates;
    clock_ = 400;
    EXPECT_FALSE(forward_from(2, first, 1, {55, 0, 0})) << "it said that before";
    EXPECT_EQ(overlay_.stats().forward_duplicates, copies + 1);
}

// One who is named at an address that was given up is not called; that must not keep us from the others.
TEST_F(PSenseVictims, OneWhoMayNotBeCalledDoesNotStandBeforeTheOthers) {
    constexpr LinkNumber kLast = 12;
    constexpr LinkNumber kLiar = 20;
    const auto far_away = [](LinkNumber n) { return Vec3{300, static_cast<float>(n), 0}; };
    for (LinkNumber n = 1; n <= kLast; ++n) linked(n, far_away(n));
    linked(kLiar, {50, 0, 0});
    const Contact near = stranger(victim_);
    const Contact behind = stranger(victim_);
    for (int i = -60; i < 60; ++i) {  // first we are at ease
        for (LinkNumber n = 1; n <= kLast; ++n) seen(n, far_away(n));
        seen(kLiar, {50, 0, 0});
        if (i >= 0 && i < 40) (void)forward_from(kLiar, near, {60, 0, 0});
        if (i >= 0 && i < 3) (void)forward_from(kLiar, behind, {400, 0, 0});
        run_round();
    }
    ASSERT_GT(to_victim_, 0U);
    for (LinkNumber n = 1; n <= kLast; ++n) down(n);
    down(kLiar);
    std::map<Address, int> called;
    for (int i = 0; i < 60; ++i) {
        run_round();
        for (const Contact& c : actions_.calls) ++called[c.address];
    }
    for (LinkNumber n = 1; n <= kLast; ++n) EXPECT_GE(called[contact(n).address], 2) << n;
}

TEST_F(PSenseVictims, WhoFellSilentIsCalledWhereItWasBeforeItIsLookedForElsewhere) {
    linked(1, {50, 0, 0});
    linked(2, {60, 0, 0});
    for (int i = 0; i < 20; ++i) {
        seen(1, {50, 0, 0});
        if (i < 10) seen(2, {60, 0, 0});
        run_round();
    }
    down(2);
    Contact moved = contact(2);
    moved.address = victim_;
    seen(1, {50, 0, 0});
    (void)forward_from(1, moved, {60, 0, 0});
    run_round();
    EXPECT_EQ(calls_to(contact(2).address), 1U);
    EXPECT_EQ(to_victim_, 0U);
    for (int i = 0; i < 20; ++i) {
        seen(1, {50, 0, 0});
        (void)forward_from(1, moved, {60, 0, 0});
        run_round();
    }
    EXPECT_GT(to_victim_, 0U) << "it may have moved";
}

TEST_F(PSenseVictims, AnIntroducerMostOfWhomItNamesAnswerIsHeeded) {
    constexpr std::uint64_t kFirst = 2;
    constexpr std::uint64_t kLast = 200;
    constexpr std::uint64_t kRoundsApart = 4;
    constexpr std::uint64_t kAtATime = 9;  // it speaks of each for so long that it would be given up
    const auto there = [](std::uint64_t n) { return n % 3 != 0; };
    linked(1, {50, 0, 0});
    std::set<std::uint64_t> answered;
    std::uint64_t vain = 0;
    for (std::uint64_t newest = kFirst; newest <= kLast; ++newest) {
        for (std::uint64_t i = 0; i < kRoundsApart; ++i) {
            seen(1, {50, 0, 0});
            for (std::uint64_t n = std::max(kFirst, newest - std::min(newest, kAtATime)); n <= newest; ++n) {
                if (answered.contains(n)) continue;
                const bool taken = forward_from(1, n, 1, {55, 0, 0}).has_value();
                ASSERT_TRUE(taken || n != newest || i != 0) << n << ", after " << vain << " in vain";
            }
            run_round();
            for (const Contact& called : actions_.calls) {
                const std::uint64_t n = called.id.number();
                if (!there(n)) continue;
                const auto link = static_cast<LinkNumber>(n);
                overlay_.handle_link_up(kNow, {link, called, false});
                overlay_.handle_alive(kNow, link);
                overlay_.handle_link_down(kNow, {link, called, Reason::left});
                answered.insert(n);
            }
        }
        vain += there(newest) ? 0 : 1;
    }
    EXPECT_GT(vain, 60U);
    EXPECT_EQ(answered.size(), kLast - kFirst + 1 - vain);
}

// Who is spoken of once and never again is neither given up nor does it answer: it must not stand in the way.
TEST_F(PSenseVictims, AnIntroducerWhoNamesEachOnceIsHeededThoughOneOfThreeIsGone) {
    constexpr std::uint64_t kRoundsApart = 4;
    linked(1, {50, 0, 0});
    std::size_t answered = 0;
    for (std::uint64_t n = 2; n < 500; ++n) {
        for (std::uint64_t i = 0; i < kRoundsApart; ++i) {
            seen(1, {50, 0, 0});
            if (i == 0) {
                ASSERT_TRUE(forward_from(1, n, 1, {55, 0, 0})) << n;
            }
            run_round();
            if (n % 3 == 0 || calls_to(contact(n).address) == 0) continue;
            const auto link = static_cast<LinkNumber>(n);
            overlay_.handle_link_up(kNow, {link, contact(n), false});
            overlay_.handle_alive(kNow, link);
            overlay_.handle_link_down(kNow, {link, contact(n), Reason::left});
            ++answered;
        }
    }
    EXPECT_GT(answered, 300U);
}

}  // namespace
}  // namespace fray
