#include "lab/advise/advisor.hpp"

#include <fray/assert.hpp>

#include "lab/advise/ways_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace fray::lab::advise {
namespace {

constexpr std::array kIntervals{50ms, 100ms, 200ms};
constexpr std::array kLags{50ms, 100ms, 150ms};
constexpr Duration kBucket{50ms};
constexpr std::array<std::uint8_t, 2> kDepths{2, 4};

/// What differs less costs the same: else a byte of noise would outweigh what players feel.
constexpr double kSameCost = 1.05;

/// The cost, held against its limit like what is felt.
constexpr Metric kCost{"kbps", "upload", "upload", "kbit/s", nullptr, nullptr, false, false, 0};

/// 6.1.3: twice the median latency, and two updates in case one is lost. To whole ms: it is told to people.
Duration remote_lag(Duration median_latency, Duration interval) {
    const Duration lag = 2 * median_latency + 2 * interval;
    return std::min(Duration{std::chrono::ceil<std::chrono::milliseconds>(lag)}, kMostLag);
}

double kbps(const CellResult& result) { return result.bytes_per_s * 8 / 1000; }

/// Recorded players move at their speed; at twice the speed every distance is twice as large.
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
                .exceeded = {}};
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

bool feels_better(const Tried& a, const Tried& b) {
    if (a.felt.response_ms != b.felt.response_ms) return a.felt.response_ms < b.felt.response_ms;
    if (a.felt.propagation_ms != b.felt.propagation_ms) return a.felt.propagation_ms < b.felt.propagation_ms;
    return a.kbps < b.kbps;
}

double sum_of_shares(const Tried& tried) {
    double sum = 0;
    for (const Excess& excess : tried.exceeded) sum += excess.share;
    return sum;
}

/// How far from what is required: the tolerance that is missed by most counts, then all of them together.
bool nearer(const Tried& a, const Tried& b) {
    const double worst_a = a.meets() ? 0 : a.exceeded.front().share;
    const double worst_b = b.meets() ? 0 : b.exceeded.front().share;
    if (worst_a != worst_b) return worst_a < worst_b;
    if (sum_of_shares(a) != sum_of_shares(b)) return sum_of_shares(a) < sum_of_shares(b);
    if (a.kbps != b.kbps) return a.kbps < b.kbps;
    return feels_better(a, b);
}

/// The cheapest of those that meet; among equally cheap ones the least response. nullptr: none meets.
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

/// 5.4: what the shooter sees was truly so with HalfLife only; the others show guesses.
const Tried* choose(const std::vector<Tried>& all, bool shooters_view) {
    std::vector<const Tried*> meeting;
    for (const Tried& one : all) {
        if (one.meets()) meeting.push_back(&one);
    }
    std::vector<const Tried*> true_ones;
    for (const Tried* one : meeting) {
        if (std::holds_alternative<HalfLife>(one->consistency.algorithm)) true_ones.push_back(one);
    }
    return cheapest(shooters_view && !true_ones.empty() ? true_ones : meeting);
}

std::string why_not(const Tried& one, const Tried& chosen, bool met, bool shooters_view) {
    const std::string what = to_text(one.consistency);
    if (!one.meets()) return fmt::format("{}: {}", what, to_text(one.exceeded.front()));
    FRAY_ASSERT(met);
    if (one.kbps > chosen.kbps * kSameCost)
        return fmt::format("{}: meets it, too, for {:.3g} kbit/s", what, one.kbps);
    if (shooters_view)
        return fmt::format("{}: meets it, too, but shows guesses where the shooter aims (5.4)", what);
    return fmt::format("{}: meets it, too, with a response of {:.0f} ms and a propagation of {:.0f} ms", what,
                       one.felt.response_ms, one.felt.propagation_ms);
}

/// One line for each algorithm but the chosen one, by its best candidate.
std::vector<std::string> reasons(const std::vector<Tried>& all, const Tried& chosen, bool met,
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
        if (one->consistency.algorithm.index() != chosen.consistency.algorithm.index())
            lines.push_back(why_not(*one, chosen, met, shooters_view));
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
    advice.why_not = reasons(all, *chosen, advice.met, shooters_view);
    if (!advice.met) advice.notes = ways_out(description, advice.group, *chosen);
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
