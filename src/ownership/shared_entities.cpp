#include "ownership/shared_entities.hpp"

#include <fray/peer.hpp>

#include "core/entity_errors.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fray {

namespace {

/// Where the numbers of an incarnation begin: 30 bits, so that those of two stays hardly ever meet.
std::uint32_t first_number(Incarnation incarnation) {
    const std::uint64_t mixed = static_cast<std::uint64_t>(incarnation) * 0x9E37'79B9'7F4A'7C15ULL;
    return static_cast<std::uint32_t>(mixed >> 34U);
}

Error handing_over(const EntityId& id) { return Error{to_string(id) + " is being handed over"}; }

}  // namespace

SharedEntities::SharedEntities(const PartContext& context, const OwnEntities& own,
                               const ReplicaReader& replicas)
    : context_{context},
      own_{own},
      post_{context},
      known_{context, replicas},
      owned_{context, own, known_, post_, counts_},
      asking_{context, known_, owned_, post_} {}

void SharedEntities::connect(BodyKeeper& bodies, Incarnation incarnation) {
    bodies_ = &bodies;
    incarnation_ = incarnation;
    next_number_ = kFirstLasting | first_number(incarnation);
    asking_.start(incarnation, first_number(incarnation));
}

std::optional<std::uint32_t> SharedEntities::own_body(const EntityId& id) const {
    const OwnedEntity* owned = owned_.find(id);
    if (owned == nullptr || owned->is_being_handed_over()) return std::nullopt;
    return owned->claim().body;
}

std::optional<std::uint32_t> SharedEntities::shown_body(const EntityId& id) const {
    const OwnedEntity* owned = owned_.find(id);
    if (owned == nullptr) return std::nullopt;
    return owned->claim().body;
}

OwnershipStats SharedEntities::stats() const {
    OwnershipStats stats = counts_;
    stats.owned = static_cast<std::uint32_t>(owned_.size());
    stats.deputy_of = static_cast<std::uint32_t>(kept_.kept());
    return stats;
}

// --- the game's commands ---

Result<std::uint32_t> SharedEntities::new_number(Tenure tenure) {
    if (tenure == Tenure::shared && !std::holds_alternative<FullMesh>(context_.options.overlay))
        return Error{
            "a shared entity needs the overlay FullMesh: pSense does not keep its deputy linked with its "
            "owner"};
    if (owned_.size() >= OwnedEntities::kMost)
        return Error{"a peer may own at most " + std::to_string(OwnedEntities::kMost) +
                     " movable and shared entities"};
    return next_number_++;
}

void SharedEntities::add_published(Instant now, std::uint32_t number, Tenure tenure) {
    const Claim claim{.id = {context_.self, number},
                      .term = 1,
                      .owner = context_.self,
                      .incarnation = static_cast<std::uint32_t>(incarnation_),
                      .body = number,
                      .shared = tenure == Tenure::shared};
    owned_.add(now, claim, {}, std::nullopt);
}

void SharedEntities::note_update(const EntityId& id) {
    if (OwnedEntity* owned = owned_.find(id)) owned_.note_update(*owned);
}

Result<void> SharedEntities::hand_over(Instant now, const EntityId& id, const PeerId& to) {
    OwnedEntity* owned = owned_.find(id);
    if (owned == nullptr) {
        const bool is_fixed = !is_lasting(id.number) && own_.own_state(id.number) != nullptr;
        if (is_fixed && id.owner == context_.self)
            return Error{to_string(id) + " has a fixed owner: publish it with Tenure::movable or shared"};
        return not_own_entity(id, context_.self);
    }
    if (owned->is_being_handed_over()) return handing_over(id);
    if (post_.find(to) == nullptr) return Error{"no link with peer " + to_string(to)};
    owned_.begin_hand_over(now, *owned, to);
    return {};
}

Result<void> SharedEntities::withdraw(const EntityId& id) {
    const OwnedEntity* owned = owned_.find(id);
    if (owned == nullptr) return not_own_entity(id, context_.self);
    if (owned->is_being_handed_over()) return handing_over(id);
    const Withdrawn withdrawn{id, owned->claim().term};
    bodies_->remove_body(owned->claim().body);
    for (const Post::Neighbour& neighbour : post_.neighbours())
        post_.send(neighbour.link, OwnerMessage::withdrawn, withdrawn);
    owned_.remove(id);
    known_.erase(id);
    asking_.fail(id);
    return {};
}

Result<RequestId> SharedEntities::interact(Instant now, const EntityId& by, const EntityId& target,
                                           SessionInstant seen, std::span<const std::uint8_t> bytes) {
    return asking_.interact(now, by, target, seen, bytes);
}

