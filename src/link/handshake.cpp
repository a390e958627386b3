#include "link/handshake.hpp"

#include <fray/serialize.hpp>

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kHelloBytes = 115;  // of a hello with headers, approximately
// Pending handshakes that other peers began; from there on newcomers are sent to other members.
constexpr std::size_t kBusy = 64;
constexpr Duration kJoinPatience{10s};

Incarnation draw_incarnation(RandomStream& stream) {
    return Incarnation{static_cast<std::uint32_t>(stream.next()) | 1U};  // never zero
}

}  // namespace

Handshake::Handshake(const Around& around, const PeerOptions& options, PeerId self, Seed seed)
    : around_{around},
      options_{options.link},
      tick_{options.world.tick},
      self_{self},
      world_print_{options.world.fingerprint()},
      tokens_{seed, "tokens"},
      incarnation_{options.incarnation == Incarnation{} ? draw_incarnation(tokens_) : options.incarnation},
      choice_{seed, "handshake"},
      joining_{std::max(kJoinPatience, 2 * options.link.timeout)} {}

// --- calls ---

void Handshake::greet(LinkNumber link) {
    greetings_[link].hello_due = true;
    greetings_[link].waits_for_join = false;
    around_.out.wake_first(link);
}

Duration Handshake::hello_spacing() const {
    const std::size_t bytes = 2 * around_.links.pending().size() * kHelloBytes;
    return tick_ *
           static_cast<std::int64_t>(bytes / std::max<std::size_t>(1, around_.out.usual_bytes(tick_)));
}

Link* Handshake::open(Instant now, const LinkEnds& ends) {
    LinkTable& links = around_.links;
    if (links.pending().size() >= kMaxPendingLinks) {
        // Evict a half-open link that another peer began, never one of our own calls.
        const auto stranger =
            std::ranges::find_if(links.pending(), [&](LinkNumber n) { return !greetings_[n].called; });
        if (stranger == links.pending().end()) return nullptr;
        around_.owner.drop_link(now, *stranger, Reason::full);
    }
    LinkEnds own = ends;
    own.local_token = Token{tokens_.next() | 1U};
    Link* link = links.create(own, now, options_.most_links);
    if (link == nullptr) return nullptr;
    greetings_[link->ends.local_number] = {.next_hello = now};
    const Link* former = links.up_with(ends.peer);
    const bool same = former != nullptr && former->ends.incarnation == ends.incarnation;
    link->channel.id = same ? former->channel.id : around_.parked.id_to_continue(ends.peer, ends.incarnation);
    if (link->channel.id == 0) link->channel.id = static_cast<std::uint32_t>(tokens_.next()) | 1U;
    return link;
}

Handshake::Call Handshake::call(Instant now, const Contact& contact, std::size_t room) {
    const LinkTable& links = around_.links;
    if (contact.id == self_ || links.up_with(contact.id) != nullptr) return {};
    // An introduction may name a former peer at an address where another one is linked with us by now.
    const auto is_there = [&](LinkNumber n) { return links.at(n)->ends.address == contact.address; };
    if (contact.id == PeerId{} && std::ranges::any_of(links.up_links(), is_there)) return {};
    return open_call(now, contact, room);
}

Handshake::Call Handshake::open_call(Instant now, const Contact& contact, std::size_t room) {
    LinkTable& links = around_.links;
    const bool known = contact.id != PeerId{};
    for (const LinkNumber number : links.pending()) {
        Link* link = links.at(number);
        const bool same_address = link->ends.address == contact.address;
        const bool by_address = same_address && (!known || link->ends.peer == PeerId{});
        if (!by_address && (!known || link->ends.peer != contact.id)) continue;
        Greeting& greeting = greetings_[number];
        greeting.called = true;  // a repeated call starts with the full patience and the shortest interval
        greeting.unheard = 0;
        greeting.next_hello = now;
        link->last_heard = now;
        return {link, false};
    }
    const auto calls =
        std::ranges::count_if(links.pending(), [&](LinkNumber n) { return greetings_[n].called; });
    if (room <= static_cast<std::size_t>(calls)) return {};
    Link* link =
        open(now, {.peer = contact.id, .incarnation = contact.incarnation, .address = contact.address});
    if (link == nullptr) return {};
    greetings_[link->ends.local_number].called = true;
    greet(link->ends.local_number);
    return {link, true};
}

LinkNumber Handshake::pending_call(const PeerId& peer) const {
    for (const LinkNumber number : around_.links.pending()) {
        if (greetings_.find(number)->called && around_.links.at(number)->ends.peer == peer) return number;
    }
    return kNoLink;
}

