// Which peers a crowd knows, and which of them relay.

#include "overlay/roster.hpp"

#include "overlay/crowd_sources.hpp"
#include "overlay/rendezvous.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace fray {
namespace {

constexpr Instant kNow{Duration{100s}};

CrowdIntroduction introduction(std::uint64_t n, std::uint8_t age = 0, std::uint8_t weight = 1) {
    return {PeerId::from_number(n), Address::from_number(n), weight, age};
}

TEST(Rendezvous, APeerIsPickedInProportionToItsWeight) {
    std::map<std::uint32_t, int> picked;
    for (std::uint32_t pick = 0; pick < 20'000; ++pick) {
        std::uint32_t best = 0;
        std::uint64_t best_rank = 0;
        for (std::uint32_t candidate = 1; candidate <= 4; ++candidate) {
            const std::uint64_t rank = rank_of(pick, candidate, static_cast<std::uint8_t>(candidate));
            if (rank > best_rank) best_rank = rank, best = candidate;
        }
        ++picked[best];
    }
    for (std::uint32_t candidate = 1; candidate <= 4; ++candidate)
        EXPECT_NEAR(picked[candidate], 2000 * candidate, 300) << candidate;
}

TEST(Rendezvous, WithoutACandidateOnlyItsOwnPicksMove) {
    for (std::uint32_t pick = 0; pick < 1000; ++pick) {
        const auto best = [&](std::uint32_t without) {
            std::uint32_t found = 0;
            std::uint64_t rank = 0;
            for (std::uint32_t c = 1; c <= 10; ++c) {
                if (c != without && rank_of(pick, c, 1) > rank) rank = rank_of(pick, c, 1), found = c;
            }
            return found;
        };
        if (best(0) == 3) continue;
        EXPECT_EQ(best(3), best(0));
    }
}

TEST(Roster, HasAboutSquareRootRowsOfEqualSize) {
    for (const std::uint64_t peers : {10U, 64U, 500U, 2000U}) {
        CrowdRoster roster{name_of(PeerId::from_number(0)), 4096};
        for (std::uint64_t n = 1; n < peers; ++n)
            roster.hear_of(kNow, introduction(n), static_cast<LinkNumber>(n % 50));
        roster.choose_rows();
        const auto rows = static_cast<double>(roster.rows());
        EXPECT_GT(static_cast<double>(peers), rows * rows / 3.01);
        EXPECT_LT(static_cast<double>(peers), rows * rows * 3.01);
        std::size_t sum = 0;
        for (std::uint32_t row = 0; row < roster.rows(); ++row) sum += roster.row(row).size();
        EXPECT_EQ(sum, roster.all().size());
        EXPECT_EQ(sum, peers - 1);
    }
}

TEST(Roster, ForgetsAPeerOfWhichNothingIsHeardHoweverOftenItIsMentioned) {
    CrowdRoster roster{1, 100};
    ASSERT_TRUE(roster.hear_of(kNow, introduction(5), 0));
    std::vector<PeerId> told;
    std::vector<Contact> lost;
    for (int second = 1; second <= 10; ++second)
        roster.hear_of(kNow + second * 1s, introduction(5, static_cast<std::uint8_t>(second)), 1);
    roster.expire(kNow + 10s, told, lost);
    EXPECT_EQ(roster.all().size(), 1U);
    roster.expire(kNow + 11s, told, lost);
    EXPECT_TRUE(roster.all().empty());
}

TEST(Roster, OneIntroducerCannotFillIt) {
    CrowdRoster roster{1, 100};
    for (std::uint64_t n = 10; n < 1000; ++n) roster.hear_of(kNow, introduction(n), 3);
    EXPECT_EQ(roster.all().size(), 25U);
    for (std::uint64_t n = 2000; n < 3000; ++n)
        roster.hear_of(kNow, introduction(n), static_cast<LinkNumber>(n % 10 + 4));
    EXPECT_EQ(roster.all().size(), 50U) << "unconfirmed peers fill at most half";
    EXPECT_NE(roster.add(kNow, PeerId::from_number(5000), Address::from_number(5000), kNoLink), nullptr);
}

TEST(Roster, TheSamePeersGiveTheSameDigestWhoeverAsks) {
    const auto digest = [](std::uint64_t self) {
        CrowdRoster roster{name_of(PeerId::from_number(self)), 100};
        for (std::uint64_t n = 1; n <= 20; ++n) roster.hear_of(kNow, introduction(n), 0);
        EXPECT_EQ(roster.all().size(), 19U);
        return roster.digest();
    };
    EXPECT_EQ(digest(3), digest(17));
}

TEST(CrowdSources, ARelayThatSendsNothingIsReplacedWithinFourSecondsAndAvoided) {
    CrowdRoster roster{name_of(PeerId::from_number(0)), 4096};
    for (std::uint64_t n = 1; n < 64; ++n)
        roster.hear_of(kNow, introduction(n), static_cast<LinkNumber>(n % 8));
    roster.choose_rows();
    CrowdSources sources{name_of(PeerId::from_number(0))};
    sources.choose(kNow, roster);
    const std::uint32_t row = roster.in_own_row(roster.row(0)[0].name) ? 1 : 0;
    const auto relay = [&] {
        for (const KnownPeer& peer : roster.row(row)) {
            if (sources.has(roster, peer.name)) return peer.name;
        }
        return 0U;
    };
    const std::uint32_t first = relay();
    ASSERT_NE(first, 0U);
    sources.handle_bundle(kNow + 1s, roster, first);
    sources.choose(kNow + 4s, roster);
    EXPECT_EQ(relay(), first);
    sources.choose(kNow + 1s + CrowdSources::kSilence + 1ms, roster);
    EXPECT_NE(relay(), first);
    EXPECT_NE(relay(), 0U);
    EXPECT_GT(roster.find(first)->avoided_until, kNow + 10s);
}

TEST(CrowdSources, EvenARelayThatWorksIsReplacedAfterAWhileAndRelaysUntilTheNextOneDoes) {
    CrowdRoster roster{name_of(PeerId::from_number(0)), 4096};
    for (std::uint64_t n = 1; n < 64; ++n)
        roster.hear_of(kNow, introduction(n), static_cast<LinkNumber>(n % 8));
    roster.choose_rows();
    CrowdSources sources{name_of(PeerId::from_number(0))};
    std::set<std::uint32_t> relays;
    std::size_t most_at_once = 0;
    for (int second = 0; second < 300; ++second) {
        const Instant now = kNow + second * 1s;
        sources.choose(now, roster);
        std::size_t at_once = 0;
        for (const KnownPeer& peer : roster.row(1)) {
            if (!sources.has(roster, peer.name)) continue;
            ++at_once;
            relays.insert(peer.name);
            sources.handle_bundle(now + 500ms, roster, peer.name);
        }
        most_at_once = std::max(most_at_once, at_once);
    }
    if (roster.row_of(name_of(PeerId::from_number(0))) == 1) GTEST_SKIP() << "it is our own row";
    EXPECT_GE(relays.size(), 3U);
    EXPECT_EQ(most_at_once, 2U);
}

/// The relays of one row of 63 known peers.
class RowOfRelays : public ::testing::Test {
protected:
    RowOfRelays() {
        for (std::uint64_t n = 1; n < 64; ++n)
            roster_.hear_of(kNow, introduction(n), static_cast<LinkNumber>(n % 8));
        roster_.choose_rows();
        sources_.choose(kNow, roster_);
        row_ = roster_.in_own_row(roster_.row(0)[0].name) ? 1 : 0;
    }
    [[nodiscard]] std::set<std::uint32_t> relays() {
        std::set<std::uint32_t> names;
        for (const KnownPeer& peer : roster_.row(row_)) {
            if (sources_.has(roster_, peer.name)) names.insert(peer.name);
        }
        return names;
    }

