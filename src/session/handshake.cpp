// How links come up and go down. Two hellos that carry each other's token make a link; whoever comes back
// as the same incarnation finds its reliable messages where they were.

#include "session/session.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kMaxParked = 4096;
/// The other side parks for as long as we do, but may have begun earlier by as much as links take to time
/// out.
constexpr Duration kSurelyParked = kParkedFor - 20s;
Contact contact_of(const Link& link) {
    return Contact{link.ends.peer, link.ends.incarnation, link.ends.address};
}

}  // namespace

void Session::join(Instant now, const Address& known_peer) {
    start(now);
    left_ = false;
    if (join_) drop(now, join_->link, Reason::left);  // one at a time: the former gets its answer here
    host_.reset();
    LinkSlot* slot = call(now, Contact{.id = {}, .address = known_peer});
    if (slot == nullptr) {
        mailbox_.put(Refused{known_peer, Reason::full});
        return;
    }
    join_ = Join{slot->link.ends.local_number, known_peer, now};
}

LinkSlot* Session::open_slot(Instant now, const LinkEnds& ends) {
    if (links_.pending().size() >= kMaxPendingLinks) {
        // A stranger's half-open link gives way, never one of our own calls.
        const auto stranger =
            std::ranges::find_if(links_.pending(), [&](LinkNumber n) { return !links_.at(n)->called; });
        if (stranger == links_.pending().end()) return nullptr;
        drop(now, *stranger, Reason::full);
    }
    LinkEnds own = ends;
    own.local_token = Token{tokens_.next() | 1U};
    LinkSlot* slot = links_.create(own, now, options_.link.most_links);
    if (slot == nullptr) return nullptr;
    slot->next_hello = now;
    slot->link.channel.id = channel_to_continue(ends.peer, ends.incarnation);
    if (slot->link.channel.id == 0) slot->link.channel.id = static_cast<std::uint32_t>(tokens_.next()) | 1U;
    return slot;
}

LinkSlot* Session::call(Instant now, const Contact& contact) {
    const bool known = contact.id != PeerId{};
    if (known && (contact.id == id_ || links_.up(contact.id) != nullptr)) return nullptr;
    for (const LinkNumber number : links_.pending()) {
        LinkSlot* slot = links_.at(number);
        if (known ? slot->link.ends.peer != contact.id : slot->link.ends.address != contact.address) continue;
        slot->called = true;  // called anew: as patient and as quick as at first
        slot->link.last_heard = now;
        slot->unheard_hellos = 0;
        slot->next_hello = now;
        return slot;
    }
    const auto calls =
        std::ranges::count_if(links_.pending(), [&](LinkNumber n) { return links_.at(n)->called; });
    if (overlay_->room() <= static_cast<std::size_t>(calls)) return nullptr;
    LinkSlot* slot =
        open_slot(now, {.peer = contact.id, .incarnation = contact.incarnation, .address = contact.address});
    if (slot == nullptr) return nullptr;
    slot->called = true;
    slot->hello_due = true;
    make_urgent(*slot);
    if (options_.link.early_data && known) establish(now, *slot);
    return slot;
}

Hello Session::make_hello(Instant now, const LinkSlot& slot) const {
    const Link& link = slot.link;
    Hello hello{.version = kProtocolVersion,
                .link = link.ends.local_number,
                .token = static_cast<std::uint64_t>(link.ends.local_token),
                .world = world_print_,
                .id = id_,
                .incarnation = static_cast<std::uint32_t>(incarnation_),
                .channel = link.channel.id,
                .attempt = slot.hello_attempts,
                .answers = link.ends.remote_known,
                .answered_link = link.ends.remote_number,
                .answered_attempt = slot.answered_attempt,
                .session_us = wire_time(session_time(now)),
                .joined_us = join_ ? kMaxWireTime : joined_us_,  // not in yet: younger than everybody
                .newcomer = join_ && join_->link == link.ends.local_number,
                .early_data = options_.link.early_data && slot.up};
    hello.hold_us =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(micros(now - slot.hello_heard), 0, kMostHold));
    hello.hops = static_cast<std::uint8_t>(
        reference_ ? std::min<unsigned>(kMostHops, links_.at(*reference_)->clock_hops + 1U) : 0U);
    return hello;
}

std::optional<Reason> Session::refuse_hello(const Hello& hello) {
    if (hello.version != kProtocolVersion) {
        rejections_.count(Rejection::version);
        return Reason::version_mismatch;
    }
    if (hello.world != world_print_) {
        rejections_.count(Rejection::world);
        return Reason::world_mismatch;
    }
    if (hello.id == id_ || hello.id == PeerId{}) {
        rejections_.count(Rejection::impossible);
        return Reason::own_id;
    }
    if (left_) return Reason::left;
    const bool known =
        links_.up(hello.id) != nullptr || pending_with(hello.id, Token{hello.token}) != nullptr;
    if (!known && overlay_->room() <= strangers()) {
        rejections_.count(Rejection::no_room);
        return Reason::full;
    }
    return std::nullopt;
}

