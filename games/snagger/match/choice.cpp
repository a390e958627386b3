#include "games/snagger/match/choice.hpp"

#include <algorithm>
#include <chrono>

namespace fray::snagger {

namespace {

constexpr std::uint8_t kBuckets = 2;

ConsistencyAlgorithmOptions algorithm_of(const Choice& choice) {
    const std::chrono::milliseconds lag{choice.lag_ms};
    switch (choice.algorithm) {
        case 1:
            return CentralizedSerialization{.serializer = PeerId::from_number(1)};
        case 2:
            return LocalLag{.lag = lag};
        case 3:
            return BucketSync{
                .bucket = std::max<Duration>(1ms, std::chrono::milliseconds{choice.lag_ms / kBuckets}),
                .depth = kBuckets};
        case 4:
            return HalfLife{.remote_lag = lag};
        case 5:
            return Adaptive{};
        default:
            return EverQuest{};
    }
}

}  // namespace

Consistency consistency_of(const Choice& choice) { return {.algorithm = algorithm_of(choice)}; }

std::string describe(const Choice& choice) {
    const AlgorithmTitle& known = kAlgorithms[choice.algorithm];
    return known.has_lag ? std::string{known.title} + " of " + std::to_string(choice.lag_ms) + " ms"
                         : known.title;
}

Result<std::uint8_t> parse_algorithm(std::string_view name) {
    const auto found = std::ranges::find(kAlgorithms, name, &AlgorithmTitle::name);
    if (found != kAlgorithms.end()) return static_cast<std::uint8_t>(found - kAlgorithms.begin());
    std::string known;
    for (const AlgorithmTitle& one : kAlgorithms)
        known += (known.empty() ? "" : ", ") + std::string{one.name};
    return Error{"unknown consistency algorithm \"" + std::string{name} + "\" (known: " + known + ")"};
}

}  // namespace fray::snagger
