#include "link/handshake.hpp"

#include <fray/serialize.hpp>

#include <algorithm>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kHelloBytes = 120;  // of a hello with headers, approximately
constexpr Duration kJoinPatience{10s};

/// Our unanswered join through the sender of this call; nullptr: none.
Link* find_crossing_join(const LinkTable& links, const Joining& joining, const Question& call) {
    Link* link = links.at(joining.link());
    if (link == nullptr || link->ends.remote_known) return nullptr;
    return link->ends.address == call.from ? link : nullptr;
}

}  // namespace

Handshake::Handshake(const Around& around, const PeerOptions& options, PeerId self, const RandomRoot& root)
    : around_{around},
      options_{options.link},
      tick_{options.world.tick},
      self_{self},
      secrets_{root.key},
      incarnation_{options.incarnation == Incarnation{} ? Incarnation{secrets_.draw_number()}
                                                        : options.incarnation},
      joining_{std::max(kJoinPatience, 2 * options.link.timeout)},
      admission_{
          {around.links, greetings_, joining_, around.out, around.rejections}, options, self, root.seed} {}

// --- calls ---

void Handshake::greet(LinkNumber link) {
    greetings_[link].hello_due = true;
    greetings_[link].waits_for_join = false;
    around_.out.wake_first(link);
}

void Handshake::answer(LinkNumber link) {
    Greeting& greeting = greetings_[link];
    greeting.hello_due = greeting.answer_due = true;
    greeting.waits_for_join = false;
    const bool is_proven = around_.links.is_up(link) || around_.links.at(link)->ends.proven;
    if (is_proven || options_.early_data)
        around_.out.wake_first(link);
    else
        around_.out.strangers().add(link);
}

Duration Handshake::hello_spacing() const {
    const auto is_call = [&](LinkNumber n) { return greetings_.find(n)->called; };
    const auto calls = static_cast<std::size_t>(std::ranges::count_if(around_.links.pending(), is_call));
    const std::size_t bytes = 2 * calls * kHelloBytes;
    return tick_ *
           static_cast<std::int64_t>(bytes / std::max<std::size_t>(1, around_.out.usual_bytes(tick_)));
}

Link* Handshake::open(Instant now, const LinkEnds& ends) {
    LinkTable& links = around_.links;
    if (links.pending().size() >= kMaxPendingLinks) {
        // Evict a half-open link that another peer began, never one of our own calls; one whose address is
        // proved only if there is no other.
        auto stranger =
            std::ranges::find_if(links.pending(), [&](LinkNumber n) { return admission_.is_stranger(n); });
        if (stranger == links.pending().end())
            stranger =
                std::ranges::find_if(links.pending(), [&](LinkNumber n) { return !greetings_[n].called; });
        if (stranger == links.pending().end()) return nullptr;
        around_.owner.drop_link(now, *stranger, Reason::full);
    }
    LinkEnds own = ends;
    own.local_token = secrets_.draw_token();
    Link* link = links.create(own, now, options_.most_links);
    if (link == nullptr) return nullptr;
    greetings_[link->ends.local_number] = {.next_hello = now};
    link->channel.id = around_.parked.id_to_continue(ends.peer, ends.incarnation, links.up_with(ends.peer));
    if (link->channel.id == 0) link->channel.id = secrets_.draw_number();
    return link;
}

Handshake::Call Handshake::call(Instant now, const Contact& contact, std::size_t room) {
    const LinkTable& links = around_.links;
    if (contact.id == self_ || links.up_with(contact.id) != nullptr) return {};
    // An introduction may name a former peer at an address where another one is linked with us by now.
    const auto is_there = [&](LinkNumber n) { return links.at(n)->ends.address == contact.address; };
    if (contact.id == PeerId{} && std::ranges::any_of(links.up_links(), is_there)) return {};
    if (!admission_.may_call(contact.address)) return {};
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
        if (!same_address && admission_.is_stranger(number)) continue;  // its call may have been forged
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
    // Only our own calls: a caller that gets no answer calls again. And not so late that the answer would
    // find the link dropped.
    const Duration longest = patience() - kAnswerTime;
    for (const LinkNumber number : around_.links.pending()) {
        const Greeting& greeting = greetings_[number];
        const bool is_given_up =
            !keeps_calling(number) && now - around_.links.at(number)->last_heard > longest;
        const bool is_late =
            is_given_up || (is_joining_over(number) && joining_.is_hopeless(now + kAnswerTime));
        if (greeting.called && greeting.next_hello <= now && !is_late) greet(number);
    }
}

