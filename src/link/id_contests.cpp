#include "link/id_contests.hpp"

#include "wire/limits.hpp"

#include <algorithm>

namespace fray {

Duration IdContests::patience(const Link& living) const {
    constexpr int kAckFrames = 8;  // a peer whose upload is short acknowledges after 6 frames
    return std::max(kIdProbeFor, kAckFrames * tick_) + living.window.rtt().patience();
}

IdContests::Verdict IdContests::judge(Instant now, const Link& living) {
    const LinkNumber link = living.ends.local_number;
    Contest& contest = contests_[link];
    if (now < contest.proven_until) return Verdict::taken;
    if (contest.since == kNever || now - contest.since > kIdContestFor + patience(living)) {
        contest.since = now;
        contest.next_probe = now;
        contest.first_probe = living.window.next_sequence();
    }
    if (living.window.acked_since(contest.first_probe)) {
        contest.since = kNever;
        contest.proven_until = now + kIdProvenFor;
        return Verdict::taken;
    }
    if (now >= contest.next_probe) {
        contest.next_probe = now + kIdProbeEvery;
        out_.wake_empty(link, true);
    }
    const bool was_probed = living.window.next_sequence() != contest.first_probe;
    return was_probed && now - contest.since > patience(living) ? Verdict::free : Verdict::open;
}

}  // namespace fray
