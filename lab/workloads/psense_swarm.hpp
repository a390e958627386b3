#pragma once
// The players of a pSense experiment as peers of a swarm: each publishes one entity and updates it in every
// round.

#include <fray/swarm.hpp>

#include "lab/metrics/neighbour_grid.hpp"
#include "lab/metrics/overlay_graph.hpp"
#include "lab/metrics/swarm_knowledge.hpp"
#include "lab/metrics/traffic_meter.hpp"
#include "lab/workloads/psense_setup.hpp"
#include "lab/workloads/update_system.hpp"
#include "sim/checkers/ledger_checker.hpp"
#include "sim/checkers/upload_cap_checker.hpp"
#include "sim/recording.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fray::lab {

class PSenseSwarm : public UpdateSystem, private Workload {
public:
    [[nodiscard]] static Result<std::unique_ptr<PSenseSwarm>> create(const PSenseSetup& setup,
                                                                     Population& population, Seed seed,
                                                                     std::string recording);
    ~PSenseSwarm() override;
    PSenseSwarm(const PSenseSwarm&) = delete;
    PSenseSwarm& operator=(const PSenseSwarm&) = delete;

    [[nodiscard]] Result<void> change(std::uint32_t round, const Change& change) override;
    void run_until(Duration t) override;
    [[nodiscard]] std::optional<Sighting> about(PlayerIndex who, PlayerIndex whom) override;
    [[nodiscard]] std::optional<RoundNetwork> end_round(std::uint32_t round, std::span<const Placed> players,
                                                        bool counted) override;
    [[nodiscard]] Result<void> conclude(RunOutput& output) override;

    /// Components of the overlay, by the present links.
    [[nodiscard]] std::uint64_t link_components() const { return lab::link_components(swarm_); }
    /// Refused events so far.
    [[nodiscard]] std::uint64_t refusals() const { return refusals_; }

private:
    PSenseSwarm(const PSenseSetup& setup, Population& population, Swarm swarm, Seed seed,
                std::string recording);
    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event) override;

    [[nodiscard]] State state_of_player(PlayerIndex who) const;
    void advance(Duration t);
    [[nodiscard]] Result<void> add_players(std::uint32_t round, std::uint32_t count);
    [[nodiscard]] std::optional<PeerIndex> somebody(PeerIndex but);
    [[nodiscard]] std::uint64_t count_ghosts(std::uint32_t round, std::span<const Placed> players);
    void report_traffic(RunOutput& output) const;
    void report_resources(RunOutput& output) const;

    /// Resources used up to some moment.
    struct Cost {
        double cpu_seconds = 0;
        std::uint64_t peer_rounds = 0;
    };

    const PSenseSetup& setup_;
    Population& population_;
    Swarm swarm_;
    RandomStream random_;
    std::string recording_;
    std::optional<sim::Recorder> recorder_;
    std::optional<NeighbourGrid> grid_;  ///< finds the nearest peer for a newcomer
    OverlayGraph graph_;
    TrafficMeter traffic_;
    sim::UploadCapChecker caps_;
    sim::LedgerChecker ledger_;
    std::vector<EntityId> entities_;
    bool anybody_gone_ = false;
    Cost cost_;
    Cost warm_up_cost_;
    std::size_t resident_before_ = 0;
    SwarmKnowledge knowledge_;
    std::uint64_t refusals_ = 0;
};

}  // namespace fray::lab
