#include "sim/swarm_core.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

namespace fray {

using sim::DatagramHeader;
using sim::DatagramPool;
using sim::EventKind;
using sim::kNeverMicros;
using sim::Micros;

namespace {

/// How long a peer that left still runs, so that its last datagrams are sent.
constexpr Micros kLinger = 1'000'000;

/// Marks the two kinds of lines in the trace that is hashed.
constexpr std::uint64_t kSent = 0;
constexpr std::uint64_t kDelivered = 1;

}  // namespace

SwarmCore::SwarmCore(SwarmOptions options, Seed seed)
    : options_{std::move(options)},
      seed_{seed},
      network_{options_.network, derive(seed, "network"), std::max<Micros>(options_.round.count() - 1, 0)} {}

// --- running ---

void SwarmCore::run_until(Swarm& swarm, Micros limit) {
    swarm_ = &swarm;
    sim::QueuedEvent event;
    while (queue_.pop(limit, event)) dispatch(event);
    now_ = std::max(now_, limit);
}

std::optional<Step> SwarmCore::step(Swarm& swarm, Micros limit) {
    swarm_ = &swarm;
    sim::QueuedEvent event;
    if (!queue_.pop(limit, event)) return std::nullopt;
    dispatch(event);
    return step_;
}

inline void SwarmCore::dispatch(const sim::QueuedEvent& event) {
    now_ = event.time;
    ++counts_.events;
    step_ = Step{.at = Duration{now_}, .kind = StepKind::idle, .peer = event.subject, .from = 0, .bytes = 0};
    switch (event.kind) {
        case EventKind::deliver:
            return deliver(event.subject);
        case EventKind::arrive:
            return arrive(event.subject);
        case EventKind::due:
            return due(event.time, event.subject);
        case EventKind::action:
            return act(actions_[event.subject]);
    }
}

inline void SwarmCore::deliver(DatagramPool::Handle handle) {
    const DatagramHeader header = pool_.header(handle);
    const Transit transit{
        .at = Duration{now_}, .from = header.from, .to = header.to, .bytes = pool_.bytes(handle)};
    step_.kind = StepKind::deliver;
    step_.peer = header.to;
    step_.from = header.from;
    step_.bytes = header.size;
    Host& host = *hosts_[header.to];
    if (!host.peer) {
        step_.kind = StepKind::drop;
        drop(transit, DropReason::nobody_there);
        return pool_.remove(handle);
    }
    ++counts_.delivered;
    hash(kDelivered, header);
    host.peer->handle_datagram(local_now(header.to), hosts_[header.from]->address, transit.bytes);
    for (Observer* observer : observers_) observer->on_delivered(transit);
    pool_.remove(handle);
    settle(header.to);
    arm(header.to, false);
}

/// In front of the receiver's download queue.
void SwarmCore::arrive(DatagramPool::Handle handle) {
    const DatagramHeader header = pool_.header(handle);
    Micros left = now_;
    if (network_.download(now_, header.to, header.size + kHeaderBytes, left)) {
        return queue_.push(left, EventKind::deliver, handle, group_of(header.to));
    }
    drop({.at = Duration{now_}, .from = header.from, .to = header.to, .bytes = pool_.bytes(handle)},
         DropReason::download_full);
    pool_.remove(handle);
}

void SwarmCore::due(Micros time, PeerIndex index) {
    Host& host = *hosts_[index];
    if (!host.peer || time != host.armed)
        return;  // stale: an earlier one was queued since, or the peer is gone
    host.armed = kNeverMicros;
    const bool frame_due = host.life == Life::alive && host.next_frame <= now_;
    if (!frame_due && host.clock.true_time(host.peer->poll_wakeup()) > now_) return arm(index, true);
    step_.kind = StepKind::wake;
    if (frame_due) run_frame(index);
    host.peer->handle_time(local_now(index));
    settle(index);
    arm(index, true);
}

void SwarmCore::run_frame(PeerIndex index) {
    Host& host = *hosts_[index];
    step_.kind = StepKind::frame;
    ++counts_.frames;
    host.next_frame_local += host.options->world.tick;
    host.next_frame = host.clock.true_time(host.next_frame_local);
    if (workload_ == nullptr) return;
    begin_callback(index);
    workload_->frame(*swarm_, index, local_now(index), *host.peer);
    acting_.reset();
}

void SwarmCore::begin_callback(PeerIndex index) {
    acting_ = index;
    ++counts_.callbacks;
}

/// After anything happened to a peer: fetches its events and sends its datagrams.
inline void SwarmCore::settle(PeerIndex index) {
    report_events(index);
    send_all(index);
}

inline void SwarmCore::report_events(PeerIndex index) {
    Peer& peer = *hosts_[index]->peer;
    while (const std::optional<Event> event = peer.poll_event()) {
        for (Observer* observer : observers_) observer->on_event(Duration{now_}, index, *event);
        if (workload_ == nullptr || hosts_[index]->life != Life::alive) continue;
        begin_callback(index);
        workload_->event(*swarm_, index, local_now(index), peer, *event);
        acting_.reset();
    }
}

inline void SwarmCore::send_all(PeerIndex index) {
    Peer& peer = *hosts_[index]->peer;
    const Instant local = local_now(index);
    while (const std::optional<Datagram> datagram = peer.poll_datagram(local, buffer_))
        route(index, *datagram);
}

inline void SwarmCore::route(PeerIndex from, const Datagram& datagram) {
    const PeerIndex to = index_of(datagram.to);
    const auto size = static_cast<std::uint32_t>(datagram.bytes.size());
    DatagramHeader header{.digest = sim::digest(datagram.bytes), .from = from, .to = to, .size = size};
    const Transit transit{.at = Duration{now_}, .from = from, .to = to, .bytes = datagram.bytes};
    ++counts_.sent;
    counts_.sent_bytes += size + kHeaderBytes;
    hash(kSent, header);
    for (Observer* observer : observers_) observer->on_sent(transit);
    if (to == kNobody) return drop(transit, DropReason::nobody_there);
    const sim::Verdict verdict = network_.transmit(now_, from, to, size + kHeaderBytes);
    if (verdict.dropped) return drop(transit, *verdict.dropped);
    counts_.held_back += verdict.held_back ? 1 : 0;
    launch(pool_.add(header, datagram.bytes), to, verdict.arrival);
    if (verdict.second_copy == 0) return;
    ++counts_.duplicated;
    launch(pool_.add(header, datagram.bytes), to, verdict.second_copy);
}

inline void SwarmCore::launch(DatagramPool::Handle handle, PeerIndex to, Micros arrival) {
    queue_.push(arrival, network_.download_limited(to) ? EventKind::arrive : EventKind::deliver, handle,
                group_of(to));
}

/// In round mode all datagrams of a round arrive at once. They are delivered receiver by receiver, so that
/// each peer is fetched from memory once; for one receiver they stay in the order of sending.
inline std::uint32_t SwarmCore::group_of(PeerIndex to) const {
    return options_.round.count() > 0 ? to + 1 : 0;
}

void SwarmCore::drop(const Transit& transit, DropReason reason) {
    ++counts_.dropped[static_cast<std::size_t>(reason)];
    for (Observer* observer : observers_) observer->on_dropped(transit, reason);
}

inline void SwarmCore::hash(std::uint64_t which, const DatagramHeader& header) {
    trace_.add((static_cast<std::uint64_t>(now_) << 1U) | which)
        .add((static_cast<std::uint64_t>(header.from) << 32U) | header.to)
        .add(header.digest);
}

/// Queues the peer's next wake-up. If a wake-up moves to a later time, the queued one stays: it finds nothing
/// to do and queues the right one.
void SwarmCore::arm(PeerIndex index, bool just_woken) {
    Host& host = *hosts_[index];
    const Instant wakeup = host.peer->poll_wakeup();
    if (!just_woken && wakeup == host.seen_wakeup && host.armed != kNeverMicros) return;
    host.seen_wakeup = wakeup;
    Micros wanted = std::max(host.clock.true_time(wakeup), now_);
    // A peer that asks to be woken at the present time again would stop the clock.
    if (just_woken && wanted == now_) ++wanted;
    if (host.life == Life::alive) wanted = std::min(wanted, std::max(host.next_frame, now_));
    if (wanted >= host.armed || wanted == kNeverMicros) return;
    host.armed = wanted;
    queue_.push(wanted, EventKind::due, index);
}

// --- lives of peers ---

void SwarmCore::act(Scheduled action) {
    const PeerIndex index = action.peer;
    const bool here = hosts_[index]->peer.has_value();
    step_.peer = index;
    switch (action.kind) {
        case InnerAction::start:
            if (!here) start(index, action.through);
            return;
        case InnerAction::rejoin:
            if (here) end(index);
            ++counts_.rejoins;
            return start(index, action.through);
        case InnerAction::crash:
            if (!here) return;
            ++counts_.crashes;
            step_.kind = StepKind::crash;
            return end(index);
        case InnerAction::leave:
            if (hosts_[index]->life == Life::alive) leave(index);
            return;
        case InnerAction::gone:
            if (!here || hosts_[index]->stays != action.stay) return;
            step_.kind = StepKind::gone;
            return end(index);
    }
}

void SwarmCore::start(PeerIndex index, std::optional<PeerIndex> through) {
    Host& host = *hosts_[index];
    step_.kind = StepKind::start;
    ++counts_.starts;
    const Seed seed = derive(derive(seed_, "peer", index), "stay", host.stays++);
    PeerOptions options = *host.options;
    if (options.id == PeerId{}) options.id = PeerId::from_number(index + 1ULL);
    Result<Peer> created = Peer::create(std::move(options), seed);
    FRAY_ASSERT(created);  // the options were checked by add_peer()
    host.peer.emplace(std::move(*created));
    host.life = Life::alive;
    if (!first_started_) first_started_ = index;
    host.next_frame_local = local_now(index);
    host.next_frame = now_;
    if (!through) through = host.through ? host.through : somebody_else(index);
    if (through) (void)host.peer->join(host.next_frame_local, Swarm::address_of(*through));
    for (Observer* observer : observers_) observer->on_started(Duration{now_}, index, *host.peer);
    if (workload_ != nullptr) {
        begin_callback(index);
        workload_->started(*swarm_, index, host.next_frame_local, *host.peer);
        acting_.reset();
    }
    settle(index);
    host.armed = kNeverMicros;
    arm(index, false);
}

void SwarmCore::leave(PeerIndex index) {
    Host& host = *hosts_[index];
    step_.kind = StepKind::leave;
    ++counts_.leaves;
    host.life = Life::leaving;
    host.peer->leave(local_now(index));
    settle(index);
    arm(index, false);
    push_action(now_ + kLinger,
                {.kind = InnerAction::gone, .peer = index, .stay = host.stays, .through = {}});
}

void SwarmCore::end(PeerIndex index) {
    Host& host = *hosts_[index];
    for (Observer* observer : observers_) observer->on_gone(Duration{now_}, index, *host.peer);
    host.peer.reset();
    host.life = Life::absent;
    host.armed = kNeverMicros;
}

void SwarmCore::finish() {
    for (PeerIndex index = 0; index < hosts_.size(); ++index) {
        if (hosts_[index]->peer) end(index);
    }
}

std::optional<PeerIndex> SwarmCore::somebody_else(PeerIndex index) const {
    for (PeerIndex other = 0; other < hosts_.size(); ++other) {
        if (other != index && hosts_[other]->life == Life::alive) return other;
    }
    return std::nullopt;
}

PeerIndex SwarmCore::index_of(const Address& address) const {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    std::memcpy(&high, address.ip.data(), 8);
    std::memcpy(&low, address.ip.data() + 8, 8);
    if (high != 0 || address.port != 1) return kNobody;
    const std::uint64_t number = __builtin_bswap64(low);  // big-endian in the address
    return number >= 1 && number <= hosts_.size() ? static_cast<PeerIndex>(number - 1) : kNobody;
}

std::size_t SwarmCore::memory_bytes() const {
    return queue_.memory_bytes() + pool_.memory_bytes() + network_.memory_bytes() +
           hosts_.size() * (sizeof(Host) + sizeof(void*)) + actions_.capacity() * sizeof(Scheduled);
}

}  // namespace fray
