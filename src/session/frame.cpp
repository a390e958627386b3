// Once per tick: drop silent links, run the overlay, commit what the game set, choose updates.

#include "session/session.hpp"

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
    is_.out.begin_frame(now, frame_);
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
    const Duration ack_delay = world().tick * (updates_.upload_is_short() ? kAckDelayShort : kAckDelayFrames);
    is_.out.wake_due(now, ack_delay, [this](LinkNumber link) { return is_.overlay->keeps(link); });
    is_.out.end_frame();
}

void Session::run_overlay(Instant now) {
    actions_.clear();
    std::optional<Vec3> self;  // our first entity's position is this peer's position
    if (is_.primaries.size() != 0) self = is_.primaries[0].state().pose.position;
    is_.overlay->round(now, self, is_.out.usual_bytes(world().tick), actions_);
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
}

}  // namespace fray