void Handshake::retry(Instant now) {
    for (const LinkNumber number : around_.links.pending()) {
        const Greeting& greeting = greetings_[number];
        // A peer that called us gets a limited number of answers. Our own calls continue until they time out.
        const bool answering = around_.links.at(number)->ends.remote_known && !greeting.called;
        if (greeting.waits_for_join || greeting.next_hello > now) continue;
        if (answering && greeting.answers_left == 0) continue;
        greet(number);
    }
}

void Handshake::drop_silent(Instant now) {
    const auto pending = [this] { return around_.links.pending(); };
    const Duration patience = std::max(kHandshakePatience, 2 * hello_spacing());
    for (std::size_t i = 0; i < pending().size();) {
        const LinkNumber number = pending()[i];
        // Counted from the last hello received: an answer may still be on its way to a peer that learnt our
        // token late.
        const Duration quiet = now - around_.links.at(number)->last_heard;
        const bool waits = greetings_[number].waits_for_join;
        if (quiet > (waits ? std::max(patience, options_.timeout) : patience))
            around_.owner.drop_link(now, number, Reason::timed_out);
        else
            ++i;
    }
}

// --- hellos out ---

bool Handshake::write_hello(Instant now, const Link& link, BitWriter& out) {
    const LinkNumber number = link.ends.local_number;
    const Greeting& greeting = greetings_[number];
    Hello hello{.version = kProtocolVersion,
                .link = number,
                .token = static_cast<std::uint64_t>(link.ends.local_token),
                .world = world_print_,
                .id = self_,
                .incarnation = static_cast<std::uint32_t>(incarnation_),
                .channel = link.channel.id,
                .attempt = greeting.attempts,
                .answers = link.ends.remote_known,
                .answered_link = link.ends.remote_number,
                .answered_attempt = greeting.answered_attempt,
                .session_us = wire_time(around_.clock.session_time(now)),
                // A peer that has not joined yet counts as younger than every member.
                .joined_us = joining_.is_new() ? kMaxWireTime : around_.clock.joined_us(),
                .hops = std::min(kMostHops, around_.clock.hops()),
                .newcomer = is_joining_over(number),
                .early_data = options_.early_data && around_.links.is_up(number)};
    hello.hold_us = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(micros(now - greeting.hello_heard), 0, kMostHold));
    if (hello.answers && greeting.newcomer) hello.others = some_others(link.ends.address);
    write(out, hello);
    return hello.early_data;
}

void Handshake::handle_hello_sent(Instant now, LinkNumber link) {
    Greeting& greeting = greetings_[link];
    greeting.hello_due = false;
    if (is_joining_over(link)) joining_.note_hello_sent(now, greeting.attempts);
    if (greeting.answers_left > 0) --greeting.answers_left;
    const unsigned slow = greeting.unheard < kQuickHellos ? 0 : greeting.unheard - kQuickHellos + 1U;
    // Leave enough time for the answers to all pending hellos.
    greeting.next_hello = now + std::max(tick_ * (1U << std::min(slow, 6U)), hello_spacing());
    ++greeting.unheard;
    ++greeting.attempts;
}

// --- hellos in ---

std::size_t Handshake::strangers() const {
    // Pending links that use the overlay's room: neither our own join nor callers that wait for it, and no
    // contact that has not answered our call, since it may have been invented.
    const auto uses_room = [&](LinkNumber n) {
        const Greeting& greeting = *greetings_.find(n);
        const bool unanswered = greeting.called && !around_.links.at(n)->ends.remote_known;
        return !is_joining_over(n) && !greeting.waits_for_join && !unanswered;
    };
    return static_cast<std::size_t>(std::ranges::count_if(around_.links.pending(), uses_room));
}

bool Handshake::has_its_room(const Link& link) const {
    const LinkNumber number = link.ends.local_number;
    return link.ends.remote_known || around_.links.is_up(number) || is_joining_over(number);
}

bool Handshake::is_busy(const Hello& hello) const {
    if (!hello.newcomer || around_.links.up_links().empty()) return false;
    const auto is_stranger = [&](LinkNumber n) { return !greetings_.find(n)->called; };
    return static_cast<std::size_t>(std::ranges::count_if(around_.links.pending(), is_stranger)) >= kBusy;
}

