// Once per tick: drop silent links, run the overlay, commit what the game set, choose updates.

#include "session/session.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr unsigned kAckDelayFrames = 2;
// If the upload is short, an acknowledgement waits longer for a datagram that leaves anyway.
constexpr unsigned kAckDelayShort = 6;
}  // namespace

void Session::handle_time(Instant now) {
    start(now);
    heard_time_ = now;
    is_.out.handle_time(now);
    is_.mailbox.release(session_time(now));
    is_.shared.flush(now);
    if (now < next_frame_) return;
    run_frame(now);
    next_frame_ += world().tick;
    if (next_frame_ <= now) next_frame_ = now + world().tick;  // a frame was missed: do not catch up
}

void Session::run_frame(Instant now) {
    ++frame_;
    is_.out.begin_frame(now, frame_, world().tick, is_.options.link.upload_kbps);
    is_.primaries.begin_frame(frame_);
    drop_silent(now);
    is_.reader.offer_again(now);
    is_.shared.run_frame(now);
    if (const auto refused = is_.handshake.run_join(now, is_.overlay->room())) is_.mailbox.report(*refused);
    is_.handshake.retry(now);
    run_overlay(now);
    if (stage_ == Stage::completing && is_.overlay->is_complete()) {
        stage_ = Stage::member;
        is_.mailbox.report(JoinCompleted{static_cast<std::uint32_t>(is_.links.up_links().size())});
    }
    is_.clock.run_frame(now);
    commit_primaries(now);
    is_.views.run_frame(now);
    actions_.clear();
    updates_.run(now, is_, actions_);
    carry_out(now);
    Outbound::Waits all = waits();
    all.update_ack_of = [this](LinkNumber link) { return is_.overlay->late_ack_delay(link); };
    is_.out.wake_due(now, all, [this](LinkNumber link) { return is_.overlay->keeps(link); });
    is_.out.end_frame();
}

Outbound::Waits Session::waits() const {
    const Duration ack = world().tick * (updates_.upload_is_short() ? kAckDelayShort : kAckDelayFrames);
    const Duration resend = updates_.upload_is_short() ? ack : Duration{0};
    const LinkOptions& link = is_.options.link;
    const Duration gap = is_.policy->expected_gap();
    if (gap == Duration{0})
        return {.ack = ack, .update_ack = ack, .keep_alive = link.keep_alive, .resend = resend};
    // An update leaves to every link within about this time: it acknowledges and keeps alive. A limit of its
    // own must not make a short upload shorter. After half of the timeout the other side would probe.
    const Duration patience = gap * 3 / 2 + 2 * world().tick;
    return {.ack = ack,
            .update_ack = std::clamp(patience, ack, std::max(ack, link.timeout * 2 / 5)),
            .keep_alive = std::clamp(patience, link.keep_alive, link.timeout / 2),
            .resend = resend};
}

void Session::run_overlay(Instant now) {
    actions_.clear();
    std::optional<Vec3> self;  // our first entity's position is this peer's position
    if (is_.primaries.size() != 0) self = is_.primaries[0].state().pose.position;
    is_.overlay->round(now, self, is_.out.usual_bytes(world().tick), actions_);
    for (const PeerId& peer : actions_.forgotten) forget_acquaintance(peer);
    for (const PeerId& peer : actions_.acquaintances) acquaint(peer);
    for (const LinkNumber link : actions_.hang_ups) drop_link(now, link, Reason::unneeded);
    for (const Contact& contact : actions_.calls) call(now, contact);
    is_.relay.deliver_waiting([this](const PeerId& peer) {
        const auto link = is_.links.up(peer);
        return link ? *link : is_.handshake.pending_call(peer);
    });
    carry_out(now);
}

void Session::commit_primaries(Instant now) {
    OwnViews& views = is_.views.own();
    for (std::size_t i = 0; i < is_.primaries.size(); ++i) {
        if (views.update_due(now, i) && is_.primaries.commit(i)) views.note_update(now, i);
    }
}

void Session::carry_out(Instant now) {
    for (const OverlayActions::Message& message : actions_.messages) {
        if (!is_.links.is_up(message.link)) continue;
        is_.out.send_bits(message.link, MessageKind::overlay, message.bytes, message.bytes.size() * 8,
                          {Delivery::unreliable, Purpose::overlay, message.this_frame_only});
    }
    for (const OverlayActions::Forward& f : actions_.forwards) {
        is_.relay.forward(now, {f.to, f.origin, f.state, f.state_bits, f.header, f.header_bits});
    }
    for (const OverlayActions::Bundle& b : actions_.bundles)
        is_.overlay->handle_bundle_queued(b.members.size(), is_.relay.bundle(now, b.to, b.members));
}

}  // namespace fray
