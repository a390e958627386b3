#include "lab/workloads/forming.hpp"
#include "lab/workloads/foundation_common.hpp"
#include "lab/workloads/metered_swarm.hpp"
#include "lab/workloads/players.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace fray::lab {
namespace {

/// Links and upload are observed for this long after the mesh is complete.
constexpr Duration kAfterwards{5s};
constexpr double kLargestDatagramKbit = (kMaxDatagramBytes + kHeaderBytes) * 8 / 1000.0;

PeerOptions mesh_peer_options(const Parameters& parameters) {
    PeerOptions options;
    options.world = foundation_world();
    options.link.upload_kbps = static_cast<std::uint32_t>(parameters.integer("upload_kbps"));
    return options;
}

/// All peers join through the first one, at moments drawn from the seed. Returns the last moment.
Result<Duration> add_all(Swarm& swarm, const Parameters& parameters, Seed seed) {
    const auto options = std::make_shared<const PeerOptions>(mesh_peer_options(parameters));
    const auto peers = parameters.integer("peers");
    RandomStream random{seed, "arrivals"};
    Duration last{};
    for (std::int64_t i = 0; i < peers; ++i) {
        PeerPlan plan;
        if (i > 0) {
            plan.start = from_seconds(random.uniform(0, parameters.number("join_seconds")));
            plan.through = 0;
        }
        last = std::max(last, plan.start);
        const auto added = swarm.add_peer(options, plan);
        if (!added) return added.error();
    }
    return last;
}

/// Every peer is linked with every other and holds its entity.
bool is_complete(const Swarm& swarm) {
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        if (!swarm.alive(i)) return false;
        const Peer& peer = swarm.peer(i);
        if (peer.peers().size() + 1 != swarm.size()) return false;
        if (peer.replicas(swarm.local_now(i)).size() + 1 != swarm.size()) return false;
    }
    return true;
}

double held_share(const Swarm& swarm) {
    double held = 0;
    for (PeerIndex i = 0; i < swarm.size(); ++i)
        held += static_cast<double>(swarm.peer(i).replicas(swarm.local_now(i)).size());
    return held / swarm.size() / (swarm.size() - 1.0);
}

double overlay_bytes(const Swarm& swarm) {
    double bytes = 0;
    for (PeerIndex i = 0; i < swarm.size(); ++i)
        bytes += swarm.peer(i).stats().ledger.bytes(Purpose::overlay);
    return bytes;
}

class RefusalCounter : public Observer {
public:
    void on_event(Duration, PeerIndex, const Event& event) override {
        if (std::holds_alternative<Refused>(event)) ++count;
    }
    std::uint64_t count = 0;
};

void report_upload(RunOutput& output, const Parameters& parameters) {
    const auto rate = static_cast<double>(parameters.integer("upload_kbps"));
    const double most = as_number(output.values.at("upload_kbps_max_1s")).value_or(0);
    output.set("upload_ratio_max_1s", most / rate);
    output.set("upload_kbps_allowed_1s", rate + kLargestDatagramKbit);
}

}  // namespace

std::vector<ParameterSpec> forming_mesh_parameters() {
    return {
        ParameterSpec::integer("upload_kbps", 108, 1, 10'000'000, "full_mesh: cap of each peer, kbit/s"),
        ParameterSpec::number("join_seconds", 1.0, 0, 3600, "full_mesh: time in which all peers call join"),
        ParameterSpec::number("give_up_seconds", 180.0, 0.1, 3600,
                              "full_mesh: time after the last join; then complete_s is 'never'"),
    };
}

std::vector<ColumnSpec> forming_mesh_columns() {
    using enum Aggregate;
    return {
        {"complete_s", "s", max,
         "from the last join until every ordered pair is linked and holds the other's entity, to 0.1 s; or "
         "never"},
        {"held_pct", "%", min, "entities of others that peers hold at the end"},
        {"upload_ratio_max_1s", "", max, "bytes of any peer in any second, as a share of its rate"},
        {"upload_kbps_allowed_1s", "kbit/s", max, "the rate and one datagram of full size"},
        {"overlay_bytes_per_peer", "bytes", mean, "introductions and hellos, until complete or given up"},
    };
}

Result<void> check_forming_mesh(const Parameters& parameters) {
    if (auto checked = mesh_peer_options(parameters).check(); !checked) return checked;
    if (parameters.integer("peers") > FullMesh{}.most_peers)
        return Error{"full_mesh: peers must be at most 1024"};
    return check_loss(parameters);
}

Result<RunOutput> run_forming_mesh(const Parameters& parameters, Seed seed, RunContext& context) {
    auto network = lossy_network(parameters);
    if (!network) return network.error();
    SwarmOptions options = swarm_options(parameters, std::move(*network));
    options.stagger = false;  // the join times are drawn already
    auto swarm = Swarm::create(std::move(options), derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    Players players{foundation_world(), {}, derive(seed, "players")};
    RefusalCounter refusals;
    MeteredSwarm meters{*swarm, players, {}, context};
    swarm->add_observer(&refusals);
    const auto last_join = add_all(*swarm, parameters, seed);
    if (!last_join) return last_join.error();

    RunOutput output;
    const Duration give_up = *last_join + from_seconds(parameters.number("give_up_seconds"));
    if (!meters.run_until(give_up, [&] { return is_complete(*swarm); })) return output;
    if (is_complete(*swarm))
        output.set("complete_s", seconds(swarm->now() - *last_join));
    else
        output.set("complete_s", std::string{kNever});
    output.set("overlay_bytes_per_peer", overlay_bytes(*swarm) / swarm->size());
    if (!meters.run_until(swarm->now() + kAfterwards)) return output;
    output.set("held_pct", 100 * held_share(*swarm));
    if (auto concluded = meters.conclude(output); !concluded) return concluded.error();
    output.set("refused", refusals.count);
    report_upload(output, parameters);
    return output;
}

}  // namespace fray::lab
