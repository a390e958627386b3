// Focus sets over every overlay: a full mesh, pSense with everybody in sight, and a crowd. What screens show
// counts, whichever way an update took.

#include "lab/workloads/players.hpp"
#include "sim/checkers/upload_cap_checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace fray::lab {
namespace {

constexpr PeerIndex kPlayers = 24;
constexpr Duration kSettled{12s};
constexpr Duration kEnd{32s};
constexpr std::uint32_t kFullRate = 17;  // in a second: almost 20, as seen by screens that look as often

struct OverlayCase {
    std::string name;
    OverlayOptions overlay;
    std::uint32_t upload_kbps = 96;    // for eight updates in a frame, and there are 23 others
    double at_full_rate = 4;           // others
    std::uint64_t attentions = 5'000;  // told along with updates, at least
};

World arena() {
    World world;
    world.low = {0, 0, 0};
    world.high = {128, 128, 0};
    return world;
}

/// How old each player's state is on each other one's screen, and how often it is renewed.
class Screens {
public:
    void look(const Swarm& swarm) {
        for (PeerIndex viewer = 0; viewer < kPlayers; ++viewer) {
            std::vector<bool> is_shown(kPlayers);
            const Instant now = swarm.local_now(viewer);
            for (const Replica& replica : swarm.peer(viewer).replicas(now)) {
                const auto owner = static_cast<PeerIndex>(replica.owner.number() - 1);
                Pair& pair = pairs_[viewer * kPlayers + owner];
                is_shown[owner] = true;
                pair.renewals += pair.stamp != replica.stamp ? 1 : 0;
                pair.stamp = replica.stamp;
                oldest_ = std::max(oldest_, replica.age);
            }
            absent_ += kPlayers - 1 - static_cast<std::size_t>(std::ranges::count(is_shown, true));
        }
    }
    void end_second() {
        ++seconds_;
        for (Pair& pair : pairs_) {
            const std::uint32_t fresh = pair.renewals - std::exchange(pair.counted, pair.renewals);
            at_full_rate_ += fresh >= kFullRate ? 1 : 0;
        }
    }
    /// Others that a screen sees renewed in nearly every frame of a second, on average.
    [[nodiscard]] double at_full_rate() const {
        return static_cast<double>(at_full_rate_) / (kPlayers * static_cast<double>(seconds_));
    }
    /// Renewals of the pair with the fewest.
    [[nodiscard]] double least_rate(Duration span) const {
        std::uint32_t least = UINT32_MAX;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            if (i / kPlayers != i % kPlayers) least = std::min(least, pairs_[i].renewals);
        }
        return least / seconds(span);
    }
    [[nodiscard]] Duration oldest() const { return oldest_; }
    [[nodiscard]] std::size_t absent() const { return absent_; }

private:
    struct Pair {
        SessionInstant stamp{};
        std::uint32_t renewals = 0;
        std::uint32_t counted = 0;  // of them, in earlier seconds
    };
    std::vector<Pair> pairs_ = std::vector<Pair>(kPlayers * kPlayers);
    std::uint64_t at_full_rate_ = 0;
    std::uint64_t seconds_ = 0;
    Duration oldest_{};
    std::size_t absent_ = 0;
};

class FocusSetOver : public testing::TestWithParam<OverlayCase> {};

TEST_P(FocusSetOver, EverybodyIsShownAtABoundedAgeAndSomeInEveryFrameWithinTheCap) {
    SwarmOptions options;
    options.network = *network_profile("same-continent");
    auto swarm = Swarm::create(options, Seed{6});
    ASSERT_TRUE(swarm);
    Players players{arena(), {.walk = {.speed_least = 4, .speed_most = 8, .turn_chance = 0.02}}, Seed{6}};
    sim::UploadCapChecker cap{*swarm};
    swarm->add_observer(&cap);
    swarm->set_workload(&players);
    PeerOptions peer;
    peer.world = arena();
    peer.overlay = GetParam().overlay;
    peer.interest = FocusSet{};
    peer.link.upload_kbps = GetParam().upload_kbps;
    for (PeerIndex i = 0; i < kPlayers; ++i) ASSERT_TRUE(swarm->add_peer(peer));
    swarm->run_until(kSettled);
    Screens screens;
    while (swarm->now() < kEnd) {
        swarm->run_for(peer.world.tick);
        screens.look(*swarm);
        if (swarm->now() % Duration{1s} == Duration{}) screens.end_second();
    }
    cap.conclude();
    std::uint64_t attentions = 0;
    std::uint64_t in_focus = 0;
    for (PeerIndex i = 0; i < kPlayers; ++i) {
        attentions += swarm->peer(i).stats().focus.attentions_heard;
        in_focus += swarm->peer(i).stats().focus.in_focus;
    }
    EXPECT_GT(attentions, GetParam().attentions);
    EXPECT_GE(in_focus, std::uint64_t{3} * kPlayers);
    EXPECT_EQ(screens.absent(), 0U);
    EXPECT_LT(screens.oldest(), 2500ms);
    EXPECT_GE(screens.least_rate(kEnd - kSettled), 0.9) << "Hz";
    EXPECT_GE(screens.at_full_rate(), GetParam().at_full_rate) << "others";
    ASSERT_GT(cap.judged(), 10'000U);
    EXPECT_EQ(cap.violation_count(), 0U);
    swarm->finish();
}

INSTANTIATE_TEST_SUITE_P(Overlays, FocusSetOver,
                         testing::Values(OverlayCase{"full_mesh", FullMesh{}},
                                         // Forwards for sensor nodes take their share.
                                         OverlayCase{"psense", PSense{.vision_range = 180}, 200},
                                         // Linked are those that pay much attention, and others by relays. It
                                         // is for hundreds: of 24, those get every update that ask for it,
                                         // few here (docs/concepts/crowd.md).
                                         OverlayCase{"crowd", Crowd{}, 96, 0.05, 4'500}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fray::lab
