#include "lab/workloads/registry.hpp"

#include "lab/workloads/foundation.hpp"

#include <array>

namespace fray::lab {

Registry all_experiments() {
    static const FoundationMesh mesh;
    static const FoundationFaults faults;
    static const FoundationProfiles profiles;
    static const std::array<const Experiment*, 3> table{&mesh, &faults, &profiles};
    return table;
}

}  // namespace fray::lab