    CrowdRoster roster_{name_of(PeerId::from_number(0)), 4096};
    CrowdSources sources_{name_of(PeerId::from_number(0))};
    std::uint32_t row_ = 0;
};

TEST_F(RowOfRelays, RefusalsOfARowCountUntilOneOfItRelays) {
    std::set<std::uint32_t> asked;
    for (std::uint8_t times = 1; times <= kMostRefusals + 2; ++times) {
        ASSERT_EQ(relays().size(), 1U);
        const std::uint32_t relay = *relays().begin();
        EXPECT_TRUE(asked.insert(relay).second) << "the same one was asked again at once";
        sources_.handle_refusal(kNow + times * 300ms, roster_, relay);
        EXPECT_EQ(sources_.refusals(roster_, relay), std::min(times, kMostRefusals));
        sources_.choose(kNow + times * 300ms + 1ms, roster_);
    }
    const std::uint32_t relay = *relays().begin();
    sources_.handle_bundle(kNow + 3s, roster_, relay);
    EXPECT_EQ(sources_.refusals(roster_, relay), 0);
}

TEST_F(RowOfRelays, TheFormerRelayGoesOnWhileItsSuccessorsRefuse) {
    const std::uint32_t former = *relays().begin();
    Instant now = kNow;
    for (; relays().size() == 1; now += 500ms) {  // until it is replaced, although it works
        ASSERT_LT(now, kNow + 200s);
        sources_.handle_bundle(now, roster_, former);
        sources_.choose(now, roster_);
    }
    ASSERT_EQ(relays().size(), 2U);
    for (int i = 0; i < 3; ++i) {
        auto successors = relays();
        EXPECT_EQ(successors.erase(former), 1U);
        if (successors.empty()) break;  // it is its own successor
        sources_.handle_refusal(now, roster_, *successors.begin());
        now += 300ms;
        sources_.choose(now, roster_);
    }
    EXPECT_TRUE(relays().contains(former));
}

}  // namespace
}  // namespace fray