void Session::refuse(const Address& to, const Hello& hello, Reason reason) {
    if (refusals_.size() >= kMaxRefusals) return;
    refusals_.push_back({to, Token{hello.token}, Refusal{kProtocolVersion, hello.link, reason}});
}

void Session::handle_hello(Instant now, const Address& from, Token echo, BitReader& in) {
    BitReader prefix = in;  // what every version has: enough to refuse it
    Hello hello;
    hello.version = static_cast<std::uint16_t>(prefix.bits(16));
    hello.link = static_cast<std::uint16_t>(prefix.bits(16));
    hello.token = prefix.bits(64);
    if (!prefix.ok() || hello.token == 0) return rejections_.count(Rejection::malformed);
    if (hello.version == kProtocolVersion && !read(in, hello)) return rejections_.count(Rejection::malformed);
    if (const auto reason = refuse_hello(hello)) {
        if (echo == Token::none) refuse(from, hello, *reason);
        return;
    }
    if (hello.answers) return handle_hello_answer(now, from, hello, echo, in);
    handle_call(now, from, hello, in);
}

void Session::adopt(LinkSlot& slot, const Address& from, const Hello& hello, Instant now) {
    LinkEnds& ends = slot.link.ends;
    ends.peer = hello.id;
    ends.incarnation = Incarnation{hello.incarnation};
    ends.address = from;
    ends.remote_number = hello.link;
    ends.remote_token = Token{hello.token};
    ends.remote_known = true;
    slot.link.last_heard = now;
    slot.link.channel.remote_id = hello.channel;
    slot.joined_us = hello.joined_us;
    slot.clock_hops = hello.hops;
    slot.newcomer = slot.newcomer || hello.newcomer;
    slot.hello_heard = now;
    slot.unheard_hellos = 0;
    slot.answered_attempt = hello.attempt;
}

std::size_t Session::strangers() const {
    // Half-open links beside our own join, which needs no room with us.
    return links_.pending().size() - (join_ ? 1 : 0);
}

bool Session::forgot_us(Instant now, const LinkSlot& slot, const Hello& hello) {
    // On a link that was used before it was answered: the other side lost what our messages build on.
    const Channel& channel = slot.link.channel;
    if (!slot.up || channel.remote_id == 0 || channel.remote_id == hello.channel) return false;
    const PeerId peer = slot.link.ends.peer;
    drop(now, slot.link.ends.local_number, Reason::timed_out);
    std::erase_if(parked_, [&](const ParkedChannel& p) { return p.peer == peer; });
    return true;
}

LinkSlot* Session::join_crossing(const Address& from, const Hello& hello) {
    // Both joined each other at once: one link is enough, and the smaller id is the first of the session.
    LinkSlot* slot = join_ ? links_.at(join_->link) : nullptr;
    if (slot == nullptr || !hello.newcomer || slot->link.ends.remote_known) return nullptr;
    if (slot->link.ends.address != from) return nullptr;
    return slot;
}

void Session::handle_call(Instant now, const Address& from, const Hello& hello, BitReader& in) {
    LinkSlot* slot = pending_with(hello.id, Token{hello.token});
    if (slot == nullptr) slot = join_crossing(from, hello);
    // Until we are in we know no session time: neither may anybody take it from us, nor can we understand
    // when something is meant for. Whoever calls will call again.
    if (join_ && slot != links_.at(join_->link)) return;
    if (LinkSlot* up = links_.up(hello.id); slot == nullptr && up != nullptr) {
        const bool same = up->link.ends.remote_token == Token{hello.token};
        const bool optimistic =
            !up->link.ends.remote_known && up->link.ends.incarnation == Incarnation{hello.incarnation};
        if (same || optimistic) slot = up;  // our answer was lost, or both called at once
    }
    if (slot == nullptr) {
        slot = open_slot(now,
                         {.peer = hello.id, .incarnation = Incarnation{hello.incarnation}, .address = from});
    }
    if (slot == nullptr) return refuse(from, hello, Reason::full);
    if (forgot_us(now, *slot, hello)) return;
    adopt(*slot, from, hello, now);
    slot->hello_due = true;
    slot->answers_left = kAnswersPerHello;
    slot->next_hello = now;
    make_urgent(*slot);
    read_early_data(now, *slot, hello, in);
}

