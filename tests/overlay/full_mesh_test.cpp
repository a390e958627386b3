#include "overlay/full_mesh.hpp"

#include "overlay/introduction.hpp"
#include "support/overlay_calls.hpp"
#include "wire/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace fray {
namespace {

constexpr std::size_t kPlenty = 100'000;  // bytes in a frame

Contact contact(std::uint64_t n) {
    return Contact{PeerId::from_number(n), Incarnation{1}, Address::from_number(n)};
}

FullMeshOverlay mesh(std::uint64_t self = 100, FullMesh options = {}) {
    static const World world;
    return FullMeshOverlay{options, world, PeerId::from_number(self), Seed{1}};
}

std::vector<std::uint8_t> encoded(const MeshMessage& message) {
    std::vector<std::uint8_t> bytes(64 + message.known.size() * 4 + message.introductions.size() * 32);
    BitWriter out{bytes};
    write(out, message);
    bytes.resize(out.finish().size());
    return bytes;
}

bool tell(FullMeshOverlay& overlay, Instant now, LinkNumber link, const std::vector<std::uint8_t>& bytes) {
    BitReader in{bytes};
    return test::hear(overlay, now, link, in);
}

MeshMessage list_of(const std::vector<Contact>& contacts) {
    MeshMessage message{.kind = MeshMessage::Kind::introductions};
    for (const Contact& c : contacts) message.introductions.push_back({name_of(c.id), c.address});
    return message;
}

/// A list of known peers, as a peer with these ids in its list would send it.
MeshMessage known_of(const std::vector<std::uint64_t>& ids, std::uint8_t salt = 5) {
    MeshMessage message{.kind = MeshMessage::Kind::known, .salt = salt};
    for (const std::uint64_t id : ids)
        message.known.push_back(list_name(name_of(PeerId::from_number(id)), salt));
    std::ranges::sort(message.known);
    return message;
}

OverlayActions round(FullMeshOverlay& overlay, Instant now) {
    OverlayActions actions;
    overlay.round(now, std::nullopt, kPlenty, actions);
    return actions;
}

/// The messages of one kind, by link.
std::vector<std::pair<LinkNumber, MeshMessage>> said(const OverlayActions& actions, MeshMessage::Kind kind) {
    std::vector<std::pair<LinkNumber, MeshMessage>> found;
    for (const auto& message : actions.messages) {
        MeshMessage read_message;
        BitReader in{message.bytes};
        EXPECT_TRUE(read(in, read_message));
        if (read_message.kind == kind) found.emplace_back(message.link, read_message);
    }
    return found;
}
std::vector<std::pair<LinkNumber, MeshMessage>> introductions(const OverlayActions& actions) {
    return said(actions, MeshMessage::Kind::introductions);
}

TEST(FullMesh, ANewcomerIsIntroducedToOthersOnce) {
    auto overlay = mesh();
    for (LinkNumber link = 0; link < 5; ++link)
        overlay.handle_link_up(Instant{}, {link, contact(link + 1U), false});
    overlay.handle_link_up(Instant{}, {9, contact(50), true});
    const auto sent = introductions(round(overlay, Instant{}));
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].first, 9);
    EXPECT_EQ(sent[0].second.introductions.size(), 5U);
    EXPECT_TRUE(introductions(round(overlay, Instant{5s})).empty());
}

TEST(FullMesh, NoSingleMemberIntroducesANewcomerToAllOfAThousand) {
    auto overlay = mesh(60'000);
    for (LinkNumber link = 0; link < 1000; ++link)
        overlay.handle_link_up(Instant{}, {link, contact(link + 1U), link == 7});
    const auto sent = introductions(round(overlay, Instant{}));
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_GE(sent[0].second.introductions.size(), 7U);
    EXPECT_LE(sent[0].second.introductions.size(), 16U);
}

TEST(FullMesh, AListOfNamesIsAnsweredByIntroductionsOfTheOthers) {
    auto overlay = mesh(100);
    for (LinkNumber link = 0; link < 8; ++link)
        overlay.handle_link_up(Instant{}, {link, contact(link + 1U), false});
    ASSERT_TRUE(tell(overlay, Instant{1s}, 0, encoded(known_of({1, 100, 2, 3, 4, 5}))));
    const auto sent = introductions(round(overlay, Instant{1s}));
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].first, 0);
    std::set<Address> introduced;
    for (const Introduction& i : sent[0].second.introductions) introduced.insert(i.address);
    EXPECT_EQ(introduced,
              (std::set<Address>{Address::from_number(6), Address::from_number(7), Address::from_number(8)}));
}

