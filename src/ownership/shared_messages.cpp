#include <fray/peer.hpp>

#include "ownership/shared_entities.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fray {

std::span<const MessageKind> SharedEntities::kinds() const {
    static constexpr std::array kKinds{MessageKind::ownership};
    return kKinds;
}

Receipt SharedEntities::handle_message(const Arrival& arrival, MessageKind, BitReader& in) {
    // In any other order, a record might arrive before the claim that it is about.
    if (arrival.delivery != Delivery::ordered) return malformed(Rejection::impossible);
    OwnerMessage what{};
    ReadStream stream{in};
    stream.enumeration(what, kLastOwnerMessage);
    if (!in.ok()) return malformed();
    switch (what) {
        case OwnerMessage::claim:
            return read_claim(arrival, in);
        case OwnerMessage::withdrawn:
            return read_withdrawn(arrival, in);
        case OwnerMessage::ask:
            return read_ask(arrival, in);
        case OwnerMessage::decided: {
            Decided decided;
            return read(in, decided) ? asking_.handle_decided(arrival.link, decided) : malformed();
        }
        case OwnerMessage::closed: {
            Closed closed;
            if (!read(in, closed)) return malformed();
            const Post::Neighbour& asker = *post_.at(arrival.link);
            owned_.close({asker.peer, asker.incarnation}, closed);
            return taken();
        }
        case OwnerMessage::record:
            return read_record(arrival, in);
        case OwnerMessage::recorded: {
            Recorded recorded;
            if (!read(in, recorded)) return malformed();
            owned_.handle_recorded(arrival.now, context_.links.peer(arrival.link), recorded);
            return taken();
        }
    }
    return malformed();
}

// --- claims ---

Receipt SharedEntities::read_claim(const Arrival& arrival, BitReader& in) {
    ToldClaim told;
    if (!read(in, told)) return malformed();
    return judge(arrival.now, arrival.link, told);
}

Receipt SharedEntities::judge(Instant now, LinkNumber from, const ToldClaim& told) {
    const Claim& claim = told.claim;
    const Post::Neighbour& sender = *post_.at(from);
    const bool of_sender = claim.owner == sender.peer;
    if (!is_lasting(claim.id.number) || !is_lasting(claim.body) ||
        (of_sender && claim.incarnation != sender.incarnation))
        return malformed(Rejection::impossible);
    const KnownEntity* known = known_.find(claim.id);
    if (known != nullptr && claim.term > known->claim.term + kMostTermStep)
        return malformed(Rejection::impossible);
    if (known != nullptr && !claim.outranks(known->claim)) {
        if (known->claim.outranks(claim)) post_.tell(from, known->claim);
        return taken();
    }
    OwnedEntity* owned = owned_.find(claim.id);
    const bool is_lost = told.lost && !post_.is_linked_with_owner(claim);
    if (owned != nullptr && (claim.owner == context_.self || is_lost)) {
        owned_.outbid(now, *owned, claim.term);
        return taken();
    }
    if (claim.owner == context_.self || (known == nullptr && !of_sender)) return taken();
    const auto other = known_.entity_of(claim.owner, claim.body);
    if (other && *other != claim.id) return malformed(Rejection::impossible);
    if (!other && !known_.has_room(claim.owner)) return malformed(Rejection::no_room);
    adopt(now, sender.peer, claim);
    return taken();
}

void SharedEntities::adopt(Instant now, const PeerId& from, const Claim& claim) {
    const KnownEntity* known = known_.find(claim.id);
    const std::optional<PeerId> former = known == nullptr ? std::nullopt : std::optional{known->claim.owner};
    if (former && *former != claim.owner) {
        // A deputy that was replaced may take over a moment before us. If the owner ends as well, its newest
        // record is ours, so it must outlast this claim until the owner has given way.
        KeptRecord* kept = kept_.find(claim.id, RecordUse::keep, *former);
        if (kept != nullptr && kept->complete && kept->outranks(claim, context_.self))
            kept->displaced_until = now + two_owners_most(context_.options.link);
    }
    kept_.erase_superseded(claim.id);
    if (owned_.find(claim.id) != nullptr) yield(now, claim);
    known_.set(claim);
    // Two owners without a link with each other hear of each other through us.
    const bool displaced = former && *former != claim.owner && *former != from && *former != context_.self;
    if (const Post::Neighbour* neighbour = displaced ? post_.find(*former) : nullptr)
        post_.tell(neighbour->link, claim);
    asking_.ask_again(now, claim.id);
    histories_.send(*known_.find(claim.id), post_);
}

