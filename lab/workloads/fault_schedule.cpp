#include "lab/workloads/fault_schedule.hpp"

#include <algorithm>

namespace fray::lab {
namespace {

/// No crash this long before a partition, nor this long after it healed.
constexpr double kQuiet = 6;

struct Span {
    double from;
    double until;
    [[nodiscard]] double length() const { return std::max(0.0, until - from); }
};

double away(const Parameters& p) { return p.number("away_seconds"); }
Span before(const Parameters& p) {
    return {p.number("warm_up_seconds"), p.number("partition_at") - kQuiet - away(p)};
}
Span after(const Parameters& p) {
    const double healed = p.number("partition_at") + p.number("partition_seconds");
    return {healed + kQuiet, p.number("seconds") - kQuiet - away(p)};
}

}  // namespace

FaultSchedule FaultSchedule::make(const Parameters& parameters, Seed seed) {
    FaultSchedule schedule;
    const auto peers = static_cast<PeerIndex>(parameters.integer("peers"));
    RandomStream random{seed, "faults"};
    std::vector<PeerIndex> victims(peers);
    for (PeerIndex i = 0; i < peers; ++i) victims[i] = i;
    for (PeerIndex i = peers; i > 1; --i) std::swap(victims[i - 1], victims[random.below(i)]);
    for (PeerIndex i = 0; i < static_cast<PeerIndex>(parameters.integer("crashes")); ++i) {
        // Each victim crashes once, half of them before the partition.
        const Span span = i % 2 == 0 ? before(parameters) : after(parameters);
        const Duration at = from_seconds(random.uniform(span.from, span.from + span.length()));
        schedule.actions.push_back({.at = at, .kind = ActionKind::crash, .peer = victims[i], .through = {}});
        schedule.actions.push_back({.at = at + from_seconds(away(parameters) * random.uniform(0.5, 1)),
                                    .kind = ActionKind::rejoin,
                                    .peer = victims[i],
                                    .through = {}});
    }
    schedule.side.resize(peers);
    schedule.partition.groups.resize(1);
    schedule.partition.from = from_seconds(parameters.number("partition_at"));
    schedule.partition.until = schedule.partition.from + from_seconds(parameters.number("partition_seconds"));
    for (PeerIndex i = 0; i < peers; ++i) {
        schedule.side[i] = i % 2 == 1;
        if (schedule.side[i]) schedule.partition.groups.front().push_back(i);
    }
    return schedule;
}

Result<void> FaultSchedule::apply(Swarm& swarm) const {
    for (const Action& action : actions) {
        if (auto scheduled = swarm.schedule(action); !scheduled) return scheduled;
    }
    return swarm.partition(partition);
}

Result<void> check_schedule(const Parameters& parameters) {
    if (parameters.integer("crashes") > parameters.integer("peers"))
        return Error{"crashes must not exceed peers"};
    if (before(parameters).length() <= 0)
        return Error{
            "partition_at must leave time for crashes after warm_up_seconds (6 s more than away_seconds)"};
    if (after(parameters).length() <= 0)
        return Error{"seconds must leave time after the partition (12 s more than away_seconds)"};
    return {};
}

}  // namespace fray::lab
