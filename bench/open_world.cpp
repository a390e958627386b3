// pSense in the simulator's round mode, the whole stack: measures the cost of a peer per round with about 8
// others in view.
//
//   open_world PEERS ROUNDS     prints peer-rounds, CPU time, memory and allocations
//
// After half of the rounds the world must be one component in which 99 % of the players in view are known.
// Otherwise peers lack neighbours and the figures are too good: the program exits with 1.
//
// For instructions per peer-round, bench/measure runs it under valgrind for two lengths and divides the
// differences: joining is in both and cancels out.

#include <fray/swarm.hpp>

#include "bench/allocations.hpp"
#include "lab/metrics/neighbour_grid.hpp"
#include "lab/metrics/overlay_graph.hpp"
#include "lab/metrics/protocol_quality.hpp"
#include "lab/metrics/swarm_knowledge.hpp"

#include <algorithm>
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
constexpr std::uint32_t kJoinRounds = 20;
constexpr double kKnownPct = 99;  ///< of the players in view, at least

lab::Area area_of(float side) { return {.width = side, .height = side, .wraps = true}; }

/// Players that walk straight ahead on a torus, 5 units per round, and sometimes turn.
class Walkers final : public Workload {
public:
    Walkers(std::uint32_t count, float side) : side_{side} {
        for (std::uint32_t i = 0; i < count; ++i) {
            Walker& walker = players_.emplace_back(Walker{RandomStream{Seed{1}, "walker", i}, {}, {}});
            walker.state.pose.position = {static_cast<float>(walker.random.uniform(0, side_)),
                                          static_cast<float>(walker.random.uniform(0, side_)), 0};
            turn(walker);
        }
    }

    /// Positions of the first `count` players.
    [[nodiscard]] std::vector<lab::Placed> placed(std::uint32_t count) const {
        std::vector<lab::Placed> places;
        for (std::uint32_t i = 0; i < count; ++i) places.push_back({position(i), true, true});
        return places;
    }
    [[nodiscard]] const Vec3& position(PeerIndex index) const { return players_[index].state.pose.position; }

    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        players_[index].entity = *swarm.publish(index, players_[index].state);
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

/// At most doubles the number of peers in a round; each joins through the nearest peer present.
Result<void> add_peers(Swarm& swarm, const Walkers& walkers, std::uint32_t peers, float side) {
    const PeerOptions options = options_for(side);
    lab::NeighbourGrid grid{area_of(side), kVision};
    std::uint32_t added = 0;
    for (std::uint32_t round = 0; added < peers; ++round) {
        const auto there = walkers.placed(added);
        grid.place(there);
        const std::uint64_t evenly = 1 + std::uint64_t{peers - 1} * round / kJoinRounds;
        const auto due = static_cast<std::uint32_t>(std::min<std::uint64_t>(evenly, 1ULL << round));
        for (; added < due; ++added) {
            PeerPlan plan;
            plan.start = round * kRound;
            if (const auto nearest = grid.nearest(walkers.position(added))) plan.through = nearest->who;
            if (const auto done = swarm.add_peer(options, plan); !done) return done.error();
        }
    }
    return {};
}

/// Whether the world is one component, and its peers know the players in view.
bool is_connected(const Swarm& swarm, const Walkers& walkers, float side) {
    lab::QualityMeter meter{area_of(side), {.interaction = 50, .vision = kVision}};
    lab::SwarmKnowledge knowledge{swarm, kRound};
    const auto places = walkers.placed(swarm.size());
    const lab::RoundQuality& seen = meter.measure(places, knowledge);
    const double known = 100 * static_cast<double>(seen.known) / static_cast<double>(seen.in_view);
    const auto components = static_cast<unsigned long long>(lab::link_components(swarm));
    std::printf("components %llu\nknown_pct %.2f\n", components, known);
    if (components == 1 && known >= kKnownPct) return true;
    std::fprintf(stderr,
                 "open_world: not one world after warm-up: %llu components, %.2f %% of those in view known "
                 "(1 and at least %.0f %% are required)\n",
                 components, known, kKnownPct);
    return false;
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
    const double area = peers * 3.141592653589793 * kVision * kVision / kInView;
    const float side = std::round(static_cast<float>(std::sqrt(area)));
    Walkers walkers{peers, side};
    SwarmOptions round_mode;
    round_mode.round = kRound;
    auto swarm = Swarm::create(round_mode, Seed{7});
    if (!swarm) return std::fprintf(stderr, "open_world: %s\n", swarm.error().message.c_str()), 1;
    swarm->set_workload(&walkers);
    if (const auto added = add_peers(*swarm, walkers, peers, side); !added) {
        return std::fprintf(stderr, "open_world: %s\n", added.error().message.c_str()), 1;
    }
    const std::clock_t start = std::clock();
    swarm->run_until(rounds / 2 * kRound);
    if (!is_connected(*swarm, walkers, side)) return 1;
    const std::uint64_t warm_datagrams = swarm->counts().delivered;
    const std::uint64_t warm_allocations = g_allocations;
    swarm->run_until(rounds * kRound);
    const std::uint64_t allocations = g_allocations - warm_allocations;
    const double cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    report(*swarm, cpu);
    std::printf("datagrams_after_warm_up %llu\n",
                static_cast<unsigned long long>(swarm->counts().delivered - warm_datagrams));
    std::printf("allocations_after_warm_up %llu\n", static_cast<unsigned long long>(allocations));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const int peers = argc == 3 ? std::atoi(argv[1]) : 0;
    const int rounds = argc == 3 ? std::atoi(argv[2]) : 0;
    if (peers < 50 || peers > 1'000'000 || rounds < 3 * static_cast<int>(kJoinRounds)) {
        std::fprintf(stderr, "usage: open_world PEERS ROUNDS (50 peers or more, at least 60 rounds)\n");
        return 2;
    }
    return run(static_cast<std::uint32_t>(peers), rounds);
}
