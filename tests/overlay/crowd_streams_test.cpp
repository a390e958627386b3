// Peers that more others watch than their upload serves: who relays their updates, and what a watcher does
// about relays that fail.

#include "overlay/crowd_streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace fray {
namespace {

constexpr Instant kNow{Duration{100s}};
constexpr std::uint8_t kFeeds = 3;

/// What one peer knows of a crowd of 200, of which every third is strong.
struct Knowledge {
    explicit Knowledge(std::uint64_t self)
        : own{name_of(PeerId::from_number(self)), weight_of(self)}, roster{own.name, 4096} {
        for (std::uint64_t n = 0; n < 200; ++n) {
            if (n == self) continue;
            const CrowdIntroduction one{PeerId::from_number(n), Address::from_number(n), weight_of(n), 0};
            roster.hear_of(kNow, one, static_cast<LinkNumber>(n % 50));
        }
        roster.choose_rows();
    }
    [[nodiscard]] static std::uint8_t weight_of(std::uint64_t n) { return n % 3 == 0 ? 15 : 2; }
    [[nodiscard]] CrowdFanOut fan_out(std::uint32_t origin) { return {roster, own, origin, kFeeds}; }
    /// The relays of this origin, as bits of stripes by name.
    [[nodiscard]] std::map<std::uint32_t, unsigned> relays(std::uint32_t origin) {
        std::map<std::uint32_t, unsigned> all;
        const CrowdFanOut fan = fan_out(origin);
        for (unsigned stripe = 0; stripe < kStripes; ++stripe) {
            for (const std::uint32_t name : fan.relays(stripe)) all[name] |= 1U << stripe;
        }
        return all;
    }
    void watch(std::uint32_t origin, Instant now) {
        KnownPeer& peer = *roster.find(origin);
        peer.fan_out = kFeeds;
        peer.wanted_until = now + 3s;
    }
    /// The relays that are asked for this origin.
    [[nodiscard]] std::set<std::uint32_t> asked(const CrowdStreams& streams, std::uint32_t origin) {
        // At a time when nobody is watched, so that none is asked for its own updates.
        std::set<std::uint32_t> all;
        std::vector<std::uint32_t> origins;
        for (const KnownPeer& peer : roster.all()) {
            streams.list_wants(kNow + 60s, roster, peer.name, origins);
            if (std::ranges::find(origins, origin) != origins.end()) all.insert(peer.name);
        }
        return all;
    }

