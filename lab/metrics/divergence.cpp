#include "lab/metrics/divergence.hpp"

#include "core/space.hpp"

#include <algorithm>

namespace fray::lab {
namespace {

constexpr Duration kPath{2s};  ///< no algorithm shows anything older: kMostLag

/// Follows a trail in time.
class Follower {
public:
    explicit Follower(const Trail& trail) : trail_{trail} {}

    void go_to(SessionInstant at) {
        while (next() <= at) ++index_;
    }
    [[nodiscard]] const Vec3& position() const { return trail_[index_].position; }
    [[nodiscard]] SessionInstant next() const {
        return index_ + 1 < trail_.size() ? trail_[index_ + 1].since : SessionInstant::max();
    }

private:
    const Trail& trail_;
    std::size_t index_ = 0;
};

double apart(const World& world, const Vec3& a, const Vec3& b) { return length(way(world, a, b)); }

double distance_to_segment(const World& world, const Vec3& point, const Vec3& a, const Vec3& b) {
    const Vec3 along = way(world, a, b);
    const float ahead = dot(way(world, a, point), along);
    const float whole = dot(along, along);
    if (ahead <= 0) return apart(world, point, a);
    if (ahead >= whole) return apart(world, point, b);
    return apart(world, point, a + along * (ahead / whole));
}

/// The last stay that began by then. Requires that the trail has begun.
Trail::const_iterator stay_at(const Trail& trail, SessionInstant at) {
    const auto later = std::upper_bound(trail.begin(), trail.end(), at,
                                        [](SessionInstant t, const Stay& stay) { return t < stay.since; });
    return later - 1;
}

/// Interpolates between this stay and the next; across the edge if that is shorter.
Vec3 between(const World& world, const Trail& path, Trail::const_iterator stay, SessionInstant at) {
    const auto next = stay + 1;
    if (next == path.end()) return stay->position;
    const double share = seconds(at - stay->since) / seconds(next->since - stay->since);
    return stay->position + way(world, stay->position, next->position) * static_cast<float>(share);
}

/// Distance to the path from `from` to `until`. Requires that its last point has begun.
double distance_to_path(const World& world, const Vec3& point, const Trail& path, SessionInstant from,
                        SessionInstant until) {
    from = std::max(from, path.front().since);
    auto stay = stay_at(path, from);
    Vec3 corner = between(world, path, stay, from);
    double nearest = apart(world, point, corner);
    const auto go_on = [&](const Vec3& next) {
        nearest = std::min(nearest, distance_to_segment(world, point, corner, next));
        corner = next;
    };
    const auto last = stay_at(path, until);
    while (stay != last) go_on((++stay)->position);
    go_on(between(world, path, last, until));
    return nearest;
}

}  // namespace

double state_divergence(const Trail& a, const Trail& b, const SessionSpan& measured, const World& world) {
    if (a.empty() || b.empty()) return 0;
    const SessionInstant begin = std::max({measured.from, a.front().since, b.front().since});
    if (begin >= measured.until) return 0;
    Follower one{a};
    Follower other{b};
    double sum = 0;
    for (SessionInstant at = begin; at < measured.until;) {
        one.go_to(at);
        other.go_to(at);
        const SessionInstant next = std::min({measured.until, one.next(), other.next()});
        sum += apart(world, one.position(), other.position()) * seconds(next - at);
        at = next;
    }
    return sum / seconds(measured.until - begin);
}

double shape_divergence(const Trail& shown, const Trail& path, const SessionSpan& measured,
                        const World& world) {
    if (path.empty()) return 0;
    double sum = 0;
    std::size_t count = 0;
    for (const Stay& stay : shown) {
        if (!measured.contains(stay.since) || stay.since < path.front().since) continue;
        sum += distance_to_path(world, stay.position, path, stay.since - kPath, stay.since);
        ++count;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace fray::lab
