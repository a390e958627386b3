#include "lab/metrics/crowd_meter.hpp"

#include <algorithm>
#include <utility>

namespace fray::lab {

namespace {

constexpr std::uint64_t kFollowEvery = 2;     // frames
constexpr std::uint64_t kLookAtAllEvery = 4;  // frames

}  // namespace

CrowdMeter::CrowdMeter(const Swarm& swarm, Sources sources, std::vector<PeerIndex> observers)
    : swarm_{swarm},
      sources_{std::move(sources)},
      paths_{sources_.watched ? std::vector<PeerIndex>{} : observers} {
    for (const PeerIndex observer : observers) {
        if (observer >= view_of_.size()) view_of_.resize(observer + std::size_t{1}, observers.size());
        view_of_[observer] = views_.size();
        views_.push_back({.observer = observer, .pairs = {}, .focus = {}});
    }
}

CrowdMeter::Pair& CrowdMeter::pair(View& view, PeerIndex owner) {
    if (owner >= view.pairs.size()) view.pairs.resize(owner + std::size_t{1});
    return view.pairs[owner];
}

void CrowdMeter::note(Pair& pair, SessionInstant stamp) {
    if (pair.stamp == stamp) return;
    const bool is_first = pair.stamp == SessionInstant::min();
    pair.stamp = stamp;
    const Duration gap = swarm_.now() - std::exchange(pair.changed, swarm_.now());
    if (is_first) return;
    ++(pair.in_focus ? pair.focus : pair.others).updates;
    if (!pair.in_focus) other_gaps_.add(millis(gap));
}

void CrowdMeter::on_delivered(const Transit& transit) {
    paths_.on_delivered(transit);
    if (transit.to >= view_of_.size() || view_of_[transit.to] >= views_.size()) return;
    View& view = views_[view_of_[transit.to]];
    if (!swarm_.alive(view.observer)) return;
    for (const PeerIndex owner : view.focus) {
        const auto replica =
            swarm_.peer(view.observer).replica(swarm_.local_now(view.observer), *sources_.entity(owner));
        if (replica) note(pair(view, owner), replica->stamp);
    }
}

void CrowdMeter::look() {
    while (indices_.size() < swarm_.size()) {
        const auto index = static_cast<PeerIndex>(indices_.size());
        indices_.emplace(PeerId::from_number(index + std::uint64_t{1}), index);
    }
    for (std::size_t i = 0; i < views_.size(); ++i) {
        if (!swarm_.alive(views_[i].observer)) continue;
        if (frame_ % kFollowEvery == 0) follow_focus(views_[i]);
        look_at_focus(views_[i]);
        if (frame_ % kLookAtAllEvery == 0 && i % sources_.others_of_every == 0) look_at_all(views_[i]);
    }
    ++frame_;
}

void CrowdMeter::follow_focus(View& view) {
    for (const PeerIndex owner : view.focus) pair(view, owner).in_focus = false;
    view.focus = sources_.watched ? sources_.watched(view.observer) : watched_peers(view);
    std::erase_if(view.focus, [&](PeerIndex owner) {
        return owner == view.observer || !swarm_.alive(owner) || !sources_.entity(owner);
    });
    for (const PeerIndex owner : view.focus) pair(view, owner).in_focus = true;
    watched_ += std::max(view.most_watched, view.focus.size());
    watched_linked_ += view.focus.size();
    ++views_of_focus_;
}

std::vector<PeerIndex> CrowdMeter::watched_peers(View& view) const {
    const Stats stats = swarm_.peer(view.observer).stats();
    view.most_watched = stats.focus.watched;
    std::vector<PeerIndex> owners;
    for (const LinkStats& link : stats.links) {
        const auto owner = indices_.find(link.peer);
        if (link.watched && owner != indices_.end()) owners.push_back(owner->second);
    }
    return owners;
}

void CrowdMeter::look_at_focus(View& view) {
    const SessionInstant at = swarm_.session_time(swarm_.now());
    for (const PeerIndex owner : view.focus) {
        Pair& seen = pair(view, owner);
        ++seen.focus.frames;
        if (seen.stamp == SessionInstant::min()) continue;
        const Duration age = at - seen.stamp;
        focus_ages_.add(millis(age));
        if (const auto delay = paths_.least(owner, view.observer)) focus_delays_.add(millis(age - *delay));
    }
}

void CrowdMeter::look_at_all(View& view) {
    for (const Replica& replica : swarm_.peer(view.observer).replicas(swarm_.local_now(view.observer))) {
        const auto owner = indices_.find(replica.owner);
        if (owner == indices_.end()) continue;
        Pair& seen = pair(view, owner->second);
        note(seen, replica.stamp);
        if (!seen.in_focus) seen.others.frames += kLookAtAllEvery;
        const auto truth = sources_.truth(owner->second, swarm_.now());
        if (truth)
            (seen.in_focus ? focus_errors_ : other_errors_)
                .add(static_cast<double>(length(replica.pose.position - *truth)));
    }
}

// --- results ---

Histogram CrowdMeter::rates(Count Pair::*which, Duration least) const {
    Histogram all{0, 0.02, 2000};
    const auto frames = static_cast<std::uint32_t>(least / kFrame);
    for (const View& view : views_) {
        for (const Pair& p : view.pairs) {
            const Count& count = p.*which;
            if (count.frames < std::max(1U, frames)) continue;
            all.add(count.updates / (count.frames * seconds(kFrame)));
        }
    }
    return all;
}

double CrowdMeter::rate(Count Pair::*which) const {
    std::uint64_t updates = 0;
    std::uint64_t frames = 0;
    for (const View& view : views_) {
        for (const Pair& p : view.pairs) {
            updates += (p.*which).updates;
            frames += (p.*which).frames;
        }
    }
    return frames == 0 ? 0 : static_cast<double>(updates) / (static_cast<double>(frames) * seconds(kFrame));
}

Histogram CrowdMeter::focus_rates(Duration least) const { return rates(&Pair::focus, least); }
Histogram CrowdMeter::other_rates(Duration least) const { return rates(&Pair::others, least); }
double CrowdMeter::focus_rate_hz() const { return rate(&Pair::focus); }
double CrowdMeter::other_rate_hz() const { return rate(&Pair::others); }

double CrowdMeter::focus_size() const {
    return views_of_focus_ == 0 ? 0
                                : static_cast<double>(watched_linked_) / static_cast<double>(views_of_focus_);
}

double CrowdMeter::focus_linked_share() const {
    return watched_ == 0 ? 0 : static_cast<double>(watched_linked_) / static_cast<double>(watched_);
}

}  // namespace fray::lab