TEST(FullMesh, TwoPeersWithOneNameInAListHaveTwoWithAnotherSalt) {
    // With any single salt some pair of many shares a name; no pair does with all salts.
    std::size_t shared_once = 0;
    for (std::uint64_t a = 1; a <= 300; ++a) {
        for (std::uint64_t b = a + 1; b <= 300; ++b) {
            std::size_t shared = 0;
            for (int salt = 0; salt < 16; ++salt) {
                const auto name = [&](std::uint64_t n) {
                    return list_name(name_of(PeerId::from_number(n)), static_cast<std::uint8_t>(salt));
                };
                shared += name(a) == name(b) ? 1 : 0;
            }
            shared_once += shared > 0 ? 1 : 0;
            EXPECT_LE(shared, 2U) << a << " and " << b;
        }
    }
    EXPECT_GT(shared_once, 0U);
}

TEST(FullMesh, WhoIsIntroducedIsCalledAndTheLinkEndsTheCalls) {
    auto overlay = mesh();
    overlay.handle_link_up(Instant{}, {0, contact(1), false});
    ASSERT_TRUE(tell(overlay, Instant{}, 0, encoded(list_of({contact(2), contact(100), contact(1)}))));
    const auto calls = round(overlay, Instant{}).calls;
    ASSERT_EQ(calls.size(), 1U);  // neither ourselves nor linked peers
    EXPECT_EQ(calls[0].address, Address::from_number(2));
    EXPECT_EQ(calls[0].id, PeerId{});                           // any peer at that address
    EXPECT_TRUE(round(overlay, Instant{100ms}).calls.empty());  // not in every frame
    EXPECT_EQ(round(overlay, Instant{500ms}).calls.size(), 1U);
    overlay.handle_link_up(Instant{600ms}, {1, contact(2), false});
    EXPECT_TRUE(round(overlay, Instant{60s}).calls.empty());
}

