#include "games/panzer/match/udp_match.hpp"

#include "games/panzer/rules/map_text.hpp"
#include "match/match_fields.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace fray::panzer {
namespace {

TEST(UdpMatch, PlayersOfOneProcessPlayOverRealSocketsAndAgree) {
    const Arena duel{"duel"};
    MatchOptions options = match_of(4s, Seed{2});
    options.players = 2;
    auto match = UdpMatch::open(duel.field, duel.mesh, options, bots(2), {});
    ASSERT_TRUE(match) << match.error().message;
    double last = 0;
    const auto played = match->run([&](double share) {
        EXPECT_GE(share, last);
        last = share;
        return true;
    });
    ASSERT_TRUE(played) << played.error().message;
    EXPECT_EQ(last, 1);
    const auto reports = match->reports();
    ASSERT_EQ(reports.size(), 2U);
    EXPECT_EQ(reports[0].standings.fingerprint(), reports[1].standings.fingerprint());
    for (const MatchReport& report : reports) {
        EXPECT_TRUE(report.finished);
        EXPECT_EQ(report.players_seen, 1U);
        EXPECT_EQ(report.standings.cards().size(), 2U);
        EXPECT_GT(report.network.upload_kbps_mean, 0);
    }
}

TEST(UdpMatch, APortThatIsTakenIsAnError) {
    const Arena duel{"duel"};
    MatchOptions options = match_of(4s, Seed{2});
    options.players = 2;
    auto first = UdpMatch::open(duel.field, duel.mesh, options, bots(1), {});
    ASSERT_TRUE(first) << first.error().message;
    const auto second =
        UdpMatch::open(duel.field, duel.mesh, options, bots(1), {.port = first->address().port});
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find(std::to_string(first->address().port)), std::string::npos)
        << second.error().message;
}

TEST(UdpMatch, APlayerWithAnotherMapIsRefusedWithAReason) {
    const Arena duel{"duel"};
    const Arena arena;
    MatchOptions options = match_of(4s, Seed{2});
    options.players = 2;
    auto host = UdpMatch::open(duel.field, duel.mesh, options, bots(1), {});
    ASSERT_TRUE(host) << host.error().message;
    auto guests = bots(2);
    guests.erase(guests.begin());
    auto guest =
        UdpMatch::open(arena.field, arena.mesh, options, guests, {.join = to_string(host->address())});
    ASSERT_TRUE(guest) << guest.error().message;
    std::atomic<bool> is_done = false;
    std::thread hosting{[&] { (void)host->run([&](double) { return !is_done; }); }};
    const auto refused = guest->run({});
    is_done = true;
    hosting.join();
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("cannot join the match at 127.0.0.1"), std::string::npos)
        << refused.error().message;
}

}  // namespace
}  // namespace fray::panzer