OtherPeers Handshake::some_others(const Address& asker) {
    OtherPeers others;
    const auto up = around_.links.up_links();
    if (up.empty()) return others;
    const std::size_t first = choice_.below(static_cast<std::uint32_t>(up.size()));
    for (std::size_t i = 0; i < up.size() && others.count < OtherPeers::kMost; ++i) {
        const LinkEnds& ends = around_.links.at(up[(first + i) % up.size()])->ends;
        // The asker itself may still be linked with us under a former id.
        if (ends.remote_known && ends.proven && ends.address != asker)
            others.addresses[others.count++] = ends.address;
    }
    return others;
}

void Handshake::refuse(const Address& to, const Hello& hello, Reason reason) {
    Refusal refusal{.version = kProtocolVersion, .link = hello.link, .reason = reason};
    if (reason == Reason::busy || reason == Reason::full) refusal.others = some_others(to);
    around_.out.refuse(to, Token{hello.token}, refusal);
}

std::optional<Reason> Handshake::refuse_hello(const Address& from, const Hello& hello, Token echo,
                                              std::size_t room) {
    RejectionCounts& rejections = around_.rejections;
    if (hello.version != kProtocolVersion) {
        rejections.count(Rejection::version);
        return Reason::version_mismatch;
    }
    if (hello.world != world_print_) {
        rejections.count(Rejection::world);
        return Reason::world_mismatch;
    }
    if (hello.id == self_ || hello.id == PeerId{}) {
        rejections.count(Rejection::impossible);
        return Reason::own_id;
    }
    if (left_) return Reason::left;
    const Link* called = hello.answers ? around_.links.at(hello.answered_link) : nullptr;
    const bool is_answer = called != nullptr && called->ends.local_token == echo;
    const Link* pending = is_answer ? called : pending_with(from, hello);
    if (around_.links.up_with(hello.id) != nullptr || (pending != nullptr && has_its_room(*pending)))
        return std::nullopt;
    const bool full = room <= strangers();
    if (!full && pending != nullptr) return std::nullopt;
    if (!full && !is_busy(hello)) return std::nullopt;
    rejections.count(Rejection::no_room);
    return full ? Reason::full : Reason::busy;
}

Greeted Handshake::handle_hello(Instant now, const Address& from, Token echo, BitReader& in,
                                std::size_t room) {
    BitReader prefix = in;  // every version begins with these fields, so that any version can be refused
    Hello hello;
    hello.version = static_cast<std::uint16_t>(prefix.bits(16));
    hello.link = static_cast<std::uint16_t>(prefix.bits(16));
    hello.token = prefix.bits(64);
    if (!prefix.ok() || hello.token == 0) return nothing(Rejection::malformed);
    if (hello.version == kProtocolVersion && !read(in, hello)) return nothing(Rejection::malformed);
    if (const auto reason = refuse_hello(from, hello, echo, room)) {
        if (echo == Token::none) refuse(from, hello, *reason);
        return {};
    }
    return hello.answers ? handle_answer(now, from, hello, echo) : handle_call(now, from, hello);
}

void Handshake::adopt(Instant now, Link& link, const Address& from, const Hello& hello) {
    LinkEnds& ends = link.ends;
    ends.peer = hello.id;
    ends.incarnation = Incarnation{hello.incarnation};
    ends.address = from;
    ends.remote_number = hello.link;
    ends.remote_token = Token{hello.token};
    ends.remote_known = true;
    link.last_heard = now;
    link.channel.remote_id = hello.channel;
    Greeting& greeting = greetings_[ends.local_number];
    greeting.newcomer = greeting.newcomer || hello.newcomer;
    greeting.hello_heard = now;
    greeting.unheard = 0;
    greeting.answered_attempt = hello.attempt;
}

bool Handshake::forgot_us(Instant now, const Link& link, const Hello& hello) {
    // Only on a link that was used before its hello was answered: the other side lost the channel state that
    // our messages refer to.
    const Channel& channel = link.channel;
    const bool up = around_.links.is_up(link.ends.local_number);
    if (!up || channel.remote_id == 0 || channel.remote_id == hello.channel) return false;
    const PeerId peer = link.ends.peer;
    around_.owner.drop_link(now, link.ends.local_number, Reason::timed_out);
    around_.parked.forget(peer);
    return true;
}

Link* Handshake::join_crossing(const Address& from, const Hello& hello) const {
    // Both peers join through each other at the same time: one link is enough, and the peer with the smaller
    // id becomes the first of the session.
    Link* link = around_.links.at(joining_.link());
    if (link == nullptr || !hello.newcomer || link->ends.remote_known) return nullptr;
    return link->ends.address == from ? link : nullptr;
}

