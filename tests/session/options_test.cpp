#include <fray/peer.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

namespace fray {
namespace {

/// The refusal, or nothing if the options were accepted.
std::string refusal(const std::function<void(PeerOptions&)>& change) {
    PeerOptions options;
    change(options);
    const auto peer = Peer::create(options, Seed{1});
    return peer ? "" : peer.error().message;
}

FullMesh& mesh(PeerOptions& o) { return std::get<FullMesh>(o.overlay); }

TEST(Options, TheDefaultsAreTaken) {
    EXPECT_EQ(refusal([](PeerOptions&) {}), "");
    EXPECT_EQ(refusal([](PeerOptions& o) { o.link.upload_kbps = 1; }), "");
}

void expect_refusal(const char* word, const std::function<void(PeerOptions&)>& change) {
    EXPECT_NE(refusal(change).find(word), std::string::npos) << word << ": '" << refusal(change) << "'";
}

TEST(Options, EachBadValueOfGuidanceIsRefusedByName) {
    expect_refusal("guidance.diameter", [](PeerOptions& o) { o.guidance.diameter = 0; });
    expect_refusal("guidance.diameter", [](PeerOptions& o) { o.guidance.diameter = NAN; });
    expect_refusal("guidance.top_speed", [](PeerOptions& o) { o.guidance.top_speed = -1; });
    expect_refusal("guidance.turn_limit", [](PeerOptions& o) { o.guidance.turn_limit = 0; });
    expect_refusal("guidance.longest_prediction",
                   [](PeerOptions& o) { o.guidance.longest_prediction = 49ms; });
    expect_refusal("guidance.longest_prediction",
                   [](PeerOptions& o) { o.guidance.longest_prediction = 1001ms; });
}

TEST(Options, EachBadValueIsRefusedByName) {
    const auto says = [](const char* word, const std::function<void(PeerOptions&)>& change) {
        EXPECT_NE(refusal(change).find(word), std::string::npos) << word << ": '" << refusal(change) << "'";
    };
    says("upload_kbps", [](PeerOptions& o) { o.link.upload_kbps = 4'000'000'000U; });
    says("exclude", [](PeerOptions& o) {
        o.link.upload_kbps = 100;
        o.link.upload_bytes_per_round = 2000;
    });
    for (const std::uint32_t bytes : {1U, 128U, 133U, 255U})
        says("upload_bytes_per_round", [&](PeerOptions& o) { o.link.upload_bytes_per_round = bytes; });
    says("timeout", [](PeerOptions& o) { o.link.timeout = 0s; });
    says("timeout", [](PeerOptions& o) { o.link.timeout = -1s; });
    says("timeout", [](PeerOptions& o) { o.link.timeout = 601s; });
    says("keep_alive", [](PeerOptions& o) { o.link.keep_alive = 0s; });
    says("keep_alive", [](PeerOptions& o) { o.link.keep_alive = 4s; });
    says("keep_alive", [](PeerOptions& o) { o.link.keep_alive = Duration::max(); });
    says("most_links", [](PeerOptions& o) { o.link.most_links = 0; });
    says("most_peers", [](PeerOptions& o) { mesh(o).most_peers = 0; });
    says("retry", [](PeerOptions& o) { mesh(o).retry = 0s; });
    says("retry", [](PeerOptions& o) { mesh(o).retry_most = 10ms; });
    says("forget", [](PeerOptions& o) { mesh(o).forget = 1s; });
    const auto sees = [](float range) {
        return [range](PeerOptions& o) {
            o.world.low = {0, 0, 0};
            o.world.high = {300, 400, 0};
            o.overlay = PSense{.vision_range = range};
        };
    };
    EXPECT_EQ(refusal(sees(500)), "");
    EXPECT_EQ(refusal(sees(500.5F)),
              "overlay.vision_range must be above 0 and at most the diagonal of the world, 500, not 500.5");
    says("vision_range", sees(0));
    says("interval", [](PeerOptions& o) { o.clock.interval = 1ms; });
    says("interval", [](PeerOptions& o) { o.clock.interval = 61s; });
    says("world", [](PeerOptions& o) { o.world.tick = 0s; });
    says("world", [](PeerOptions& o) { o.world.types.clear(); });
    says("world", [](PeerOptions& o) { o.world.low.x = 5000; });
    says("world", [](PeerOptions& o) { o.world.position_precision = 0; });
}

TEST(Options, IdsAndIncarnationsAreDrawnOrTaken) {
    const auto a = Peer::create({}, Seed{1});
    const auto b = Peer::create({}, Seed{2});
    ASSERT_TRUE(a && b);
    EXPECT_NE(a->id(), PeerId{});
    EXPECT_NE(a->id(), b->id());
    EXPECT_NE(a->incarnation(), Incarnation{});
    PeerOptions given;
    given.id = PeerId::from_number(9);
    given.incarnation = Incarnation{5};
    const auto c = Peer::create(given, Seed{1});
    ASSERT_TRUE(c);
    EXPECT_EQ(c->id(), given.id);
    EXPECT_EQ(c->incarnation(), given.incarnation);
}

}  // namespace
}  // namespace fray
