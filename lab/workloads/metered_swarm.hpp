#pragma once
// A swarm with all measurements of the foundation plans: the run loop, the meters and the checkers.

#include <fray/swarm.hpp>

#include "lab/metrics/clock_meter.hpp"
#include "lab/metrics/stats_meter.hpp"
#include "lab/metrics/update_meter.hpp"
#include "lab/metrics/upload_meter.hpp"
#include "lab/runner/experiment.hpp"
#include "sim/checkers/ledger_checker.hpp"
#include "sim/checkers/upload_cap_checker.hpp"
#include "sim/recording.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace fray::lab {

class MeteredSwarm {
public:
    /// Create it before the first add_peer(). Ages and mean upload count from `warm_up` on. The swarm must
    /// outlive this, which finishes it.
    MeteredSwarm(Swarm& swarm, Workload& workload, Duration warm_up, RunContext& context);
    ~MeteredSwarm();
    MeteredSwarm(const MeteredSwarm&) = delete;
    MeteredSwarm& operator=(const MeteredSwarm&) = delete;

    /// False if the user wanted to stop. Ends before `end` if `done`, called every 100 ms, returns true.
    [[nodiscard]] bool run_until(Duration end, const std::function<bool()>& done = {});
    /// Ends the peers and writes the common columns, and the recording if requested.
    [[nodiscard]] Result<void> conclude(RunOutput& output);

    [[nodiscard]] UpdateMeter& updates() { return updates_; }
    /// The columns conclude() writes.
    [[nodiscard]] static std::vector<ColumnSpec> columns();

private:
    void report_traffic(RunOutput& output) const;
    void report_updates(RunOutput& output) const;
    void report_links(RunOutput& output, double linked_share) const;
    [[nodiscard]] double linked_share() const;

    Swarm& swarm_;
    RunContext& context_;
    std::optional<sim::Recorder> recorder_;
    UpdateMeter updates_;
    UploadMeter upload_;
    ClockMeter clock_;
    StatsMeter stats_;
    sim::UploadCapChecker caps_;
    sim::LedgerChecker ledger_;
};

}  // namespace fray::lab
