// A peer that floods another one with requests, as fast as the library lets it: what that costs a third peer.

#include <fray/swarm.hpp>

#include "sim/checkers/upload_cap_checker.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace fray {
namespace {

constexpr PeerIndex kVictim = 0;
constexpr PeerIndex kViewer = 1;
constexpr PeerIndex kLiar = 2;
constexpr Duration kSettled{5s};
constexpr Duration kEnd{20s};

/// The victim moves in every frame and answers every request; the liar asks without bound.
class Flood final : public Workload {
public:
    explicit Flood(bool lies) : lies_{lies} {}
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;
    std::uint64_t updates = 0;  ///< of the victim, that the viewer saw

private:
    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        own_[index] = swarm.publish(index, state_of(Pose{})).value();
    }
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override {
        if (index == kViewer && swarm.now() >= kSettled) see(peer.replica(now, *own_[kVictim]));
        const float x = static_cast<float>(++steps_ % 1000);
        (void)swarm.update(index, *own_[index], state_of(Pose{.position = {x, 0, 0}}));
        if (!lies_ || index != kLiar || swarm.now() < kSettled) return;
        const std::vector<std::uint8_t> bytes(200, 1);
        while (swarm.interact(kLiar, *own_[kLiar], *own_[kVictim], bytes)) ++asked;
    }
    void event(Swarm& swarm, PeerIndex index, Instant, const Peer&, const Event& event) override {
        const auto* asked_now = std::get_if<Asked>(&event);
        if (asked_now == nullptr) return;
        const std::vector<std::uint8_t> reply(200, 2);
        if (swarm.answer(index, asked_now->request, reply)) ++answered;
    }

    void see(const std::optional<Replica>& replica) {
        if (replica && std::exchange(newest_, replica->stamp) != replica->stamp) ++updates;
    }

    bool lies_;
    SessionInstant newest_{};
    std::vector<std::optional<EntityId>> own_ = std::vector<std::optional<EntityId>>(3);
    std::uint64_t steps_ = 0;
};

struct Outcome {
    std::uint64_t updates = 0;  ///< that the viewer got
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;
};

Outcome run(bool lies) {
    auto made = Swarm::create({.network = *network_profile("lan")}, Seed{5});
    Swarm& swarm = *made;
    Flood flood{lies};
    sim::UploadCapChecker cap{swarm};
    swarm.add_observer(&cap);
    swarm.set_workload(&flood);
    PeerOptions options;
    options.link.upload_kbps = 54;  // a third more than two links at 20 Hz take
    EXPECT_TRUE(swarm.add_peer(options));
    EXPECT_TRUE(swarm.add_peer(options));
    options.link.upload_kbps = 0;
    EXPECT_TRUE(swarm.add_peer(options));
    swarm.run_until(kSettled);
    swarm.run_until(kEnd);
    cap.conclude();
    EXPECT_EQ(cap.violation_count(), 0U);
    return {flood.updates, flood.asked, flood.answered};
}

TEST(RequestFlood, LeavesOtherPeersTwoFifthsOfTheirUpdatesAndKeepsTheUploadLimit) {
    const Outcome calm = run(false);
    const Outcome flooded = run(true);
    EXPECT_GT(calm.updates, 250U);
    EXPECT_GT(flooded.asked, 400U) << "the flood takes place";
    EXPECT_GT(flooded.answered, 400U);
    EXPECT_GT(flooded.updates, calm.updates * 2 / 5);
}

}  // namespace
}  // namespace fray
