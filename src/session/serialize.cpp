// Updates that go through one peer to all: it gives them one order, and may refuse what cannot be.

#include "session/session.hpp"

#include <algorithm>
#include <array>

namespace fray {

namespace {
constexpr Duration kSettle{300ms};         // so long after the last one it is told once more, reliably
constexpr Duration kOverruleAgain{100ms};  // an owner is told no more often than this
}  // namespace

bool Session::goes_to(const OwnView& view, const LinkSlot& slot) const {
    if (!view.showing) return true;
    const auto through = view.showing->algorithm().through();
    // Who serializes its own, or misses its serializer, tells everybody itself.
    if (!through || *through == id_ || *through == slot.link.ends.peer) return true;
    return links_.up(*through) == nullptr;
}

void Session::hear_directly(Instant now, LinkSlot& slot, const ReplicaStore::Applied& applied,
                            const UpdateOrigin& origin) {
    const auto view = std::ranges::lower_bound(slot.views, applied.number, {}, &RemoteView::number);
    if (view == slot.views.end() || view->number != applied.number) return;
    word_.when = origin.when;
    word_.pose = codec_.restore(applied.pose);
    word_.payload.assign(slot.replicas.last_payload().begin(), slot.replicas.last_payload().end());
    word_.input.assign(slot.replicas.last_input().begin(), slot.replicas.last_input().end());
    const auto through = view->showing->algorithm().through();
    const bool ours = through == id_;
    const bool by_others =
        through && !ours && *through != slot.link.ends.peer && links_.up(*through) != nullptr;
    if (by_others && !view->showing->empty()) return;  // it will come from there
    if (ours && !is_valid(now, slot, *view, word_)) return;
    if (applied.outcome == ReplicaStore::Outcome::appeared) {
        view->showing->set_type(slot.replicas.type_at(*slot.replicas.find(applied.number)));
    }
    view->showing->hear(session_time(now), word_);
    if (!ours || applied.outcome == ReplicaStore::Outcome::stale) return;
    pass_on(now, slot, *view, false);
}

bool Session::is_valid(Instant now, LinkSlot& slot, RemoteView& view, const Moment& word) {
    const auto at = slot.replicas.find(view.number);
    if (view.showing->empty() || !at) return true;
    const ValidFunction valid =
        options_.world.types[static_cast<std::size_t>(slot.replicas.type_at(*at))].valid;
    const Moment& last = view.showing->timeline().newest();
    if (valid == nullptr || word.when <= last.when) return true;
    if (valid(last.pose, last.payload, word.pose, word.payload, word.when - last.when)) return true;
    if (session_time(now) - view.overruled < kOverruleAgain) return false;
    view.overruled = session_time(now);
    const ReplicaStore::Whole whole{.number = view.number,
                                    .type = slot.replicas.type_at(*at),
                                    .pose = codec_.quantise(last.pose),
                                    .payload = last.payload,
                                    .input = last.input};
    std::vector<std::uint8_t> bytes(kMaxDatagram + kMaxPayloadBytes);
    bytes[0] = static_cast<std::uint8_t>(ReliableKind::overruled);
    BitWriter out{std::span{bytes}.subspan(1)};
    out.bits(wire_time(last.when), kSessionTimeBits);
    ReplicaStore::write_whole(out, whole, options_.world, codec_);
    bytes.resize(1 + out.finish().size());
    slot.link.channel.out.queue(bytes, false, Purpose::reliable);
    make_urgent(slot);
    return false;
}

void Session::pass_on(Instant now, LinkSlot& slot, RemoteView& view, bool surely) {
    const auto at = slot.replicas.find(view.number);
    if (!at) return;
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
        if (surely || !fits) {
            to.link.channel.out.queue(std::span{bytes}.first(1 + body.size()), false, Purpose::relay);
            make_urgent(to);
        } else {
            queue_loose(to, MessageType::serialized, Purpose::relay, body, bits);
        }
    }
}

void Session::settle_views(Instant now) {
    for (const LinkNumber number : links_.up_links()) {
        LinkSlot& slot = *links_.at(number);
        for (RemoteView& view : slot.views) {
            if (view.settled || session_time(now) - view.passed_on < kSettle) continue;
            pass_on(now, slot, view, true);
        }
    }
}

bool Session::read_serialized(Instant now, LinkSlot& slot, BitReader& in) {
    Relayed& relayed = forwarded_;
    for (std::uint8_t& byte : relayed.origin.bytes) byte = static_cast<std::uint8_t>(in.bits(8));
    relayed.stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
    relayed.when = complete_stamp(relayed.stamp, session_time(now));
    if (!ReplicaStore::read_whole(in, options_.world, codec_, relayed.state))
        return reject(Rejection::malformed);
    word_.when = relayed.when;
    word_.pose = codec_.restore(relayed.state.pose);
    word_.payload = relayed.state.payload;
    word_.input = relayed.state.input;
    const auto from_there = [&](const Showing& showing) {  // only whom the owner chose is believed
        return showing.algorithm().through() == slot.link.ends.peer;
    };
    if (relayed.origin == id_) {
        const auto own = std::ranges::lower_bound(own_views_, relayed.state.number, {}, &OwnView::number);
        const bool ours = own != own_views_.end() && own->number == relayed.state.number && own->showing;
        if (ours && from_there(*own->showing) && !own->showing->algorithm().optimistic())
            own->showing->hear(session_time(now), word_);
        return true;
    }
    LinkSlot* theirs = links_.up(relayed.origin);
    if (theirs == nullptr) return true;  // who is gone for us, or not there yet
    const auto view = std::ranges::lower_bound(theirs->views, relayed.state.number, {}, &RemoteView::number);
    if (view == theirs->views.end() || view->number != relayed.state.number || !from_there(*view->showing)) {
        rejections_.count(Rejection::unknown_entity);  // the owner's choice may still be on its way
        return true;
    }
    take_over(*theirs, relayed);
    view->showing->hear(session_time(now), word_);
    return true;
}

bool Session::read_overruled(const LinkSlot& slot, BitReader& in) {
    const SessionInstant when = session_instant(in.bits(kSessionTimeBits));
    ReplicaStore::Whole& whole = forwarded_.state;
    if (!ReplicaStore::read_whole(in, options_.world, codec_, whole)) return reject(Rejection::malformed);
    const auto own = std::ranges::lower_bound(own_views_, whole.number, {}, &OwnView::number);
    const bool ours = own != own_views_.end() && own->number == whole.number && own->showing &&
                      own->showing->algorithm().through() == slot.link.ends.peer;
    if (!ours) return reject(Rejection::impossible);
    mailbox_.put(Overruled{{id_, whole.number},
                           State{.pose = codec_.restore(whole.pose),
                                 .payload = whole.payload,
                                 .input = whole.input,
                                 .type = whole.type},
                           when});
    return true;
}

}  // namespace fray
