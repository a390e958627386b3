#include "games/feel/feel_meter.hpp"

#include <algorithm>
#include <iterator>

namespace fray::games {

namespace {

constexpr std::size_t kMostTruths = 256;
constexpr std::size_t kMostDrawn = 256;    // four seconds at 60 frames a second
constexpr float kStandsStill = 0.05F;      // units per second
constexpr Duration kLongestChange{500ms};  // a longer pause is no slow animation: the entity stood still
constexpr float kMoved = 1e-4F;            // units

double milliseconds(Duration d) { return static_cast<double>(micros(d)) / 1000; }

/// Between two pictures an entity is taken to move evenly. Nothing before the first picture.
template <class Points>
std::optional<Vec3> drawn_at(const Points& drawn, SessionInstant at) {
    const auto after = std::ranges::find_if(drawn, [&](const auto& point) { return point.at >= at; });
    if (after == drawn.end() || (after == drawn.begin() && after->at > at)) return std::nullopt;
    if (after == drawn.begin() || after->at == at) return after->place;
    const auto before = std::prev(after);
    const double share = seconds(at - before->at) / seconds(after->at - before->at);
    return before->place + (after->place - before->place) * static_cast<float>(share);
}

}  // namespace

void FeelMeter::draw_own(SessionInstant now, const LocalView& view) {
    own_lag_ = std::max(Duration{}, now - view.moment);
    sums_.response.add(milliseconds(std::max(Duration{}, now - view.told)));
}

void FeelMeter::draw_other(SessionInstant now, const Replica& replica) {
    const auto [place, is_new] = others_.try_emplace(replica.id);
    Seen& seen = place->second;
    seen.is_fresh = true;
    if (is_new) {  // what happened while it was not drawn was not felt
        seen.stamp = replica.stamp;
        seen.corrections = replica.corrections;
    }
    const Point drawn{now, replica.pose.position};
    sums_.propagation.add(milliseconds(std::max(Duration{}, now - replica.told)));
    if (replica.stamp > seen.stamp) {
        seen.stamp = replica.stamp;
        seen.truths.push_back({replica.stamp + own_lag_, replica.received.position});
        if (seen.truths.size() > kMostTruths) seen.truths.pop_front();
    }
    if (replica.corrections.count > seen.corrections.count) {
        const auto count = replica.corrections.count - seen.corrections.count;
        sums_.correction.sum += replica.corrections.sum - seen.corrections.sum;
        sums_.correction.count += count;
    }
    seen.corrections = replica.corrections;
    seen.drawn.push_back(drawn);
    if (seen.drawn.size() > kMostDrawn) seen.drawn.pop_front();
    compare(seen);
    const bool moves = length(replica.received.velocity) > kStandsStill;
    if (!seen.changed || !moves) {
        seen.changed = drawn;
    } else if (distance(seen.changed->place, drawn.place) > kMoved) {
        if (now - seen.changed->at <= kLongestChange)
            sums_.animation.add(milliseconds(now - seen.changed->at));
        seen.changed = drawn;
    }
    ++sums_.entity_frames;
}

/// Where the other screen showed the entity, against what was drawn here at that time.
void FeelMeter::compare(Seen& seen) {
    while (!seen.truths.empty() && seen.truths.front().at <= seen.drawn.back().at) {
        const Point truth = seen.truths.front();
        seen.truths.pop_front();
        if (const auto place = drawn_at(seen.drawn, truth.at))
            sums_.divergence.add(static_cast<double>(distance(*place, truth.place)));
    }
}

void FeelMeter::end_frame(SessionInstant now) {
    ++sums_.frames;
    std::erase_if(others_, [](const auto& one) { return !one.second.is_fresh; });
    for (auto& [id, seen] : others_) seen.is_fresh = false;
    if (!since_) since_ = now;
    if (now - *since_ < kWindow) return;
    const double entities = static_cast<double>(sums_.entity_frames) / static_cast<double>(sums_.frames);
    feel_ = {.divergence = sums_.divergence.value(),
             .propagation_ms = sums_.propagation.value(),
             .corrections_per_s = entities > 0 ? static_cast<double>(sums_.correction.count) /
                                                     (seconds(now - *since_) * entities)
                                               : 0,
             .correction = sums_.correction.value().value_or(0),
             .response_ms = sums_.response.value(),
             .animation_ms = sums_.animation.value()};
    sums_ = {};
    since_ = now;
}

}  // namespace fray::games
