// Focus sets alone: who gets every frame, who the rest, and what a peer that lies about its attention gains.

#include "interest/focus_set.hpp"

#include "interest/attention_message.hpp"
#include "support/lone_part.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace fray {
namespace {

constexpr Duration kTick{50ms};
constexpr int kStay = 8;  // steps by which another peer must surpass one in the focus set

/// Places that a test sets: our own pose, and everybody else on a line.
class Line final : public PeerPlaces {
public:
    [[nodiscard]] std::optional<Pose> self() const override { return pose; }
    [[nodiscard]] std::optional<Vec3> place(Instant, LinkNumber link) const override {
        if (link >= places.size()) return std::nullopt;
        return places[link];
    }
    std::optional<Pose> pose = Pose{};
    std::vector<Vec3> places;
};

/// A policy with `links` receivers that all have one update of `bytes` in each frame.
class Peer {
public:
    explicit Peer(LinkNumber links, const FocusSet& options = {}, std::uint16_t bytes = 60)
        : lone_{with(options)}, policy_{lone_.context, options}, bytes_{bytes}, links_{links} {
        for (LinkNumber link = 0; link < links; ++link) lone_.links.up(link);
    }

    /// The peer at the other end says that it pays us this attention.
    void hear(LinkNumber link, std::uint8_t steps) {
        const std::array<std::uint8_t, 1> bytes{steps};
        BitReader in{bytes};
        const Receipt receipt =
            policy_.handle_message({.now = now_, .link = link}, MessageKind::attention, in);
        ASSERT_EQ(receipt.verdict, Receipt::Verdict::taken);
        EXPECT_FALSE(receipt.acknowledge);
    }
    /// The links that get their update in this frame, in order.
    std::vector<LinkNumber> frame(std::size_t budget) {
        now_ += kTick;
        policy_.begin_frame(now_);
        std::vector<Candidate> all;
        for (LinkNumber link = 0; link < links_; ++link) all.push_back({.link = link, .bytes = bytes_});
        const std::size_t chosen = policy_.choose(all, budget);
        std::vector<LinkNumber> served;
        for (const Candidate& c : std::span{all}.first(chosen)) served.push_back(c.link);
        return served;
    }
    /// Times that each link was served, and the longest time in frames that it waited.
    struct Record {
        std::vector<int> served;
        std::vector<int> longest;
    };
    Record run(int frames, std::size_t budget) {
        Record record{std::vector<int>(links_), std::vector<int>(links_)};
        std::vector<int> since(links_);
        for (int f = 0; f < frames; ++f) {
            for (int& age : since) ++age;
            for (const LinkNumber link : frame(budget)) {
                ++record.served[link];
                record.longest[link] = std::max(record.longest[link], since[link]);
                since[link] = 0;
            }
        }
        for (LinkNumber link = 0; link < links_; ++link)
            record.longest[link] = std::max(record.longest[link], since[link]);
        return record;
    }

