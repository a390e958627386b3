// Updates that go through one peer to all: it gives them one order, and may refuse what cannot be.

#include "session/session.hpp"

#include <algorithm>
#include <array>

namespace fray {

namespace {

constexpr Duration kSettle{300ms};         // so long after the last one it is told once more, reliably
constexpr Duration kInVain{1s};            // so long a word waits for the one through whom it should come
constexpr Duration kOverruleAgain{100ms};  // an owner is told no more often than this
// Bytes of reliable messages that must still have room: what others make us say is not all we say.
constexpr std::size_t kOwnShare = 2048 * kFragmentBytes;

bool same(const Moment& a, const Moment& b) {
    return a.pose == b.pose && a.payload == b.payload && a.input == b.input;
}

}  // namespace

bool Session::goes_to(const OwnView& view, const LinkSlot& slot) const {
    if (!view.showing) return true;
    const auto through = view.showing->algorithm().through();
    // Who serializes its own, or misses its serializer, tells everybody itself.
    if (!through || *through == id_ || *through == slot.link.ends.peer) return true;
    // That it is there at all, everybody hears from us.
    const BaselineTracker::Track* told = slot.baselines.find(view.number);
    if (told == nullptr || (!told->arrived && told->settled == kNoFrame)) return true;
    return links_.up(*through) == nullptr;
}

void Session::hear_directly(Instant now, LinkSlot& slot, const ReplicaStore::Applied& applied,
                            const UpdateOrigin& origin) {
    const auto at = slot.replicas.find(applied.number);
    if (!at) return;  // withdrawn
    RemoteView* view = view_of(slot, applied.number);
    if (view == nullptr) return;  // shown the plain way
    view->showing->set_type(slot.replicas.type_at(*at));
    word_.when = origin.when;
    word_.pose = codec_.restore(applied.pose);
    word_.payload.assign(slot.replicas.last_payload().begin(), slot.replicas.last_payload().end());
    word_.input.assign(slot.replicas.last_input().begin(), slot.replicas.last_input().end());
    if (comes_by_others(slot, *view)) return hold_back(now, *view, word_.when);
    const bool ours = view->showing->algorithm().through() == id_;
    // Nobody gains time by a stamp of the future, and what we pass on nobody refuses for it.
    if (ours) word_.when = std::min(word_.when, session_time(now) + kPassedOnAhead / 2);
    if (ours && !is_valid(now, slot, *view, word_)) return;
    view->showing->hear(session_time(now), word_);
    if (!ours || applied.outcome == ReplicaStore::Outcome::stale) return;
    pass_on(now, slot, *view, false);
}

bool Session::comes_by_others(const LinkSlot& slot, const RemoteView& view) const {
    const auto through = view.showing->algorithm().through();
    if (!through || *through == id_ || *through == slot.link.ends.peer) return false;
    return !view.direct && !view.showing->empty() && links_.up(*through) != nullptr;
}

void Session::hold_back(Instant now, RemoteView& view, SessionInstant when) {
    if (view.held || when <= view.showing->timeline().newest().when) return;
    view.held = now;
    holds_back_ = true;
}

void Session::release_held(Instant now) {
    if (!holds_back_) return;
    holds_back_ = false;
    for (const LinkNumber number : links_.up_links()) {
        LinkSlot& slot = *links_.at(number);
        for (RemoteView& view : slot.views) {
            if (!view.held) continue;
            const auto at = slot.replicas.find(view.number);
            if (!at) continue;
            // The owner has lost the one between us. What somebody may refuse is not believed for that.
            const auto type = static_cast<std::size_t>(slot.replicas.type_at(*at));
            if (now - *view.held >= kInVain && options_.world.types[type].valid == nullptr)
                view.direct = true;
            if (comes_by_others(slot, view)) {
                holds_back_ = true;
                continue;
            }
            view.held.reset();
            hear_again(now, slot, view);
        }
    }
}

bool Session::is_valid(Instant now, LinkSlot& slot, RemoteView& view, const Moment& word) {
    const auto at = slot.replicas.find(view.number);
    if (view.showing->empty() || !at) return true;
    const EntityTypeId type = slot.replicas.type_at(*at);
    const ValidFunction valid = options_.world.types[static_cast<std::size_t>(type)].valid;
    const Moment& last = view.showing->timeline().newest();
    // An older one changes nothing of what is; one of the same time would take its place.
    if (valid == nullptr || word.when < last.when || (word.when == last.when && same(word, last)))
        return true;
    if (valid(last.pose, last.payload, word.pose, word.payload, word.when - last.when)) return true;
    if (session_time(now) - view.overruled < kOverruleAgain) return false;
    view.overruled = session_time(now);
    overrule(slot, view, type);
    return false;
}

void Session::overrule(LinkSlot& slot, const RemoteView& view, EntityTypeId type) {
    const Moment& last = view.showing->timeline().newest();
    std::vector<std::uint8_t>& bytes = passing_;
    bytes.resize(kMaxDatagram + kMaxPayloadBytes);
    bytes[0] = static_cast<std::uint8_t>(ReliableKind::overruled);
    BitWriter out{std::span{bytes}.subspan(1)};
    out.bits(wire_time(last.when), kSessionTimeBits);
    ReplicaStore::write_whole(out,
                              {.number = view.number,
                               .type = type,
                               .pose = codec_.quantise(last.pose),
                               .payload = last.payload,
                               .input = last.input},
                              options_.world, codec_);
    const std::size_t size = 1 + out.finish().size();
    slot.link.channel.out.queue(std::span{bytes}.first(size), false, Purpose::reliable);
    make_urgent(slot);
}

void Session::pass_on(Instant now, const LinkSlot& slot, RemoteView& view, bool surely) {
    const auto at = slot.replicas.find(view.number);
    if (!at || view.showing->empty()) return;
    passes_on_ = true;
    view.passed_on = session_time(now);
    view.settled = surely;
    const Moment& last = view.showing->timeline().newest();
    std::vector<std::uint8_t>& bytes = passing_;
    bytes.resize(kMaxDatagram + kMaxPayloadBytes);
    bytes[0] = static_cast<std::uint8_t>(ReliableKind::serialized);
    BitWriter out{std::span{bytes}.subspan(1)};
    for (const std::uint8_t byte : slot.link.ends.peer.bytes) out.bits(byte, 8);
    out.bits(stamp_of(last.when), kStampBits);
    ReplicaStore::write_whole(out,
                              {.number = view.number,
                               .type = slot.replicas.type_at(*at),
                               .pose = codec_.quantise(last.pose),
                               .payload = last.payload,
                               .input = last.input},
                              options_.world, codec_);
    const std::size_t bits = out.bit_count();
    const auto body = out.finish();
    const bool fits = bits / 8 < kFragmentBytes;
    for (const LinkNumber number : links_.up_links()) {
        LinkSlot& to = *links_.at(number);
        if (!surely && fits) {
            queue_loose(to, MessageType::serialized, Purpose::relay, body, bits);
        } else if (to.link.channel.out.has_room(kOwnShare)) {
            to.link.channel.out.queue(std::span{bytes}.first(1 + body.size()), false, Purpose::relay);
            make_urgent(to);
        } else {
            view.settled = false;  // once more, later
        }
    }
}

void Session::settle_views(Instant now) {
    if (!passes_on_) return;
    for (const LinkNumber number : links_.up_links()) {
        LinkSlot& slot = *links_.at(number);
        for (RemoteView& view : slot.views) {
            if (view.settled || session_time(now) - view.passed_on < kSettle) continue;
            if (view.showing->algorithm().through() != id_)
                view.settled = true;
            else
                pass_on(now, slot, view, true);
        }
    }
}

bool Session::read_serialized(Instant now, const LinkSlot& slot, BitReader& in, bool surely) {
    Relayed& relayed = forwarded_;
    for (std::uint8_t& byte : relayed.origin.bytes) byte = static_cast<std::uint8_t>(in.bits(8));
    relayed.stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
    relayed.when = complete_stamp(relayed.stamp, session_time(now));
    if (!ReplicaStore::read_whole(in, options_.world, codec_, relayed.state))
        return reject(Rejection::malformed);
    // Its owner's doing, perhaps: no reason to refuse what else came with it. What comes for sure may come
    // late, as long as it is the last.
    if (is_ahead(now, relayed.when) || (!surely && is_old(now, relayed.when))) {
        rejections_.count(Rejection::impossible);
        return true;
    }
    word_.when = relayed.when;
    word_.pose = codec_.restore(relayed.state.pose);
    word_.payload = relayed.state.payload;
    word_.input = relayed.state.input;
    if (relayed.origin == id_) {
        hear_back(now, slot.link.ends.peer, relayed.state.number);
    } else if (LinkSlot* theirs = links_.up(relayed.origin)) {  // else it is gone for us, or not there yet
        hear_serialized(now, slot.link.ends.peer, *theirs);
    }
    return true;
}

void Session::hear_back(Instant now, const PeerId& from, std::uint32_t number) {
    const auto own = std::ranges::lower_bound(own_views_, number, {}, &OwnView::number);
    const bool ours = own != own_views_.end() && own->number == number && own->showing;
    if (!ours || own->showing->algorithm().through() != from)  // or we chose anew, and it does not know yet
        return rejections_.count(Rejection::unknown_entity);
    if (!own->showing->algorithm().optimistic()) own->showing->hear(session_time(now), word_);
}

void Session::hear_serialized(Instant now, const PeerId& from, LinkSlot& theirs) {
    const std::uint32_t number = forwarded_.state.number;
    RemoteView* view = theirs.view(number);
    // Only whom the owner chose is believed; its choice may still be on its way.
    if (view == nullptr || view->showing->algorithm().through() != from)
        return rejections_.count(Rejection::unknown_entity);
    take_over(theirs, forwarded_);
    const auto at = theirs.replicas.find(number);
    if (!at) return rejections_.count(Rejection::unknown_entity);
    if (theirs.replicas.type_at(*at) != forwarded_.state.type)
        return rejections_.count(Rejection::impossible);
    if (word_.when >= theirs.replicas.when_at(*at)) {  // nothing of what its owner told us itself is newer
        view->held.reset();
        view->direct = false;
    } else if (view->held) {
        view->held = now;  // more may come
    }
    view->showing->set_type(forwarded_.state.type);
    view->showing->hear(session_time(now), word_);
}

bool Session::read_overruled(const LinkSlot& slot, BitReader& in) {
    const SessionInstant when = session_instant(in.bits(kSessionTimeBits));
    ReplicaStore::Whole& whole = forwarded_.state;
    if (!ReplicaStore::read_whole(in, options_.world, codec_, whole)) return !reject(Rejection::malformed);
    const auto own = std::ranges::lower_bound(own_views_, whole.number, {}, &OwnView::number);
    const bool ours = own != own_views_.end() && own->number == whole.number && own->showing &&
                      own->showing->algorithm().through() == slot.link.ends.peer &&
                      primaries_[static_cast<std::size_t>(own - own_views_.begin())].type() == whole.type;
    if (!ours) return !reject(Rejection::impossible);
    return mailbox_.put(Overruled{{id_, whole.number},
                                  State{.pose = codec_.restore(whole.pose),
                                        .payload = whole.payload,
                                        .input = whole.input,
                                        .type = whole.type},
                                  when});
}

}  // namespace fray
