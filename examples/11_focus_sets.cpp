// Two hundred players who all see each other, each with an upload of 108 kbit/s. To send every update to all
// of them would take 2 Mbit/s. Focus sets on and off are one option: compares what each screen gets.

#include <fray/swarm.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

using namespace std::chrono_literals;

namespace {

constexpr fray::PeerIndex kPlayers = 200;
constexpr fray::PeerIndex kScreens = 20;  // that are measured
constexpr fray::Duration kSettled{24s};
constexpr int kSeconds = 3;  // that are measured

fray::PeerOptions player(bool has_focus_sets) {
    fray::PeerOptions options;
    options.world.low = {0, 0, 0};
    options.world.high = {256, 256, 0};
    options.overlay = fray::Crowd{};  // whoever is out of focus may be known through relays
    options.link.upload_kbps = 108;
    // Those that look at us get every frame, all others what is left.
    if (has_focus_sets) options.interest = fray::FocusSet{};
    return options;
}

/// Everybody strafes and looks in a direction of its own. Screens count the updates of every other player.
class Square final : public fray::Workload {
public:
    void started(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant, const fray::Peer&) override {
        entities_[who] = swarm.publish(who, fray::state_of(pose(who, swarm.now()))).value();
    }
    void frame(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant now, const fray::Peer& peer) override {
        (void)swarm.update(who, entities_[who], fray::state_of(pose(who, swarm.now())));
        if (who >= kScreens) return;
        for (const fray::Replica& other : peer.replicas(now)) {
            Seen& seen = seen_[who][other.owner.number() - 1];
            seen.updates += other.stamp != seen.stamp ? 1 : 0;
            seen.stamp = other.stamp;
        }
    }
    void forget_updates() {
        for (auto& screen : seen_) {
            for (Seen& seen : screen) seen.updates = 0;
        }
    }
    /// Of the others on a measured screen, how many had at least so many updates. On average.
    [[nodiscard]] double others_with(int updates) const {
        int count = 0;
        for (const auto& screen : seen_) {
            for (const Seen& seen : screen) count += seen.updates >= updates ? 1 : 0;
        }
        return static_cast<double>(count) / kScreens;
    }

private:
    struct Seen {
        fray::SessionInstant stamp{};
        int updates = 0;
    };
    static fray::Pose pose(fray::PeerIndex who, fray::Duration t) {
        const auto phase = static_cast<float>(fray::seconds(t));
        const fray::Vec3 place{16 + static_cast<float>(who % 15) * 16, 16 + static_cast<float>(who / 15) * 16,
                               0};
        return {.position = place + fray::Vec3{std::cos(phase), std::sin(phase), 0} * 2.0F,
                .velocity = fray::Vec3{-std::sin(phase), std::cos(phase), 0} * 2.0F,
                .yaw = static_cast<float>(who * 137 % 360)};
    }
    std::array<fray::EntityId, kPlayers> entities_;
    std::array<std::array<Seen, kPlayers>, kScreens> seen_{};
};

/// Returns how many others a player gets at 20 Hz.
double play(bool has_focus_sets) {
    fray::SwarmOptions world;
    world.network.latency = fray::ConstantLatency{10ms};
    auto swarm = fray::Swarm::create(world, fray::Seed{1});
    if (!swarm) return -1;
    Square square;
    swarm->set_workload(&square);
    const auto options = std::make_shared<const fray::PeerOptions>(player(has_focus_sets));
    for (fray::PeerIndex i = 0; i < kPlayers; ++i) {
        fray::PeerPlan plan;
        plan.start = i * 30ms;
        if (!swarm->add_peer(options, plan)) return -1;
    }
    swarm->run_until(kSettled);
    double at_full_rate = 0;
    double heard = 0;
    for (int i = 0; i < kSeconds; ++i) {
        square.forget_updates();
        swarm->run_for(1s);
        at_full_rate += square.others_with(18) / kSeconds;
        heard += square.others_with(1) / kSeconds;
    }
    std::printf("focus sets %-3s  in a second: %4.1f others at 20 Hz, %5.1f at 1 Hz or more\n",
                has_focus_sets ? "on" : "off", at_full_rate, heard);
    swarm->finish();
    swarm->set_workload(nullptr);
    return at_full_rate;
}

}  // namespace

int main() {
    const double without = play(false);
    const double with = play(true);
    return without < with ? 0 : 1;
}
