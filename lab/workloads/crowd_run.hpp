#pragma once
// A crowd of tanks with its meters: common to the crowd's experiments.

#include "lab/metrics/crowd_meter.hpp"
#include "lab/metrics/upload_meter.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/workloads/tank_crowd.hpp"
#include "sim/checkers/upload_cap_checker.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace fray::lab {

/// seconds, warm_up_seconds, profile, loss_pct, interval_ms.
[[nodiscard]] std::vector<ParameterSpec> crowd_parameters();
[[nodiscard]] Result<void> check_crowd(const Parameters& parameters);
[[nodiscard]] Result<NetworkModel> crowd_network(const Parameters& parameters);
/// Options of a peer with the crowd overlay and focus sets.
[[nodiscard]] std::shared_ptr<const PeerOptions> crowd_peer(const Parameters& parameters,
                                                            const OpenField& field,
                                                            std::uint32_t upload_kbps);
/// Upload, caps, and bytes by purpose.
[[nodiscard]] std::vector<ColumnSpec> traffic_columns_of_crowd();

/// The swarm must outlive it.
class CrowdRun {
public:
    CrowdRun(Swarm& swarm, const OpenField& field, Gaze gaze, Seed seed, Duration warm_up);
    CrowdRun(const CrowdRun&) = delete;
    CrowdRun& operator=(const CrowdRun&) = delete;
    ~CrowdRun() { swarm_.set_workload(nullptr); }

    /// Runs to the end of the warm-up. Each frame calls `each_frame`. False if the user wanted to stop.
    [[nodiscard]] bool warm_up(RunContext& context, const std::function<void()>& each_frame = {});
    /// From then on, these peers' screens are measured.
    void measure(std::vector<PeerIndex> observers,
                 std::function<std::vector<PeerIndex>(PeerIndex)> watched = {},
                 std::size_t others_of_every = 1);
    [[nodiscard]] bool run_until(Duration end, RunContext& context,
                                 const std::function<void()>& each_frame = {});

    [[nodiscard]] const CrowdMeter& screens() const { return *screens_; }
    [[nodiscard]] const TankCrowd& tanks() const { return tanks_; }
    void report_traffic(RunOutput& output);

private:
    struct Sent {
        ByteLedger ledger;
        std::uint64_t received = 0;  // updates
    };
    [[nodiscard]] Sent sum_up() const;

    Swarm& swarm_;
    Duration warm_up_;
    TankCrowd tanks_;
    UploadMeter upload_;
    sim::UploadCapChecker caps_;
    std::optional<CrowdMeter> screens_;
    Sent before_;
};

}  // namespace fray::lab
