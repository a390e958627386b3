// pSense in the simulator's round mode, the whole stack: what a peer costs per round with about 8 others in
// view.
//
//   open_world PEERS ROUNDS     prints peer-rounds, CPU time, memory and allocations
//
// Instructions per peer-round come from running it under valgrind for two lengths and dividing the
// differences (bench/measure does): joining is in both and cancels out.

#include <fray/swarm.hpp>

#include "bench/allocations.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

using namespace fray;

constexpr Duration kRound{333'333us};
constexpr float kVision = 200;
constexpr double kInView = 8;

/// Players that walk straight on a torus, 5 units a round, and turn now and then.
class Walkers final : public Workload {
public:
    explicit Walkers(float side) : side_{side} {}

    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        while (players_.size() <= index) {
            players_.push_back({RandomStream{Seed{1}, "walker", players_.size()}, {}, {}});
        }
        Walker& walker = players_[index];
        walker.state.pose.position = {static_cast<float>(walker.random.uniform(0, side_)),
                                      static_cast<float>(walker.random.uniform(0, side_)), 0};
        turn(walker);
        walker.entity = *swarm.publish(index, walker.state);
    }
    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        Walker& walker = players_[index];
        Pose& pose = walker.state.pose;
        if (walker.random.chance(0.1)) turn(walker);
        pose.position += pose.velocity * static_cast<float>(seconds(kRound));
        for (float* axis : {&pose.position.x, &pose.position.y}) {
            if (*axis < 0) *axis += side_;
            if (*axis >= side_) *axis -= side_;
        }
        (void)swarm.update(index, walker.entity, walker.state);
    }

private:
    struct Walker {
        RandomStream random;
        State state;
        EntityId entity;
    };
    static void turn(Walker& walker) {
        const double angle = walker.random.uniform(0, 6.283185307179586);
        const float speed = 5 / static_cast<float>(seconds(kRound));
        walker.state.pose.velocity = {speed * static_cast<float>(std::cos(angle)),
                                      speed * static_cast<float>(std::sin(angle)), 0};
    }
    float side_;
    std::vector<Walker> players_;
};

PeerOptions options_for(float side) {
    PeerOptions options;
    options.world.low = {0, 0, 0};
    options.world.high = {side, side, 0};
    options.world.wrap_x = true;
    options.world.wrap_y = true;
    options.world.angle_bits = 0;
    options.world.velocity_limit = 64;
    options.world.tick = kRound;
    options.overlay = PSense{.vision_range = kVision};
    options.interest = Nearest{};
    options.link.early_data = true;
    options.link.upload_bytes_per_round = 5120;
    options.link.timeout = 8 * kRound;
    options.link.keep_alive = 4 * kRound;
    return options;
}

void report(const Swarm& swarm, double cpu) {
    std::size_t memory = 0;
    double near = 0;
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        memory += swarm.peer(i).memory_bytes();
        near += swarm.peer(i).stats().psense.near;
    }
    const std::uint64_t peer_rounds = swarm.counts().frames;
    std::printf("peers %u\npeer_rounds %llu\n", swarm.size(), static_cast<unsigned long long>(peer_rounds));
    std::printf("near_nodes %.1f\n", near / swarm.size());
    std::printf("peer_rounds_per_cpu_second %.0f\n", static_cast<double>(peer_rounds) / cpu);
    std::printf("bytes_per_peer %zu\n", memory / swarm.size());
    std::printf("simulator_bytes_per_peer %zu\n", swarm.memory_bytes() / swarm.size());
}

int run(std::uint32_t peers, int rounds) {
    SwarmOptions round_mode;
    round_mode.round = kRound;
    auto swarm = Swarm::create(round_mode, Seed{7});
    if (!swarm) return std::fprintf(stderr, "open_world: %s\n", swarm.error().message.c_str()), 1;
    const double area = peers * 3.141592653589793 * kVision * kVision / kInView;
    const float side = std::round(static_cast<float>(std::sqrt(area)));
    Walkers walkers{side};
    swarm->set_workload(&walkers);
    const PeerOptions options = options_for(side);
    RandomStream choice{Seed{1}, "through"};
    for (std::uint32_t i = 0; i < peers; ++i) {
        PeerPlan plan;
        plan.start = (i * 20 / peers) * kRound;
        if (i > 0) plan.through = choice.below(i);
        if (const auto added = swarm->add_peer(options, plan); !added) {
            return std::fprintf(stderr, "open_world: %s\n", added.error().message.c_str()), 1;
        }
    }
    const std::clock_t start = std::clock();
    swarm->run_until(rounds / 2 * kRound);
    const std::uint64_t warm_datagrams = swarm->counts().delivered;
    const std::uint64_t warm_allocations = g_allocations;
    swarm->run_until(rounds * kRound);
    const std::uint64_t allocations = g_allocations - warm_allocations;
    const double cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    report(*swarm, cpu);
    std::printf("datagrams_after_warm_up %llu\n",
                static_cast<unsigned long long>(swarm->counts().delivered - warm_datagrams));
    std::printf("allocations_after_warm_up %llu\n", static_cast<unsigned long long>(allocations));
    swarm->finish();
    swarm->set_workload(nullptr);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const int peers = argc == 3 ? std::atoi(argv[1]) : 0;
    const int rounds = argc == 3 ? std::atoi(argv[2]) : 0;
    if (peers < 50 || peers > 1'000'000 || rounds < 30) {
        std::fprintf(stderr, "usage: open_world PEERS ROUNDS (50 peers or more, at least 30 rounds)\n");
        return 2;
    }
    return run(static_cast<std::uint32_t>(peers), rounds);
}
