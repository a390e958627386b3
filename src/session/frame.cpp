// Once per tick: who is silent, whom to call, what is new, who gets it.

#include "session/session.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr Duration kOldStamp{10s};  // an unchanged state older than this is stamped anew when it is sent
constexpr std::uint16_t kDatagramCost = 56;  // headers, seal and acknowledgement, in bytes
constexpr std::size_t kUpdateCost = 2;       // stamp, number and baseline, beside the state
constexpr unsigned kAckDelayFrames = 2;
constexpr unsigned kAckDelayShort =
    6;  // where the upload is short, an acknowledgement rather waits for company
constexpr unsigned kRefreshFrames = 8;  // who stands still says so, where overlays go by what they hear
constexpr unsigned kQuickPings = 10;    // so many times as often until the clock is settled

}  // namespace

void Session::handle_time(Instant now) {
    start(now);
    heard_time_ = now;
    if (blocked_until_ <= now) blocked_until_ = kNever;
    mailbox_.release(session_time(now));
    if (now < next_frame_) return;
    run_frame(now);
    next_frame_ += options_.world.tick;
    if (next_frame_ <= now) next_frame_ = now + options_.world.tick;  // a frame was missed: do not catch up
}

void Session::run_frame(Instant now) {
    ++frame_;
    budget_.begin_round();
    forget_passing();
    drop_silent(now);
    offer_again(now);
    retry_hellos(now);
    run_overlay(now);
    choose_reference();
    ask_for_time(now);
    commit_primaries(now);
    run_views(now);
    choose_updates(now);
    wake_links(now);
    recall_passed_over();
}

bool Session::silent(Instant now, const LinkSlot& slot) const {
    const Duration timeout = options_.link.timeout;
    const Duration quiet = now - slot.link.last_heard;
    if (slot.link.ends.remote_known) return quiet > timeout;
    // Used before it was answered: whom we only heard of may be gone, and for a while already.
    if (quiet > std::min(timeout, kHandshakePatience)) return true;
    return slot.replicas.size() > 0 && session_time(now) - slot.replicas.when_at(0) > timeout;
}

void Session::drop_silent(Instant now) {
    for (std::size_t i = 0; i < links_.up_links().size();) {
        const LinkSlot& slot = *links_.at(links_.up_links()[i]);
        if (silent(now, slot)) {
            const PeerId peer = slot.link.ends.peer;
            const Instant last_heard = slot.link.last_heard;
            drop(now, slot.link.ends.local_number, Reason::timed_out);
            judge_join(peer, last_heard);
        } else {
            ++i;
        }
    }
    for (std::size_t i = 0; i < links_.pending().size();) {
        const LinkSlot& slot = *links_.at(links_.pending()[i]);
        const bool joining = join_ && join_->link == slot.link.ends.local_number;
        // From the last sign of life: an answer is on its way to whom we told our token late.
        const Instant since = joining ? slot.link.born : slot.link.last_heard;
        if (now - since > (joining ? options_.link.timeout : kHandshakePatience)) {
            drop(now, slot.link.ends.local_number, Reason::timed_out);
        } else {
            ++i;
        }
    }
    const auto named = [&](const ParkedChannel& p) {  // in a hello of ours, which may be answered yet
        return std::ranges::any_of(
            links_.pending(), [&](LinkNumber n) { return links_.at(n)->link.channel.id == p.channel.id; });
    };
    std::erase_if(parked_, [&](const ParkedChannel& p) { return now - p.since > kParkedFor && !named(p); });
}

void Session::retry_hellos(Instant now) {
    for (const LinkNumber number : links_.pending()) {
        LinkSlot& slot = *links_.at(number);
        // A stranger gets few answers; whom we called ourselves we would call again anyway.
        const bool answering = slot.link.ends.remote_known && !slot.called;
        if (slot.next_hello > now || (answering && slot.answers_left == 0)) continue;
        slot.hello_due = true;
        make_urgent(slot);
    }
}

void Session::run_overlay(Instant now) {
    actions_.clear();
    std::optional<Vec3> self;  // our first entity stands for us
    if (!primaries_.empty()) self = primaries_.front().state().pose.position;
    overlay_->round(now, self, budget_.usual_bytes(options_.world.tick), actions_);
    for (const Contact& contact : actions_.calls) call(now, contact);
    for (const Relayed& relayed : passed_on_) {
        LinkSlot* theirs = links_.up(relayed.origin);
        if (theirs == nullptr) theirs = links_.pending_call(relayed.origin);
        if (theirs != nullptr) take_over(*theirs, relayed);
    }
    passed_on_.clear();
    send_overlay_messages(now);
}

