#include "session/session.hpp"

#include <algorithm>
#include <utility>

namespace fray {

Session::Session(PeerOptions options, const RandomRoot& root, const Additions& additions)
    : is_{std::move(options), root, additions, *this, *this}, entities_{is_}, screen_{is_} {
    is_.shared.connect(entities_, is_.handshake.incarnation());
}

void Session::start(Instant now) {
    if (started_) return;
    started_ = true;
    next_frame_ = now;
    is_.clock.start(now);
}

// --- getters ---

std::vector<PeerId> Session::peers() const {
    std::vector<PeerId> ids;
    for (const LinkNumber link : is_.links.up_links()) ids.push_back(is_.links.peer(link));
    return ids;
}

Stats Session::stats() const {
    Stats stats{.ledger = is_.out.ledger(),
                .rejections = is_.rejections,
                .clock = is_.clock.stats(),
                .updates_sent = is_.primaries.updates_sent(),
                .poses_clamped = is_.primaries.poses_clamped(),
                .updates_received = is_.replicas.counts().received,
                .updates_stale = is_.replicas.counts().stale,
                .datagrams_received = datagrams_received_,
                .bytes_received = bytes_received_,
                .messages_delivered = is_.messages.delivered(),
                .psense = is_.overlay->stats(),
                .ownership = is_.shared.stats(),
                .focus = is_.policy->stats(),
                .links = {}};
    for (const LinkNumber link : is_.links.up_links())
        is_.policy->add_stats(link, stats.links.emplace_back(is_.links.stats(link)));
    return stats;
}

std::size_t Session::memory_bytes() const {
    std::size_t sum = sizeof(*this) - sizeof(is_) + is_.memory_bytes() + updates_.heap_bytes() +
                      actions_.memory_bytes() + screen_.heap_bytes() + parting_.capacity() * sizeof(Parting);
    for (const Parting& one : parting_) sum += one.bytes.capacity();
    return sum;
}

// --- commands ---

Result<void> Session::send(Instant now, const Outgoing& message) {
    start(now);
    if (stage_ == Stage::left) return Error{"this peer has left the session: it can send after join()"};
    return is_.messages.send(now, message);
}

Result<void> Session::set_attention(Instant now, const AttentionWeights& weights) {
    start(now);
    if (auto checked = weights.check(); !checked) return checked;
    is_.policy->set_attention(weights);
    return {};
}

Result<void> tune(Session& session, Instant now, const Tuning& tuning) {
    session.start(now);
    LinkOptions changed = session.is_.options.link;
    changed.upload_kbps = tuning.upload_kbps;
    if (auto checked = changed.check(session.world().tick); !checked) return checked;
    session.is_.options.link = changed;  // read by the next frame
    session.is_.policy->set_focus_sets(tuning.focus_sets);
    session.is_.guidance.set_active(tuning.guidance);
    return {};
}

// --- out ---

std::optional<Datagram> Session::poll_datagram(Instant now, std::span<std::uint8_t> buffer) {
    start(now);
    if (!parting_.empty()) {
        const Parting first = std::move(parting_.front());
        parting_.erase(parting_.begin());
        std::ranges::copy(first.bytes, buffer.begin());
        return Datagram{first.to, buffer.first(first.bytes.size())};
    }
    is_.shared.flush(now);
    return is_.out.poll(now, buffer);
}

std::optional<Event> Session::take_event() {
    while (std::optional<Event> event = is_.mailbox.take()) {
        auto* diverged = std::get_if<Diverged>(&*event);
        if (diverged == nullptr || is_.shared.complete(*diverged)) return event;
    }
    return std::nullopt;
}

Instant Session::poll_wakeup() const {
    if (!started_) return Instant::min();
    if (is_.shared.has_work() || !parting_.empty()) return heard_time_;
    Instant next = std::min(next_frame_, is_.out.blocked_until());
    if (const auto due = is_.mailbox.next_due()) {
        // For this short time, session time and local time advance at nearly the same rate.
        const Duration ahead = std::max(*due - session_time(heard_time_), Duration{1});
        next = std::min(next, heard_time_ + ahead);
    }
    return next;
}

}  // namespace fray
