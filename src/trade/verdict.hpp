#pragma once
// One decision, commit or abort, among the three peers of a trade: Paxos with three acceptors, so that the
// leader and one other are a majority. An acceptor that accepts a leader's value knows at once that two have
// accepted, since the leader accepted it before sending.
//
//   ballot 0        the witness's; needs no promises, as there is none below
//   ballot 1, 2, 3  led by proposer, partner, witness, and so on in turn
//
// The serialized fields must be stored before any message that depends on them is sent.

#include <fray/serialize.hpp>
#include <fray/trade.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace fray {

using Ballot = std::uint32_t;
inline constexpr Ballot kLastBallot = 0x7FFFFFFF;  // not reached in years; a higher one is invalid

[[nodiscard]] constexpr TradeRole leader_of(Ballot ballot) {
    return static_cast<TradeRole>((ballot + 2) % 3);
}

/// The value that an acceptor recorded last.
struct Accepted {
    Ballot ballot = 0;
    bool commit = false;
    friend bool operator==(const Accepted&, const Accepted&) = default;
};

class Verdict {
public:
    [[nodiscard]] std::optional<bool> decided() const { return decided_; }
    [[nodiscard]] const std::optional<Accepted>& accepted() const { return accepted_; }
    [[nodiscard]] Ballot promised() const { return promised_; }
    /// Nothing was recorded or promised: the witness may still use ballot 0.
    [[nodiscard]] bool untouched() const { return promised_ == 0 && !accepted_; }
    /// The value of our own ballot, unless another leader overtook it: may be sent again.
    [[nodiscard]] std::optional<Accepted> leading(TradeRole role) const {
        const bool ours = accepted_ && accepted_->ballot == promised_ && leader_of(promised_) == role &&
                          overtaken_ <= promised_;
        return ours ? accepted_ : std::nullopt;
    }

    /// The witness's ballot 0; only if untouched().
    void record_first(bool commit) { accepted_ = Accepted{0, commit}; }
    /// Starts to lead: returns the ballot for `prepare`. The same one until another leader overtakes it, so
    /// that a slow answer still counts. Nothing if ballots are used up.
    std::optional<Ballot> lead(TradeRole role) {
        if (asking_ != 0 && asking_ == promised_ && overtaken_ <= asking_) return asking_;
        Ballot next = std::max(promised_, overtaken_) + 1;
        while (leader_of(next) != role) ++next;
        if (next > kLastBallot) return std::nullopt;
        promised_ = next;
        asking_ = next;
        return next;
    }
    /// True if we promised this ballot, now or before. Otherwise promised() is the higher one.
    bool handle_prepare(Ballot ballot) {
        if (ballot < promised_) return false;
        promised_ = ballot;
        return true;
    }
    /// The value to send in `accept`; once per ballot.
    std::optional<Accepted> handle_promise(Ballot ballot, const std::optional<Accepted>& theirs) {
        overtaken_ = std::max(overtaken_, ballot);
        if (ballot != asking_ || promised_ != asking_) return std::nullopt;
        asking_ = 0;
        const bool newer = theirs && (!accepted_ || theirs->ballot > accepted_->ballot);
        const std::optional<Accepted>& found = newer ? theirs : accepted_;
        accepted_ = Accepted{ballot, found && found->commit};  // nothing found: abort
        return accepted_;
    }
    /// True if it is accepted, and so decided. Otherwise promised() is the higher ballot.
    bool handle_accept(const Accepted& told) {
        if (told.ballot < promised_) return false;
        promised_ = told.ballot;
        accepted_ = told;
        decided_ = told.commit;
        return true;
    }
    void decide(bool commit) { decided_ = commit; }

private:
    template <class Stream>
    friend void serialize(Stream& s, Verdict& v);

    Ballot promised_ = 0;
    std::optional<Accepted> accepted_;
    std::optional<bool> decided_;
    // State of a leader. Not recorded: after a restart it begins a ballot above all it promised.
    Ballot asking_ = 0;
    Ballot overtaken_ = 0;
};

template <class Stream>
void serialize(Stream& s, Accepted& a) {
    s.integer(a.ballot, 0, kLastBallot);
    s.boolean(a.commit);
}

/// A value that may be missing: one bit, then the value.
template <class Stream, class T>
void serialize_optional(Stream& s, std::optional<T>& value) {
    bool there = value.has_value();
    s.boolean(there);
    if (Stream::kReading) value = there ? std::optional<T>{T{}} : std::nullopt;
    if (!value) return;
    if constexpr (std::is_same_v<T, bool>) {
        s.boolean(*value);
    } else {
        s.object(*value);
    }
}

template <class Stream>
void serialize(Stream& s, Verdict& v) {
    s.integer(v.promised_, 0, kLastBallot);
    serialize_optional(s, v.accepted_);
    serialize_optional(s, v.decided_);
}

}  // namespace fray
