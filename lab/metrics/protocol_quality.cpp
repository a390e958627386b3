#include "lab/metrics/protocol_quality.hpp"

#include "core/math.hpp"
#include "lab/metrics/statistics.hpp"

#include <algorithm>

namespace fray::lab {

double protocol_quality(double position_age, double distance, const Ranges& ranges) {
    const double age = std::min(position_age, kOldestPositionAge);
    if (age == 1 || distance <= ranges.interaction) return age;
    const double outside = (distance - ranges.interaction) / (ranges.vision - ranges.interaction);
    return math::pow(age, 1 - outside);
}

QualityCounts& QualityCounts::operator+=(const QualityCounts& other) {
    players += other.players;
    in_view += other.in_view;
    known += other.known;
    settled += other.settled;
    settled_known += other.settled_known;
    one_hop += other.one_hop;
    isolated += other.isolated;
    position_age_sum += other.position_age_sum;
    position_error_sum += other.position_error_sum;
    received_error_sum += other.received_error_sum;
    return *this;
}

QualityMeter::QualityMeter(const Area& area, const Ranges& ranges)
    : area_{area}, ranges_{ranges}, grid_{area, static_cast<float>(ranges.vision)} {}

const RoundQuality& QualityMeter::measure(std::span<const Placed> players, Knowledge& knowledge) {
    static_cast<QualityCounts&>(round_) = {};
    round_.each.assign(players.size(), {});
    pqs_.clear();
    grid_.place(players);
    for (PlayerIndex i = 0; i < players.size(); ++i) {
        if (!players[i].present) continue;
        ++round_.players;
        judge(i, players, knowledge);
    }
    round_.pq = summarize(pqs_).mean;
    round_.pq_p90 = quantile(pqs_, 0.9);
    return round_;
}

void QualityMeter::judge(PlayerIndex who, std::span<const Placed> players, Knowledge& knowledge) {
    PlayerQuality& quality = round_.each[who];
    double sum = 0;
    for (const NeighbourGrid::Neighbour& other : grid_.around(who)) {
        ++quality.in_view;
        const bool settled = players[who].settled && players[other.who].settled;
        if (settled) ++round_.settled;
        const auto sighting = knowledge.about(who, other.who);
        const double age =
            std::min(sighting ? sighting->position_age : kOldestPositionAge, kOldestPositionAge);
        round_.position_age_sum += age;
        sum += protocol_quality(age, static_cast<double>(other.distance), ranges_);
        if (!sighting || sighting->position_age > kKnownRounds) {
            if (players[other.who].settled) ++quality.overlooked;
            continue;
        }
        ++quality.known;
        if (settled) ++round_.settled_known;
        if (sighting->position_age <= 1) ++round_.one_hop;
        const Vec3& truth = players[other.who].position;
        round_.position_error_sum += static_cast<double>(area_.distance(sighting->shown, truth));
        round_.received_error_sum += static_cast<double>(area_.distance(sighting->received, truth));
    }
    if (quality.in_view == 0) return;
    quality.pq = sum / quality.in_view;
    pqs_.push_back(quality.pq);
    round_.in_view += quality.in_view;
    round_.known += quality.known;
    if (quality.known == 0) ++round_.isolated;
}

}  // namespace fray::lab
