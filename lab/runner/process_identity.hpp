#pragma once
// Identifies the command and the machine that made a result. No number depends on them, except the columns
// of resources (lab/metrics/resources.hpp).

#include <string>
#include <vector>

namespace fray::lab {

struct ProcessIdentity {
    std::vector<std::string> command;  ///< the program and its arguments, as the system started it
    std::string cpu;                   ///< the model; empty if the system does not tell it
    std::string os;                    ///< distribution, kernel and architecture
    unsigned cores = 0;
};

[[nodiscard]] ProcessIdentity this_process();

}  // namespace fray::lab