LinkSlot* Session::pending_with(const PeerId& peer, Token remote_token) const {
    for (const LinkNumber number : links_.pending()) {
        LinkSlot* slot = links_.at(number);
        if (slot->link.ends.peer != peer) continue;
        if (!slot->link.ends.remote_known || slot->link.ends.remote_token == remote_token) return slot;
    }
    return nullptr;
}

void Session::handle_hello_answer(Instant now, const Address& from, const Hello& hello, Token echo,
                                  BitReader& in) {
    LinkSlot* slot = links_.at(hello.answered_link);
    if (slot == nullptr) return rejections_.count(Rejection::unknown_link);
    LinkEnds& ends = slot->link.ends;
    if (ends.local_token != echo) return rejections_.count(Rejection::bad_token);
    const bool other = ends.peer != PeerId{} && ends.peer != hello.id;
    const bool other_stay = ends.remote_known && ends.remote_token != Token{hello.token};
    const bool joining = join_ && join_->link == ends.local_number;
    const bool not_in_yet = joining && hello.joined_us == kMaxWireTime && !hello.newcomer;
    if (other || other_stay || not_in_yet) return rejections_.count(Rejection::impossible);
    if (forgot_us(now, *slot, hello)) return;
    adopt(*slot, from, hello, now);
    ends.proven = true;
    take_time_when_joining(now, *slot, hello);
    if (!slot->up) establish(now, *slot);
    overlay_->handle_word(now, hello.answered_link);
    slot->speak = true;  // the other side waits for proof as well
    make_urgent(*slot);
    read_early_data(now, *slot, hello, in);
}

void Session::take_time_when_joining(Instant now, LinkSlot& slot, const Hello& hello) {
    if (!join_ || join_->link != slot.link.ends.local_number || join_->timed) return;
    join_->timed = true;
    const bool crossing = hello.joined_us == kMaxWireTime;  // it joins us as well, and is not in yet
    if (crossing && id_ < hello.id) return;                 // our clock it is
    if (crossing) slot.joined_us = 0;                       // we follow it, whenever that was
    const unsigned age = slot.hello_attempts - hello.answered_attempt;
    if (age == 0 || age > kHelloTimes) return;  // the pings will tell
    clock_.reset();
    clock_.sample(now, join_->hello_sent[hello.answered_attempt % kHelloTimes],
                  session_instant(hello.session_us), Duration{hello.hold_us});
    const std::uint64_t present = wire_time(session_time(now));
    joined_us_ = crossing ? present : std::max(hello.joined_us + 1, present);
    clock_was_set(now);
}

void Session::clock_was_set(Instant now) {
    // What was exchanged before (others may have called us first) bears stamps of another time.
    overlay_->forget_stamps();
    passed_on_.clear();
    for (Primary& primary : primaries_) primary.restamp(session_time(now));
    for (const OwnView& view : own_views_) {
        if (view.showing) view.showing->forget();
    }
    for (const auto& numbers : {links_.up_links(), links_.pending()}) {
        for (const LinkNumber number : numbers) {
            links_.at(number)->baselines.clear();
            links_.at(number)->replicas.restamp(session_time(now));
            for (const RemoteView& view : links_.at(number)->views) view.showing->forget();
        }
    }
}

void Session::read_early_data(Instant now, LinkSlot& slot, const Hello& hello, BitReader& in) {
    if (!hello.early_data || !options_.link.early_data) return;
    if (!slot.up) establish(now, slot);
    read_body(now, slot, in);
}

std::uint32_t Session::channel_to_continue(const PeerId& peer, Incarnation incarnation) const {
    const LinkSlot* up = links_.up(peer);
    if (up != nullptr && up->link.ends.incarnation == incarnation) return up->link.channel.id;
    for (const ParkedChannel& parked : parked_) {
        if (parked.peer == peer && parked.incarnation == incarnation) return parked.channel.id;
    }
    return 0;
}

void Session::take_over_channel(Instant now, LinkSlot& slot) {
    const LinkEnds& ends = slot.link.ends;
    Channel* former = nullptr;
    if (LinkSlot* up = links_.up(ends.peer); up != nullptr && up->link.ends.incarnation == ends.incarnation) {
        former = &up->link.channel;
    }
    const auto parked =
        std::ranges::find_if(parked_, [&](const ParkedChannel& p) { return p.peer == ends.peer; });
    if (former == nullptr && parked != parked_.end()) former = &parked->channel;
    // Both sides must remember; where one forgot, both begin anew. Who speaks before it is answered cannot
    // know yet.
    const bool unanswered = !ends.remote_known;
    const bool recent = parked == parked_.end() || now - parked->since < kSurelyParked;
    if (former == nullptr) {
        // nothing to go on with
    } else if (former->id == slot.link.channel.id &&
               (unanswered || former->remote_id == slot.link.channel.remote_id)) {
        slot.link.channel = std::move(*former);
    } else if (recent && former->out.unheard() && !former->in.any()) {
        // The other side did not forget: it never saw the former link come up. Our messages still wait.
        slot.link.channel.out = std::move(former->out);
    }
    if (parked != parked_.end()) parked_.erase(parked);
}