bool Handshake::keeps_calling(LinkNumber link) const {
    return joining_.keeps_calling(link) && !around_.links.at(link)->ends.remote_known;
}

Duration Handshake::patience() const { return std::max(kHandshakePatience, 2 * hello_spacing()); }

void Handshake::drop_silent(Instant now) {
    const auto pending = [this] { return around_.links.pending(); };
    const Duration patience = this->patience();
    for (std::size_t i = 0; i < pending().size();) {
        const LinkNumber number = pending()[i];
        // Counted from the last hello received: an answer may still be on its way to a peer that learnt our
        // token late.
        const Duration quiet = now - around_.links.at(number)->last_heard;
        const bool waits = greetings_[number].waits_for_join;
        if (!keeps_calling(number) && quiet > (waits ? std::max(patience, options_.timeout) : patience))
            around_.owner.drop_link(now, number, Reason::timed_out);
        else
            ++i;
    }
}

// --- hellos out ---

bool Handshake::write_hello(Instant now, const Link& link, DatagramBuilder& datagram) {
    const LinkNumber number = link.ends.local_number;
    const Greeting& greeting = greetings_[number];
    const bool is_up = around_.links.is_up(number);
    Hello hello{.version = kProtocolVersion,
                .link = number,
                .token = static_cast<std::uint64_t>(link.ends.local_token),
                .world = admission_.world_print(),
                .overlay = admission_.overlay_print(),
                .id = self_,
                .incarnation = static_cast<std::uint32_t>(incarnation_),
                .channel = link.channel.id,
                .attempt = greeting.attempts,
                // A repeated call is no answer: the call that we heard may have been forged.
                .answers = link.ends.remote_known && (greeting.answer_due || is_up),
                .answered_link = link.ends.remote_number,
                .answered_attempt = greeting.answered_attempt,
                .session_us = wire_time(around_.clock.session_time(now)),
                // A peer that has not joined yet counts as younger than every member.
                .joined_us = joining_.is_new() ? kMaxWireTime : around_.clock.joined_us(),
                .hops = std::min(kMostHops, around_.clock.hops()),
                .newcomer = is_joining_over(number),
                .early_data = options_.early_data && is_up};
    hello.hold_us = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(micros(now - greeting.hello_heard), 0, kMostHold));
    if (hello.answers && greeting.newcomer) hello.others = admission_.some_others(link.ends.address);
    const std::size_t start = datagram.out().bit_count();
    write(datagram.out(), hello);
    while (hello.others.count > 0 && datagram.bytes() > greeting.most_bytes) {
        --hello.others.count;
        datagram.out().rewind(start);
        write(datagram.out(), hello);
    }
    if (!hello.answers && !options_.early_data)
        datagram.pad_to(call_bytes(hello.newcomer, link.ends.address.is_ipv6()));
    return hello.early_data;
}

void Handshake::handle_hello_sent(Instant now, LinkNumber link) {
    Greeting& greeting = greetings_[link];
    greeting.hello_due = greeting.answer_due = false;
    if (is_joining_over(link)) joining_.note_hello_sent(now, greeting.attempts);
    const unsigned slow = greeting.unheard < kQuickHellos ? 0 : (greeting.unheard - kQuickHellos) / 2U + 1U;
    // Often enough that a burst of losses does not last, but with time for the answers to all
    // pending hellos.
    const Duration longest = std::max(tick_, kHandshakePatience / 5);
    greeting.next_hello =
        now + std::max(std::min(tick_ * (1U << std::min(slow, 6U)), longest), hello_spacing());
    if (greeting.unheard < UINT8_MAX) ++greeting.unheard;
    ++greeting.attempts;
}

// --- hellos in ---

