#pragma once
// An entity that this peer owns and may have to give away: its decisions, its deputy, and the replies that
// wait until the deputy has a record of them.

#include "ownership/decisions.hpp"
#include "ownership/messages.hpp"
#include "ownership/post.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace fray {

/// Records leave this much room in the queue of a link, for claims, requests and replies: those cannot wait,
/// and a link whose queue is full is dropped.
inline constexpr std::size_t kReservedBytes = 256 * 1024;

/// Between two records that are sent only because the state has changed.
inline constexpr Duration kRecordInterval{250ms};

class OwnedEntity {
public:
    struct HeldReply {
        Asker asker;
        std::uint32_t number = 0;
        std::uint32_t serial = 0;  ///< of the record that holds it; 0: none was sent yet
    };
    /// While so much is on its way to the deputy, further records wait.
    static constexpr std::size_t kMaxUnackedBytes = 64 * 1024;

    /// `giver`: the peer that handed it over.
    OwnedEntity(const Claim& claim, Decisions decisions, const std::optional<PeerId>& giver)
        : claim_{claim}, top_term_{claim.term}, decisions_{std::move(decisions)}, giver_{giver} {}

    [[nodiscard]] const Claim& claim() const { return claim_; }
    [[nodiscard]] const Decisions& decisions() const { return decisions_; }
    [[nodiscard]] Decisions take_decisions() { return std::move(decisions_); }
    [[nodiscard]] const std::optional<PeerId>& giver() const { return giver_; }
    [[nodiscard]] bool is_being_handed_over() const { return heir_.has_value(); }
    /// The peer that it is being handed to, or the one that would take over.
    [[nodiscard]] std::optional<PeerId> heir() const {
        return heir_ ? std::optional{heir_->peer} : std::nullopt;
    }
    [[nodiscard]] std::optional<PeerId> deputy() const {
        return deputy_ ? std::optional{deputy_->peer} : std::nullopt;
    }
    /// The deputy could take over now.
    [[nodiscard]] bool has_ready_deputy() const { return deputy_ && deputy_->acked != 0; }

    void note_update() { ++version_; }
    /// A decision was made: its reply is held until release() returns it.
    void decide(const Decision& decision);
    /// Adds the decisions of another history, whose replies are held likewise.
    [[nodiscard]] Decisions::Merged merge(const Decisions& other);
    /// The asker has its replies to requests before this one.
    void close(const Asker& asker, std::uint32_t oldest);
    /// Closes the decisions of askers that are not `here` for so long that they have given up.
    template <class IsHere>
    void close_gone(Instant now, Duration most, IsHere is_here) {
        const std::vector<Asker> open = decisions_.open_askers();
        std::erase_if(gone_, [&](const auto& entry) {
            return !std::ranges::binary_search(open, entry.first) || is_here(entry.first);
        });
        for (const Asker& asker : open) {
            if (is_here(asker)) continue;
            const Instant since = gone_.try_emplace(asker, now).first->second;
            if (now - since <= most) continue;
            decisions_.close_all(asker);
            note_changed(asker);
        }
    }
    /// Replies whose decisions are safe: a deputy has them, or there is none.
    [[nodiscard]] std::vector<HeldReply> release();
    [[nodiscard]] bool is_held(const Asker& asker, std::uint32_t number) const;