void Session::forget_passing() {
    for (const LinkNumber number : links_.up_links()) {
        LinkSlot& slot = *links_.at(number);
        if (!slot.loose.empty()) slot.loose.drop_passing();
    }
}

void Session::send_overlay_messages(Instant now) {
    for (OverlayActions::Message& message : actions_.messages) {
        LinkSlot* slot = links_.at(message.link);
        if (slot == nullptr || !slot->up) continue;
        if (message.reliable) {
            message.bytes.insert(message.bytes.begin(), static_cast<std::uint8_t>(ReliableKind::overlay));
            slot->link.channel.out.queue(message.bytes, false, Purpose::overlay);
            make_urgent(*slot);
        } else {
            std::array<std::uint8_t, kMaxDatagram + 16> framed;  // NOLINT(*-member-init): written below
            BitWriter out{framed};
            WriteStream stream{out};
            stream.bytes(message.bytes, kMaxDatagram);
            const std::size_t bits = out.bit_count();
            queue_loose(*slot, MessageType::overlay, Purpose::overlay, out.finish(), bits, message.passing);
        }
    }
    for (const OverlayActions::Forward& forward : actions_.forwards) send_forward(now, forward);
}

void Session::send_forward(Instant now, const OverlayActions::Forward& forward) {
    LinkSlot* to = links_.at(forward.to);
    if (to == nullptr || !to->up) return;
    std::array<std::uint8_t, kMaxDatagram> bytes;  // NOLINT(*-member-init): written below
    BitWriter out{bytes};
    if (!forward.state.empty()) {
        out.copy(forward.state, forward.state_bits);
    } else {
        const LinkSlot* origin = links_.up(forward.origin);
        if (origin == nullptr || origin->replicas.size() == 0) return;
        if (!is_timely(now, origin->replicas.when_at(0))) return;  // nobody would take it
        out.bits(origin->replicas.stamp_at(0), kStampBits);
        origin->replicas.write_whole(out, 0, options_.world, codec_);
    }
    out.copy(forward.header, forward.header_bits);
    const std::size_t bits = out.bit_count();
    const auto written = out.finish();
    if (!out.overflowed()) queue_loose(*to, MessageType::forward, Purpose::relay, written, bits, true);
}

void Session::choose_reference() {
    // Only those who joined before us: so nobody follows itself in a circle. Ties go to the smaller id.
    const auto older = [&](const LinkSlot& s) {
        return s.joined_us < joined_us_ || (s.joined_us == joined_us_ && s.link.ends.peer < id_);
    };
    if (reference_ && links_.at(*reference_)->clock_hops == 0) return;
    const LinkSlot* best = reference_ ? links_.at(*reference_) : nullptr;
    for (const LinkNumber number : links_.up_links()) {
        const LinkSlot& slot = *links_.at(number);
        if (!slot.link.open() || !older(slot)) continue;
        if (best == nullptr || slot.clock_hops < best->clock_hops) best = &slot;
    }
    if (best == nullptr || reference_ == best->link.ends.local_number) return;
    reference_ = best->link.ends.local_number;
    clock_.change_reference();
    ping_sent_.fill(kNever);
    next_ping_at_ = Instant::min();
}

void Session::ask_for_time(Instant now) {
    if (!reference_ || now < next_ping_at_) return;
    LinkSlot& slot = *links_.at(*reference_);
    slot.ping_due = true;
    make_urgent(slot);
    next_ping_at_ =
        now + (clock_.settled() ? options_.clock.interval : options_.clock.interval / kQuickPings);
}

bool Session::needs(Instant now, const LinkSlot& slot, const Primary& primary) const {
    const BaselineTracker::Track* track = slot.baselines.find(primary.number());
    if (track == nullptr) return true;
    if (track->settled == primary.frame()) return false;
    if (track->acked == primary.frame()) {
        return sightings_ && now - track->sent_at >= options_.world.tick * kRefreshFrames;
    }
    if (track->sent != primary.frame()) return true;
    // The other side waits for company before it acknowledges.
    return now - track->sent_at >= slot.link.window.rtt().patience() + options_.world.tick * kAckDelayFrames;
}

void Session::freshen(Instant now, Primary& primary) {
    // Where others pass it on, it must not be too old for that when they do; but who moves is not where it
    // was.
    const bool moves = !primary.stands_still() ||
                       options_.world.types[static_cast<std::size_t>(primary.type())].advance != nullptr;
    const Duration old = sightings_ && !moves ? passed_on_age() / 2 : kOldStamp;
    if (session_time(now) - primary.stamp() > old) primary.refresh(frame_, session_time(now));
}

