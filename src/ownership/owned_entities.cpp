#include "ownership/owned_entities.hpp"

#include <fray/peer.hpp>

#include "core/entity_errors.hpp"
#include "wire/whole_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fray {

OwnedEntity* OwnedEntities::find(const EntityId& id) {
    const auto found = owned_.find(id);
    return found == owned_.end() ? nullptr : &found->second;
}

const OwnedEntity* OwnedEntities::find(const EntityId& id) const {
    const auto found = owned_.find(id);
    return found == owned_.end() ? nullptr : &found->second;
}

std::vector<EntityId> OwnedEntities::ids() const {
    std::vector<EntityId> all;
    all.reserve(owned_.size());
    for (const auto& [id, owned] : owned_) all.push_back(id);
    return all;
}

void OwnedEntities::add(Instant now, const Claim& claim, Decisions&& decisions,
                        const std::optional<PeerId>& giver) {
    OwnedEntity& owned = owned_.try_emplace(claim.id, claim, std::move(decisions), giver).first->second;
    if (giver && claim.shared) owned.appoint_holder(*giver);
    appoint_any(now, owned, std::nullopt);
    serve(now, owned);
    announce(owned);
}

bool OwnedEntities::may_take(const PeerId& giver) const {
    const auto given =
        std::ranges::count_if(owned_, [&](const auto& entry) { return entry.second.giver() == giver; });
    return owned_.size() < kMost && static_cast<std::size_t>(given) < kMaxOfGiver;
}

void OwnedEntities::remove(const EntityId& id) {
    owned_.erase(id);
    for (auto it = waiting_.begin(); it != waiting_.end();) {
        if (it->second.target != id) {
            ++it;
            continue;
        }
        end(it->first, Ending::not_owned);
        it = waiting_.erase(it);
    }
}

std::vector<std::uint8_t> OwnedEntities::encoded_state(const OwnedEntity& owned) const {
    const State* state = own_.own_state(owned.claim().body);
    if (state == nullptr) return {};
    std::vector<std::uint8_t> bytes(kMaxStateBytes);
    BitWriter out{bytes};
    const QuantisedPose pose = context_.codec.quantise(state->pose);
    write_whole(out, context_.world(), context_.codec, {state->type, pose, state->payload, state->input});
    const auto written = out.finish();
    return {written.begin(), written.end()};
}

// --- requests ---

void OwnedEntities::end(const RequestId& request, Ending how) {
    if (ended_.size() >= kMaxEnded) ended_.erase(ended_.begin());
    ended_.push_back({request, how});
}

bool OwnedEntities::may_ask(const OwnedEntity& owned, const Asker& asker) const {
    const auto waiting = static_cast<std::size_t>(std::ranges::count_if(waiting_, [&](const auto& entry) {
        return entry.first.asker == asker.peer && entry.second.target == owned.claim().id &&
               entry.second.incarnation == asker.incarnation;
    }));
    return waiting + owned.decisions().open_of(asker) < kMaxOpenOfEntity;
}

Receipt OwnedEntities::repeat(const OwnedEntity& owned, const Asker& asker, const Ask& ask) {
    ++counts_.requests_repeated;
    if (owned.is_held(asker, ask.number)) return taken();
    const Decision& decision = *owned.decisions().find(asker, ask.number);
    replies_.push_back({asker, {ask.target, ask.number, true, decision.reply}});
    has_work_ = true;
    return taken();
}