    /// Raises the term above all that was given away: a peer that holds an older record is outranked.
    void raise(std::uint64_t above = 0);
    void appoint(Instant now, const PeerId& peer);
    /// The former owner, which handed it over, has the record already.
    void appoint_holder(const PeerId& peer) {
        deputy_ = Stream{.peer = peer, .term = ++top_term_, .serial = 1, .acked = 1, .version = version_};
    }
    /// This peer has a new incarnation.
    void restart(Incarnation incarnation) {
        claim_.incarnation = static_cast<std::uint32_t>(incarnation);
        raise();
    }
    void dismiss() { deputy_.reset(); }
    void begin_hand_over(Instant now, const PeerId& to) {
        heir_ = Stream{.peer = to, .term = ++top_term_, .unacked_since = now};
    }
    void end_hand_over() { heir_.reset(); }
    /// A peer that does not take what it is given, nor loses its link.
    [[nodiscard]] bool is_heir_overdue(Instant now, Duration patience) const {
        return heir_ && now - heir_->unacked_since > patience;
    }
    /// The peer that we hand it to does not take it.
    [[nodiscard]] bool is_refused_by(const PeerId& from, const Recorded& recorded) const {
        return recorded.serial == 0 && heir_ && heir_->peer == from && heir_->term == recorded.stream;
    }
    /// This claim is how the peer that we hand it to confirms.
    [[nodiscard]] bool is_confirmed_by(const Claim& claim) const {
        return heir_ && heir_->peer == claim.owner && heir_->term == claim.term;
    }
    /// The deputy, or the heir, lacks something that it should have now.
    [[nodiscard]] bool is_record_due(Instant now) const;
    /// The deputy, which could take over now, lacks the newest state or a decision.
    [[nodiscard]] bool is_deputy_behind() const {
        return has_ready_deputy() && !heir_ && (deputy_->version != version_ || !fresh_.empty());
    }
    /// Sends what the deputy, or the heir, lacks, if there is room in the queue. `state`: encoded.
    void send_records(Instant now, Post& post, const std::vector<std::uint8_t>& state);
    /// The deputy does not know the present claim: its record will tell it.
    [[nodiscard]] bool owes_whole_record(const PeerId& peer) const {
        return (deputy_ && deputy_->peer == peer && deputy_->serial == 0) ||
               (heir_ && heir_->peer == peer && heir_->serial == 0);
    }
    /// Returns false if the acknowledgement does not belong to the present deputy.
    bool acknowledge(Instant now, const Recorded& recorded, const PeerId& from);
    /// A deputy that does not acknowledge holds up all replies.
    [[nodiscard]] bool is_deputy_overdue(Instant now, Duration patience) const {
        return deputy_ && !heir_ && deputy_->serial != deputy_->acked &&
               now - deputy_->unacked_since > patience;
    }
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    /// Records on their way to one peer.
    struct Stream {
        PeerId peer;
        std::uint64_t term = 0;    // in which that peer would own the entity
        std::uint32_t serial = 0;  // of the last record sent; 0: none
        std::uint32_t acked = 0;
        std::uint64_t version = 0;  // of the state that was sent
        Instant state_sent{};
        Instant unacked_since{};
        std::size_t unacked_bytes = 0;
        std::vector<std::size_t> unacked{};  // bytes of the records after `acked`
    };
    struct Request {
        Asker asker;
        std::uint32_t number = 0;
    };
    /// Returns how many bytes were queued; 0: there is no room.
    std::size_t send(Post& post, const Stream& to, RecordUse use, bool whole,
                     const std::vector<std::uint8_t>& state);
    void hold(const Decision& decision);
    void note_fresh(const Decision& decision);
    /// Removes those whose details are not kept any more.
    void prune_fresh();
    void note_changed(const Asker& asker);
    void forget_changes();

    Claim claim_;
    std::uint64_t top_term_;  // the highest term that any record of ours gives
    Decisions decisions_;
    std::vector<HeldReply> held_;
    std::optional<PeerId> giver_;
    std::vector<Request> fresh_;  // decided, and not in a record yet
    // Askers that confirmed replies, or with decisions whose details were dropped before they were in a
    // record. What is known of them goes with the next record that is due anyway.
    std::set<Asker> changed_;
    std::map<Asker, Instant> gone_;  // askers with open decisions that are not linked: since when
    std::optional<Stream> deputy_;
    std::optional<Stream> heir_;
    std::uint64_t version_ = 1;
};

/// Sends a record in as many messages as it needs. Returns how many bytes were queued; 0, and nothing is
/// sent, if the queue has no room.
std::size_t send_record(Post& post, LinkNumber link, const Record& header, std::vector<AskerRecord> askers,
                        std::span<const Decision* const> decisions);

}  // namespace fray
