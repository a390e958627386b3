#include "sim/checkers/checker.hpp"

namespace fray::sim {

std::string time_text(Duration at) {
    constexpr std::int64_t kMillion = 1'000'000;
    std::string fraction = std::to_string(at.count() % kMillion);
    fraction.insert(0, 6 - fraction.size(), '0');
    return std::to_string(at.count() / kMillion) + "." + fraction + " s";
}

}  // namespace fray::sim
