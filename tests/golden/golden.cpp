// The same seed gives the same bits with every compiler and optimisation level. Each line names a scene and
// the hash of its result; ./test compares them over g++ and clang, -O0 and -O2, and WebAssembly.

#include <fray/fingerprint.hpp>
#include <fray/swarm.hpp>

#include "core/math.hpp"
#include "games/panzer_battles.hpp"
#include "games/snagger/pilot/recording.hpp"
#include "golden/screens.hpp"
#include "golden/wanderers.hpp"
#include "wire/pose_codec.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace fray;

void print(std::string_view name, std::uint64_t hash) {
    std::printf("%.*s %016llx\n", static_cast<int>(name.size()), name.data(),
                static_cast<unsigned long long>(hash));
}

[[noreturn]] void give_up(std::string_view what) {
    std::fprintf(stderr, "fray_golden: %.*s\n", static_cast<int>(what.size()), what.data());
    std::exit(1);
}

std::uint64_t random_streams() {
    Fingerprint print;
    RandomStream stream{Seed{1}, "golden"};
    for (int i = 0; i < 1000; ++i) {
        print.add(stream.next()).add(stream.uniform()).add(std::uint64_t{stream.below(1000)});
        print.add(stream.normal(0, 1)).add(stream.exponential(2)).add(stream.log_normal(3, 0.5));
        print.add(std::uint64_t{stream.poisson(33)});
    }
    return print.value();
}

std::uint64_t mathematics() {
    Fingerprint print;
    for (int i = 1; i < 2000; ++i) {
        const double x = i * 0.37 - 300;
        print.add(math::sin(x)).add(math::cos(x)).add(math::exp(x / 100)).add(math::log(i * 0.37));
    }
    return print.value();
}

std::uint64_t poses() {
    World world;
    const PoseCodec codec{world};
    RandomStream stream{Seed{2}, "poses"};
    Fingerprint print;
    std::array<std::uint8_t, 64> memory{};
    QuantisedPose former{};
    for (int i = 0; i < 2000; ++i) {
        Pose pose;
        pose.position = {static_cast<float>(stream.uniform(-1024, 1024)),
                         static_cast<float>(stream.uniform(-1024, 1024)), 0};
        pose.velocity = {static_cast<float>(stream.normal(0, 200)), static_cast<float>(stream.normal(0, 200)),
                         0};
        pose.yaw = static_cast<float>(stream.uniform(-720, 720));
        const QuantisedPose value = codec.quantise(pose);
        BitWriter out{memory};
        codec.write_delta(out, former, 150ms, value);
        print.add(out.finish());
        former = value;
    }
    return print.value();
}

struct Scene {
    std::string_view profile;
    std::uint32_t peers;
    Duration length;
    bool faults;
    std::uint32_t upload_kbps = 500;
};

std::uint64_t swarm(const Scene& scene) {
    auto network = network_profile(scene.profile);
    if (!network) give_up(network.error().message);
    if (scene.faults) {
        network->loss = BurstLoss{.mean = 0.1, .burst = 3};
        network->duplication = {.chance = 0.05, .extra = 20ms};
        network->reordering = {.chance = 0.05, .extra = 40ms};
    }
    auto swarm = Swarm::create({.network = *network, .clock_offset_most = 3s, .clock_drift_most_ppm = 100},
                               Seed{scene.peers});
    if (!swarm) give_up(swarm.error().message);
    Wanderers wanderers{Seed{scene.peers}};
    swarm->set_workload(&wanderers);
    PeerOptions options;
    options.link.upload_kbps = scene.upload_kbps;
    for (std::uint32_t i = 0; i < scene.peers; ++i) {
        PeerPlan plan;
        plan.start = i * 20ms;
        if (const auto added = swarm->add_peer(options, plan); !added) give_up(added.error().message);
    }
    if (scene.faults) {
        (void)swarm->schedule({scene.length / 3, ActionKind::crash, 1, std::nullopt});
        (void)swarm->schedule({scene.length / 2, ActionKind::rejoin, 1, std::nullopt});
    }
    swarm->run_until(scene.length);
    if (wanderers.messages() == 0 || swarm->counts().delivered == 0)
        give_up("a swarm in which nothing happened");
    return swarm->trace_hash();
}

/// An open world: all players start in one place and walk apart. In rounds, or over the network of the
/// profile `world`.
std::uint64_t open_world(const PSense& psense, const InterestOptions& interest, Duration round) {
    constexpr std::uint32_t kPeers = 40;
    SwarmOptions options;
    options.round = round;
    if (round == Duration{}) options.network = *network_profile("world");
    auto swarm = Swarm::create(options, Seed{kPeers});
    if (!swarm) give_up(swarm.error().message);
    Wanderers wanderers{Seed{kPeers}};
    swarm->set_workload(&wanderers);
    PeerOptions peer;
    peer.overlay = psense;
    peer.interest = interest;
    if (round != Duration{}) {
        peer.world.tick = round;
        peer.link.upload_bytes_per_round = psense.paper_cap_bytes != 0 ? 100'000 : 800;
        peer.link.keep_alive = 4 * round;
        peer.link.timeout = 8 * round;
    } else {
        peer.link.upload_kbps = 100;
    }
    for (std::uint32_t i = 0; i < kPeers; ++i) {
        PeerPlan plan;
        plan.start = i / 4 * std::max(round, Duration{50ms});
        if (const auto added = swarm->add_peer(peer, plan); !added) give_up(added.error().message);
    }
    swarm->run_until(80 * std::max(round, Duration{200ms}));
    std::uint64_t forwarded = 0;
    for (PeerIndex i = 0; i < kPeers; ++i) forwarded += swarm->peer(i).stats().psense.forwarded;
    if (forwarded == 0) give_up("an open world in which nothing was passed on");
    return swarm->trace_hash();
}

