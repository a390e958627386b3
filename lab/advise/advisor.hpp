#pragma once
// Which algorithm with which parameters meets an entity's requirements over a network, what it costs, and why
// the others fail.

#include <fray/consistency.hpp>

#include "lab/advise/cells.hpp"
#include "lab/advise/description.hpp"
#include "lab/advise/measure.hpp"
#include "lab/advise/network.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fray::lab::advise {

/// Entities that are the same thing (Entity::same_as). They get one algorithm, which must meet the
/// requirements of all.
struct Group {
    std::vector<std::size_t> entities{};  ///< indices in the description; the first one leads
    Means means{};
    Tolerances tolerances{};
    std::optional<Duration> interval{};
    std::optional<double> most_kbps{};
    std::optional<double> speed{};
};
[[nodiscard]] std::vector<Group> groups_of(const Description& description);

/// A candidate, compared with a group's requirements.
struct Tried {
    Consistency consistency{};
    Felt felt{};  ///< distances scaled to the group's speed
    double kbps = 0;
    std::vector<Excess> exceeded{};  ///< the worst first
    std::string unplayable{};        ///< why there was no game to measure; empty if there was
    [[nodiscard]] bool playable() const { return unplayable.empty(); }
    [[nodiscard]] bool meets() const { return playable() && exceeded.empty(); }
};

struct Advice {
    Group group{};
    bool met = true;
    std::optional<Tried> chosen{};       ///< if met; otherwise the nearest. Only for Means::algorithm
    std::vector<std::string> why_not{};  ///< one line for each other algorithm
    std::vector<std::string> notes{};    ///< further recommendations
};

/// All candidates: every algorithm with a few parameters, each with the given interval, or with 50, 100 and
/// 200 ms.
[[nodiscard]] std::vector<Consistency> candidates(std::optional<Duration> interval, Duration median_latency);

/// The cells to measure; may contain duplicates.
[[nodiscard]] std::vector<Cell> cells_needed(const Description& description, const Network& network);

/// measured: must contain every needed cell.
[[nodiscard]] std::vector<Advice> advise(const Description& description, const Network& network,
                                         const Measured& measured);

}  // namespace fray::lab::advise
