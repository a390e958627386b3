#include "lab/metrics/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace fray::lab {
namespace {

constexpr double kMostMs = 3'600'000;
constexpr double kMostPercent = 1000;

constexpr std::array<Metric, 10> kMetrics{{
    {"response_ms", "response", "response", "ms", &Tolerances::response_ms, &Felt::response_ms, false, false,
     kMostMs},
    {"propagation_ms", "propagation", "propag.", "ms", &Tolerances::propagation_ms, &Felt::propagation_ms,
     false, false, kMostMs},
    {"state_divergence", "state divergence", "diverg.", "%", &Tolerances::state_divergence,
     &Felt::state_divergence, true, true, kMostPercent},
    {"corrections", "corrections", "correct.", "%/s", &Tolerances::corrections, &Felt::corrections, true,
     true, kMostPercent},
    {"visible_jump", "visible jump", "jump", "%", &Tolerances::visible_jump, &Felt::visible_jump, true, true,
     kMostPercent},
    {"shape_divergence", "shape divergence", "shape", "%", &Tolerances::shape_divergence,
     &Felt::shape_divergence, true, true, kMostPercent},
    {"duration_divergence", "duration divergence", "duration", "", &Tolerances::duration_divergence,
     &Felt::duration_divergence, false, true, kMostPercent},
    {"animation_ms", "animation", "anim.", "ms", &Tolerances::animation_ms, &Felt::animation_ms, false, true,
     kMostMs},
    {"decision_ms", "decision", "decision", "ms", &Tolerances::decision_ms, &Felt::decision_ms, false, true,
     kMostMs},
    {"wrong_decisions", "wrong decisions", "wrong", "%", &Tolerances::wrong_decisions, &Felt::wrong_decisions,
     false, true, 100},
}};

constexpr double kLessInteractiveMs = 1000;  ///< 4.2: tolerable in less interactive tasks
constexpr double kUnlikely = 0.1;            ///< ours: below it an interaction is unlikely (3.2)

/// How demanding an entity is: a column of the rule.
enum class Demand : std::uint8_t { less_interactive, some, more, most };

/// 3.2: critical and by_several each make it stricter; a long time scale and a low probability less strict.
Demand demand_of(const Factors& factors) {
    if (factors.timescale_ms >= kLessInteractiveMs) return Demand::less_interactive;
    const int strict = (factors.critical ? 1 : 0) + (factors.by_several ? 1 : 0);
    const int unlikely = factors.probability < kUnlikely ? 1 : 0;
    return static_cast<Demand>(1 + strict - unlikely);
}

/// One row of the rule: a value per Demand.
using Line = std::array<double, 4>;
// 4.2: noticed from 50 to 150 ms on; a second is tolerable in less interactive tasks. 6.1.3: 100 ms is the
// largest tolerable lag in highly interactive ones.
constexpr Line kResponse{1000, 150, 100, 50};
// 4.2: noticed from 50 ms on, in steps of 50 ms.
constexpr Line kPropagation{1000, 150, 100, 50};
// 4.2: 10 to 20 changes per second look smooth.
constexpr Line kAnimation{100, 100, 50, 50};
// 4.2 gives no numbers for distances, because they depend on the task. These are ours; an avatar is about 2 %
// wide.
constexpr Line kStateDivergence{5, 2, 1, 1};
constexpr Line kCorrections{5, 4, 2, 1};
constexpr Line kVisibleJump{5, 2, 1, 1};
constexpr Line kShapeDivergence{5, 2, 1, 1};
constexpr Line kDurationDivergence{0.5, 0.25, 0.1, 0.1};

}  // namespace

const std::vector<std::string>& entity_kind_names() {
    static const std::vector<std::string> kNames{"local_avatar",  "other_avatar", "player_variable",
                                                 "inventory",     "object",       "terrain",
                                                 "attack_object", "chat"};
    return kNames;
}

std::string_view name_of(EntityKind type) { return entity_kind_names()[static_cast<std::size_t>(type)]; }

bool moves(EntityKind type) {
    return type == EntityKind::local_avatar || type == EntityKind::other_avatar ||
           type == EntityKind::object || type == EntityKind::attack_object;
}

