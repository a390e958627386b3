#include "lab/advise/advisor.hpp"

#include <fray/assert.hpp>

#include "lab/advise/ways_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace fray::lab::advise {
namespace {

constexpr std::array kIntervals{50ms, 100ms, 200ms};
constexpr std::array kLags{50ms, 100ms, 150ms};
constexpr Duration kBucket{50ms};
constexpr std::array<std::uint8_t, 2> kDepths{2, 4};

/// Costs within this factor count as equal: otherwise noise of a byte would outweigh what players notice.
constexpr double kSameCost = 1.05;

/// The cost, compared with its limit like the other metrics.
constexpr Metric kCost{"kbps", "upload", "upload", "kbit/s", nullptr, nullptr, false, false, 0};

/// 6.1.3: twice the median latency, and two updates in case one is lost. In whole ms, because it is printed.
std::chrono::milliseconds wanted_remote_lag(Duration median_latency, Duration interval) {
    return std::chrono::ceil<std::chrono::milliseconds>(2 * median_latency + 2 * interval);
}

Duration remote_lag(Duration median_latency, Duration interval) {
    return std::min(Duration{wanted_remote_lag(median_latency, interval)}, kMostLag);
}

/// With less lag than wanted, the shown motion has jumps: the remark explains them.
std::string cut_remark(const Consistency& consistency, Duration median_latency) {
    if (!std::holds_alternative<HalfLife>(consistency.algorithm)) return {};
    const auto wanted = wanted_remote_lag(median_latency, consistency.interval);
    if (wanted <= kMostLag) return {};
    return fmt::format("6.1.3 requires a remote lag of {} ms here, but it is limited to {} ms",
                       wanted.count(), kMostLag / 1ms);
}

/// Why the figures of this cell are not meaningful; empty if they are.
std::string unplayable(const CellResult& result) {
    if (result.unplayable == 0) return {};
    const Felt& felt = result.felt;
    std::string why = fmt::format(
        "not playable over this network in {} of {} recordings: ", result.unplayable, result.recordings);
    if (felt.viewer_frames == 0) return why + "the players never saw each other";
    const auto percent = [](std::uint64_t part, std::uint64_t whole) {
        return short_number(100 * static_cast<double>(part) /
                            static_cast<double>(std::max<std::uint64_t>(whole, 1)));
    };
    why += fmt::format("{} % of all inputs were never seen", percent(felt.inputs_unseen, felt.inputs));
    if (felt.viewer_frames < felt.inputs)
        why += fmt::format(", the other player was visible for {} % of the time",
                           percent(felt.viewer_frames, felt.inputs));
    if (felt.decisions_open > 0)
        why += fmt::format(", {} % of the shots were never answered",
                           percent(felt.decisions_open, felt.decisions + felt.decisions_open));
    return why;
}

double kbps(const CellResult& result) { return result.bytes_per_s * 8 / 1000; }

/// Distances scale with speed: at twice the recorded speed every distance is twice as large.
Felt at_speed(const CellResult& result, std::optional<double> speed) {
    Felt felt = result.felt;
    if (!speed) return felt;
    for (const Metric& metric : metrics()) {
        if (metric.distance) felt.*metric.felt *= *speed / result.top_speed;
    }
    return felt;
}

Tried try_one(const Group& group, const Consistency& consistency, const CellResult& result) {
    Tried tried{.consistency = consistency,
                .felt = at_speed(result, group.speed),
                .kbps = kbps(result),
                .exceeded = {},
                .unplayable = unplayable(result)};
    tried.exceeded = exceeded(group.tolerances, tried.felt);
    if (group.most_kbps && tried.kbps > *group.most_kbps) {
        tried.exceeded.push_back({.metric = &kCost,
                                  .measured = tried.kbps,
                                  .allowed = *group.most_kbps,
                                  .share = tried.kbps / *group.most_kbps - 1});
        std::stable_sort(tried.exceeded.begin(), tried.exceeded.end(),
                         [](const Excess& a, const Excess& b) { return a.share > b.share; });
    }
    return tried;
}

/// In whole ms, as they are printed: a smaller difference is not noticeable and must not decide a tie.
double shown_ms(double value) { return std::round(value); }

bool feels_better(const Tried& a, const Tried& b) {
    const double response_a = shown_ms(a.felt.response_ms);
    const double response_b = shown_ms(b.felt.response_ms);
    if (response_a != response_b) return response_a < response_b;
    const double propagation_a = shown_ms(a.felt.propagation_ms);
    const double propagation_b = shown_ms(b.felt.propagation_ms);
    if (propagation_a != propagation_b) return propagation_a < propagation_b;
    return a.kbps < b.kbps;
}

double sum_of_shares(const Tried& tried) {
    double sum = 0;
    for (const Excess& excess : tried.exceeded) sum += excess.share;
    return sum;
}

/// How far a candidate misses the requirements: first by the worst miss, then by the sum of all.
bool nearer(const Tried& a, const Tried& b) {
    if (a.playable() != b.playable()) return a.playable();
    if (!a.playable() && a.felt.inputs_unseen != b.felt.inputs_unseen)
        return a.felt.inputs_unseen < b.felt.inputs_unseen;
    const double worst_a = a.exceeded.empty() ? 0 : a.exceeded.front().share;
    const double worst_b = b.exceeded.empty() ? 0 : b.exceeded.front().share;
    if (worst_a != worst_b) return worst_a < worst_b;
    if (sum_of_shares(a) != sum_of_shares(b)) return sum_of_shares(a) < sum_of_shares(b);
    if (a.kbps != b.kbps) return a.kbps < b.kbps;
    return feels_better(a, b);
}

/// The cheapest candidate that meets the requirements; of equally cheap ones, the one with the shortest
/// response. nullptr: none.
const Tried* cheapest(const std::vector<const Tried*>& meeting) {
    if (meeting.empty()) return nullptr;
    const auto by_cost = [](const Tried* a, const Tried* b) { return a->kbps < b->kbps; };
    const double least = (*std::min_element(meeting.begin(), meeting.end(), by_cost))->kbps;
    const Tried* best = nullptr;
    for (const Tried* one : meeting) {
        if (one->kbps > least * kSameCost) continue;
        if (best == nullptr || feels_better(*one, *best)) best = one;
    }
    return best;
}

bool is_half_life(const Tried& one) { return std::holds_alternative<HalfLife>(one.consistency.algorithm); }

/// 5.4: only with HalfLife is what the shooter sees a true state; the others extrapolate.
const Tried* choose(const std::vector<Tried>& all, bool shooters_view) {
    std::vector<const Tried*> meeting;
    for (const Tried& one : all) {
        if (one.meets()) meeting.push_back(&one);
    }
    std::vector<const Tried*> true_ones;
    for (const Tried* one : meeting) {
        if (is_half_life(*one)) true_ones.push_back(one);
    }
    return cheapest(shooters_view && !true_ones.empty() ? true_ones : meeting);
}

/// For a candidate that meets the requirements at the same cost: the criterion that decided for the chosen
/// one.
std::string tie_break(const Tried& one, const Tried& chosen) {
    const double response = shown_ms(one.felt.response_ms);
    if (response != shown_ms(chosen.felt.response_ms))
        return fmt::format("meets it, too, with a response of {:.0f} ms, not {:.0f} ms", response,
                           chosen.felt.response_ms);
    const double propagation = shown_ms(one.felt.propagation_ms);
    if (propagation != shown_ms(chosen.felt.propagation_ms))
        return fmt::format(
            "meets it, too, with the same response and a propagation of {:.0f} ms, not {:.0f} ms",
            propagation, chosen.felt.propagation_ms);
    return fmt::format("as good: the same response and propagation for {} kbit/s; {}", short_number(one.kbps),
                       one.kbps > chosen.kbps ? "the cheaper one was taken"
                                              : "the first in the list of candidates was taken");
}

/// least: the cost of the cheapest candidate that meets the requirements.
std::string why_not(const Tried& one, const Tried& chosen, double least, bool shooters_view) {
    if (!one.playable()) return one.unplayable;
    if (!one.meets()) return to_text(one.exceeded.front());
    const bool for_the_view = shooters_view && is_half_life(chosen);
    if (one.kbps > (for_the_view ? chosen.kbps : least) * kSameCost)
        return fmt::format("meets it, too, for {} kbit/s", short_number(one.kbps));
    if (for_the_view) return "meets it, too, but shows an extrapolation where the shooter aims (5.4)";
    return tie_break(one, chosen);
}

double least_cost(const std::vector<Tried>& all) {
    double least = HUGE_VAL;
    for (const Tried& one : all) {
        if (one.meets()) least = std::min(least, one.kbps);
    }
    return least;
}

/// One line per algorithm other than the chosen one, for its best candidate.
std::vector<std::string> reasons(const std::vector<Tried>& all, const Tried& chosen, Duration median_latency,
                                 bool shooters_view) {
    std::vector<const Tried*> best;
    for (const Tried& one : all) {
        const auto same = [&](const Tried* other) {
            return other->consistency.algorithm.index() == one.consistency.algorithm.index();
        };
        const auto found = std::find_if(best.begin(), best.end(), same);
        if (found == best.end())
            best.push_back(&one);
        else if (nearer(one, **found))
            *found = &one;
    }
    std::vector<std::string> lines;
    for (const Tried* one : best) {
        if (one->consistency.algorithm.index() == chosen.consistency.algorithm.index()) continue;
        const std::string cut = cut_remark(one->consistency, median_latency);
        lines.push_back(fmt::format("{}: {}{}{}", to_text(one->consistency),
                                    why_not(*one, chosen, least_cost(all), shooters_view),
                                    cut.empty() ? "" : "; ", cut));
    }
    return lines;
}

std::vector<Cell> cells_of(const Group& group, const Network& network) {
    std::vector<Cell> cells;
    for (const Consistency& one : candidates(group.interval, network.median_latency))
        cells.push_back(
            {.consistency = one, .network = network.name, .shots = about_decisions(group.tolerances)});
    return cells;
}

Advice advise_algorithm(const Description& description, const Network& network, const Measured& measured,
                        Group group) {
    std::vector<Tried> all;
    for (const Cell& cell : cells_of(group, network)) {
        const auto found = measured.find(cell_key(cell, network.content));
        FRAY_ASSERT(found != measured.end());
        all.push_back(try_one(group, cell.consistency, found->second));
    }
    const bool shooters_view = is_death_decision(description, group);
    const Tried* chosen = choose(all, shooters_view);
    Advice advice{.group = std::move(group), .met = chosen != nullptr};
    if (chosen == nullptr) chosen = &*std::min_element(all.begin(), all.end(), nearer);
    advice.chosen = *chosen;
    advice.why_not = reasons(all, *chosen, network.median_latency, shooters_view);
    if (!advice.met) advice.notes = ways_out(description, advice.group, *chosen);
    if (std::string cut = cut_remark(chosen->consistency, network.median_latency); !cut.empty())
        advice.notes.push_back(std::move(cut));
    for (std::string& note : agreement_notes(description, advice.group, chosen))
        advice.notes.push_back(std::move(note));
    return advice;
}

}  // namespace

