#include "ownership/owned_entity.hpp"

#include <algorithm>
#include <utility>

namespace fray {

bool send_record(Post& post, LinkNumber link, const Record& header, std::vector<AskerRecord> askers,
                 std::span<const Decision> decisions) {
    const auto pieces = split_record(header, std::move(askers), decisions);
    std::size_t bytes = 0;
    for (const Record& piece : pieces)
        bytes += measure(piece) / 8 + kRecordBytes / 8;  // rounded up, to fragments
    if (!post.has_room(link, bytes)) return false;
    for (const Record& piece : pieces) post.send(link, OwnerMessage::record, piece);
    return true;
}

void OwnedEntity::decide(const Decision& decision) {
    decisions_.add(decision);
    fresh_.push_back(decision);
    held_.push_back({decision.asker, decision.incarnation, decision.number, 0});
}

std::vector<OwnedEntity::HeldReply> OwnedEntity::release() {
    if (!deputy_) {
        fresh_.clear();
        return std::exchange(held_, {});
    }
    std::vector<HeldReply> safe;
    std::erase_if(held_, [&](const HeldReply& reply) {
        const bool is_safe = reply.serial != 0 && reply.serial <= deputy_->acked;
        if (is_safe) safe.push_back(reply);
        return is_safe;
    });
    return safe;
}

bool OwnedEntity::is_held(const PeerId& asker, std::uint32_t incarnation, std::uint32_t number) const {
    return std::ranges::any_of(held_, [&](const HeldReply& reply) {
        return reply.number == number && reply.incarnation == incarnation && reply.asker == asker;
    });
}

void OwnedEntity::raise(std::uint64_t above) {
    top_term_ = std::max(top_term_, above) + 1;
    claim_.term = top_term_;
    deputy_.reset();  // its record is outranked
    if (!heir_) return;
    heir_->term = ++top_term_;  // likewise: it is sent again
    heir_->serial = 0;
}

void OwnedEntity::appoint(Instant now, const PeerId& peer) {
    deputy_ = Stream{.peer = peer, .term = ++top_term_, .unacked_since = now};
    for (HeldReply& reply : held_) reply.serial = 0;
}

bool OwnedEntity::send(Post& post, const Stream& to, RecordUse use, bool whole,
                       const std::vector<std::uint8_t>& state) const {
    const Post::Neighbour* neighbour = post.find(to.peer);
    if (neighbour == nullptr) return false;
    const Record header{.claim = claim_,
                        .stream = to.term,
                        .serial = to.serial + 1,
                        .use = use,
                        .whole = whole,
                        .state = state};
    if (whole) return send_record(post, neighbour->link, header, decisions_.askers(), decisions_.list());
    return send_record(post, neighbour->link, header, {}, fresh_);
}

bool OwnedEntity::is_record_due(Instant now) const {
    if (heir_) return heir_->serial == 0;
    if (!deputy_) return false;
    const bool changed = deputy_->version != version_;
    return deputy_->serial == 0 || !fresh_.empty() ||
           (changed && now - deputy_->state_sent >= kRecordInterval);
}

void OwnedEntity::send_records(Instant now, Post& post, const std::vector<std::uint8_t>& state) {
    if (heir_) {
        if (send(post, *heir_, RecordUse::take, true, state)) heir_->serial = 1;
        return;
    }
    const bool whole = deputy_->serial == 0;
    const bool changed = deputy_->version != version_;
    if (!send(post, *deputy_, RecordUse::keep, whole, changed ? state : std::vector<std::uint8_t>{})) return;
    if (deputy_->serial == deputy_->acked) deputy_->unacked_since = now;
    ++deputy_->serial;
    if (changed) deputy_->state_sent = now;
    deputy_->version = version_;
    fresh_.clear();
    for (HeldReply& reply : held_) {
        if (reply.serial == 0) reply.serial = deputy_->serial;
    }
}

bool OwnedEntity::acknowledge(Instant now, const Recorded& recorded, const PeerId& from) {
    if (!deputy_ || deputy_->peer != from || deputy_->term != recorded.stream) return false;
    if (recorded.serial > deputy_->serial || recorded.serial <= deputy_->acked) return false;
    deputy_->acked = recorded.serial;
    deputy_->unacked_since = now;
    return true;
}

std::size_t OwnedEntity::heap_bytes() const {
    std::size_t sum = decisions_.heap_bytes() + held_.capacity() * sizeof(HeldReply);
    for (const Decision& decision : fresh_) sum += decision.size();
    return sum;
}

}  // namespace fray