    CrowdFanOut::Self own;
    CrowdRoster roster;
};

const std::uint32_t kOrigin = name_of(PeerId::from_number(7));

TEST(CrowdFanOut, EveryoneFindsTheSameRelaysWithoutAMessage) {
    const auto expected = Knowledge{0}.relays(kOrigin);
    ASSERT_GE(expected.size(), kStripes);
    for (std::uint64_t self = 1; self < 40; ++self)
        EXPECT_EQ(Knowledge{self}.relays(kOrigin), expected) << "peer " << self << ", the origin is 7";
}

TEST(CrowdFanOut, InEachFrameTheOriginFeedsAsManyRelaysAsItAnnounced) {
    Knowledge origin{7};
    const CrowdFanOut fan = origin.fan_out(kOrigin);
    for (unsigned stripe = 0; stripe < kStripes; ++stripe) {
        std::size_t fed = 0;
        for (const KnownPeer& peer : origin.roster.all()) fed += fan.stripes(peer.name) >> stripe & 1U;
        EXPECT_LE(fed, kFeeds);
        EXPECT_GE(fed, 1U) << "or nobody gets these updates";
    }
}

TEST(CrowdFanOut, NoStrongMemberOfTheRowIsLeftOutForAWeakOne) {
    Knowledge watcher{0};
    const auto relays = watcher.relays(kOrigin);
    std::uint8_t weakest = kMostWeight;
    std::size_t others = 0;
    for (const auto& [name, stripes] : relays) weakest = std::min(weakest, watcher.roster.find(name)->weight);
    for (const KnownPeer& peer : watcher.roster.row(watcher.roster.row_of(kOrigin))) {
        if (peer.name == kOrigin || relays.contains(peer.name)) continue;
        EXPECT_LE(peer.weight, weakest);
        ++others;
    }
    EXPECT_GT(others, 0U) << "or it proves nothing";
}

TEST(CrowdStreams, AWatcherAsksOneRelayPerStripe) {
    Knowledge watcher{100};
    CrowdStreams streams;
    watcher.watch(kOrigin, kNow);
    streams.choose(kNow, watcher.roster, watcher.own, {});
    unsigned stripes = 0;
    const auto relays = watcher.relays(kOrigin);
    for (const std::uint32_t name : watcher.asked(streams, kOrigin)) {
        ASSERT_TRUE(relays.contains(name));
        EXPECT_TRUE(streams.has_relay(name));
        stripes |= relays.at(name);
    }
    EXPECT_EQ(stripes, (1U << kStripes) - 1);
    streams.choose(kNow + 4s, watcher.roster, watcher.own, {});
    EXPECT_TRUE(watcher.asked(streams, kOrigin).empty()) << "nobody is watched any more";
}

TEST(CrowdStreams, WatchersAreSpreadOverTheRelaysOfAStripeByWeight) {
    std::map<std::uint32_t, int> watchers;
    for (std::uint64_t self = 0; self < 200; ++self) {
        if (self == 7) continue;
        Knowledge watcher{self};
        CrowdStreams streams;
        watcher.watch(kOrigin, kNow);
        streams.choose(kNow, watcher.roster, watcher.own, {});
        for (const std::uint32_t name : watcher.asked(streams, kOrigin)) ++watchers[name];
    }
    Knowledge any{0};
    const CrowdFanOut fan = any.fan_out(kOrigin);
    std::size_t judged = 0;
    for (unsigned stripe = 0; stripe < kStripes; ++stripe) {
        double all = 0;
        for (const std::uint32_t name : fan.relays(stripe)) all += any.roster.find(name)->weight;
        for (const std::uint32_t name : fan.relays(stripe)) {
            if (std::popcount(fan.stripes(name)) != 1) continue;  // asked for another stripe as well
            EXPECT_NEAR(watchers[name], 199 * any.roster.find(name)->weight / all, 30);
            ++judged;
        }
    }
    EXPECT_GT(judged, kStripes);
}

TEST(CrowdStreams, ARelayThatPassesNothingOnIsReplacedWithinTwoSecondsAndHeldAQuarterOfTheUpdates) {
    Knowledge watcher{100};
    CrowdStreams streams;
    watcher.watch(kOrigin, kNow + 10s);
    streams.choose(kNow, watcher.roster, watcher.own, {});
    const auto before = watcher.asked(streams, kOrigin);
    const std::uint32_t liar = *before.begin();
    Instant now = kNow;
    while (streams.has_relay(liar) && now < kNow + 10s) {
        now += 100ms;
        for (const std::uint32_t name : watcher.asked(streams, kOrigin)) {
            if (name != liar) streams.handle_update(now, kOrigin, name);
        }
        streams.choose(now, watcher.roster, watcher.own, {});
    }
    EXPECT_GT(now, kNow + 1s) << "it was asked, and the lie was seen";
    EXPECT_LE(now, kNow + CrowdStreams::kSilence + 100ms);
    for (const std::uint32_t name : before)
        EXPECT_EQ(streams.has_relay(name), name != liar) << "the others stay";
    EXPECT_EQ(std::popcount(watcher.fan_out(kOrigin).stripes(liar)), 1);
    streams.choose(now + CrowdStreams::kAvoidFor - 1s, watcher.roster, watcher.own, {});
    EXPECT_FALSE(streams.has_relay(liar)) << "it is avoided for a while";
}

TEST(CrowdStreams, ARelayThatAnnouncesMoreThanItCarriesIsReplacedAsSoonAsItRefuses) {
    Knowledge watcher{100};
    CrowdStreams streams;
    watcher.watch(kOrigin, kNow);
    streams.choose(kNow, watcher.roster, watcher.own, {});
    const std::uint32_t liar = *watcher.asked(streams, kOrigin).begin();
    streams.handle_refusal(kNow, watcher.roster, liar);
    streams.choose(kNow, watcher.roster, watcher.own, {});
    EXPECT_FALSE(streams.has_relay(liar));
    EXPECT_FALSE(watcher.asked(streams, kOrigin).empty());
}

TEST(CrowdStreams, ARelayAsksTheOriginForWhatIsAskedOfItAndForNoMore) {
    const auto relays = Knowledge{0}.relays(kOrigin);
    std::uint64_t number = 0;
    while (!relays.contains(name_of(PeerId::from_number(number)))) ++number;
    Knowledge relay{number};
    CrowdStreams streams;
    std::vector<std::uint32_t> origins;
    streams.choose(kNow, relay.roster, relay.own, {});
    streams.list_wants(kNow, relay.roster, kOrigin, origins);
    EXPECT_TRUE(origins.empty()) << "nobody has asked it";
    relay.roster.find(kOrigin)->fan_out = kFeeds;
    const std::vector carried{kOrigin};
    streams.choose(kNow, relay.roster, relay.own, carried);
    EXPECT_EQ(relay.asked(streams, kOrigin), std::set<std::uint32_t>{kOrigin});
}

TEST(CrowdStreams, AWatchedPeerThatServesAllItselfIsAskedForItsOwnUpdates) {
    Knowledge watcher{100};
    const CrowdStreams streams;
    std::vector<std::uint32_t> origins;
    watcher.watch(kOrigin, kNow);
    watcher.roster.find(kOrigin)->fan_out = 0;
    streams.list_wants(kNow, watcher.roster, kOrigin, origins);
    EXPECT_EQ(origins, std::vector{kOrigin});
    streams.list_wants(kNow + 4s, watcher.roster, kOrigin, origins);
    EXPECT_TRUE(origins.empty());
}

TEST(CrowdStreams, NobodyMakesAPeerKeepMoreStreamsThanTheLimit) {
    Knowledge watcher{100};
    CrowdStreams streams;
    for (const KnownPeer& peer : watcher.roster.all()) watcher.watch(peer.name, kNow);
    streams.choose(kNow, watcher.roster, watcher.own, {});
    std::set<std::uint32_t> wanted;
    std::vector<std::uint32_t> origins;
    for (const KnownPeer& peer : watcher.roster.all()) {
        streams.list_wants(kNow + 60s, watcher.roster, peer.name, origins);
        wanted.insert(origins.begin(), origins.end());
    }
    EXPECT_EQ(wanted.size(), kMaxStreams);
}

}  // namespace
}  // namespace fray
