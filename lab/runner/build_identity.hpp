#pragma once
// Identifies the program that made a result.

#include <string>

namespace fray::lab {

struct BuildIdentity {
    std::string version;
    std::string commit;
    std::string compiler{};
    /// Distinguishes builds with the same commit: a hash of the program file, if the tree was not clean.
    std::string program{};
};

[[nodiscard]] BuildIdentity this_build();
/// The folder of plans: FRAY_PLANS, the source tree that this was built from, or share/fray/plans beside the
/// installed program; the first that exists, otherwise the first.
[[nodiscard]] std::string plans_folder();

}  // namespace fray::lab
