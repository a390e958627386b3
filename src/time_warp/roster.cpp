#include "time_warp/roster.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace fray {

namespace {
constexpr std::size_t kMostOthers = 2 * kMostSeats;  // watchers and lost ones included
}

void Roster::admit_self(const SeatedPeer& seated) {
    is_member_ = true;
    seat_ = seated.seat;
    since_ = seated.since;
    stay_ = seated.stay;
}

void Roster::forget() {
    is_member_ = false;
    seat_ = kNoSeat;
    others_.clear();
}

void Roster::set_link(Instant now, const PeerId& peer, bool is_up) {
    if (is_up)
        links_.insert(peer);
    else
        links_.erase(peer);
    if (StreamMember* member = find(peer)) {
        member->linked = is_up;
        member->was_linked = member->was_linked || is_up;
        member->changed = now;
    }
}

StreamMember* Roster::find(const PeerId& peer) {
    const auto found = others_.find(peer);
    return found == others_.end() ? nullptr : &found->second;
}

bool Roster::enter(Instant now, const SeatedPeer& seated) {
    const StreamMember* known = find(seated.peer);
    if (known != nullptr && !known->is_settled() && !known->watches()) return false;
    if (known == nullptr && others_.size() >= kMostOthers) {
        const auto lost =
            std::ranges::find_if(others_, [](const auto& entry) { return entry.second.is_settled(); });
        if (lost == others_.end()) return false;
        others_.erase(lost);
    }
    StreamMember member;
    member.seat = seated.seat;
    member.since = seated.since;
    member.stay = seated.stay;
    member.said = AuthorStream{std::max(seated.since, since_)};
    member.linked = member.was_linked = is_linked(seated.peer);
    member.changed = member.progressed = now;
    member.suspect = seated.is_lost;
    if (seated.is_lost) member.end = StreamMember::End{};
    others_.insert_or_assign(seated.peer, std::move(member));
    return true;
}

void Roster::forget_lost_watchers() {
    std::erase_if(others_, [](const auto& entry) { return entry.second.watches() && entry.second.suspect; });
}

std::vector<PeerId> Roster::players() const {
    std::vector<PeerId> all;
    if (plays()) all.push_back(self_);
    for (const auto& [peer, member] : others_) {
        if (member.plays()) all.push_back(peer);
    }
    std::ranges::sort(all);
    return all;
}

std::vector<CheckpointVotes::Voter> Roster::voters() const {
    std::vector<CheckpointVotes::Voter> all;
    if (plays()) all.push_back({self_, since_});
    for (const auto& [peer, member] : others_) {
        if (member.plays()) all.push_back({peer, member.since});
    }
    return all;
}

std::vector<SeatedPeer> Roster::seated() const {
    std::vector<SeatedPeer> all{{self_, seat_, since_, stay_}};
    std::vector<SeatedPeer> lost;
    for (const auto& [peer, member] : others_) {
        if (member.is_active()) all.push_back({peer, member.seat, member.since, member.stay});
        if (member.is_settled() && !member.watches())
            lost.push_back({peer, member.seat, member.since, member.stay, true});
    }
    std::ranges::sort(lost, std::ranges::greater{}, &SeatedPeer::since);
    for (const SeatedPeer& one : lost) {
        if (all.size() < kMostListed) all.push_back(one);
    }
    return all;
}

std::optional<PeerId> Roster::keeper() const {
    const std::vector<PeerId> all = players();
    return all.empty() ? std::nullopt : std::optional{all.front()};
}

SeatedPeer Roster::oldest() const {
    SeatedPeer oldest{self_, seat_, since_, stay_};
    for (const auto& [peer, member] : others_) {
        const bool is_older = member.since != oldest.since ? member.since < oldest.since : peer < oldest.peer;
        if (member.plays() && is_older) oldest = {peer, member.seat, member.since, member.stay};
    }
    return oldest;
}

bool Roster::has_lost() const {
    return std::ranges::any_of(others_, [](const auto& entry) { return entry.second.is_lost(); });
}

PartNumber Roster::free_seat(const PeerId& peer, std::size_t seats) const {
    std::vector<bool> is_taken(seats);
    if (seat_ < seats) is_taken[seat_] = true;
    for (const auto& [other, member] : others_) {
        if (other != peer && !member.is_settled() && member.seat < seats) is_taken[member.seat] = true;
    }
    const auto before = others_.find(peer);
    if (before != others_.end() && before->second.seat < seats && !is_taken[before->second.seat])
        return before->second.seat;
    // A seat that a lost member may come back to is taken last.
    std::vector<bool> is_kept = is_taken;
    for (const auto& [other, member] : others_) {
        if (member.seat < seats) is_kept[member.seat] = true;
    }
    for (const std::vector<bool>* one : {&is_kept, &is_taken}) {
        const auto free = std::ranges::find(*one, false);
        if (free != one->end()) return static_cast<PartNumber>(free - one->begin());
    }
    return kNoSeat;
}

}  // namespace fray
