// Links come up and go down: the handshake and the reader detect it, and all parts are told.

#include "session/session.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace fray {

namespace {

constexpr int kFarewells = 2;  // copies per link: one may get lost

/// False for addresses that no single machine has: 0.0.0.0 and ::, multicast, broadcast; and for port 0.
bool is_reachable(const Address& address) {
    const auto& ip = address.ip;
    constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    const bool is_ipv4 = std::equal(kMapped.begin(), kMapped.end(), ip.begin());
    const auto given = std::span{ip}.subspan(is_ipv4 ? kMapped.size() : 0);
    const auto is_all = [&](std::uint8_t value) {
        return std::ranges::all_of(given, [value](std::uint8_t byte) { return byte == value; });
    };
    const bool is_multicast = is_ipv4 ? (given[0] & 0xF0U) == 0xE0U : given[0] == 0xFFU;
    return address.port != 0 && !is_all(0) && !is_multicast && !(is_ipv4 && is_all(0xFF));
}

Contact contact_of(const Link& link) { return {link.ends.peer, link.ends.incarnation, link.ends.address}; }

/// The peer's number changes; all parts move what they know of it.
void move_peer(const Composition& is, LinkNumber from, LinkNumber to) {
    if (to == kNoLink) return;
    for (Part* part : is.parts) part->handle_moved(from, to);
}

}  // namespace

// --- datagrams in ---

void Session::handle_datagram(Instant now, const Address& from, std::span<const std::uint8_t> bytes) {
    start(now);
    ++datagrams_received_;
    bytes_received_ += bytes.size();
    auto opened = open_datagram(bytes);
    if (!opened) {
        const bool fits = bytes.size() > kSealBytes && bytes.size() <= kMaxDatagram;
        return is_.rejections.count(fits                          ? Rejection::unknown_kind
                                    : bytes.size() > kMaxDatagram ? Rejection::too_long
                                                                  : Rejection::too_short);
    }
    switch (opened->kind) {
        case DatagramKind::hello:
            return handle_hello(now, from, *opened);
        case DatagramKind::data:
            return handle_data(now, from, *opened);
        case DatagramKind::refusal: {
            const auto outcome = is_.handshake.handle_refusal(now, opened->token, opened->body);
            if (outcome.report) is_.mailbox.report(*outcome.report);
            if (outcome.lost) judge_join(now, *outcome.lost, now);
            return;
        }
    }
}

void Session::handle_hello(Instant now, const Address& from, OpenedDatagram& opened) {
    BitReader& in = opened.body;
    const Greeted greeted = is_.handshake.handle_hello(now, from, opened.token, in, is_.overlay->room());
    if (greeted.what == Greeted::What::nothing) return;
    const LinkNumber link = greeted.link;
    const Hello& hello = greeted.hello;
    is_.clock.meet(link, hello.id, {hello.joined_us, hello.hops, greeted.crossing});
    if (greeted.what == Greeted::What::held) return;
    if (greeted.what == Greeted::What::answered) {
        if (const auto time = is_.handshake.join_time(link, hello)) {
            is_.clock.take_session_time(now, hello.id,
                                        {.asked = time->asked,
                                         .theirs = session_instant(hello.session_us),
                                         .hold = Duration{hello.hold_us},
                                         .joined_us = hello.joined_us,
                                         .crossing = time->crossing});
        }
        if (!is_.links.is_up(link)) establish(now, link);
        is_.overlay->handle_alive(now, link);
        is_.out.wake_empty(link);  // the other side waits for proof of our address as well
    }
    if (!hello.early_data || !is_.options.link.early_data) return;
    if (!is_.links.is_up(link)) establish(now, link);
    read_body(now, link, opened);
}

inline void Session::handle_data(Instant now, const Address& from, OpenedDatagram& opened) {
    Link* link = is_.reader.find_link(opened.token, opened.body);
    if (link == nullptr) return;
    const LinkNumber number = link->ends.local_number;
    if (!is_.links.is_up(number)) {
        if (!is_.handshake.may_finish(now, number, is_.overlay->room())) return;
        link->ends.proven = true;
        establish(now, number);
        is_.out.wake_empty(number);  // the other side repeats its data until it hears from us
    }
    link->ends.proven = true;
    const std::uint16_t newest = link->arrivals.newest();
    read_body(now, number, opened);
    // A peer that knows our token may change its address. A replayed datagram must not change it.
    link = is_.links.at(number);
    if (link != nullptr && link->arrivals.newest() != newest) link->ends.address = from;
}