    [[nodiscard]] FocusSetPolicy& policy() { return policy_; }
    [[nodiscard]] test::LonePart& lone() { return lone_; }
    [[nodiscard]] Instant now() const { return now_; }

private:
    static PeerOptions with(const FocusSet& options) {
        PeerOptions peer;
        peer.interest = options;
        return peer;
    }
    test::LonePart lone_;
    FocusSetPolicy policy_;
    Instant now_{1s};
    std::uint16_t bytes_;
    LinkNumber links_;
};

TEST(FocusSet, PeersWithTheHighestAttentionGetEveryFrame) {
    Peer peer{20, FocusSet::paper(0.5F)};
    for (LinkNumber link = 0; link < 20; ++link) peer.hear(link, static_cast<std::uint8_t>(10 * link));
    const auto record = peer.run(200, 10 * 60);  // ten updates per frame, five of them for the focus set
    for (LinkNumber link = 15; link < 20; ++link) EXPECT_EQ(record.served[link], 200) << link;
    for (LinkNumber link = 0; link < 15; ++link) {
        EXPECT_NEAR(record.served[link], 200 * 5 / 15, 1) << link;
        EXPECT_LE(record.longest[link], 3) << link;
    }
    EXPECT_EQ(peer.policy().stats().in_focus, 5U);
    EXPECT_NEAR(static_cast<double>(micros(peer.policy().stats().best_effort_gap)), 150'000, 1000);
}

TEST(FocusSet, TheFocusSetFollowsTheAttentionWithinAFrame) {
    Peer peer{10, FocusSet::paper(0.5F)};
    peer.hear(3, 50);
    (void)peer.run(20, 2 * 60);
    EXPECT_EQ(peer.frame(2 * 60).front(), 3);
    peer.hear(7, 60);
    EXPECT_EQ(peer.frame(2 * 60).front(), 7);
    peer.hear(7, 40);
    EXPECT_EQ(peer.frame(2 * 60).front(), 3);
    peer.hear(7, 56);
    EXPECT_EQ(peer.frame(2 * 60).front(), 3) << "a little more is not enough: members must not take turns";
}

TEST(FocusSet, SwitchedOffAllReceiversTakeTurnsAndSwitchedOnTheFocusSetIsBack) {
    Peer peer{20};
    for (LinkNumber link = 0; link < 20; ++link) peer.hear(link, static_cast<std::uint8_t>(10 * link));
    peer.policy().set_focus_sets(false);
    const auto even = peer.run(100, 5 * 60);
    for (LinkNumber link = 0; link < 20; ++link) EXPECT_EQ(even.served[link], 25) << link;
    EXPECT_EQ(peer.policy().stats().in_focus, 0U);
    peer.policy().set_focus_sets(true);
    EXPECT_EQ(peer.run(100, 5 * 60).served[19], 100);
}

TEST(FocusSet, AmongEqualsTheFocusSetDoesNotChange) {
    Peer peer{10, FocusSet::paper(0.5F)};
    for (LinkNumber link = 0; link < 10; ++link) peer.hear(link, 40);
    const LinkNumber first = peer.frame(2 * 60).front();
    for (int f = 0; f < 50; ++f) ASSERT_EQ(peer.frame(2 * 60).front(), first);
}

TEST(FocusSet, TheFocusSetShrinksSoThatEverybodyElseIsUpdatedInTime) {
    // Eleven updates per frame for 100 peers: with four in focus, 96 others take 14 frames.
    Peer small{100, {.bandwidth_share = 1}};
    const auto few = small.run(400, 11 * 60);
    EXPECT_LE(*std::ranges::max_element(few.longest), 20) << "1 s";
    EXPECT_GE(std::ranges::count(few.served, 400), 5);
    Peer large{300, {.bandwidth_share = 1}};
    const auto many = large.run(400, 11 * 60);
    EXPECT_EQ(std::ranges::count(many.served, 400), 5) << "not below least_focus";
}

TEST(FocusSet, WhatTheFocusSetDoesNotNeedGoesToTheOthers) {
    Peer peer{10, {.bandwidth_share = 0.2F, .least_focus = 0}};
    const auto record = peer.run(100, 9 * 60);
    for (const int served : record.served) EXPECT_GE(served, 85);
    EXPECT_EQ(peer.policy().focus()->rate(0), Rate::every_frame) << "nearly everybody gets every frame";
}

TEST(FocusSet, APeerThatClaimsAllAttentionTakesOnePlace) {
    for (const LinkNumber liars : {LinkNumber{1}, LinkNumber{2}, LinkNumber{3}}) {
        Peer honest{20, FocusSet::paper(0.5F)};
        Peer lied_to{20, FocusSet::paper(0.5F)};
        for (LinkNumber link = 0; link < 20; ++link) {
            honest.hear(link, static_cast<std::uint8_t>(10 * link));
            lied_to.hear(link, link < liars ? 255 : static_cast<std::uint8_t>(10 * link));
        }
        const auto before = honest.run(200, 10 * 60);
        const auto after = lied_to.run(200, 10 * 60);
        int lost = 0;
        for (LinkNumber link = liars; link < 20; ++link) {
            lost += before.served[link] == 200 && after.served[link] != 200 ? 1 : 0;
            EXPECT_LE(after.longest[link], 4) << link;
        }
        EXPECT_EQ(lost, liars) << "each liar took one place, whatever it claims";
    }
}

RC_GTEST_PROP(FocusSet, TheAgeOfEveryUpdateIsBoundedWhateverAttentionIsClaimed, ()) {
    const auto links = static_cast<LinkNumber>(*rc::gen::inRange(1, 60));
    const auto per_frame = *rc::gen::inRange<std::size_t>(1, 20);
    const auto share = static_cast<float>(*rc::gen::inRange(0, 101)) / 100;
    const bool paper = *rc::gen::arbitrary<bool>();
    Peer peer{links, paper ? FocusSet::paper(share) : FocusSet{.bandwidth_share = share}};
    std::vector<int> since(links);
    for (int f = 0; f < 300; ++f) {
        for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
            const auto link = static_cast<LinkNumber>(*rc::gen::inRange<int>(0, links));
            peer.hear(link, *rc::gen::arbitrary<std::uint8_t>());
        }
        const auto served = peer.frame(per_frame * 60 + 30);
        RC_ASSERT(served.size() <= per_frame);
        RC_ASSERT(served.size() == std::min<std::size_t>(per_frame, links));
        for (int& age : since) ++age;
        for (const LinkNumber link : served) since[link] = 0;
        // At least one update of each frame goes to the one that waits longest.
        for (const int age : since) RC_ASSERT(age <= static_cast<int>(links) + 1);
    }
}

RC_GTEST_PROP(FocusSet, TheHighestAttentionsGetEveryFrame, ()) {
    const auto links = static_cast<LinkNumber>(*rc::gen::inRange(4, 60));
    const auto per_frame = *rc::gen::inRange<std::size_t>(3, 20);
    Peer peer{links, FocusSet::paper(0.5F)};
    std::vector<std::uint8_t> claimed(links);
    for (int f = 0; f < 100; ++f) {
        const auto link = static_cast<LinkNumber>(*rc::gen::inRange<int>(0, links));
        peer.hear(link, claimed[link] = *rc::gen::arbitrary<std::uint8_t>());
        const auto served = peer.frame(per_frame * 60);
        const std::size_t focus = std::min<std::size_t>(per_frame / 2, links);
        int least_served = 255;
        for (const LinkNumber l : std::span{served}.first(focus))
            least_served = std::min<int>(least_served, claimed[l]);
        for (LinkNumber l = 0; l < links; ++l) {
            const auto end = served.begin() + static_cast<std::ptrdiff_t>(focus);
            const bool in_focus = std::find(served.begin(), end, l) != end;
            RC_ASSERT(in_focus || claimed[l] <= least_served + kStay);
        }
    }
}

// --- what we tell others ---

TEST(FocusSet, TheFocusSetGivesWayToALongForwardAfterAFewFramesOnly) {
    Peer peer{4};
    for (LinkNumber link = 0; link < 4; ++link) peer.hear(link, 60);
    EXPECT_EQ(peer.frame(300).size(), 4U);
    int full_frames = 0;
    bool was_sent = false;
    for (int f = 0; f < 20 && !was_sent; ++f) {
        peer.policy().begin_frame(peer.now() + f * kTick);
        std::vector<Candidate> all;
        for (LinkNumber link = 0; link < 4; ++link) all.push_back({.link = link, .bytes = 60});
        all.push_back({.link = 3, .primary = kForwards, .bytes = 200, .update = kForwards});
        const std::size_t chosen = peer.policy().choose(all, 300);
        const auto served = std::span{all}.first(chosen);
        was_sent = std::ranges::any_of(served, [](const Candidate& c) { return c.primary == kForwards; });
        const auto own = std::ranges::count_if(served, [](const Candidate& c) { return c.primary == 0; });
        full_frames += own == 4 ? 1 : 0;
    }
    EXPECT_EQ(full_frames, 4);
    EXPECT_TRUE(was_sent);
}

TEST(FocusSet, TellsItsAttentionToThoseThatGetAnUpdate) {
    Peer peer{4};
    Line line;
    line.places = {{10, 0, 0}, {100, 0, 0}, {-10, 0, 0}, {-3000, 0, 0}};
    peer.policy().connect(line);
    (void)peer.frame(SIZE_MAX);
    std::map<LinkNumber, int> told;
    for (const auto& sent : peer.lone().out.sent) {
        EXPECT_EQ(sent.kind, MessageKind::attention);
        EXPECT_EQ(sent.how.delivery, Delivery::unreliable);
        told[sent.link] = sent.first_byte;
    }
    EXPECT_GT(told[0], told[1]) << "both are straight ahead; one is nearer";
    EXPECT_GT(told[1], told[2]) << "behind";
    EXPECT_FALSE(told.contains(3)) << "there is nothing to tell";
    const auto target = peer.policy().focus()->aim_target();
    ASSERT_TRUE(target.has_value());
    EXPECT_EQ(target->deviation, 0);
}

TEST(FocusSet, TellsAnUnchangedAttentionOnceASecond) {
    Peer peer{1};
    Line line;
    line.places = {{10, 0, 0}};
    peer.policy().connect(line);
    for (int f = 0; f < 100; ++f) (void)peer.frame(SIZE_MAX);
    EXPECT_EQ(peer.lone().out.sent.size(), 5U);
}

TEST(FocusSet, AnInteractionIsToldAtOnceToTheOneConcerned) {
    Peer peer{40};
    for (int f = 0; f < 50; ++f) (void)peer.frame(2 * 60);
    EXPECT_TRUE(peer.lone().out.sent.empty());
    peer.policy().handle_interaction(peer.now(), 17);
    const auto served = peer.frame(2 * 60);
    EXPECT_EQ(std::ranges::count(served, 17), 1) << "its update leaves before its turn, and carries it";
    ASSERT_EQ(peer.lone().out.sent.size(), 1U);
    EXPECT_EQ(peer.lone().out.sent[0].link, 17);
    EXPECT_NEAR(peer.lone().out.sent[0].first_byte, 1.5 * kAttentionSteps, 3);
    EXPECT_EQ(peer.policy().stats().attentions_told, 1U);
}

TEST(FocusSet, TheWeightsFollowThePlayersState) {
    Peer peer{2};
    Line line;
    line.places = {{300, 0, 0}, {-5, 0, 0}};  // far ahead; close behind
    peer.policy().connect(line);
    const auto attention = [&](LinkNumber link) {
        for (int f = 0; f < 5; ++f) (void)peer.frame(SIZE_MAX);
        LinkStats stats;
        peer.policy().add_stats(link, stats);
        return stats.attention;
    };
    peer.policy().set_attention({.proximity = 0, .aim = 3});
    EXPECT_GT(attention(0), attention(1)) << "sniper";
    peer.policy().set_attention({.proximity = 3, .aim = 0});
    EXPECT_GT(attention(1), attention(0)) << "melee";
    peer.policy().set_attention({.proximity = 0, .aim = 3, .look = Look{.yaw = 180}});
    for (int f = 0; f < 100; ++f) (void)peer.frame(SIZE_MAX);
    EXPECT_GT(attention(1), attention(0)) << "looks back, whatever the pose says";
}

TEST(FocusSet, ReadsAnyByteAndRejectsNone) {
    Peer peer{1};
    for (int steps = 0; steps < 256; ++steps) {
        peer.hear(0, static_cast<std::uint8_t>(steps));
        LinkStats stats;
        peer.policy().add_stats(0, stats);
        EXPECT_EQ(stats.attention_heard, static_cast<float>(steps / kAttentionSteps));
    }
    BitReader empty{{}};
    EXPECT_EQ(peer.policy().handle_message({}, MessageKind::attention, empty).verdict,
              Receipt::Verdict::malformed);
}

}  // namespace
}  // namespace fray