std::vector<Group> groups_of(const Description& description) {
    std::vector<Group> groups;
    std::vector<std::size_t> group_of(description.entities.size());
    const auto leads = [&](std::size_t i) { return !description.entities[i].same_as; };
    for (std::size_t i = 0; i < description.entities.size(); ++i) {
        if (!leads(i)) continue;
        group_of[i] = groups.size();
        const Entity& entity = description.entities[i];
        groups.push_back({.entities = {i},
                          .means = entity.means,
                          .tolerances = entity.tolerances,
                          .interval = entity.interval,
                          .most_kbps = entity.most_kbps,
                          .speed = entity.speed});
    }
    for (std::size_t i = 0; i < description.entities.size(); ++i) {
        if (leads(i)) continue;
        const Entity& entity = description.entities[i];
        Group& group = groups[group_of[*entity.same_as]];
        group.entities.push_back(i);
        group.tolerances = stricter(group.tolerances, entity.tolerances);
        if (!group.interval) group.interval = entity.interval;
        if (!group.speed) group.speed = entity.speed;
        if (entity.most_kbps)
            group.most_kbps = std::min(*entity.most_kbps, group.most_kbps.value_or(*entity.most_kbps));
    }
    return groups;
}

std::vector<Consistency> candidates(std::optional<Duration> interval, Duration median_latency) {
    std::vector<Duration> intervals(kIntervals.begin(), kIntervals.end());
    if (interval) intervals = {*interval};
    std::vector<Consistency> found;
    for (const Duration every : intervals) {
        const auto add = [&](const ConsistencyAlgorithmOptions& algorithm) {
            found.push_back({.algorithm = algorithm, .interval = every});
        };
        add(CentralizedSerialization{});
        add(EverQuest{});
        for (const Duration lag : kLags) add(LocalLag{.lag = lag});
        for (const std::uint8_t depth : kDepths) add(BucketSync{.bucket = kBucket, .depth = depth});
        add(HalfLife{.remote_lag = remote_lag(median_latency, every)});
        add(Adaptive{});
    }
    return found;
}

std::vector<Cell> cells_needed(const Description& description, const Network& network) {
    std::vector<Cell> cells;
    for (const Group& group : groups_of(description)) {
        if (group.means != Means::algorithm) continue;
        for (Cell& cell : cells_of(group, network)) cells.push_back(std::move(cell));
    }
    return cells;
}

std::vector<Advice> advise(const Description& description, const Network& network, const Measured& measured) {
    std::vector<Advice> all;
    for (Group& group : groups_of(description)) {
        if (group.means == Means::algorithm) {
            all.push_back(advise_algorithm(description, network, measured, std::move(group)));
            continue;
        }
        Advice advice{.group = std::move(group)};
        advice.notes = agreement_notes(description, advice.group, nullptr);
        all.push_back(std::move(advice));
    }
    return all;
}

}  // namespace fray::lab::advise
