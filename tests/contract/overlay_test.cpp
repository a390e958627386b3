// What holds for every overlay. A new one adds its line at the end.

#include <fray/random.hpp>

#include "overlay/crowd.hpp"
#include "overlay/full_mesh.hpp"
#include "overlay/psense.hpp"
#include "support/allocations.hpp"
#include "support/overlay_calls.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace fray {
namespace {

constexpr std::size_t kPlenty = 100'000;  // bytes in a frame

struct OverlayCase {
    std::string name;
    std::function<std::unique_ptr<Overlay>(PeerId self, Seed seed)> make;
};

class AnyOverlay : public testing::TestWithParam<OverlayCase> {
protected:
    static constexpr std::size_t kSelf = 500;
    std::unique_ptr<Overlay> overlay_ = GetParam().make(PeerId::from_number(kSelf), Seed{3});

    static Contact contact(std::uint64_t n) {
        return Contact{PeerId::from_number(n), Incarnation{1}, Address::from_number(n)};
    }
    void link_up(LinkNumber link, bool newcomer = false) {
        overlay_->handle_link_up(Instant{}, {link, contact(link + 1U), newcomer});
        overlay_->handle_sighting(Instant{}, link, {{static_cast<float>(link), 0, 0}, SessionInstant{1us}});
    }
    void sight(LinkNumber link, const Vec3& position, Duration stamp) {
        overlay_->handle_sighting(Instant{}, link, {position, SessionInstant{stamp}});
    }
    /// Links that may get news of an entity in the middle of the world.
    std::map<LinkNumber, float> distances() {
        const std::vector<News> news{{.primary = 0, .position = {}, .bytes = 20}};
        std::vector<Candidate> out;
        OverlayActions actions;
        overlay_->round(Instant{}, Vec3{}, kPlenty, actions);
        overlay_->candidates(news, out);
        std::map<LinkNumber, float> far;
        for (const Candidate& c : out) far[c.link] = c.distance;
        return far;
    }
    std::set<LinkNumber> receivers() {
        std::set<LinkNumber> links;
        for (const auto& [link, distance] : distances()) links.insert(link);
        return links;
    }
};

TEST_P(AnyOverlay, NobodyLinkedMeansNobodyGetsNews) {
    EXPECT_TRUE(receivers().empty());
    EXPECT_GT(overlay_->room(), 0U);
    OverlayActions actions;
    overlay_->round(Instant{}, std::nullopt, kPlenty, actions);
    EXPECT_TRUE(actions.calls.empty());
    EXPECT_TRUE(actions.messages.empty());
}

TEST_P(AnyOverlay, NewsGoOnlyToLinkedPeers) {
    for (LinkNumber link = 0; link < 8; ++link) link_up(link);
    const auto before = receivers();
    ASSERT_FALSE(before.empty());
    for (const LinkNumber link : before) EXPECT_LT(link, 8);
    overlay_->handle_link_down(Instant{1s}, {*before.begin(), contact(*before.begin() + 1U), Reason::left});
    EXPECT_FALSE(receivers().contains(*before.begin()));
}

TEST_P(AnyOverlay, MessagesGoOnlyToLinkedPeersAndFitTheWire) {
    for (LinkNumber link = 0; link < 40; ++link) link_up(link, link % 7 == 0);
    std::size_t messages = 0;
    for (int frame = 0; frame < 200; ++frame) {
        OverlayActions actions;
        overlay_->round(Instant{frame * 50ms}, Vec3{}, kPlenty, actions);
        for (const auto& message : actions.messages) {
            EXPECT_LT(message.link, 40);
            EXPECT_LT(message.bytes.size(), 1000U);
            BitReader in{message.bytes};  // another overlay of its kind can read it
            EXPECT_TRUE(test::hear(*GetParam().make(PeerId::from_number(9999), Seed{4}), Instant{}, 0, in));
            ++messages;
        }
    }
    EXPECT_GT(messages, 0U);
}

TEST_P(AnyOverlay, AnyBytesAreUnderstoodOrRefusedAndMemoryStaysBounded) {
    link_up(0);
    RandomStream random{Seed{5}, "hostile"};
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::vector<std::uint8_t> bytes(random.below(1000));
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
        BitReader in{bytes};
        refused += test::hear(*overlay_, Instant{Duration{i * 1000}}, 0, in) ? 0 : 1;
    }
    EXPECT_GT(refused, 0);
    EXPECT_LT(overlay_->memory_bytes(), 2'000'000U);
    for (const LinkNumber link : receivers()) EXPECT_EQ(link, 0);
}

TEST_P(AnyOverlay, ResetForgetsEverybody) {
    for (LinkNumber link = 0; link < 8; ++link) link_up(link, true);
    overlay_->handle_link_down(Instant{1s}, {3, contact(4), Reason::timed_out});
    overlay_->reset();
    EXPECT_TRUE(receivers().empty());
    OverlayActions actions;
    overlay_->round(Instant{10s}, Vec3{}, kPlenty, actions);
    EXPECT_TRUE(actions.calls.empty());
    EXPECT_TRUE(actions.messages.empty());
}