void Handshake::refuse(const Question& question, Reason reason) {
    const Hello& hello = question.hello;
    Refusal refusal{.version = kProtocolVersion, .link = hello.link, .reason = reason};
    if (reason == Reason::busy || reason == Reason::full)
        refusal.others = admission_.some_others(question.from);
    around_.out.strangers().add({question.now, question.from, Token{hello.token}, refusal});
}

void Handshake::ask_proof(const Question& question) {
    const Token theirs{question.hello.token};
    const Refusal refusal{.version = kProtocolVersion,
                          .link = question.hello.link,
                          .reason = Reason::busy,
                          .asks_proof = true,
                          .proof = secrets_.proof(question.now, question.from, theirs)};
    around_.out.strangers().add({question.now, question.from, theirs, refusal});
}

Greeted Handshake::handle_hello(Instant now, const Address& from, Token echo, BitReader& in,
                                std::size_t room) {
    const std::size_t bytes = (kKindBits + in.bits_left()) / 8 + kSealBytes;
    BitReader prefix = in;  // every version begins with these fields, so that any version can be refused
    Question question{.now = now, .from = from, .echo = echo, .hello = {}, .bytes = bytes, .room = room};
    Hello& hello = question.hello;
    hello.version = static_cast<std::uint16_t>(prefix.bits(16));
    hello.link = static_cast<std::uint16_t>(prefix.bits(16));
    hello.token = prefix.bits(64);
    if (!prefix.ok() || hello.token == 0) return nothing(Rejection::malformed);
    const bool is_ours = hello.version == kProtocolVersion;
    if (is_ours && !read(in, hello)) return nothing(Rejection::malformed);
    // A call that is shorter than its answer would let its sender flood a forged address.
    if (is_ours && !hello.answers && bytes < kCallBytes && !options_.early_data)
        return nothing(Rejection::too_short);
    // An answer echoes the token of the link that called; a proof belongs to a call.
    question.is_proven =
        !hello.answers && echo != Token::none && secrets_.is_proof(now, from, Token{hello.token}, echo);
    const Admission::Verdict verdict =
        left_ && is_ours ? Admission::Verdict{Admission::Verdict::What::refuse, Reason::left}
                         : admission_.judge(question);
    switch (verdict.what) {
        case Admission::Verdict::What::accept:
            return hello.answers ? handle_answer(question) : handle_call(question);
        case Admission::Verdict::What::refuse:
            if (!hello.answers) refuse(question, verdict.reason);
            return {};
        case Admission::Verdict::What::ask_proof:
            if (!hello.answers) ask_proof(question);
            return {};
        case Admission::Verdict::What::ignore:
            return {};
    }
    return {};
}

void Handshake::adopt(const Question& question, Link& link) {
    const Hello& hello = question.hello;
    LinkEnds& ends = link.ends;
    ends.peer = hello.id;
    ends.incarnation = Incarnation{hello.incarnation};
    ends.address = question.from;
    ends.remote_number = hello.link;
    ends.remote_token = Token{hello.token};
    ends.remote_known = true;
    link.last_heard = question.now;
    link.channel.remote_id = hello.channel;
    Greeting& greeting = greetings_[ends.local_number];
    greeting.newcomer = greeting.newcomer || hello.newcomer;
    greeting.hello_heard = question.now;
    greeting.answered_attempt = hello.attempt;
    greeting.most_bytes = static_cast<std::uint16_t>(question.bytes);
}

Link* Handshake::link_of_call(const Question& question) {
    const Hello& hello = question.hello;
    if (Link* link = admission_.pending_with(question.from, hello)) return link;
    if (Link* join = find_crossing_join(around_.links, joining_, question)) {
        // Both peers join through each other at the same time: one link is enough, and the peer with the
        // smaller id becomes the first of the session.
        greetings_[join->ends.local_number].crossing = true;
        return join;
    }
    Link* up = around_.links.up_with(hello.id);
    if (up == nullptr) return nullptr;
    const bool same = up->ends.remote_token == Token{hello.token};
    const bool optimistic = !up->ends.remote_known && up->ends.incarnation == Incarnation{hello.incarnation};
    return same || optimistic ? up : nullptr;  // our answer was lost, or both peers called at the same time
}

