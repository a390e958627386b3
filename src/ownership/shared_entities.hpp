#pragma once
// Entities that may change their owner (ADR 0017). An owner claims its entities; of two claims the higher one
// counts. The owner of a shared entity keeps a record of it at its deputy, which takes over when the owner is
// lost. Requests go to the owner of the moment, and are asked again when it changes.
//
// shared_entities.cpp: what the game calls, links, frames. shared_messages.cpp: messages of other peers.

#include <fray/result.hpp>
#include <fray/stats.hpp>

#include "core/lasting.hpp"
#include "core/part.hpp"
#include "core/sighting.hpp"
#include "ownership/asking.hpp"
#include "ownership/histories.hpp"
#include "ownership/kept_records.hpp"
#include "ownership/known_entities.hpp"
#include "ownership/owned_entities.hpp"
#include "ownership/post.hpp"
#include "wire/part_context.hpp"
#include "wire/whole_state.hpp"

#include <optional>
#include <span>
#include <vector>

namespace fray {

class SharedEntities final : public Part {
public:
    SharedEntities(const PartContext& context, const OwnEntities& own, const ReplicaReader& replicas);
    /// Call once, before anything else.
    void connect(BodyKeeper& bodies, Incarnation incarnation);

    // --- getters ---
    [[nodiscard]] const KnownEntities& known() const { return known_; }
    [[nodiscard]] KnownEntities& known() { return known_; }
    /// The primary that stands for this entity, if this peer owns it and is not handing it over.
    [[nodiscard]] std::optional<std::uint32_t> own_body(const EntityId& id) const;
    /// The primary that is shown for this entity: also while it is being handed over.
    [[nodiscard]] std::optional<std::uint32_t> shown_body(const EntityId& id) const;
    [[nodiscard]] OwnershipStats stats() const;

    // --- the game's commands ---
    /// A number for an entity to be published. Returns an error if this peer may not publish another one.
    [[nodiscard]] Result<std::uint32_t> new_number(Tenure tenure);
    /// The game published an entity under this number.
    void add_published(Instant now, std::uint32_t number, Tenure tenure);
    void note_update(const EntityId& id);
    Result<void> hand_over(Instant now, const EntityId& id, const PeerId& to);
    Result<void> withdraw(const EntityId& id);
    Result<RequestId> interact(Instant now, const EntityId& by, const EntityId& target, SessionInstant seen,
                               std::span<const std::uint8_t> bytes);
    Result<void> answer(const RequestId& request, std::span<const std::uint8_t> bytes);
    /// The game fetches this event: fills in what the other peer did, and counts it as decided from now on,
    /// so that the game's next update() and these decisions are one record. False: there is nothing to tell.
    [[nodiscard]] bool complete(Diverged& diverged);
    /// This peer is about to leave: deputies take over what it owns. Returns whether last records to them
    /// were queued.
    [[nodiscard]] bool begin_leave(Instant now);
    /// It has left, and will join as this incarnation.
    void end_leave(Incarnation incarnation);

    // --- life-cycle ---
    void run_frame(Instant now);
    /// Sends records and replies that came up since the last call. Cheap if there are none.
    void flush(Instant now) {
        if (owned_.has_work()) send_all(now, false);
    }
    [[nodiscard]] bool has_work() const { return owned_.has_work(); }
    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_link_up(Instant now, const LinkUp& up) override;
    void handle_link_down(Instant now, const LinkDown& down) override;
    void handle_clock_set(Instant now) override { known_.restamp(context_.session_time(now)); }
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    // --- messages ---
    [[nodiscard]] Receipt read_claim(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_withdrawn(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_ask(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_record(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt use_record(const Arrival& arrival, const EntityId& id, RecordUse use);
    /// Compares a claim with the one we know, and adopts the higher one.
    [[nodiscard]] Receipt judge(Instant now, LinkNumber from, const ToldClaim& told);
    void adopt(Instant now, const PeerId& from, const Claim& claim);

    // --- changes of the owner ---
    void yield(Instant now, const Claim& to);
    /// False if there is no room for the event: try again.
    [[nodiscard]] bool acquire(Instant now, const EntityId& id, RecordUse use, const PeerId& from);
    [[nodiscard]] std::optional<State> decode(std::span<const std::uint8_t> bytes);
    /// Another history of an entity that we own. The game is told when it fetches the event.
    void add_rival(const EntityId& id, const PeerId& other, std::vector<std::uint8_t> state,
                   Decisions decisions);
    void report_returned();

    void send_all(Instant now, bool in_frame);

    const PartContext& context_;
    const OwnEntities& own_;
    BodyKeeper* bodies_ = nullptr;
    OwnershipStats counts_;
    Post post_;
    KnownEntities known_;
    OwnedEntities owned_;
    KeptRecords kept_;
    Asking asking_;
    Histories histories_;
    std::vector<OwnedEntities::Returned> due_;  // to be taken over, as soon as there is room for the events
    Incarnation incarnation_{};
    std::uint32_t next_number_ = kFirstLasting;
    bool leaving_ = false;
    WholeState state_;  // scratch
};

}  // namespace fray