void Session::establish(Instant now, LinkSlot& slot) {
    const LinkNumber number = slot.link.ends.local_number;
    take_over_channel(now, slot);
    if (const LinkSlot* former = links_.up(slot.link.ends.peer)) {
        const bool same_stay = former->link.ends.incarnation == slot.link.ends.incarnation;
        drop(now, former->link.ends.local_number, same_stay ? Reason::timed_out : Reason::rejoined);
        std::erase_if(parked_, [&](const ParkedChannel& p) { return p.peer == slot.link.ends.peer; });
    }
    links_.set_up(number);
    slot.link.last_heard = now;
    mailbox_.put(PeerJoined{slot.link.ends.peer, slot.link.ends.incarnation});
    for (std::size_t i = 0; i < slot.replicas.size(); ++i) {  // what others passed on before
        mailbox_.put(EntityAppeared{{slot.link.ends.peer, slot.replicas.number_at(i)}});
    }
    overlay_->handle_link_up(now, number, contact_of(slot.link), slot.newcomer);
    if (join_ && join_->link == number) {
        mailbox_.put(Joined{slot.link.ends.peer});
        host_ = Host{slot.link.ends.peer, join_->address, now};
        join_.reset();
    }
    for (const OwnView& view : own_views_) {
        if (view.showing) tell_consistency(slot, view);
    }
    for (std::size_t i = 0; i < primaries_.size(); ++i) {  // it knows nothing of us yet: all of it, at once
        if (primaries_[i].frame() == kNoFrame) continue;
        freshen(now, primaries_[i]);
        slot.outbox.push_back(static_cast<std::uint16_t>(i));
    }
    make_urgent(slot);
}

void Session::drop(Instant now, LinkNumber number, Reason reason) {
    LinkSlot& slot = *links_.at(number);
    const Contact contact = contact_of(slot.link);
    if (reference_ == number) reference_.reset();
    if (slot.up) {
        for (std::size_t i = 0; i < slot.replicas.size(); ++i) {
            mailbox_.put(EntityGone{{contact.id, slot.replicas.number_at(i)}});
        }
        give_up_requests(contact.id);
        mailbox_.put(PeerLeft{contact.id, contact.incarnation, reason});
        const Channel& channel = slot.link.channel;
        if (reason == Reason::timed_out && (channel.in.any() || !channel.out.empty())) {
            if (parked_.size() >= kMaxParked) parked_.erase(parked_.begin());
            parked_.push_back({contact.id, contact.incarnation, now, std::move(slot.link.channel)});
        }
    }
    const bool was_up = slot.up;
    links_.destroy(number);
    std::erase(urgent_, number);  // the number may be another's soon
    std::erase(passed_over_, number);
    if (was_up) overlay_->handle_link_down(now, number, contact, reason);
    if (join_ && join_->link == number) {
        mailbox_.put(Refused{join_->address, reason});
        join_.reset();
    }
}

void Session::judge_join(const PeerId& lost, Instant last_heard) {
    // Whoever let us in and crashed at once may have told us of nobody: no overlay finds the others then, and
    // the game alone knows another address. Those who came in through us know no more than we do.
    if (!host_ || host_->peer != lost) return;
    const Host host = *std::exchange(host_, std::nullopt);
    const auto shows_the_way = [&](LinkNumber number) {
        const LinkSlot& slot = *links_.at(number);
        return slot.link.open() && !slot.newcomer;
    };
    const bool at_once = last_heard - host.since <= options_.link.timeout;
    if (!at_once || std::ranges::any_of(links_.up_links(), shows_the_way)) return;
    mailbox_.put(Refused{host.address, Reason::timed_out});
}

void Session::handle_refusal(Token token, BitReader& in) {
    Refusal refusal;
    if (!read(in, refusal)) return rejections_.count(Rejection::malformed);
    LinkSlot* slot = links_.at(refusal.link);
    if (slot == nullptr) return rejections_.count(Rejection::unknown_link);
    if (slot->link.ends.local_token != token) return rejections_.count(Rejection::bad_token);
    if (slot->up) return rejections_.count(Rejection::impossible);
    drop(reading_at_, refusal.link, refusal.reason);
}

}  // namespace fray
