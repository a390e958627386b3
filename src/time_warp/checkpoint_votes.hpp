#pragma once
// Hashes of the members' states at the latest checkpoints, and which of them the larger group has.

#include <fray/ids.hpp>
#include <fray/time.hpp>
#include <fray/time_warp/parts.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace fray {

class CheckpointVotes {
public:
    struct Voter {
        PeerId peer;
        Tick since = 0;  ///< the older member decides a tie
    };
    struct Verdict {
        Tick tick = 0;
        std::uint64_t hash = 0;
        PeerId oldest;  ///< of the members that have this hash
    };

    /// The newest value of a member for a tick counts: its state may have been repaired.
    void set(const PeerId& peer, Tick tick, std::uint64_t hash) {
        if (!ticks_.empty() && tick < ticks_.begin()->first && ticks_.size() >= kKept) return;
        ticks_[tick].hashes[peer] = hash;
        while (ticks_.size() > kKept) ticks_.erase(ticks_.begin());
    }
    /// This member's own hash: from now on the others' are waited for.
    void set_own(const PeerId& self, Tick tick, std::uint64_t hash, Instant now) {
        set(self, tick, hash);
        const auto found = ticks_.find(tick);
        if (found != ticks_.end()) found->second.own_at = now;
    }
    void forget() { ticks_.clear(); }
    [[nodiscard]] std::optional<std::uint64_t> hash_of(const PeerId& peer, Tick tick) const {
        const auto at = ticks_.find(tick);
        if (at == ticks_.end()) return std::nullopt;
        const auto found = at->second.hashes.find(peer);
        return found == at->second.hashes.end() ? std::nullopt : std::optional{found->second};
    }
    /// The newest tick for which this member has a hash.
    [[nodiscard]] std::optional<Tick> newest_of(const PeerId& peer) const {
        std::optional<Tick> newest;
        for (const auto& [tick, votes] : ticks_) {
            if (votes.hashes.contains(peer)) newest = tick;
        }
        return newest;
    }
    /// The first checkpoint at which `self` is not in the larger group. A checkpoint is decided when all
    /// voters have a hash for it, or when `patience` has passed.
    [[nodiscard]] std::optional<Verdict> lost_by(const PeerId& self, std::span<const Voter> voters,
                                                 Instant now, Duration patience) const {
        for (const auto& [tick, votes] : ticks_) {
            const auto own = votes.hashes.find(self);
            if (own == votes.hashes.end()) continue;
            const std::optional<Verdict> winner = decide(tick, votes, voters, now - votes.own_at > patience);
            if (winner && winner->hash != own->second) return winner;
        }
        return std::nullopt;
    }

private:
    static constexpr std::size_t kKept = 8;
    struct Votes {
        std::map<PeerId, std::uint64_t> hashes;
        Instant own_at = Instant::max();
    };
    struct Group {
        std::size_t size = 0;
        Voter oldest{};
    };

    static std::optional<Verdict> decide(Tick tick, const Votes& votes, std::span<const Voter> voters,
                                         bool is_late) {
        std::map<std::uint64_t, Group> groups;
        for (const Voter& voter : voters) {
            if (voter.since > tick) continue;
            const auto vote = votes.hashes.find(voter.peer);
            if (vote == votes.hashes.end()) {
                if (!is_late) return std::nullopt;
                continue;
            }
            Group& group = groups[vote->second];
            if (group.size++ == 0 || is_older(voter, group.oldest)) group.oldest = voter;
        }
        std::optional<Verdict> best;
        Group best_group;
        for (const auto& [hash, group] : groups) {
            const bool wins = !best || group.size > best_group.size ||
                              (group.size == best_group.size && is_older(group.oldest, best_group.oldest));
            if (!wins) continue;
            best = Verdict{tick, hash, group.oldest.peer};
            best_group = group;
        }
        return best;
    }
    static bool is_older(const Voter& a, const Voter& b) {
        return a.since != b.since ? a.since < b.since : a.peer < b.peer;
    }

    std::map<Tick, Votes> ticks_;
};

}  // namespace fray