Receipt SharedEntities::read_withdrawn(const Arrival& arrival, BitReader& in) {
    Withdrawn withdrawn;
    if (!read(in, withdrawn)) return malformed();
    const KnownEntity* known = known_.find(withdrawn.id);
    const bool valid = known != nullptr && known->claim.owner == context_.links.peer(arrival.link) &&
                       withdrawn.term >= known->claim.term;
    if (!valid) return taken();  // another peer owns it meanwhile
    kept_.erase(withdrawn.id, RecordUse::keep);
    known_.erase(withdrawn.id);
    asking_.fail(withdrawn.id);
    return taken();
}

// --- changes of the owner ---

void SharedEntities::yield(Instant now, const Claim& to) {
    OwnedEntity& owned = *owned_.find(to.id);
    const bool confirmed = owned.is_confirmed_by(to);
    const std::uint32_t body = owned.claim().body;
    known_.keep_state(to.id, *own_.own_state(body), own_.own_set_at(body));
    if (confirmed && to.shared) {
        // No other peer has the record until the next owner has sent it: this peer is its deputy.
        kept_.put(to.owner, {.claim = to,
                             .stream = to.term + 1,
                             .serial = 1,
                             .complete = true,
                             .state = owned_.encoded_state(owned),
                             .decisions = owned.take_decisions()});
        if (!post_.is_linked_with_owner(to)) due_.push_back({to.id, to.owner});
    }
    if (!confirmed) {
        ++counts_.yielded;
        histories_.add({.claim = owned.claim(),
                        .state = owned_.encoded_state(owned),
                        .decisions = owned.take_decisions(),
                        .until = now + Histories::kKept});
    }
    owned_.remove(to.id);
    histories_.forget_rivals(to.id);
    bodies_->remove_body(body);
    context_.mailbox.report(
        Relinquished{to.id, to.owner, confirmed ? Change::handed_over : Change::outranked});
}

std::optional<State> SharedEntities::decode(std::span<const std::uint8_t> bytes) {
    BitReader in{bytes};
    if (!read_whole(in, context_.world(), context_.codec, state_)) return std::nullopt;
    return State{.pose = context_.codec.restore(state_.pose),
                 .payload = state_.payload,
                 .input = state_.input,
                 .type = state_.type};
}

bool SharedEntities::acquire(Instant now, const EntityId& id, RecordUse use, const PeerId& from) {
    KeptRecord* kept = kept_.find(id, use, from);
    const KnownEntity* known = known_.find(id);
    // The record is out of date if a higher claim counts meanwhile.
    const bool valid = kept != nullptr && known != nullptr &&
                       (kept->claim.rank() == known->claim.rank() ||
                        (kept->displaced_until && kept->outranks(known->claim, context_.self)));
    const bool has_room =
        use == RecordUse::take ? owned_.may_take(from) : owned_.size() < OwnedEntities::kMostInAll;
    const auto state = valid && has_room ? decode(kept->state) : std::nullopt;
    if (!state) {
        kept_.erase(id, use, from);
        return true;
    }
    if (!context_.mailbox.has_room(state->payload.size() + state->input.size())) return false;
    const std::uint32_t body = next_number_++;
    if (!bodies_->add_body(now, body, *state)) {
        kept_.erase(id, use, from);
        return true;
    }
    const Claim claim{.id = id,
                      .term = kept->stream,
                      .owner = context_.self,
                      .incarnation = static_cast<std::uint32_t>(incarnation_),
                      .body = body,
                      .shared = kept->claim.shared};
    const Change why = use == RecordUse::take ? Change::handed_over : Change::owner_lost;
    Decisions decisions = std::move(kept->decisions);
    kept_.erase(id, use, from);
    kept_.erase(id, RecordUse::keep);
    context_.mailbox.report(Acquired{id, *state, from, why});
    ++(why == Change::owner_lost ? counts_.taken_over : counts_.received);
    owned_.add(now, claim, std::move(decisions), use == RecordUse::take ? std::optional{from} : std::nullopt);
    for (const Histories::History& history : histories_.lost()) {
        if (history.claim.id == id) add_rival(id, context_.self, history.state, history.decisions);
    }
    asking_.ask_again(now, id);
    return true;
}

// --- requests ---

