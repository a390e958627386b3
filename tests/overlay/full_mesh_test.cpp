#include "overlay/full_mesh.hpp"

#include "overlay/introduction.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace fray {
namespace {

constexpr std::size_t kPlenty = 100'000;  // bytes in a frame

Contact contact(std::uint64_t n) {
    return Contact{PeerId::from_number(n), Incarnation{1}, Address::from_number(n)};
}

FullMeshOverlay mesh(std::uint64_t self = 100, FullMesh options = {}) {
    return FullMeshOverlay{options, PeerId::from_number(self), Seed{1}};
}

std::vector<std::uint8_t> encoded(const Roster& roster) {
    std::vector<std::uint8_t> bytes((measure(roster) + 7) / 8);
    BitWriter out{bytes};
    write(out, roster);
    out.finish();
    return bytes;
}

bool tell(FullMeshOverlay& overlay, Instant now, LinkNumber link, const std::vector<std::uint8_t>& bytes) {
    BitReader in{bytes};
    return overlay.handle_message(now, link, in);
}

Roster list_of(std::vector<Contact> contacts) {
    return Roster{.is_list = true, .digest = 0, .list = std::move(contacts)};
}

OverlayActions round(FullMeshOverlay& overlay, Instant now) {
    OverlayActions actions;
    overlay.round(now, std::nullopt, kPlenty, actions);
    return actions;
}

/// The lists among the messages, by link.
std::vector<std::pair<LinkNumber, Roster>> lists(const OverlayActions& actions) {
    std::vector<std::pair<LinkNumber, Roster>> found;
    for (const auto& message : actions.messages) {
        Roster roster;
        BitReader in{message.bytes};
        EXPECT_TRUE(read(in, roster));
        if (roster.is_list) found.emplace_back(message.link, roster);
    }
    return found;
}

TEST(FullMesh, ANewcomerIsIntroducedToAllOthersReliably) {
    auto overlay = mesh();
    for (LinkNumber link = 0; link < 5; ++link)
        overlay.handle_link_up(Instant{}, link, contact(link + 1U), false);
    overlay.handle_link_up(Instant{}, 9, contact(50), true);
    const auto actions = round(overlay, Instant{});
    const auto sent = lists(actions);
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].first, 9);
    EXPECT_EQ(sent[0].second.list.size(), 5U);
    for (const auto& message : actions.messages)
        EXPECT_EQ(message.reliable, message.link == 9 && message.bytes.size() > 10);
    EXPECT_TRUE(lists(round(overlay, Instant{5s})).empty());  // once
}

TEST(FullMesh, ALongListIsSentInSeveralMessages) {
    auto overlay = mesh(60'000);
    for (LinkNumber link = 0; link < 1100; ++link)
        overlay.handle_link_up(Instant{}, link, contact(link + 1U), link == 7);
    const auto sent = lists(round(overlay, Instant{}));
    std::set<std::uint64_t> introduced;
    for (const auto& [link, roster] : sent) {
        EXPECT_LE(roster.list.size(), kMaxIntroductions);
        for (const Contact& c : roster.list) introduced.insert(c.id.number());
    }
    EXPECT_GE(sent.size(), 3U);
    EXPECT_EQ(introduced.size(), 1099U);
}

TEST(FullMesh, WhoIsIntroducedIsCalledAndTheLinkEndsTheCalls) {
    auto overlay = mesh();
    overlay.handle_link_up(Instant{}, 0, contact(1), false);
    ASSERT_TRUE(tell(overlay, Instant{}, 0, encoded(list_of({contact(2), contact(100), contact(1)}))));
    const auto calls = round(overlay, Instant{}).calls;
    ASSERT_EQ(calls.size(), 1U);  // neither ourselves nor who is linked
    EXPECT_EQ(calls[0].id, PeerId::from_number(2));
    EXPECT_TRUE(round(overlay, Instant{100ms}).calls.empty());  // not with every frame
    EXPECT_EQ(round(overlay, Instant{500ms}).calls.size(), 1U);
    overlay.handle_link_up(Instant{600ms}, 1, contact(2), false);
    EXPECT_TRUE(round(overlay, Instant{60s}).calls.empty());
}

TEST(FullMesh, ALostPeerIsCalledLessAndLessOftenAndThenForgotten) {
    auto overlay = mesh();
    overlay.handle_link_up(Instant{}, 0, contact(1), false);
    overlay.handle_link_down(Instant{}, 0, contact(1), Reason::timed_out);
    std::vector<Duration> times;
    for (Duration t = 0s; t < 200s; t += 50ms) {
        if (!round(overlay, Instant{t}).calls.empty()) times.push_back(t);
    }
    ASSERT_GT(times.size(), 10U);
    EXPECT_EQ(times[1] - times[0], 500ms);
    EXPECT_EQ(times[3] - times[2], 2s);
    EXPECT_EQ(times[10] - times[9], 2s);
    EXPECT_LE(times.back(), 121s);
    EXPECT_GE(times.back(), 117s);
}

TEST(FullMesh, WhoSaidGoodbyeIsNotCalled) {
    auto overlay = mesh();
    overlay.handle_link_up(Instant{}, 0, contact(1), false);
    overlay.handle_link_down(Instant{}, 0, contact(1), Reason::left);
    EXPECT_TRUE(round(overlay, Instant{10s}).calls.empty());
}

TEST(FullMesh, EqualListsHaveEqualDigestsAndDifferentOnesAreExchanged) {
    auto a = mesh(1);
    auto b = mesh(2);
    a.handle_link_up(Instant{}, 0, contact(2), false);
    a.handle_link_up(Instant{}, 1, contact(3), false);
    b.handle_link_up(Instant{}, 0, contact(1), false);
    b.handle_link_up(Instant{}, 1, contact(3), false);
    const auto said = round(a, Instant{}).messages;
    ASSERT_EQ(said.size(), 1U);
    ASSERT_TRUE(tell(b, Instant{}, 0, said[0].bytes));
    EXPECT_TRUE(lists(round(b, Instant{10s})).empty());  // the same: nothing to exchange
    b.handle_link_up(Instant{10s}, 2, contact(4), false);
    ASSERT_TRUE(tell(b, Instant{10s}, 0, said[0].bytes));
    const auto sent = lists(round(b, Instant{20s}));
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].first, 0);
    EXPECT_EQ(sent[0].second.list.size(), 2U);
}