/// Two overlays that are linked with each other, and hear each other's messages.
TEST_P(AnyOverlay, IsCompleteOnceAnotherPeerHasAnsweredAndNotBefore) {
    constexpr std::uint64_t kOther = 7;
    auto other = GetParam().make(PeerId::from_number(kOther), Seed{6});
    overlay_->handle_link_up(Instant{}, {0, contact(kOther), false});
    other->handle_link_up(Instant{}, {0, contact(kSelf), true});
    EXPECT_FALSE(overlay_->is_complete());
    int completed_in = -1;
    for (int frame = 0; frame < 200; ++frame) {
        const Instant now{frame * 50ms};
        for (Overlay* from : {overlay_.get(), other.get()}) {
            Overlay& to = from == other.get() ? *overlay_ : *other;
            OverlayActions actions;
            from->handle_sighting(now, 0, {{1, 0, 0}, SessionInstant{frame * 50ms}});
            from->handle_alive(now, 0);
            from->round(now, Vec3{}, kPlenty, actions);
            for (const auto& message : actions.messages) {
                BitReader in{message.bytes};
                EXPECT_TRUE(test::hear(to, now, message.link, in));
            }
            EXPECT_FALSE(frame == 0 && from->is_complete()) << "nobody has answered yet";
        }
        if (completed_in < 0 && overlay_->is_complete()) completed_in = frame;
    }
    EXPECT_GT(completed_in, 0);
    EXPECT_LT(completed_in, 60) << "frames; 3 s";
    EXPECT_TRUE(overlay_->is_complete());
    overlay_->reset();
    EXPECT_FALSE(overlay_->is_complete());
}

TEST_P(AnyOverlay, TheSameSeedDoesTheSame) {
    const auto run = [&] {
        auto overlay = GetParam().make(PeerId::from_number(kSelf), Seed{8});
        std::string log;
        for (LinkNumber link = 0; link < 9; ++link)
            overlay->handle_link_up(Instant{}, {link, contact(link + 1U), false});
        for (int frame = 0; frame < 400; ++frame) {
            OverlayActions actions;
            overlay->round(Instant{frame * 50ms}, Vec3{}, kPlenty, actions);
            for (const auto& m : actions.messages) log += std::to_string(m.link) + " ";
        }
        return log;
    };
    const std::string first = run();
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(first, run());
}

TEST_P(AnyOverlay, ACandidateSaysHowFarItsReceiverIs) {
    for (LinkNumber link = 1; link <= 8; ++link) link_up(link);
    sight(1, {10, 0, 0}, 2s);
    sight(2, {0, 100, 0}, 2s);
    const auto far = distances();
    ASSERT_TRUE(far.contains(1));
    ASSERT_TRUE(far.contains(2));
    EXPECT_GT(far.at(1), 0);
    EXPECT_NEAR(far.at(2) / far.at(1), 10, 0.01);
}

TEST_P(AnyOverlay, ALinkNumberThatIsUsedAgainKnowsNothingOfTheFormerPeer) {
    for (LinkNumber link = 0; link < 8; ++link) link_up(link);
    sight(0, {100, 0, 0}, 2s);
    ASSERT_GT(distances().at(0), 0);
    overlay_->handle_link_down(Instant{1s}, {0, contact(1), Reason::left});
    overlay_->forget_link(0);
    overlay_->handle_link_up(Instant{1s}, {0, contact(77), false});
    const auto far = distances();
    if (far.contains(0)) {
        EXPECT_EQ(far.at(0), kDistanceUnknown);
    }
}

TEST_P(AnyOverlay, AfterAClockSetPeersStayAndOlderStampsCount) {
    for (LinkNumber link = 0; link < 8; ++link) link_up(link);
    sight(3, {10, 0, 0}, 1000s);
    const float before = distances().at(3);
    const auto links = receivers();
    overlay_->handle_clock_set(Instant{1s});
    EXPECT_EQ(receivers(), links);
    sight(3, {100, 0, 0}, 10s);
    EXPECT_NEAR(distances().at(3) / before, 10, 0.01);
}

TEST_P(AnyOverlay, MemoryIsToldAndDoesNotGrowWithEveryPeerThatCameAndWent) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "the thread sanitizer's allocator is not counted";
    constexpr LinkNumber kLinks = 100;
    overlay_.reset();
    const std::int64_t held = test::bytes_held();
    overlay_ = GetParam().make(PeerId::from_number(kSelf), Seed{3});
    const std::size_t empty = overlay_->memory_bytes();
    std::size_t first = 0;
    for (int time = 0; time < 20; ++time) {
        for (LinkNumber link = 0; link < kLinks; ++link) link_up(link);
        EXPECT_FALSE(receivers().empty());
        const auto told = static_cast<double>(overlay_->memory_bytes());
        EXPECT_NEAR(told, static_cast<double>(test::bytes_held() - held), 0.1 * told);
        if (time == 0) first = overlay_->memory_bytes();
        for (LinkNumber link = 0; link < kLinks; ++link) {
            overlay_->handle_link_down(Instant{1s}, {link, contact(link + 1U), Reason::left});
            overlay_->forget_link(link);
        }
    }
    EXPECT_GT(first, empty + kLinks * sizeof(Contact));
    EXPECT_LE(overlay_->memory_bytes(), 2 * first);
    overlay_->reset();
    EXPECT_LE(overlay_->memory_bytes(), 2 * first);
}

template <class Made, class Options>
OverlayCase overlay_case(const std::string& name, const Options& options) {
    return {name, [options](PeerId self, Seed seed) {
                static const World world;
                return std::make_unique<Made>(options, world, self, seed);
            }};
}

INSTANTIATE_TEST_SUITE_P(Overlays, AnyOverlay,
                         testing::Values(overlay_case<FullMeshOverlay>("full_mesh", FullMesh{}),
                                         overlay_case<CrowdOverlay>("crowd", Crowd{}),
                                         overlay_case<PSenseOverlay>("psense", PSense{}),
                                         overlay_case<PSenseOverlay>("psense_paper",
                                                                     PSense::paper(200, 5120))),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fray
