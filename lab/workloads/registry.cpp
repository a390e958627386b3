#include "lab/workloads/registry.hpp"

#include "lab/workloads/consistency.hpp"
#include "lab/workloads/consistency_schedules.hpp"
#include "lab/workloads/donnybrook.hpp"
#include "lab/workloads/donnybrook_crowd.hpp"
#include "lab/workloads/donnybrook_fairness.hpp"
#include "lab/workloads/donnybrook_match.hpp"
#include "lab/workloads/donnybrook_traces.hpp"
#include "lab/workloads/foundation.hpp"
#include "lab/workloads/panzer_match.hpp"
#include "lab/workloads/panzer_skill.hpp"
#include "lab/workloads/psense.hpp"
#include "lab/workloads/time_warp_match.hpp"
#include "lab/workloads/time_warp_oracle.hpp"

#include <array>

namespace fray::lab {

Registry all_experiments() {
    static const FoundationMesh kMesh;
    static const FoundationFaults kFaults;
    static const FoundationForming kForming;
    static const FoundationProfiles kProfiles;
    static const PSenseExperiment kPSense;
    static const ConsistencyExperiment kConsistency;
    static const ConsistencySchedules kSchedules;
    static const PanzerSkill kPanzerSkill;
    static const PanzerMatch kPanzerMatch;
    static const TimeWarpMatch kTimeWarpMatch;
    static const TimeWarpOracle kTimeWarpOracle;
    static const DonnybrookScalability kScalability;
    static const DonnybrookMatch kDonnybrookMatch;
    static const DonnybrookFairness kFairness;
    static const DonnybrookCrowd kCrowd;
    static const DonnybrookSkew kSkew;
    static const DonnybrookTraces kDonnybrookTraces;
    static const std::array<const Experiment*, 17> kTable{
        &kMesh,           &kFaults,          &kForming,         &kProfiles,    &kPSense,
        &kConsistency,    &kSchedules,       &kPanzerSkill,     &kPanzerMatch, &kTimeWarpMatch,
        &kTimeWarpOracle, &kScalability,     &kDonnybrookMatch, &kFairness,    &kCrowd,
        &kSkew,           &kDonnybrookTraces};
    return kTable;
}

}  // namespace fray::lab
