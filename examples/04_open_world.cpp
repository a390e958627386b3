// An open world without a server: three players on a plain far larger than their vision range.
//
// With the overlay pSense a peer is linked with the peers in sight, and with one sensor node in each
// direction, which reports peers that come near. No peer knows the whole world. Cem joins through Ada, far
// from where he starts; Ben walks from the east past Ada. Each is told only of the players near it.

#include <fray/swarm.hpp>

#include <array>
#include <cmath>
#include <cstdio>

using namespace std::chrono_literals;

namespace {

constexpr float kVision = 200;
constexpr std::array kNames{"Ada", "Ben", "Cem"};
constexpr std::array<fray::Vec3, 3> kStarts{{{1000, 1000, 0}, {2400, 1000, 0}, {3000, 3000, 0}}};
constexpr std::array<fray::Vec3, 3> kVelocities{{{0, 0, 0}, {-50, 0, 0}, {0, 0, 0}}};

/// The three games: each player walks straight on and reports when it sees another.
class Wanderers final : public fray::Workload {
public:
    void started(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant, const fray::Peer&) override {
        poses_[who] = {.position = kStarts[who], .velocity = kVelocities[who]};
        entities_[who] = swarm.publish(who, fray::state_of(poses_[who])).value();
    }

    void frame(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant now, const fray::Peer& peer) override {
        fray::Pose& pose = poses_[who];
        pose.position = pose.position + pose.velocity * static_cast<float>(fray::seconds(peer.world().tick));
        (void)swarm.update(who, entities_[who], fray::state_of(pose));

        // Sensor nodes have replicas, too, but are out of sight: show only entities within the vision range.
        bool anybody = false;
        for (const fray::Replica& other : peer.replicas(now)) {
            anybody = anybody || fray::distance(pose.position, other.pose.position) <= kVision;
        }
        if (anybody != sees_[who]) {
            std::printf("%5.2f s  %s %s\n", fray::seconds(swarm.now()), kNames[who],
                        anybody ? "sees another player" : "is alone again");
            ++(anybody ? met_ : parted_);
        }
        sees_[who] = anybody;
    }

    [[nodiscard]] bool all_went_well() const { return met_ == 2 && parted_ == 2; }

private:
    std::array<fray::Pose, 3> poses_;
    std::array<fray::EntityId, 3> entities_;
    std::array<bool, 3> sees_{};
    int met_ = 0;
    int parted_ = 0;
};

}  // namespace

int main() {
    fray::PeerOptions options;
    options.world.name = "plain";
    options.world.low = {0, 0, 0};
    options.world.high = {4000, 4000, 100};
    options.world.velocity_limit = 64;
    options.overlay = fray::PSense{.vision_range = kVision};
    options.interest = fray::Nearest{};  // if the upload is short, the nearest peers come first
    options.link.upload_kbps = 64;

    fray::SwarmOptions world;
    world.network.latency = fray::ConstantLatency{40ms};
    auto swarm = fray::Swarm::create(world, fray::Seed{1});
    if (!swarm) return 1;
    Wanderers wanderers;
    swarm->set_workload(&wanderers);
    for (fray::PeerIndex i = 0; i < kNames.size(); ++i) {
        fray::PeerPlan plan;
        plan.start = i * 1s;
        const auto added = swarm->add_peer(options, plan);
        if (!added) {
            std::printf("%s cannot take part: %s\n", kNames[i], added.error().message.c_str());
            return 1;
        }
    }
    swarm->run_until(40s);
    for (fray::PeerIndex i = 0; i < kNames.size(); ++i) {
        const fray::Stats stats = swarm->peer(i).stats();
        std::printf("%s sent %.1f kbit/s\n", kNames[i],
                    static_cast<double>(stats.ledger.total_bytes()) * 8 / 1000 / (40.0 - i));
    }
    const bool well = wanderers.all_went_well();
    swarm->finish();
    swarm->set_workload(nullptr);
    return well ? 0 : 1;
}