Result<void> SharedEntities::answer(const RequestId& request, std::span<const std::uint8_t> bytes) {
    if (bytes.size() > kMaxRequestBytes) return too_long("the answer", bytes.size(), kMaxRequestBytes);
    return owned_.answer(request, bytes);
}

bool SharedEntities::begin_leave(Instant now) {
    leaving_ = true;
    bool queued = false;
    for (const EntityId& id : owned_.ids()) {
        OwnedEntity& owned = *owned_.find(id);
        if (!owned.has_ready_deputy()) continue;
        if (owned.is_deputy_behind()) {
            owned.send_records(now, post_, owned_.encoded_state(owned));
            queued = true;
        }
        const PeerId deputy = *owned.deputy();
        bodies_->remove_body(owned.claim().body);
        owned_.remove(id);
        known_.erase(id);
        context_.mailbox.report(Relinquished{id, deputy, Change::handed_over});
    }
    return queued;
}

void SharedEntities::end_leave(Incarnation incarnation) {
    incarnation_ = incarnation;
    leaving_ = false;
    asking_.start(incarnation, first_number(incarnation));
    for (const EntityId& id : owned_.ids()) {
        OwnedEntity& owned = *owned_.find(id);
        owned.end_hand_over();
        owned.restart(incarnation);
        known_.set(owned.claim());
    }
}

// --- life-cycle ---

void SharedEntities::report_returned() {
    for (const auto& [id, from] : owned_.take_returned()) {
        const State* state = own_.own_state(owned_.find(id)->claim().body);
        context_.mailbox.report(Acquired{id, *state, from, Change::returned});
    }
}

void SharedEntities::send_all(Instant now, bool in_frame) {
    owned_.send_records(now, in_frame);
    report_returned();
    for (const OwnedEntities::Reply& reply : owned_.take_replies()) {
        if (reply.to.peer == context_.self) {
            asking_.settle(reply.decided);
            continue;
        }
        // An asker that is not linked asks again when it is.
        const Post::Neighbour* asker = post_.find(reply.to.peer);
        if (asker != nullptr && asker->incarnation == reply.to.incarnation)
            post_.send(asker->link, OwnerMessage::decided, reply.decided);
    }
}

void SharedEntities::run_frame(Instant now) {
    if (known_.empty() && histories_.empty()) return;
    for (const auto& due : std::exchange(due_, {})) {
        if (!acquire(now, due.id, RecordUse::keep, due.from)) due_.push_back(due);
    }
    const auto has_owner = [&](const Claim& claim) { return post_.is_linked_with_owner(claim); };
    for (const EntityId& id : known_.list_expired(now, ownerless_most(context_.options.link), has_owner)) {
        kept_.erase(id, RecordUse::keep);
        known_.erase(id);
        asking_.fail(id);
    }
    kept_.expire(now);
    histories_.expire(now);
    histories_.send_all(known_, post_);
    owned_.close_gone(now, static_cast<std::uint32_t>(incarnation_));
    asking_.ask_waiting(now);
    send_all(now, true);
}

void SharedEntities::handle_link_up(Instant now, const LinkUp& up) {
    post_.add(up);
    owned_.handle_link_up(now, *post_.at(up.link));
    for (const EntityId& id : known_.list_of(up.contact.id)) {
        const KnownEntity& known = *known_.find(id);
        if (!post_.is_linked_with_owner(known.claim)) continue;
        asking_.ask_again(now, id);
        histories_.send(known, post_);
    }
}

void SharedEntities::handle_link_down(Instant now, const LinkDown& down) {
    const PeerId& peer = down.contact.id;
    post_.remove(down.link);
    if (leaving_) return;
    kept_.drop_partial(peer);
    asking_.handle_link_down(peer);
    histories_.handle_link_down(peer);
    owned_.handle_link_down(now, peer);
    report_returned();
    for (const EntityId& id : kept_.kept_for(peer)) {
        if (!acquire(now, id, RecordUse::keep, peer)) due_.push_back({id, peer});
    }
}

void SharedEntities::reset() {
    asking_.fail_all();
    kept_.clear();
    histories_.clear();
    due_.clear();
    known_.reset();
}

std::size_t SharedEntities::memory_bytes() const {
    return sizeof(*this) + post_.heap_bytes() + known_.heap_bytes() + owned_.heap_bytes() +
           kept_.heap_bytes() + asking_.heap_bytes() + histories_.heap_bytes() +
           due_.capacity() * sizeof(due_[0]);
}

}  // namespace fray
