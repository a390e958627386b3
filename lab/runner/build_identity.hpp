#pragma once
// Which program made a result.

#include <string>

namespace fray::lab {

struct BuildIdentity {
    std::string version;
    std::string commit;
    std::string compiler{};
    /// Tells builds apart that the commit does not: the program file itself where the tree was not clean.
    std::string program{};
};

[[nodiscard]] BuildIdentity this_build();
/// Where plans are: FRAY_PLANS, the source tree this was built from, or share/fray/plans beside the installed
/// program; the first that is there, else the first.
[[nodiscard]] std::string plans_folder();

}  // namespace fray::lab