Receipt OwnedEntities::ask(Instant now, const Asker& asker, Ask& ask) {
    OwnedEntity& owned = *find(ask.target);
    if (ask.previous >= ask.number || ask.oldest > ask.number || !is_lasting(ask.number))
        return malformed(Rejection::impossible);
    owned.close(asker, ask.oldest);
    const RequestId request{asker.peer, ask.number};
    // The asker asks in the present term, so it has no reply yet. If the request was decided, its details are
    // kept; what else is said of it, by another history, does not count.
    if (owned.decisions().find(asker, ask.number) != nullptr) return repeat(owned, asker, ask);
    if (waiting_.contains(request)) {
        ++counts_.requests_repeated;
        return taken();
    }
    if (!may_ask(owned, asker)) return malformed(Rejection::impossible);
    if (waiting_.size() >= kMaxAsked || !owned.decisions().has_room(asker)) {
        replies_.push_back({asker, {ask.target, ask.number, false, {}}});
        has_work_ = true;
        return taken();
    }
    const SessionInstant present = context_.session_time(now);
    const SessionInstant seen = std::clamp(session_instant(ask.seen), present - kMostRewind, present);
    auto then = own_.own_state_at(owned.claim().body, seen);
    if (!then) return malformed(Rejection::unknown_entity);
    const EntityId by = known_.public_id(asker.peer, ask.by);
    if (!context_.mailbox.put(Asked{request, by, ask.target, seen, std::move(*then), ask.bytes}))
        return later();
    waiting_[request] = {ask.target, asker.incarnation, ask.previous, by, std::move(ask.bytes)};
    return taken();
}

Error OwnedEntities::no_request(const RequestId& request) const {
    const std::string name =
        "request " + std::to_string(request.number) + " of peer " + to_string(request.asker);
    const auto ended = std::ranges::find(ended_, request, &Ended::request);
    if (ended == ended_.end()) return Error{name + " was never asked of this peer, or long ago"};
    if (ended->how == Ending::answered) return Error{name + " was answered already"};
    return Error{name + " is about an entity that this peer does not own any more"};
}

Result<void> OwnedEntities::answer(const RequestId& request, std::span<const std::uint8_t> bytes) {
    const auto found = waiting_.find(request);
    if (found == waiting_.end()) return no_request(request);
    OwnedEntity& owned = *find(found->second.target);
    if (owned.is_being_handed_over())
        return Error{to_string(found->second.target) + " is being handed over: its next owner will answer"};
    Waiting& waiting = found->second;
    owned.decide({.asker = request.asker,
                  .incarnation = waiting.incarnation,
                  .number = request.number,
                  .previous = waiting.previous,
                  .by = waiting.by,
                  .bytes = std::move(waiting.bytes),
                  .reply = {bytes.begin(), bytes.end()}});
    waiting_.erase(found);
    end(request, Ending::answered);
    if (owned.deputy()) ++counts_.replies_held;
    has_work_ = true;
    return {};
}

void OwnedEntities::close(const Asker& asker, const Closed& closed) {
    OwnedEntity* owned = find(closed.target);
    if (owned != nullptr) owned->close(asker, closed.oldest);
}

Decisions::Merged OwnedEntities::merge(OwnedEntity& owned, const Decisions& other) {
    auto merged = owned.merge(other);
    for (const Decision& decision : merged.added) {
        const RequestId request{decision.asker, decision.number};
        if (waiting_.erase(request) != 0) end(request, Ending::answered);
    }
    has_work_ = true;
    return merged;
}

// --- deputies ---

void OwnedEntities::appoint_any(Instant now, OwnedEntity& owned, const std::optional<PeerId>& except) {
    if (!owned.claim().shared || owned.deputy() || owned.is_being_handed_over()) return;
    for (const Post::Neighbour& neighbour : post_.neighbours()) {
        if (neighbour.peer == except) continue;
        return owned.appoint(now, neighbour.peer);
    }
}

void OwnedEntities::announce(OwnedEntity& owned) {
    known_.set(owned.claim());
    for (const Post::Neighbour& neighbour : post_.neighbours()) {
        if (!owned.owes_whole_record(neighbour.peer)) post_.tell(neighbour.link, owned.claim());
    }
}

void OwnedEntities::serve(Instant now, OwnedEntity& owned) {
    if (owned.is_record_due(now)) owned.send_records(now, post_, encoded_state(owned));
    for (const OwnedEntity::HeldReply& held : owned.release()) {
        const Decision* decision = owned.decisions().find(held.asker, held.number);
        if (decision == nullptr) continue;
        replies_.push_back({held.asker, {owned.claim().id, held.number, true, decision->reply}});
    }
}

void OwnedEntities::handle_link_up(Instant now, const Post::Neighbour& neighbour) {
    for (auto& [id, owned] : owned_) {
        appoint_any(now, owned, std::nullopt);
        serve(now, owned);
        if (!owned.owes_whole_record(neighbour.peer)) post_.tell(neighbour.link, owned.claim());
    }
    has_work_ = true;
}

