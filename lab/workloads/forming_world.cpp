#include "lab/workloads/forming.hpp"
#include "lab/workloads/psense_setup.hpp"
#include "lab/workloads/psense_swarm.hpp"

#include <fmt/format.h>

#include <numbers>
#include <optional>
#include <string>

namespace fray::lab {
namespace {

/// Rounds after the last join at which the world is measured.
constexpr std::uint32_t kEarly = 40;
constexpr std::uint32_t kLate = 80;
constexpr double kFormedPct = 99.9;

/// The world of the psense experiment, as shipped, on a torus.
Parameters psense_parameters(const Parameters& parameters) {
    Parameters psense;
    for (const ParameterSpec& spec : PSenseSetup::parameters()) psense.set(spec.name, spec.fallback);
    const double vision = psense.number("vision_range") / 1000;  // in sides of a standard area
    const double seen = std::numbers::pi * vision * vision;
    const auto peers = parameters.integer("peers");
    psense.set("mode", std::string{"fray"});
    psense.set("border", std::string{"wrap"});
    psense.set("players", peers);
    psense.set("area", static_cast<double>(peers) * seen / parameters.number("in_view"));
    psense.set("cap_bytes", *parameters.find("cap_bytes"));
    psense.set("join_rounds", *parameters.find("join_rounds"));
    psense.set("warm_up_rounds", *parameters.find("join_rounds"));
    psense.set("rounds", std::int64_t{kLate + 1});
    psense.set("through", *parameters.find("through"));
    psense.set("rejoin", false);
    return psense;
}

/// Measures every round after the last join.
class FormingMeter {
public:
    explicit FormingMeter(const PSenseSetup& setup) : quality_{setup.movement.area, setup.ranges} {}

    void look(std::uint32_t since_join, std::span<const Placed> players, PSenseSwarm& swarm,
              RunOutput& output) {
        const RoundQuality& seen = quality_.measure(players, swarm);
        const std::uint64_t components = swarm.link_components();
        const double known = seen.in_view == 0
                                 ? 100
                                 : 100 * static_cast<double>(seen.known) / static_cast<double>(seen.in_view);
        if (!formed_ && components == 1 && known >= kFormedPct) formed_ = since_join;
        if (since_join != kEarly && since_join != kLate) return;
        output.set(fmt::format("components_{}", since_join), components);
        output.set(fmt::format("known_pct_{}", since_join), known);
        output.set(fmt::format("isolated_{}", since_join), seen.isolated);
        output.set("in_view_mean", static_cast<double>(seen.in_view) / static_cast<double>(seen.players));
    }
    void report(RunOutput& output) const {
        if (formed_)
            output.set("formed_rounds", std::uint64_t{*formed_});
        else
            output.set("formed_rounds", std::string{kNever});
    }

private:
    QualityMeter quality_;
    std::optional<std::uint32_t> formed_;
};

/// Of the columns that the swarm reports, those that this experiment has.
Result<void> conclude(PSenseSwarm& swarm, RunOutput& output) {
    output.set("refused", swarm.refusals());
    RunOutput all;
    if (auto concluded = swarm.conclude(all); !concluded) return concluded;
    for (const char* column : {"upload_kbps_mean", "cap_violations", "ledger_violations", "trace_hash"})
        output.values[column] = all.values.at(column);
    output.work = all.work;
    return {};
}

}  // namespace

std::vector<ParameterSpec> forming_world_parameters() {
    return {
        ParameterSpec::integer("cap_bytes", 5120, 0, 100'000'000, "psense: upload per peer and round"),
        ParameterSpec::number("in_view", 8.0, 0.1, 1000, "psense: others in the vision range, on average"),
        ParameterSpec::integer("join_rounds", 30, 1, 100'000,
                               "psense: rounds in which all peers but the first join"),
        ParameterSpec::choice("through", {"anyone", "earlier"}, "earlier",
                              "psense: a random peer of an earlier round; earlier: or of the same round"),
    };
}

std::vector<ColumnSpec> forming_world_columns() {
    using enum Aggregate;
    return {
        {"formed_rounds", "rounds", max,
         "from the last join until there is one component and 99.9 % are known; or never, in 80 rounds"},
        {"components_40", "", max, "of the graph of links, 40 rounds after the last join"},
        {"known_pct_40", "%", min, "of the players in view, with an update of the last 10 rounds, then"},
        {"isolated_40", "", max, "players that know none of the players in view, at that moment"},
        {"components_80", "", max, "80 rounds after the last join"},
        {"known_pct_80", "%", min, "the same"},
        {"isolated_80", "", max, "the same"},
        {"in_view_mean", "", mean, "players in the vision range, 80 rounds after the last join"},
    };
}

Result<void> check_forming_world(const Parameters& parameters) {
    const auto setup = PSenseSetup::make(psense_parameters(parameters));
    return setup ? Result<void>{} : setup.error();
}

Result<RunOutput> run_forming_world(const Parameters& parameters, Seed seed, RunContext& context) {
    const auto setup = PSenseSetup::make(psense_parameters(parameters));
    if (!setup) return setup.error();
    const Map map{setup->movement, derive(seed, "map")};
    Population population{map, setup->round, derive(seed, "players")};
    const auto swarm = PSenseSwarm::create(*setup, population, derive(seed, "system"), context.recording());
    if (!swarm) return swarm.error();
    Schedule schedule{setup->schedule, derive(seed, "schedule")};
    FormingMeter meter{*setup};
    RunOutput output;
    const std::uint32_t last_join = setup->schedule.join_rounds;
    for (std::uint32_t round = 0; round <= last_join + kLate; ++round) {
        if (context.stop_requested()) return output;
        const Duration at = setup->round * round;
        if (auto done = (*swarm)->change(round, schedule.next(population)); !done) return done.error();
        (*swarm)->run_until(at);
        const auto players = population.placed(at);
        if (round > last_join) meter.look(round - last_join, players, **swarm, output);
        (void)(*swarm)->end_round(round, players, false);
        context.progress((round + 1.0) / (last_join + kLate + 1));
    }
    meter.report(output);
    if (auto concluded = conclude(**swarm, output); !concluded) return concluded.error();
    return output;
}

}  // namespace fray::lab
