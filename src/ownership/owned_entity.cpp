#include "ownership/owned_entity.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fray {

std::size_t send_record(Post& post, LinkNumber link, const Record& header, std::vector<AskerRecord> askers,
                        std::span<const Decision* const> decisions) {
    const auto pieces = split_record(header, std::move(askers), decisions);
    std::size_t bytes = 0;
    for (const Record& piece : pieces) bytes += measure(piece) / 8 + 1;
    const std::size_t rounding = pieces.size() * kRecordBytes / 8;  // up to whole fragments
    if (!post.has_room(link, bytes + rounding + kReservedBytes)) return 0;
    for (const Record& piece : pieces) post.send(link, OwnerMessage::record, piece);
    return bytes;
}

void OwnedEntity::decide(const Decision& decision) {
    decisions_.add(decision);
    note_fresh(decision);
    hold(decision);
}

Decisions::Merged OwnedEntity::merge(const Decisions& other) {
    auto merged = decisions_.merge(other);
    for (const Decision& decision : merged.added) {
        note_fresh(decision);
        hold(decision);  // a deputy must have it before the asker is told
    }
    // Too many were heard: their details are dropped already.
    std::erase_if(
        held_, [&](const HeldReply& reply) { return decisions_.find(reply.asker, reply.number) == nullptr; });
    return merged;
}

void OwnedEntity::hold(const Decision& decision) { held_.push_back({decision.of(), decision.number, 0}); }

void OwnedEntity::note_fresh(const Decision& decision) {
    if (!deputy_) return;
    fresh_.push_back({decision.of(), decision.number});
    if (fresh_.size() <= kMaxListed || fresh_.size() <= 2 * decisions_.size()) return;
    prune_fresh();  // most of them were heard, and their details dropped meanwhile
}

void OwnedEntity::prune_fresh() {
    std::erase_if(fresh_, [&](const Request& one) {
        const bool dropped = decisions_.find(one.asker, one.number) == nullptr;
        if (dropped) note_changed(one.asker);  // that it was decided is still known
        return dropped;
    });
}

void OwnedEntity::note_changed(const Asker& asker) {
    if (!deputy_) return;
    changed_.insert(asker);
    if (changed_.size() <= 2 * kMaxAskers) return;
    std::set<Asker> known;
    for (const AskerRecord& record : decisions_.askers(changed_))
        known.insert({record.asker, record.incarnation});
    changed_ = std::move(known);
}

void OwnedEntity::forget_changes() {
    fresh_.clear();
    changed_.clear();
}

void OwnedEntity::close(const Asker& asker, std::uint32_t oldest) {
    if (decisions_.close(asker, oldest)) note_changed(asker);
}

std::vector<OwnedEntity::HeldReply> OwnedEntity::release() {
    if (!deputy_) return std::exchange(held_, {});
    std::vector<HeldReply> safe;
    std::erase_if(held_, [&](const HeldReply& reply) {
        const bool is_safe = reply.serial != 0 && reply.serial <= deputy_->acked;
        if (is_safe) safe.push_back(reply);
        return is_safe;
    });
    return safe;
}

bool OwnedEntity::is_held(const Asker& asker, std::uint32_t number) const {
    return std::ranges::any_of(
        held_, [&](const HeldReply& reply) { return reply.number == number && reply.asker == asker; });
}

void OwnedEntity::raise(std::uint64_t above) {
    top_term_ = std::max(top_term_, above) + 1;
    claim_.term = top_term_;
    dismiss();  // its record is outranked
    if (!heir_) return;
    heir_->term = ++top_term_;  // likewise: it is sent again
    heir_->serial = 0;
}

void OwnedEntity::appoint(Instant now, const PeerId& peer) {
    forget_changes();  // a whole record comes first
    deputy_ = Stream{.peer = peer, .term = ++top_term_, .unacked_since = now};
    for (HeldReply& reply : held_) reply.serial = 0;
}

std::size_t OwnedEntity::send(Post& post, const Stream& to, RecordUse use, bool whole,
                              const std::vector<std::uint8_t>& state) {
    const Post::Neighbour* neighbour = post.find(to.peer);
    if (neighbour == nullptr) return 0;
    const Record header{.claim = claim_,
                        .stream = to.term,
                        .serial = to.serial + 1,
                        .use = use,
                        .whole = whole,
                        .state = state};
    if (whole) return send_record(post, neighbour->link, header, decisions_.askers(), decisions_.list());
    prune_fresh();
    std::vector<const Decision*> added;
    added.reserve(fresh_.size());
    for (const Request& request : fresh_) added.push_back(decisions_.find(request.asker, request.number));
    return send_record(post, neighbour->link, header, decisions_.askers(changed_), added);
}

bool OwnedEntity::is_record_due(Instant now) const {
    if (heir_) return heir_->serial == 0;
    if (!deputy_) return false;
    if (deputy_->unacked_bytes > kMaxUnackedBytes) return false;
    const bool changed = deputy_->version != version_;
    return deputy_->serial == 0 || !fresh_.empty() ||
           (changed && now - deputy_->state_sent >= kRecordInterval);
}

void OwnedEntity::send_records(Instant now, Post& post, const std::vector<std::uint8_t>& state) {
    if (heir_) {
        if (send(post, *heir_, RecordUse::take, true, state) != 0) heir_->serial = 1;
        return;
    }
    const bool whole = deputy_->serial == 0;
    const bool changed = deputy_->version != version_;
    const std::size_t bytes =
        send(post, *deputy_, RecordUse::keep, whole, changed ? state : std::vector<std::uint8_t>{});
    if (bytes == 0) return;
    deputy_->unacked_bytes += bytes;
    deputy_->unacked.push_back(bytes);
    if (deputy_->serial == deputy_->acked) deputy_->unacked_since = now;
    ++deputy_->serial;
    if (changed) deputy_->state_sent = now;
    deputy_->version = version_;
    forget_changes();
    for (HeldReply& reply : held_) {
        if (reply.serial == 0) reply.serial = deputy_->serial;
    }
}

bool OwnedEntity::acknowledge(Instant now, const Recorded& recorded, const PeerId& from) {
    if (!deputy_ || deputy_->peer != from || deputy_->term != recorded.stream) return false;
    if (recorded.serial > deputy_->serial || recorded.serial <= deputy_->acked) return false;
    auto& unacked = deputy_->unacked;
    const auto done = unacked.begin() + static_cast<std::ptrdiff_t>(recorded.serial - deputy_->acked);
    deputy_->unacked_bytes -= std::reduce(unacked.begin(), done);
    unacked.erase(unacked.begin(), done);
    deputy_->acked = recorded.serial;
    deputy_->unacked_since = now;
    return true;
}

std::size_t OwnedEntity::heap_bytes() const {
    constexpr std::size_t kNode = 4 * sizeof(void*) + sizeof(Asker) + sizeof(Instant);
    return decisions_.heap_bytes() + held_.capacity() * sizeof(HeldReply) +
           fresh_.capacity() * sizeof(Request) + (changed_.size() + gone_.size()) * kNode;
}

}  // namespace fray