Receipt SharedEntities::read_ask(const Arrival& arrival, BitReader& in) {
    Ask ask;
    if (!read(in, ask)) return malformed();
    const Post::Neighbour& asker = *post_.at(arrival.link);
    const OwnedEntity* owned = owned_.find(ask.target);
    if (owned != nullptr && owned->is_being_handed_over()) return taken();  // the next owner will be asked
    if (owned != nullptr && ask.term == owned->claim().term)
        return owned_.ask(arrival.now, {asker.peer, asker.incarnation}, ask);
    if (const KnownEntity* known = known_.find(ask.target)) {
        post_.tell(arrival.link, known->claim, Post::Wait::for_claim);
    } else {
        post_.send(arrival.link, OwnerMessage::decided, Decided{ask.target, ask.number, false, {}});
    }
    return taken();
}

// --- records ---

Receipt SharedEntities::read_record(const Arrival& arrival, BitReader& in) {
    Record record;
    if (!read(in, record)) return malformed();
    const PeerId& from = context_.links.peer(arrival.link);
    const EntityId id = record.claim.id;
    const RecordUse use = record.use;
    if (record.claim.owner != from) return malformed(Rejection::impossible);
    if (use != RecordUse::history) {
        if (record.stream <= record.claim.term || record.stream > record.claim.term + kMostTermStep)
            return malformed(Rejection::impossible);
        if (const Receipt judged = judge(arrival.now, arrival.link, {record.claim, false});
            judged.verdict != Receipt::Verdict::taken)
            return judged;
        const KnownEntity* known = known_.find(id);
        if (known == nullptr || known->claim.rank() != record.claim.rank()) return taken();  // outranked
    }
    if (!record.state.empty() && !decode(record.state)) return malformed();
    const bool causes_event = record.last && use != RecordUse::keep;
    const bool has_room = context_.mailbox.has_room(kMaxStateBytes) &&
                          (use != RecordUse::history || histories_.has_room_for_rival(from));
    if (causes_event && !has_room) return later();
    switch (kept_.accept(from, std::move(record))) {
        case KeptRecords::Progress::complete:
            return use_record(arrival, id, use);
        case KeptRecords::Progress::no_room:
            return malformed(Rejection::no_room);
        case KeptRecords::Progress::ignored:
        case KeptRecords::Progress::partial:
            break;
    }
    return taken();
}

Receipt SharedEntities::use_record(const Arrival& arrival, const EntityId& id, RecordUse use) {
    const PeerId& from = context_.links.peer(arrival.link);
    KeptRecord& kept = *kept_.find(id, use, from);
    if (use == RecordUse::keep) {
        post_.send(arrival.link, OwnerMessage::recorded, Recorded{id, kept.stream, kept.serial});
        return taken();
    }
    if (use == RecordUse::take) {
        const Recorded refused{id, kept.stream, 0};
        (void)acquire(arrival.now, id, use, from);  // there is room for the event
        if (owned_.find(id) == nullptr) post_.send(arrival.link, OwnerMessage::recorded, refused);
        return taken();
    }
    if (own_body(id)) {
        add_rival(id, from, std::move(kept.state), std::move(kept.decisions));
    } else if (const KnownEntity* known = known_.find(id)) {
        post_.tell(arrival.link, known->claim);  // the sender sends it to the next owner
    }
    kept_.erase(id, use, from);
    return taken();
}

void SharedEntities::add_rival(const EntityId& id, const PeerId& other, std::vector<std::uint8_t> state,
                               Decisions decisions) {
    histories_.add_rival({id, other, std::move(state), std::move(decisions)});
    context_.mailbox.report(Diverged{.entity = id, .other = other, .state = {}, .only_there = {}});
}

bool SharedEntities::complete(Diverged& diverged) {
    const auto rival = histories_.take_rival(diverged.entity, diverged.other);
    if (!rival || !own_body(rival->id)) return false;  // the next owner is told
    const auto state = decode(rival->state);
    if (!state) return false;
    OwnedEntity& owned = *owned_.find(rival->id);
    const bool same_state = rival->state == owned_.encoded_state(owned);
    const auto merged = owned_.merge(owned, rival->decisions);
    for (const Decision& one : merged.added)
        diverged.only_there.push_back({{one.asker, one.number}, one.by, one.bytes, one.reply});
    diverged.state = *state;
    diverged.complete = merged.complete;
    // A history comes again after the next change of the owner: by then there is nothing new in it.
    if (same_state && merged.added.empty() && merged.complete) return false;
    ++counts_.histories_received;
    return true;
}

}  // namespace fray