std::optional<EntityKind> entity_kind(std::string_view name) {
    const auto& names = entity_kind_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<EntityKind>(found - names.begin());
}

std::span<const Metric> metrics() { return kMetrics; }

Tolerances default_tolerances(EntityKind type, const Factors& factors) {
    Tolerances tolerances;
    if (!factors.interactive || type == EntityKind::chat) return tolerances;
    const auto demand = static_cast<std::size_t>(demand_of(factors));
    // Response time matters to the player that acts; a viewer does not move another player's avatar.
    if (type != EntityKind::other_avatar) tolerances.response_ms = kResponse[demand];
    if (type == EntityKind::local_avatar) return tolerances;
    // No other player waits for an item that only one player can use (3.1, inventory).
    const bool nobody_waits = type == EntityKind::inventory && !factors.by_several;
    tolerances.propagation_ms = nobody_waits ? kLessInteractiveMs : kPropagation[demand];
    const bool moves =
        type == EntityKind::other_avatar || type == EntityKind::object || type == EntityKind::attack_object;
    if (!moves) return tolerances;
    tolerances.state_divergence = kStateDivergence[demand];
    tolerances.corrections = kCorrections[demand];
    tolerances.visible_jump = kVisibleJump[demand];
    tolerances.shape_divergence = kShapeDivergence[demand];
    tolerances.animation_ms = kAnimation[demand];
    // 3.3: a player that sees the casting of a spell shortened has less time to respond.
    if (type == EntityKind::attack_object) tolerances.duration_divergence = kDurationDivergence[demand];
    return tolerances;
}

bool about_decisions(const Metric& metric) {
    return metric.felt == &Felt::decision_ms || metric.felt == &Felt::wrong_decisions;
}

bool about_decisions(const Tolerances& tolerances) {
    return tolerances.decision_ms || tolerances.wrong_decisions;
}

Tolerances stricter(const Tolerances& a, const Tolerances& b) {
    Tolerances result = a;
    for (const Metric& metric : kMetrics) {
        const auto& other = b.*metric.allowed;
        auto& mine = result.*metric.allowed;
        if (other && (!mine || *other < *mine)) mine = other;
    }
    return result;
}

std::vector<Excess> exceeded(const Tolerances& tolerances, const Felt& felt) {
    constexpr double kLeastAllowed = 0.01;
    std::vector<Excess> found;
    for (const Metric& metric : kMetrics) {
        const auto& allowed = tolerances.*metric.allowed;
        const double measured = felt.*metric.felt;
        if (!allowed || measured <= *allowed) continue;  // NaN exceeds every tolerance
        const double share = (measured - *allowed) / std::max(*allowed, kLeastAllowed);
        found.push_back({.metric = &metric,
                         .measured = measured,
                         .allowed = *allowed,
                         .share = std::isfinite(share) ? share : HUGE_VAL});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Excess& a, const Excess& b) { return a.share > b.share; });
    return found;
}

std::string short_number(double value) {
    constexpr double kThreeDigits = 100;
    if (std::abs(value) >= kThreeDigits) return fmt::format("{:.0f}", value);
    // Below 1e-4, three digits would need an exponent, and no player notices the difference.
    return std::abs(value) < 1e-4 ? "0" : fmt::format("{:.3g}", value);
}

std::string with_unit(double value, const Metric& metric) {
    if (metric.unit == "ms") return fmt::format("{:.0f} ms", value);
    const std::string number = short_number(value);
    return metric.unit.empty() ? number : fmt::format("{} {}", number, metric.unit);
}

std::string to_text(const Excess& excess) {
    std::string measured = with_unit(excess.measured, *excess.metric);
    const std::string allowed = with_unit(excess.allowed, *excess.metric);
    // "50 ms > 50 ms" would be nonsense.
    if (measured == allowed) measured = fmt::format("{:.6g} {}", excess.measured, excess.metric->unit);
    return fmt::format("{} {} > {}", excess.metric->word, measured, allowed);
}

}  // namespace fray::lab
