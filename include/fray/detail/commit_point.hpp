#pragma once
// Up to which time a match in event mode is final. That all messages are known is not enough there: a
// null-message may still void one of them, and the re-execution which that causes may void others.
//
// Every member says how far it has executed: all lines for ticks before T, with its null-messages that follow
// from them said before it. Let T be a tick that all members have reached. A null-message that is not known
// yet answers a line for tick T or later: a message, which changes nothing before T, or a null-message for
// tick T or later. So nothing changes any more before T, and before the earliest message that a null-message
// for tick T or later voids. (In the words of Time Warp: a lower bound of the global virtual time.)
//
// A null-message counts only if its message was said, is not final and was not voided before: otherwise a
// member could stop the match by voiding what never was.

#include <fray/ids.hpp>
#include <fray/time.hpp>
#include <fray/time_warp/parts.hpp>
#include <fray/time_warp/stamp.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace fray::detail {

class CommitPoint {
public:
    /// A member has executed all lines for earlier ticks. One that has not said so since it entered has
    /// sent no message either, so there is nothing that it could void. A line of a member that has left may
    /// come late; the member says nothing more.
    void executed(const PeerId& member, Tick tick) {
        Member& known = members_[member];
        if (!known.left) known.executed = std::max(known.executed, tick);
    }
    /// A member has returned. All lines of its former stay are known.
    void entered(const PeerId& member) {
        const auto found = members_.find(member);
        if (found != members_.end() && found->second.left) members_.erase(found);
    }
    /// A message was said.
    void said(const Stamp& message) { open_.insert(message); }
    /// A null-message that was said for `tick` voids this message.
    void voided(Tick tick, const Stamp& message) {
        if (open_.erase(message) == 0) return;
        const auto [entry, is_new] = voids_.try_emplace(tick, message.at);
        entry->second = std::min(entry->second, message.at);
    }
    /// A member has left. Its lines for ticks up to `through` may still be missing here.
    void left(const PeerId& member, Tick through) {
        const auto found = members_.find(member);
        if (found != members_.end()) found->second.left = through;
    }
    void forget() {
        members_.clear();
        open_.clear();
        voids_.clear();
    }
    /// A member that has not executed what it should have, by this tick.
    [[nodiscard]] std::optional<PeerId> behind(Tick tick) const {
        for (const auto& [peer, member] : members_) {
            if (!member.left && member.executed < tick) return peer;
        }
        return std::nullopt;
    }

    /// The time before which everything is final, if all lines for ticks before `horizon` are known; none
    /// as long as no member has said anything. `begin_of` gives the time at which a tick begins.
    template <class BeginOf>
    [[nodiscard]] std::optional<SessionInstant> find(Tick horizon, BeginOf begin_of) {
        std::erase_if(members_,
                      [&](const auto& entry) { return entry.second.left && horizon > *entry.second.left; });
        if (members_.empty()) return std::nullopt;
        Tick reached = horizon;
        for (const auto& [peer, member] : members_) reached = std::min(reached, member.executed);
        voids_.erase(voids_.begin(), voids_.lower_bound(reached));
        SessionInstant at = begin_of(reached);
        for (const auto& [tick, voided] : voids_) at = std::min(at, voided);
        open_.erase(open_.begin(), open_.lower_bound(first_at(at)));
        return at;
    }
    [[nodiscard]] std::size_t held() const { return voids_.size() + open_.size(); }

private:
    struct Member {
        Tick executed = 0;
        std::optional<Tick> left;
    };
    std::map<PeerId, Member> members_;
    std::set<Stamp> open_;                  // messages that a null-message may still void
    std::map<Tick, SessionInstant> voids_;  // earliest by the tick of the null-message
};

}  // namespace fray::detail