Greeted Handshake::handle_call(Instant now, const Address& from, const Hello& hello) {
    LinkTable& links = around_.links;
    Link* link = pending_with(from, hello);
    if (Link* joining = join_crossing(from, hello); link == nullptr && joining != nullptr) {
        link = joining;
        greetings_[link->ends.local_number].crossing = true;
    }
    if (Link* up = links.up_with(hello.id); link == nullptr && up != nullptr) {
        const bool same = up->ends.remote_token == Token{hello.token};
        const bool optimistic =
            !up->ends.remote_known && up->ends.incarnation == Incarnation{hello.incarnation};
        if (same || optimistic) link = up;  // our answer was lost, or both peers called at the same time
    }
    if (link == nullptr)
        link = open(now, {.peer = hello.id, .incarnation = Incarnation{hello.incarnation}, .address = from});
    if (link == nullptr) {
        refuse(from, hello, links.size() >= options_.most_links ? Reason::full : Reason::busy);
        return {};
    }
    if (forgot_us(now, *link, hello)) return {};
    adopt(now, *link, from, hello);
    const LinkNumber number = link->ends.local_number;
    greetings_[number].answers_left = kAnswersPerHello;
    // Before it has joined, this peer has no session time: others cannot take it from us, and their stamps
    // mean nothing to us. They are answered once we have joined.
    if (joining_.is_new() && !is_joining_over(number)) {
        greetings_[number].waits_for_join = !links.is_up(number);
        return {Greeted::What::held, number, hello, false};
    }
    greetings_[number].next_hello = now;
    greet(number);
    return {Greeted::What::called, number, hello, greetings_[number].crossing};
}

Link* Handshake::pending_with(const Address& from, const Hello& hello) const {
    for (const LinkNumber number : around_.links.pending()) {
        Link* link = around_.links.at(number);
        const LinkEnds& ends = link->ends;
        // A peer that we called by address only may be calling us at the same time.
        const bool by_address = ends.peer == PeerId{} && ends.address == from && !is_joining_over(number);
        if (ends.peer != hello.id && !by_address) continue;
        if (!ends.remote_known || ends.remote_token == Token{hello.token}) return link;
    }
    return nullptr;
}

Greeted Handshake::handle_answer(Instant now, const Address& from, const Hello& hello, Token echo) {
    Link* link = around_.links.at(hello.answered_link);
    if (link == nullptr) return nothing(Rejection::unknown_link);
    LinkEnds& ends = link->ends;
    if (ends.local_token != echo) return nothing(Rejection::bad_token);
    // The peer at this address may have been replaced by another one, which is as welcome. But a link that is
    // in use keeps its peer, and a peer its link.
    const bool replaced = ends.peer != PeerId{} && ends.peer != hello.id;
    const bool other =
        replaced && (around_.links.is_up(hello.answered_link) || around_.links.up_with(hello.id) != nullptr);
    const bool other_stay = ends.remote_known && ends.remote_token != Token{hello.token};
    const bool not_in_yet =
        is_joining_over(ends.local_number) && hello.joined_us == kMaxWireTime && !hello.newcomer;
    if (other || other_stay || not_in_yet) return nothing(Rejection::impossible);
    if (forgot_us(now, *link, hello)) return {};
    adopt(now, *link, from, hello);
    ends.proven = true;
    if (is_joining_over(ends.local_number)) {
        joining_.learn(hello.others.span());
        // It joined us as well, and its own call did not arrive.
        Greeting& greeting = greetings_[ends.local_number];
        greeting.crossing = greeting.crossing || hello.joined_us == kMaxWireTime;
    }
    return {Greeted::What::answered, hello.answered_link, hello, greetings_[ends.local_number].crossing};
}

void Handshake::handle_refusal(Instant now, Token token, BitReader& in) {
    Refusal refusal;
    const auto reject = [this](Rejection why) { around_.rejections.count(why); };
    if (!read(in, refusal)) return reject(Rejection::malformed);
    const Link* link = around_.links.at(refusal.link);
    if (link == nullptr) return reject(Rejection::unknown_link);
    if (link->ends.local_token != token) return reject(Rejection::bad_token);
    if (around_.links.is_up(refusal.link)) return reject(Rejection::impossible);
    if (is_joining_over(refusal.link)) joining_.learn(refusal.others.span());
    around_.owner.drop_link(now, refusal.link, refusal.reason);
}

void Handshake::leave() {
    incarnation_ = draw_incarnation(tokens_);
    greetings_.clear();
    joining_.end();
    left_ = true;
}

}  // namespace fray
