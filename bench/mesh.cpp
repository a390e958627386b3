// A full mesh in the simulator, the whole stack from encoding to replicas: measures the cost of an update.
//
//   mesh PEERS SECONDS     prints updates, CPU time, memory and allocations
//
// For instructions per update, bench/measure runs it under valgrind for two lengths and divides the
// differences: the set-up of the mesh is in both and cancels out.

#include <fray/swarm.hpp>

#include "bench/allocations.hpp"
#include "link/link.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

using namespace fray;

/// Players that run straight ahead and sometimes turn, at 20 Hz.
class Runners final : public Workload {
public:
    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        while (players_.size() <= index) {
            players_.push_back({RandomStream{Seed{1}, "runner", players_.size()}, {}, {}});
        }
        Runner& runner = players_[index];
        turn(runner);
        runner.entity = *swarm.publish(index, runner.state);
    }
    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        Runner& runner = players_[index];
        Pose& pose = runner.state.pose;
        if (runner.random.chance(0.1)) turn(runner);
        pose.position += pose.velocity * 0.05F;
        const bool inside = pose.position.x > -900 && pose.position.x < 900 && pose.position.y > -900 &&
                            pose.position.y < 900;
        if (!inside) pose.velocity = Vec3{} - pose.velocity;
        (void)swarm.update(index, runner.entity, runner.state);
    }

private:
    struct Runner {
        RandomStream random;
        State state;
        EntityId entity;
    };
    static void turn(Runner& runner) {
        Pose& pose = runner.state.pose;
        pose.velocity = {static_cast<float>(runner.random.uniform(-300, 300)),
                         static_cast<float>(runner.random.uniform(-300, 300)), 0};
        pose.yaw = static_cast<float>(runner.random.uniform(0, 360));
    }
    std::vector<Runner> players_;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::uint64_t updates_received(const Swarm& swarm) {
    std::uint64_t sum = 0;
    for (PeerIndex i = 0; i < swarm.size(); ++i) sum += swarm.peer(i).stats().updates_received;
    return sum;
}

void report_memory(const Swarm& swarm) {
    std::size_t peers = 0;
    for (PeerIndex i = 0; i < swarm.size(); ++i) peers += swarm.peer(i).memory_bytes();
    const Link at_rest{LinkEnds{}, Instant{}};
    std::printf("bytes_per_peer %zu\n", peers / swarm.size());
    std::printf("bytes_per_peer_and_link %zu\n", peers / swarm.size() / (swarm.size() - 1));
    std::printf("bytes_of_link_at_rest %zu\n", at_rest.memory_bytes());
    std::printf("simulator_bytes_per_peer %zu\n", swarm.memory_bytes() / swarm.size());
}

int run(std::uint32_t peers, int length) {
    auto swarm = Swarm::create(
        {.network = *network_profile("world"), .clock_offset_most = 5s, .clock_drift_most_ppm = 50}, Seed{7});
    if (!swarm) return std::fprintf(stderr, "mesh: %s\n", swarm.error().message.c_str()), 1;
    Runners runners;
    swarm->set_workload(&runners);
    PeerOptions options;
    options.link.upload_kbps = 1000;
    for (std::uint32_t i = 0; i < peers; ++i) {
        PeerPlan plan;
        plan.start = i * 20ms;
        if (const auto added = swarm->add_peer(options, plan); !added) {
            return std::fprintf(stderr, "mesh: %s\n", added.error().message.c_str()), 1;
        }
    }
    const Duration end = std::chrono::seconds{length};
    swarm->run_until(end / 2);
    const std::uint64_t warm_updates = updates_received(*swarm);
    const std::uint64_t warm_datagrams = swarm->counts().delivered;
    const std::uint64_t warm_allocations = g_allocations;
    const double warm_cpu = cpu_seconds();
    swarm->run_until(end);
    const double cpu = cpu_seconds() - warm_cpu;
    const std::uint64_t allocations = g_allocations - warm_allocations;
    const std::uint64_t updates = updates_received(*swarm);
    std::printf("peers %u\nupdates %llu\n", peers, static_cast<unsigned long long>(updates));
    std::printf("datagrams_after_warm_up %llu\n",
                static_cast<unsigned long long>(swarm->counts().delivered - warm_datagrams));
    std::printf("allocations_after_warm_up %llu\n", static_cast<unsigned long long>(allocations));
    std::printf("updates_per_cpu_second %.0f\n", static_cast<double>(updates - warm_updates) / cpu);
    std::printf("trace_hash %016llx\n", static_cast<unsigned long long>(swarm->trace_hash()));
    report_memory(*swarm);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const int peers = argc == 3 ? std::atoi(argv[1]) : 0;
    const int length = argc == 3 ? std::atoi(argv[2]) : 0;
    if (peers < 2 || peers > 1000 || length < 2) {
        std::fprintf(stderr, "usage: mesh PEERS SECONDS (2 to 1000 peers, at least 2 seconds)\n");
        return 2;
    }
    return run(static_cast<std::uint32_t>(peers), length);
}
