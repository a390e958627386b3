#include "lab/workloads/registry.hpp"

#include "lab/workloads/foundation.hpp"

#include <array>

namespace fray::lab {

Registry all_experiments() {
    static const FoundationMesh kMesh;
    static const FoundationFaults kFaults;
    static const FoundationProfiles kProfiles;
    static const std::array<const Experiment*, 3> kTable{&kMesh, &kFaults, &kProfiles};
    return kTable;
}

}  // namespace fray::lab
