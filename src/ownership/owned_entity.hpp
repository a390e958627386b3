#pragma once
// An entity that this peer owns and may have to give away: its decisions, its deputy, and the replies that
// wait until the deputy has a record of them.

#include "ownership/decisions.hpp"
#include "ownership/messages.hpp"
#include "ownership/post.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

/// Between two records that are sent only because the state has changed.
inline constexpr Duration kRecordInterval{250ms};

class OwnedEntity {
public:
    struct HeldReply {
        PeerId asker;
        std::uint32_t incarnation = 0;
        std::uint32_t number = 0;
        std::uint32_t serial = 0;  ///< of the record that holds it; 0: none was sent yet
    };

    OwnedEntity(const Claim& claim, Decisions decisions)
        : claim_{claim}, top_term_{claim.term}, decisions_{std::move(decisions)} {}

    [[nodiscard]] const Claim& claim() const { return claim_; }
    [[nodiscard]] Decisions& decisions() { return decisions_; }
    [[nodiscard]] const Decisions& decisions() const { return decisions_; }
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
    /// Replies whose decisions are safe: a deputy has them, or there is none.
    [[nodiscard]] std::vector<HeldReply> release();
    [[nodiscard]] bool is_held(const PeerId& asker, std::uint32_t incarnation, std::uint32_t number) const;

    /// Raises the term above all that was given away: whoever holds an older record is outranked.
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
    /// This claim is how the peer that we hand it to confirms.
    [[nodiscard]] bool is_confirmed_by(const Claim& claim) const {
        return heir_ && heir_->peer == claim.owner && heir_->term == claim.term;
    }
    /// The deputy, or the heir, lacks something that it should have now.
    [[nodiscard]] bool is_record_due(Instant now) const;
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
    };
    bool send(Post& post, const Stream& to, RecordUse use, bool whole,
              const std::vector<std::uint8_t>& state) const;

    Claim claim_;
    std::uint64_t top_term_;  // the highest term that any record of ours gives
    Decisions decisions_;
    std::vector<HeldReply> held_;
    std::vector<Decision> fresh_;  // not in a record yet
    std::optional<Stream> deputy_;
    std::optional<Stream> heir_;
    std::uint64_t version_ = 1;
};

/// Sends a record in as many messages as it needs. False, and nothing is sent, if the queue has no room.
bool send_record(Post& post, LinkNumber link, const Record& header, std::vector<AskerRecord> askers,
                 std::span<const Decision> decisions);

}  // namespace fray