void Session::gather_candidates(Instant now) {
    news_.clear();
    for (std::size_t i = 0; i < primaries_.size(); ++i) {
        const Primary& p = primaries_[i];
        if (p.frame() == kNoFrame) continue;
        const std::size_t bytes = std::min<std::size_t>(p.last_bits() / 8 + kUpdateCost, 0xFFFF);
        news_.push_back(
            {static_cast<std::uint16_t>(i), p.state().pose.position, static_cast<std::uint16_t>(bytes)});
    }
    candidates_.clear();
    overlay_->candidates(news_, candidates_);
    std::erase_if(candidates_, [&](const Candidate& c) {
        if (c.primary >= kForwards) return false;
        const LinkSlot& slot = *links_.at(c.link);
        const OwnView& view = own_views_[c.primary];
        return (view.showing && !goes_to(view, slot)) || !needs(now, slot, primaries_[c.primary]);
    });
    if (overlay_->own_budget()) return;  // another way of counting
    for (Candidate& c : candidates_) {   // the first one of a link pays for the datagram
        LinkSlot& slot = *links_.at(c.link);
        if (!std::exchange(slot.counted, true)) c.bytes = static_cast<std::uint16_t>(c.bytes + kDatagramCost);
    }
}

std::size_t Session::bytes_for_updates(Instant now) {
    if (const auto own = overlay_->own_budget()) return *own;
    const std::size_t all = budget_.frame_bytes(now, options_.world.tick);
    std::size_t waiting = 0;  // and goes first; but never are there no updates at all
    for (const LinkNumber number : links_.up_links()) {
        for (const LooseQueue::Message& m : links_.at(number)->loose.messages()) waiting += m.bits / 8 + 1;
    }
    return all - std::min(all / 2, waiting);
}

void Session::choose_updates(Instant now) {
    for (const LinkNumber number : links_.up_links()) links_.at(number)->counted = false;
    gather_candidates(now);
    for (std::size_t i = ready_.size(); i > ready_at_; --i) {  // the last frame could not send all
        const LinkSlot* behind = links_.at(ready_[i - 1]);
        if (behind != nullptr && !behind->outbox.empty())
            policy_->resume(ready_[i - 1], behind->outbox.front());
    }
    const std::size_t chosen = policy_->choose(candidates_, bytes_for_updates(now));
    upload_short_ = chosen < candidates_.size() && !overlay_->own_budget();
    actions_.clear();
    overlay_->dispatch(now, std::span{candidates_}.first(chosen), actions_);
    for (const LinkNumber number : links_.up_links()) {
        links_.at(number)->outbox.clear();
        links_.at(number)->ready = false;
    }
    ready_.clear();
    ready_at_ = 0;
    for (std::size_t i = 0; i < chosen; ++i) {
        if (candidates_[i].primary >= kForwards) continue;  // dispatched
        LinkSlot& slot = *links_.at(candidates_[i].link);
        Primary& primary = primaries_[candidates_[i].primary];
        freshen(now, primary);
        slot.outbox.push_back(candidates_[i].primary);
        if (!slot.ready) ready_.push_back(candidates_[i].link);
        slot.ready = true;
    }
    send_overlay_messages(now);
}

void Session::wake_links(Instant now) {
    const Duration ack_delay = options_.world.tick * (upload_short_ ? kAckDelayShort : kAckDelayFrames);
    for (const LinkNumber number : links_.up_links()) {
        LinkSlot& slot = *links_.at(number);
        const bool owes = slot.link.ack_owed_since != kNever && now - slot.link.ack_owed_since >= ack_delay;
        const bool quiet = now - slot.link.last_sent >= options_.link.keep_alive && overlay_->keeps(number);
        const bool speak = owes || quiet || slot.link.resend_due(now);
        slot.speak = slot.speak || speak;
        // What was passed over in the last frame gets its turn as well.
        const bool waits =
            !slot.loose.empty() || slot.link.channel.out.has_unsent() || slot.pong_due || slot.ping_due;
        if (speak || waits) make_urgent(slot);
    }
}

Instant Session::poll_wakeup() const {
    if (!started_) return Instant::min();
    Instant next = std::min(next_frame_, blocked_until_);
    if (const auto due = mailbox_.next_due()) {
        // Session and local time run side by side well enough for the little that is left.
        const Duration ahead = std::max(*due - session_time(heard_time_), Duration{1});
        next = std::min(next, heard_time_ + ahead);
    }
    return next;
}

}  // namespace fray
