#include "lab/advise/cells.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <variant>

namespace fray::lab::advise {
namespace {

/// An algorithm as text: readable, and exact.
struct Words {
    std::string parameters{};
    std::string exactly{};
};

std::string ms(Duration duration) {
    return fmt::format("{:g} ms", std::chrono::duration<double, std::milli>{duration}.count());
}

long long us(Duration duration) { return static_cast<long long>(duration.count()); }

Words words(const CentralizedSerialization&) { return {}; }

Words words(const EverQuest& algorithm) {
    return {.parameters = algorithm.motion_model ? "motion model" : "straight on",
            .exactly = fmt::format("motion_model={:d} validator={:d}", algorithm.motion_model,
                                   algorithm.validator.has_value())};
}

Words words(const LocalLag& algorithm) {
    return {.parameters = "lag " + ms(algorithm.lag), .exactly = fmt::format("lag_us={}", us(algorithm.lag))};
}

Words words(const BucketSync& algorithm) {
    return {.parameters = fmt::format("bucket {}, depth {}", ms(algorithm.bucket), algorithm.depth),
            .exactly = fmt::format("bucket_us={} depth={}", us(algorithm.bucket), algorithm.depth)};
}

Words words(const HalfLife& algorithm) {
    return {.parameters = "remote lag " + ms(algorithm.remote_lag),
            .exactly = fmt::format("remote_lag_us={}", us(algorithm.remote_lag))};
}

Words words(const Adaptive& algorithm) {
    return {
        .parameters = "lag up to " + ms(algorithm.most_lag),
        .exactly = fmt::format("most_lag_us={} least_lag_us={} blend_us={} lag_us={}", us(algorithm.most_lag),
                               us(algorithm.least_lag), us(algorithm.blend), us(algorithm.lag))};
}

Words words_of(const Consistency& consistency) {
    return std::visit([](const auto& algorithm) { return words(algorithm); }, consistency.algorithm);
}

}  // namespace

std::string algorithm_name(const Consistency& consistency) {
    return std::string{name_of(consistency.algorithm)};
}

std::string parameters_text(const Consistency& consistency) { return words_of(consistency).parameters; }

std::string interval_text(const Consistency& consistency) {
    return consistency.interval == Duration{} ? "every frame" : "every " + ms(consistency.interval);
}

std::string to_text(const Consistency& consistency) {
    const Words found = words_of(consistency);
    return fmt::format("{}{}{}, {}", algorithm_name(consistency), found.parameters.empty() ? "" : ", ",
                       found.parameters, interval_text(consistency));
}

std::string cell_key(const Cell& cell, const std::string& network_content) {
    const Words found = words_of(cell.consistency);
    return fmt::format("algorithm={} {} interval_us={} horizon_us={} shots={:d} network={} content={}",
                       algorithm_name(cell.consistency), found.exactly, us(cell.consistency.interval),
                       us(cell.consistency.horizon), cell.shots, cell.network, network_content);
}

}  // namespace fray::lab::advise
