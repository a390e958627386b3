// What holds for every overlay, whatever it is clever about. A new one adds its line at the end.

#include <fray/random.hpp>

#include "overlay/full_mesh.hpp"
#include "overlay/psense.hpp"

#include <gtest/gtest.h>

#include <functional>
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
        overlay_->handle_link_up(Instant{}, link, contact(link + 1U), newcomer);
        overlay_->handle_sighting(Instant{}, link, {{static_cast<float>(link), 0, 0}, SessionInstant{1us}});
    }
    std::set<LinkNumber> receivers() {
        const std::vector<News> news{{.primary = 0, .position = {}, .bytes = 20}};
        std::vector<Candidate> out;
        OverlayActions actions;
        overlay_->round(Instant{}, Vec3{}, kPlenty, actions);
        overlay_->candidates(news, out);
        std::set<LinkNumber> links;
        for (const Candidate& c : out) links.insert(c.link);
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
    overlay_->handle_link_down(Instant{1s}, *before.begin(), contact(*before.begin() + 1U), Reason::left);
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
            EXPECT_LT(message.bytes.size(), message.reliable ? 32'000U : 1000U);
            BitReader in{message.bytes};  // another overlay of its kind understands it
            EXPECT_TRUE(
                GetParam().make(PeerId::from_number(9999), Seed{4})->handle_message(Instant{}, 0, in));
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
        refused += overlay_->handle_message(Instant{Duration{i * 1000}}, 0, in) ? 0 : 1;
    }
    EXPECT_GT(refused, 0);
    EXPECT_LT(overlay_->memory_bytes(), 2'000'000U);
    for (const LinkNumber link : receivers()) EXPECT_EQ(link, 0);
}

TEST_P(AnyOverlay, ResetForgetsEverybody) {
    for (LinkNumber link = 0; link < 8; ++link) link_up(link, true);
    overlay_->handle_link_down(Instant{1s}, 3, contact(4), Reason::timed_out);
    overlay_->reset();
    EXPECT_TRUE(receivers().empty());
    OverlayActions actions;
    overlay_->round(Instant{10s}, Vec3{}, kPlenty, actions);
    EXPECT_TRUE(actions.calls.empty());
    EXPECT_TRUE(actions.messages.empty());
}

TEST_P(AnyOverlay, TheSameSeedDoesTheSame) {
    const auto run = [&] {
        auto overlay = GetParam().make(PeerId::from_number(kSelf), Seed{8});
        std::string log;
        for (LinkNumber link = 0; link < 9; ++link)
            overlay->handle_link_up(Instant{}, link, contact(link + 1U), false);
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

INSTANTIATE_TEST_SUITE_P(Overlays, AnyOverlay,
                         testing::Values(OverlayCase{"full_mesh",
                                                     [](PeerId self, Seed seed) {
                                                         return std::make_unique<FullMeshOverlay>(FullMesh{},
                                                                                                  self, seed);
                                                     }},
                                         OverlayCase{"psense",
                                                     [](PeerId self, Seed seed) {
                                                         static const World world;
                                                         return std::make_unique<PSenseOverlay>(
                                                             PSense{}, world, self, seed);
                                                     }}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fray