/// Every algorithm on every screen, over a bad network; half-way all entities change to the next algorithm.
std::uint64_t screens() {
    NetworkModel network;
    network.latency = NormalLatency{.mean = 150ms, .deviation = 30ms};
    network.jitter = {.mean = 15ms, .spike_chance = 0.02, .spike_mean = 100ms};
    network.loss = IndependentLoss{.mean = 0.05};
    auto swarm =
        Swarm::create({.network = network, .clock_offset_most = 3s, .clock_drift_most_ppm = 100}, Seed{6});
    if (!swarm) give_up(swarm.error().message);
    KeyWalkers walkers{Seed{6}};
    swarm->set_workload(&walkers);
    const std::vector<ConsistencyAlgorithmOptions> all{Adaptive{},
                                                       EverQuest{.motion_model = false},
                                                       CentralizedSerialization{PeerId::from_number(1)},
                                                       LocalLag{},
                                                       BucketSync{},
                                                       HalfLife{250ms},
                                                       Adaptive{.blend = 50ms}};
    const auto choice = [&](std::size_t i) {
        return Consistency{.algorithm = all[i % all.size()], .interval = 100ms};
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        PeerPlan plan;
        plan.start = i * 20ms;
        const auto added = swarm->add_peer({.world = KeyWalkers::world(), .consistency = choice(i)}, plan);
        if (!added) give_up(added.error().message);
    }
    for (Duration t = 1s; t <= 13s; t += 130ms) {
        swarm->run_until(t);
        for (PeerIndex i = 0; i < all.size(); ++i) {
            if (t == 1s + 50 * 130ms) (void)swarm->set_consistency(i, walkers.entity(i), choice(i + 1));
            walkers.look(*swarm, i);
        }
    }
    if (walkers.corrections() == 0) give_up("screens on which nothing was repaired");
    return walkers.seen();
}

/// Rules and pilots: every key of a recording follows from the bits of the game before it.
std::uint64_t snagger_game() {
    const snagger::Recording recording = snagger::recorded_by_pilots(0);
    if (snagger::play(recording).score == 0) give_up("a game of Snagger in which nothing was caught");
    return snagger::trace_hash(recording);
}

/// A fight of 64 tanks.
std::uint64_t panzer_battle(panzer::Mode mode, std::string_view name) {
    constexpr std::size_t kTanks = 64;
    const auto map = panzer::shipped_map(name);
    if (!map) give_up(map.error().message);
    panzer::Rules rules{*map};
    auto battle = rules.start({.tanks = kTanks, .mode = mode, .seed = Seed{64}});
    if (!battle) give_up(battle.error().message);
    panzer::Keys keys{Seed{64}, kTanks};
    for (int i = 0; i < 3600; ++i) rules.step(*battle, keys.press(*battle));
    std::uint32_t kills = 0;
    std::uint32_t pickups = 0;
    for (const panzer::Record& r : battle->records) kills += r.kills, pickups += r.pickups;
    if (kills == 0 || pickups == 0) give_up("a battle of Panzer in which nothing happened");
    return panzer::fingerprint(*battle);
}

}  // namespace

int main() {
    print("random_streams", random_streams());
    print("mathematics", mathematics());
    print("poses", poses());
    print("mesh_world", swarm({"world", 12, 10s, false}));
    print("mesh_starlink_faults", swarm({"starlink", 8, 12s, true}));
    print("mesh_lan", swarm({"lan", 4, 5s, false}));
    // Peers, network and upload of foundation_mesh, but with other walkers, no added loss, and four seconds
    // only.
    print("mesh_64", swarm({"world", 64, 4s, false, 1000}));
    const PSense far{.vision_range = 60, .margin = 10};
    print("psense_world", open_world(far, Nearest{}, Duration{}));
    print("psense_rounds", open_world(far, Nearest{}, 200ms));
    print("psense_paper", open_world(PSense::paper(60, 1500), RandomChoice{}, 200ms));
    print("snagger", snagger_game());
    print("screens", screens());
    print("panzer_ffa", panzer_battle(panzer::Mode::free_for_all, "arena"));
    print("panzer_teams", panzer_battle(panzer::Mode::teams, "ruins"));
    print("panzer_flag", panzer_battle(panzer::Mode::flag, "arena"));
    return 0;
}
