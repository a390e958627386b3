#include "lab/workloads/foundation.hpp"
#include "lab/workloads/foundation_common.hpp"
#include "lab/workloads/metered_swarm.hpp"
#include "lab/workloads/network_choice.hpp"
#include "lab/workloads/players.hpp"

#include <cstring>

namespace fray::lab {
namespace {

/// Walking players that ping one another with unreliable messages of the game: the network as a game sees it,
/// independent of the links' own estimates.
class Pingers : public Players {
public:
    Pingers(const World& world, Seed seed)
        : Players{world, {}, seed}, pings_{seed, "pings"}, rtts_{0, 0.05, 100'000} {}

    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override {
        Players::frame(swarm, index, now, peer);
        const auto others = peer.peers();
        if (others.empty()) return;
        const PeerId to = others[pings_.below(static_cast<std::uint32_t>(others.size()))];
        say(swarm, index, to, {.kind = Kind::ping, .at = swarm.now().count()});
        ++sent_;
    }

    void event(Swarm& swarm, PeerIndex index, Instant, const Peer&, const Event& event) override {
        const auto* message = std::get_if<Message>(&event);
        Ping ping;
        if (message == nullptr || message->bytes.size() != sizeof ping) return;
        std::memcpy(&ping, message->bytes.data(), sizeof ping);
        if (ping.kind == Kind::ping)
            return say(swarm, index, message->from, {.kind = Kind::pong, .at = ping.at});
        rtts_.add(millis(swarm.now() - Duration{ping.at}));
    }

    [[nodiscard]] const Histogram& rtts() const { return rtts_; }
    [[nodiscard]] std::uint64_t sent() const { return sent_; }

private:
    enum class Kind : std::uint64_t { ping = 1, pong = 2 };
    struct Ping {
        Kind kind{};
        std::int64_t at = 0;
    };

    static void say(Swarm& swarm, PeerIndex index, const PeerId& to, const Ping& ping) {
        Outgoing message{.bytes = std::vector<std::uint8_t>(sizeof ping), .audience = Audience::only(to)};
        message.delivery = Delivery::unreliable;
        std::memcpy(message.bytes.data(), &ping, sizeof ping);
        (void)swarm.send(index, message);  // refused if the link has just gone down: counts as a lost ping
    }

    RandomStream pings_;
    Histogram rtts_;
    std::uint64_t sent_ = 0;
};

std::vector<ColumnSpec> ping_columns() {
    using enum Aggregate;
    return {{"rtt_ms_p5", "ms", mean, "of a ping between two games"},
            {"rtt_ms_p25", "ms", mean, "the same"},
            {"rtt_ms_p50", "ms", mean, "the same"},
            {"rtt_ms_p75", "ms", mean, "the same"},
            {"rtt_ms_p95", "ms", mean, "the same"},
            {"rtt_ms_p99", "ms", mean, "the same"},
            {"pings", "", sum, "sent"},
            {"pongs", "", sum, "that came back"}};
}

}  // namespace

FoundationProfiles::FoundationProfiles()
    : TabledExperiment{"foundation_profiles", joined({common_parameters(), {profile_parameter()}}),
                       joined({ping_columns(), MeteredSwarm::columns()})} {}

Result<void> FoundationProfiles::check(const Parameters& parameters) const {
    return check_common(parameters);
}

Result<void> FoundationProfiles::check_files(const Parameters& parameters) const {
    const auto network = network_named(parameters.text("profile"));
    return network ? network->check() : Result<void>{network.error()};
}

Result<RunOutput> FoundationProfiles::run(const Parameters& parameters, Seed seed,
                                          RunContext& context) const {
    auto network = network_named(parameters.text("profile"));
    if (!network) return network.error();
    auto swarm = Swarm::create(swarm_options(parameters, std::move(*network)), derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    Pingers players{foundation_world(), derive(seed, "players")};
    MeteredSwarm meters{*swarm, players, from_seconds(parameters.number("warm_up_seconds")), context};
    if (auto added = add_peers(*swarm, parameters); !added) return added.error();
    RunOutput output;
    if (!meters.run_until(from_seconds(parameters.number("seconds")))) return output;
    if (auto concluded = meters.conclude(output); !concluded) return concluded.error();
    for (const auto& [name, q] : {std::pair{"rtt_ms_p5", 0.05},
                                  {"rtt_ms_p25", 0.25},
                                  {"rtt_ms_p50", 0.5},
                                  {"rtt_ms_p75", 0.75},
                                  {"rtt_ms_p95", 0.95},
                                  {"rtt_ms_p99", 0.99}})
        output.set(name, players.rtts().quantile(q));
    output.set("pings", players.sent());
    output.set("pongs", players.rtts().count());
    return output;
}

}  // namespace fray::lab