TEST(FullMesh, InventedContactsAreFewAndCalledAFewTimesOnly) {
    auto overlay = mesh();
    overlay.handle_link_up(Instant{}, {0, contact(1), false});
    std::size_t calls = 0;
    std::size_t most_at_once = 0;
    std::uint64_t invented = 1000;
    for (Duration t = 0s; t < 10s; t += 50ms) {
        std::vector<Contact> list;
        for (int i = 0; i < 60; ++i) list.push_back(contact(++invented));
        ASSERT_TRUE(tell(overlay, Instant{t}, 0, encoded(list_of(list))));
        const std::size_t now = round(overlay, Instant{t}).calls.size();
        most_at_once = std::max(most_at_once, now);
        calls += now;
    }
    EXPECT_LE(most_at_once, kMaxUnconfirmedOfOne);
    EXPECT_LE(calls, kMaxUnconfirmedOfOne * kMaxUnconfirmedCalls);
    EXPECT_LE(overlay.memory_bytes(), 100'000U);
}

TEST(FullMesh, IntroductionsThatWeDidNotAskForAreIgnored) {
    auto overlay = mesh();
    overlay.handle_link_up(Instant{}, {0, contact(1), true});
    for (std::uint64_t i = 0; i < 10; ++i)  // without a round in between: we have asked for none
        ASSERT_TRUE(tell(overlay, Instant{}, 0, encoded(list_of({contact(1000 + i)}))));
    EXPECT_EQ(round(overlay, Instant{}).calls.size(), 1U);  // the first may come unasked
}

TEST(FullMesh, ANewAddressOfAKnownContactDoesNotResetTheBackOff) {
    auto overlay = mesh();
    overlay.handle_link_up(Instant{}, {0, contact(1), false});
    std::size_t calls = 0;
    for (Duration t = 0s; t < 10s; t += 50ms) {
        Contact moving = contact(2);
        moving.address = Address::from_number(5000 + static_cast<std::uint64_t>(t / 50ms));
        ASSERT_TRUE(tell(overlay, Instant{t}, 0, encoded(list_of({moving}))));
        calls += round(overlay, Instant{t}).calls.size();
    }
    EXPECT_LE(calls, kMaxUnconfirmedCalls);
}

TEST(FullMesh, ALostPeerIsCalledLessAndLessOftenAndThenForgotten) {
    auto overlay = mesh();
    overlay.handle_link_up(Instant{}, {0, contact(1), false});
    overlay.handle_link_down(Instant{}, {0, contact(1), Reason::timed_out});
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
    overlay.handle_link_up(Instant{}, {0, contact(1), false});
    overlay.handle_link_down(Instant{}, {0, contact(1), Reason::left});
    EXPECT_TRUE(round(overlay, Instant{10s}).calls.empty());
}

TEST(FullMesh, EqualListsHaveEqualDigestsAndDifferentOnesAreCompared) {
    auto a = mesh(1);
    auto b = mesh(2);
    a.handle_link_up(Instant{}, {0, contact(2), false});
    a.handle_link_up(Instant{}, {1, contact(3), false});
    b.handle_link_up(Instant{}, {0, contact(1), false});
    b.handle_link_up(Instant{}, {1, contact(3), false});
    for (FullMeshOverlay* overlay : {&a, &b}) {  // peer 3 knows nobody else
        for (Duration t = 0s; t < 1s; t += 100ms) (void)round(*overlay, Instant{t});
        ASSERT_TRUE(tell(*overlay, Instant{1s}, 1, encoded(list_of({}))));
    }
    const Instant settled{10s};
    std::vector<std::uint8_t> digest;
    for (const auto& message : round(a, settled).messages) digest = message.bytes;
    ASSERT_EQ(said(round(a, settled + 1s), MeshMessage::Kind::digest).size(), 1U);
    ASSERT_TRUE(tell(b, settled, 0, digest));
    // Equal digests: nothing to compare.
    EXPECT_TRUE(said(round(b, settled), MeshMessage::Kind::known).empty());
    b.handle_link_up(settled, {2, contact(4), false});
    ASSERT_TRUE(tell(b, settled + 5s, 0, digest));
    const auto names = said(round(b, settled + 5s), MeshMessage::Kind::known);
    ASSERT_GE(names.size(), 1U);
    EXPECT_EQ(names[0].first, 0);
    EXPECT_EQ(names[0].second.known.size(), 4U);
    // The comparison shows that one lacks nothing and the other lacks one.
    ASSERT_TRUE(tell(a, settled + 6s, 0, encoded(names[0].second)));
    const auto answer = round(a, settled + 6s);
    ASSERT_EQ(introductions(answer).size(), 1U) << "an answer, even if there is nobody to introduce";
    EXPECT_TRUE(introductions(answer)[0].second.introductions.empty());
    ASSERT_EQ(said(answer, MeshMessage::Kind::known).size(), 1U);
    ASSERT_TRUE(tell(b, settled + 7s, 0, encoded(said(answer, MeshMessage::Kind::known)[0].second)));
    const auto told = introductions(round(b, settled + 7s));
    ASSERT_EQ(told.size(), 1U);
    ASSERT_EQ(told[0].second.introductions.size(), 1U);
    EXPECT_EQ(told[0].second.introductions[0].address, Address::from_number(4));
}

TEST(FullMesh, AHostilePeerMakesUsAnswerAFewTimesASecondAtMost) {
    auto overlay = mesh();
    for (LinkNumber link = 0; link < 50; ++link)
        overlay.handle_link_up(Instant{}, {link, contact(link + 1U), false});
    const auto nobody = encoded(known_of({}));
    std::size_t sent = 0;
    for (Duration t = 0s; t < 20s; t += 10ms) {
        ASSERT_TRUE(tell(overlay, Instant{t}, 3, nobody));
        sent += introductions(round(overlay, Instant{t})).size();
    }
    EXPECT_GE(sent, 100U);
    EXPECT_LE(sent, 201U);
}

TEST(FullMesh, HostileIntroductionsAreBounded) {
    auto overlay = mesh(1);
    overlay.handle_link_up(Instant{}, {0, contact(2), false});
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

TEST(FullMesh, ACutOffMessageIsRefused) {
    auto overlay = mesh(1);
    overlay.handle_link_up(Instant{}, {0, contact(2), false});
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
    overlay.handle_link_up(Instant{}, {0, contact(1), false});
    EXPECT_GT(overlay.room(), 0U);
    overlay.handle_link_up(Instant{}, {1, contact(2), false});
    EXPECT_EQ(overlay.room(), 0U);
    ASSERT_TRUE(tell(overlay, Instant{}, 0, encoded(list_of({contact(3)}))));
    EXPECT_TRUE(round(overlay, Instant{1s}).calls.empty()) << "calls a peer for whom there is no room";
    overlay.handle_link_down(Instant{2s}, {0, contact(1), Reason::left});
    EXPECT_GT(overlay.room(), 0U);
}

}  // namespace
}  // namespace fray