inline void Session::read_body(Instant now, LinkNumber link, OpenedDatagram& opened) {
    switch (is_.reader.read_body(now, *is_.links.at(link), opened.counter, opened.body)) {
        case DatagramReader::Outcome::whole:
            is_.overlay->handle_alive(now, link);
            if (is_.links.at(link)->owes_many_acks()) is_.out.wake_empty(link);
            if (!is_.overlay->must_pass_on()) return;
            actions_.clear();
            is_.overlay->pass_on(now, actions_);
            return carry_out(now);
        case DatagramReader::Outcome::goodbye: {
            const PeerId peer = is_.links.peer(link);
            drop_link(now, link, Reason::left);
            return judge_join(now, peer, now);
        }
        case DatagramReader::Outcome::refused:
            return;
    }
}

// --- links up and down ---

void Session::call(Instant now, const Contact& contact) {
    const auto call = is_.handshake.call(now, contact, is_.overlay->room());
    const bool may_be_used = is_.options.link.early_data && contact.id != PeerId{};
    if (call.fresh && may_be_used) establish(now, call.link->ends.local_number);
}

void Session::establish(Instant now, LinkNumber number) {
    Link& link = *is_.links.at(number);
    const PeerId peer = link.ends.peer;
    Link* former = is_.links.up_with(peer);
    is_.parked.resume(now, link, former);
    if (former != nullptr) {
        const bool same_stay = former->ends.incarnation == link.ends.incarnation;
        drop_link(now, former->ends.local_number, same_stay ? Reason::timed_out : Reason::rejoined);
        is_.parked.forget(peer);
    }
    is_.links.set_up(number);
    link.last_heard = now;
    is_.mailbox.report(PeerJoined{peer, link.ends.incarnation});
    const LinkUp up{number, contact_of(link), is_.handshake.is_newcomer(number)};
    for (Part* part : is_.parts) part->handle_link_up(now, up);
    if (const auto acquaintance = is_.links.acquaintance(peer)) {
        move_peer(is_, *acquaintance, number);
        is_.links.remove_acquaintance(*acquaintance);
    }
    is_.out.wake_first(number);
    if (!is_.handshake.finish_join(number)) return;
    is_.mailbox.report(Joined{peer});
    host_ = Host{peer, now};
    stage_ = Stage::completing;
}

void Session::drop_link(Instant now, LinkNumber number, Reason reason) {
    Link& link = *is_.links.at(number);
    const LinkDown down{number, contact_of(link), reason};
    if (is_.links.is_up(number)) {
        if (is_.overlay->stays_known(down))
            move_peer(is_, number, is_.links.add_acquaintance(down.contact.id));
        for (Part* part : is_.parts) part->handle_link_down(now, down);
        is_.mailbox.report(PeerLeft{down.contact.id, down.contact.incarnation, reason});
        if (reason == Reason::timed_out || reason == Reason::unneeded) is_.parked.park(now, link);
    }
    is_.links.destroy(number);
    is_.out.forget(number);
    is_.handshake.forget_link(number);
    for (Part* part : is_.parts) part->forget_link(number);
    if (const auto refused = is_.handshake.fail_join(now, number, reason)) is_.mailbox.report(*refused);
}

void Session::acquaint(const PeerId& peer) {
    if (peer != is_.options.id && !is_.links.number_of(peer)) is_.links.add_acquaintance(peer);
}

void Session::forget_acquaintance(const PeerId& peer) {
    const auto number = is_.links.acquaintance(peer);
    if (!number) return;
    for (Part* part : is_.parts) part->forget_link(*number);
    is_.links.remove_acquaintance(*number);
}

bool Session::is_silent(Instant now, const Link& link) const {
    const Duration timeout = is_.options.link.timeout;
    const Duration quiet = now - link.last_heard;
    if (link.ends.remote_known) return quiet > timeout;
    // Used before it was answered: the contact was only introduced to us, and its peer may have left long
    // ago.
    if (quiet > std::min(timeout, kHandshakePatience)) return true;
    const LinkNumber number = link.ends.local_number;
    return is_.replicas.entities(number) != 0 &&
           session_time(now) - is_.replicas.taken_at(number, 0) > timeout;
}

