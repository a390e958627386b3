// Commands on entities that change their owner are recorded, and a replay gives the same datagrams.

#include "sim/recording.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace fray::test {
namespace {

/// The first peer owns a flag; each owner hands it to another peer after a while, and answers requests.
class Relay : public Workload {
public:
    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        avatars_.push_back(*swarm.publish(index, state_of(Pose{})));
        if (index == 0) flag_ = *swarm.publish(index, state_of(Pose{}), Tenure::shared);
    }
    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer& peer) override {
        ++frames_;
        if (frames_ % 7 == 0) (void)swarm.interact(index, avatars_[index], *flag_, {});
        const auto others = peer.peers();
        if (frames_ % 40 != 0 || !peer.owns(*flag_) || others.empty()) return;
        if (swarm.hand_over(index, *flag_, others[0])) ++handed_over_;
    }
    void event(Swarm& swarm, PeerIndex index, Instant, const Peer&, const Event& event) override {
        if (const auto* asked = std::get_if<Asked>(&event))
            answered_ += swarm.answer(index, asked->request, {}) ? 1U : 0U;
    }
    [[nodiscard]] int handed_over() const { return handed_over_; }
    [[nodiscard]] unsigned answered() const { return answered_; }

private:
    std::vector<EntityId> avatars_;
    std::optional<EntityId> flag_;
    int frames_ = 0;
    int handed_over_ = 0;
    unsigned answered_ = 0;
};

TEST(RecordedOwnership, ReplaysToTheSameDatagrams) {
    auto swarm = Swarm::create({}, Seed{3});
    ASSERT_TRUE(swarm);
    sim::Recorder recorder{*swarm, "relay"};
    Relay relay;
    swarm->set_workload(&relay);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(swarm->add_peer(PeerOptions{}));
    ASSERT_TRUE(swarm->schedule({.at = 6s, .kind = ActionKind::crash, .peer = 1, .through = {}}));
    swarm->run_until(15s);
    EXPECT_GT(relay.handed_over(), 3);
    EXPECT_GT(relay.answered(), 20U);
    const auto read_back = sim::Recording::from_bytes(recorder.finish().to_bytes(), "test");
    ASSERT_TRUE(read_back) << read_back.error().message;
    const auto outcome = sim::replay(*read_back, {}, nullptr);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_TRUE(outcome->same);
}

}  // namespace
}  // namespace fray::test