TEST(FullMesh, AStrangersDigestsMakeUsSendOurListRarely) {
    auto overlay = mesh();
    for (LinkNumber link = 0; link < 50; ++link)
        overlay.handle_link_up(Instant{}, link, contact(link + 1U), false);
    const auto wrong = encoded(Roster{.is_list = false, .digest = 1, .list = {}});
    std::size_t sent = 0;
    for (Duration t = 0s; t < 20s; t += 50ms) {
        ASSERT_TRUE(tell(overlay, Instant{t}, 3, wrong));
        sent += lists(round(overlay, Instant{t})).size();
    }
    EXPECT_GE(sent, 5U);
    EXPECT_LE(sent, 11U);
}

TEST(FullMesh, HostileRostersAreBounded) {
    auto overlay = mesh(1);
    overlay.handle_link_up(Instant{}, 0, contact(2), false);
    for (std::uint64_t n = 0; n < 100; ++n) {
        std::vector<Contact> many;
        for (std::uint64_t i = 0; i < kMaxIntroductions; ++i)
            many.push_back(contact(1000 + n * kMaxIntroductions + i));
        ASSERT_TRUE(tell(overlay, Instant{}, 0, encoded(list_of(many))));
    }
    EXPECT_LE(round(overlay, Instant{}).calls.size(), 4096U);
    EXPECT_LT(overlay.memory_bytes(), 1'000'000U);
    std::vector<Contact> too_many(kMaxIntroductions + 1, contact(5));
    EXPECT_FALSE(tell(overlay, Instant{}, 0, encoded(list_of(too_many))));
}

TEST(FullMesh, ACutOffRosterIsRefused) {
    auto overlay = mesh(1);
    overlay.handle_link_up(Instant{}, 0, contact(2), false);
    const auto whole = encoded(list_of({contact(7), contact(8)}));
    for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
        EXPECT_FALSE(
            tell(overlay, Instant{}, 0, {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}))
            << size;
    }
    EXPECT_TRUE(tell(overlay, Instant{}, 0, whole));
}

TEST(FullMesh, NoRoomWhenFull) {
    auto overlay = mesh(100, FullMesh{.most_peers = 2});
    overlay.handle_link_up(Instant{}, 0, contact(1), false);
    EXPECT_GT(overlay.room(), 0U);
    overlay.handle_link_up(Instant{}, 1, contact(2), false);
    EXPECT_EQ(overlay.room(), 0U);
    ASSERT_TRUE(tell(overlay, Instant{}, 0, encoded(list_of({contact(3)}))));
    EXPECT_TRUE(round(overlay, Instant{1s}).calls.empty()) << "calls a peer for whom there is no room";
    overlay.handle_link_down(Instant{2s}, 0, contact(1), Reason::left);
    EXPECT_GT(overlay.room(), 0U);
}

}  // namespace
}  // namespace fray