void Session::drop_silent(Instant now) {
    for (std::size_t i = 0; i < is_.links.up_links().size();) {
        const LinkNumber number = is_.links.up_links()[i];
        const Link& link = *is_.links.at(number);
        if (!is_silent(now, link)) {
            ++i;
            continue;
        }
        const PeerId peer = link.ends.peer;
        const Instant last_heard = link.last_heard;
        drop_link(now, number, Reason::timed_out);
        judge_join(now, peer, last_heard);
    }
    for (LinkNumber link = is_.out.find_overloaded(); link != kNoLink; link = is_.out.find_overloaded()) {
        const PeerId peer = is_.links.peer(link);
        drop_link(now, link, Reason::overloaded);
        judge_join(now, peer, now);
    }
    is_.handshake.drop_silent(now);
    is_.parked.expire(now, is_.links);
}

void Session::handle_clock_set(Instant now) {
    for (Part* part : is_.parts) part->handle_clock_set(now);
}

// --- joining and leaving ---

Result<void> Session::join(Instant now, const Address& known_peer) {
    start(now);
    if (!is_reachable(known_peer)) {
        return Error{"cannot join " + to_string(known_peer) +
                     ": expected the address of one machine and a port above 0, as 192.0.2.7:7000"};
    }
    if (!is_.links.up_links().empty()) {
        is_.mailbox.report(Refused{known_peer, Reason::already_joined});
        return {};
    }
    // Only one join at a time: the former one ends here.
    if (const auto former = is_.handshake.cancel_join(now))
        is_.mailbox.report(Refused{*former, Reason::left});
    host_.reset();
    stage_ = Stage::member;
    is_.handshake.join(now, known_peer);
    if (const auto refused = is_.handshake.run_join(now, is_.overlay->room())) is_.mailbox.report(*refused);
    return {};
}

void Session::judge_join(Instant now, const PeerId& lost, Instant last_heard) {
    // If the host left or crashed right after we joined, it may have introduced no other peer, and the
    // overlay cannot find one. Peers that joined through us know no more than we do.
    if (!host_ || host_->peer != lost) return;
    const Host host = *std::exchange(host_, std::nullopt);
    const auto shows_the_way = [&](LinkNumber link) {
        return is_.links.is_proven(link) && !is_.handshake.is_newcomer(link);
    };
    const bool at_once = last_heard - host.since <= is_.options.link.timeout;
    if (!at_once || std::ranges::any_of(is_.links.up_links(), shows_the_way)) return;
    stage_ = Stage::member;
    is_.handshake.join_again(now);
}

void Session::queue_parting(Instant now) {
    std::vector<std::uint8_t> buffer(kMaxDatagramBytes);
    while (const auto datagram = is_.out.poll(now, buffer))
        parting_.push_back({datagram->to, {datagram->bytes.begin(), datagram->bytes.end()}});
}

void Session::leave(Instant now) {
    start(now);
    if (const auto joining = is_.handshake.cancel_join(now))
        is_.mailbox.report(Refused{*joining, Reason::left});
    is_.mailbox.release(SessionInstant::max());  // they are not of the next session
    if (is_.shared.begin_leave(now)) queue_parting(now);
    // The links are removed at once; the queued farewells leave later. A peer that misses them times out.
    for (const LinkNumber number : is_.links.up_links()) {
        const Link& link = *is_.links.at(number);
        for (int copy = 0; copy < kFarewells && link.open(); ++copy) is_.out.say_farewell(link);
    }
    while (!is_.links.up_links().empty()) drop_link(now, is_.links.up_links().front(), Reason::left);
    while (!is_.links.known().empty()) forget_acquaintance(PeerId{is_.links.peer(is_.links.known().front())});
    is_.links.clear();
    is_.out.clear();
    is_.parked.clear();
    is_.handshake.leave();
    for (Part* part : is_.parts) part->reset();
    is_.shared.end_leave(is_.handshake.incarnation());
    host_.reset();
    stage_ = Stage::left;
    is_.clock.start(now);
    handle_clock_set(now);  // session time is our own clock again
}

}  // namespace fray
