#include "lab/workloads/psense.hpp"

#include "lab/runner/data_folder.hpp"
#include "lab/workloads/client_server.hpp"
#include "lab/workloads/psense_results.hpp"
#include "lab/workloads/psense_setup.hpp"
#include "lab/workloads/psense_swarm.hpp"
#include "lab/workloads/tracks.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace fray::lab {
namespace {

Result<std::unique_ptr<UpdateSystem>> make_system(const PSenseSetup& setup, Population& population, Seed seed,
                                                  const RunContext& context) {
    if (setup.client_server)
        return std::unique_ptr<UpdateSystem>{std::make_unique<ClientServer>(setup, population)};
    auto swarm = PSenseSwarm::create(setup, population, seed, context.recording());
    if (!swarm) return swarm.error();
    return std::unique_ptr<UpdateSystem>{std::move(*swarm)};
}

/// Positions of recorded players in every round; nothing if the plan does not use them.
Result<std::vector<Track>> tracks_of(const PSenseSetup& setup) {
    std::vector<Track> tracks;
    if (!setup.traces) return tracks;
    const auto players = load_fortnite(data_folder() + "/" + std::string{kFortniteFolder});
    if (!players) return players.error();
    if (players->size() < setup.schedule.players)
        return Error{fmt::format("movement = traces: there are only {} players", players->size())};
    const double fastest = setup.movement.step_most * setup.rounds_per_second;
    for (const Fixes& fixes : *players)
        tracks.push_back(by_rounds(without_jumps(fixes, fastest), setup.rounds_per_second));
    return tracks;
}

/// Runs and measures one round.
class Rounds {
public:
    Rounds(const PSenseSetup& setup, Population& population, UpdateSystem& system, Seed seed)
        : setup_{setup},
          population_{population},
          system_{system},
          schedule_{setup.schedule, seed},
          meter_{setup.movement.area, setup.ranges},
          results_{setup, population} {}

    [[nodiscard]] Result<void> run(std::uint32_t round) {
        const std::uint32_t warm_up = setup_.schedule.warm_up_rounds;
        const bool counted = round >= warm_up;
        const bool looked_at = counted && (round - warm_up) % setup_.quality_every == 0;
        if (auto changed = system_.change(round, schedule_.next(population_)); !changed) return changed;
        std::span<const Placed> players;
        for (std::uint32_t sample = 0; sample < setup_.samples_per_round; ++sample) {
            const Duration at = setup_.round * round + setup_.round * sample / setup_.samples_per_round;
            system_.run_until(at);
            players = population_.placed(at);
            if (looked_at) results_.add(round, meter_.measure(players, system_));
        }
        const auto network = system_.end_round(round, players, counted);
        if (counted) results_.end_round(network);
        return {};
    }
    [[nodiscard]] const PSenseResults& results() const { return results_; }

private:
    const PSenseSetup& setup_;
    Population& population_;
    UpdateSystem& system_;
    Schedule schedule_;
    QualityMeter meter_;
    PSenseResults results_;
};

}  // namespace

PSenseExperiment::PSenseExperiment()
    : TabledExperiment{"psense", PSenseSetup::parameters(), PSenseResults::columns()} {}

Result<void> PSenseExperiment::check(const Parameters& parameters) const {
    const auto setup = PSenseSetup::make(parameters);
    return setup ? Result<void>{} : setup.error();
}

Result<void> PSenseExperiment::check_files(const Parameters& parameters) const {
    const auto setup = PSenseSetup::make(parameters);
    if (!setup) return setup.error();
    const auto tracks = tracks_of(*setup);
    return tracks ? Result<void>{} : tracks.error();
}

bool PSenseExperiment::records(const Parameters& parameters) const {
    return parameters.text("system") == "psense";  // the client/server system sends no datagrams
}

Result<RunOutput> PSenseExperiment::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    const auto setup = PSenseSetup::make(parameters);
    if (!setup) return setup.error();
    auto tracks = tracks_of(*setup);
    if (!tracks) return tracks.error();
    const Map map{setup->movement, derive(seed, "map"), std::move(*tracks)};
    Population population{map, setup->round, derive(seed, "players")};
    const auto system = make_system(*setup, population, derive(seed, "system"), context);
    if (!system) return system.error();
    Rounds rounds{*setup, population, **system, derive(seed, "schedule")};
    RunOutput output;
    for (std::uint32_t round = 0; round < setup->total_rounds(); ++round) {
        if (context.stop_requested()) return output;
        if (auto done = rounds.run(round); !done) return done.error();
        context.progress((round + 1.0) / setup->total_rounds());
    }
    if (auto concluded = (*system)->conclude(output); !concluded) return concluded.error();
    rounds.results().conclude(output);
    return output;
}

}  // namespace fray::lab