void OwnedEntities::handle_link_down(Instant now, const PeerId& peer) {
    for (auto& [id, owned] : owned_) {
        const bool is_heir = owned.heir() == peer;
        if (!is_heir && owned.deputy() != peer) continue;
        if (is_heir) {
            owned.end_hand_over();
            returned_.push_back({id, peer});
        }
        if (owned.deputy() == peer) owned.dismiss();
        if (owned.is_being_handed_over()) continue;
        // The lost peer may have taken over. If others are linked with us, our history is to outlive its
        // own; if we are alone, its history is.
        if (!post_.neighbours().empty()) owned.raise();
        appoint_any(now, owned, std::nullopt);
        serve(now, owned);
        announce(owned);
    }
    has_work_ = true;
}

void OwnedEntities::handle_recorded(Instant now, const PeerId& from, const Recorded& recorded) {
    OwnedEntity* owned = find(recorded.id);
    if (owned != nullptr && owned->is_refused_by(from, recorded)) return take_back(now, *owned, from);
    if (owned == nullptr || !owned->acknowledge(now, recorded, from)) return;
    serve(now, *owned);
    has_work_ = true;
}

void OwnedEntities::outbid(Instant now, OwnedEntity& owned, std::uint64_t term) {
    owned.raise(term);
    appoint_any(now, owned, std::nullopt);
    serve(now, owned);
    announce(owned);
    has_work_ = true;
}

void OwnedEntities::begin_hand_over(Instant now, OwnedEntity& owned, const PeerId& to) {
    owned.begin_hand_over(now, to);
    serve(now, owned);
    has_work_ = true;
}

void OwnedEntities::take_back(Instant now, OwnedEntity& owned, const PeerId& from) {
    returned_.push_back({owned.claim().id, from});
    start_over(now, owned, from);
}

void OwnedEntities::start_over(Instant now, OwnedEntity& owned, const PeerId& except) {
    owned.end_hand_over();
    owned.raise();
    appoint_any(now, owned, except);
    serve(now, owned);
    announce(owned);
    has_work_ = true;
}

void OwnedEntities::close_gone(Instant now, std::uint32_t own_incarnation) {
    // An asker gives up when it has had no owner to ask for ownerless_most(); it may notice that its link is
    // lost a timeout later than we do.
    const Duration most = 2 * ownerless_most(context_.options.link);
    const auto is_here = [&](const Asker& asker) {
        if (asker.peer == context_.self) return asker.incarnation == own_incarnation;
        const Post::Neighbour* linked = post_.find(asker.peer);
        return linked != nullptr && linked->incarnation == asker.incarnation;
    };
    for (auto& [id, owned] : owned_) owned.close_gone(now, most, is_here);
}

void OwnedEntities::send_records(Instant now, bool in_frame) {
    has_work_ = false;
    const Duration patience = context_.options.link.timeout;
    for (auto& [id, owned] : owned_) {
        if (in_frame && owned.is_heir_overdue(now, 2 * patience)) {
            take_back(now, owned, *owned.heir());
            continue;
        }
        if (in_frame && owned.is_deputy_overdue(now, patience)) {
            start_over(now, owned, *owned.deputy());
            continue;
        }
        appoint_any(now, owned, std::nullopt);
        serve(now, owned);
    }
}

std::vector<OwnedEntities::Reply> OwnedEntities::take_replies() { return std::exchange(replies_, {}); }

std::size_t OwnedEntities::heap_bytes() const {
    constexpr std::size_t kNode = 4 * sizeof(void*);
    std::size_t sum = ended_.capacity() * sizeof(Ended) + replies_.capacity() * sizeof(Reply);
    for (const auto& [id, owned] : owned_) sum += kNode + sizeof(id) + sizeof(owned) + owned.heap_bytes();
    for (const auto& [request, waiting] : waiting_)
        sum += kNode + sizeof(request) + sizeof(waiting) + waiting.bytes.capacity();
    return sum;
}

}  // namespace fray