Greeted Handshake::handle_call(const Question& question) {
    const Hello& hello = question.hello;
    LinkTable& links = around_.links;
    const Link* join = find_crossing_join(links, joining_, question);
    if (join != nullptr && !hello.newcomer) {
        // A member calls, and our join calls that member. Both must become one link: otherwise each side may
        // choose another one, and takes acknowledgements of one for those of the other.
        if (joining_.is_new()) return {};  // the member answers our call
        around_.owner.drop_link(question.now, join->ends.local_number, Reason::timed_out);
    }
    Link* link = link_of_call(question);
    if (link == nullptr) {
        link =
            open(question.now,
                 {.peer = hello.id, .incarnation = Incarnation{hello.incarnation}, .address = question.from});
    }
    if (link == nullptr) {
        refuse(question, links.size() >= options_.most_links ? Reason::full : Reason::busy);
        return {};
    }
    if (forgot_us(question.now, *link, hello)) return {};
    adopt(question, *link);
    link->ends.proven = link->ends.proven || question.is_proven;
    const LinkNumber number = link->ends.local_number;
    // Before it has joined, this peer has no session time: others cannot take it from us, and their stamps
    // mean nothing to us. They are answered once we have joined.
    if (joining_.is_new() && !is_joining_over(number)) {
        greetings_[number].waits_for_join = !links.is_up(number);
        return {Greeted::What::held, number, hello, false};
    }
    answer(number);
    return {Greeted::What::called, number, hello, greetings_[number].crossing};
}

Greeted Handshake::handle_answer(const Question& question) {
    const Hello& hello = question.hello;
    Link* link = around_.links.at(hello.answered_link);
    if (link == nullptr) return nothing(Rejection::unknown_link);
    LinkEnds& ends = link->ends;
    if (ends.local_token != question.echo) return nothing(Rejection::bad_token);
    // The peer at this address may have been replaced by another one, which is as welcome. But a link that is
    // in use keeps its peer, and a peer its link.
    const bool is_up = around_.links.is_up(hello.answered_link);
    const bool replaced = ends.peer != PeerId{} && ends.peer != hello.id;
    const bool other = replaced && (is_up || around_.links.up_with(hello.id) != nullptr);
    // A call that we heard before may have been forged; this answer echoes our token.
    const bool was_called = ends.remote_known && ends.remote_token != Token{hello.token};
    const bool other_stay = was_called && (is_up || ends.proven);
    const bool joining = is_joining_over(ends.local_number);
    const bool not_in_yet = joining && hello.joined_us == kMaxWireTime && !hello.newcomer;
    if (other || other_stay || not_in_yet) return nothing(Rejection::impossible);
    if (forgot_us(question.now, *link, hello) || call_by_channel(question, *link)) return {};
    adopt(question, *link);
    ends.proven = true;
    Greeting& greeting = greetings_[ends.local_number];
    if (joining) {
        joining_.learn(hello.others.span());
        // It joined us as well, and its own call did not arrive.
        greeting.crossing = (greeting.crossing && !was_called) || hello.joined_us == kMaxWireTime;
    }
    return {Greeted::What::answered, hello.answered_link, hello, greeting.crossing};
}

bool Handshake::may_finish(Instant now, LinkNumber link, std::size_t room) {
    if (admission_.has_place(link, room)) return true;
    const LinkEnds& ends = around_.links.at(link)->ends;
    around_.rejections.count(Rejection::no_room);
    const Refusal refusal{.version = kProtocolVersion,
                          .link = ends.remote_number,
                          .reason = Reason::full,
                          .others = admission_.some_others(ends.address)};
    around_.out.strangers().add({now, ends.address, ends.remote_token, refusal});
    around_.owner.drop_link(now, link, Reason::full);
    return false;
}

void Handshake::leave() {
    incarnation_ = Incarnation{secrets_.draw_number()};
    greetings_.clear();
    joining_.end();
    left_ = true;
    id_is_reported_ = false;
}

}  // namespace fray
