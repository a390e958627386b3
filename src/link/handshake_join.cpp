// How a peer joins: which address the handshake calls, when it gives up, and what refusals mean.

#include "link/handshake.hpp"

#include <utility>

namespace fray {

void Handshake::join(Instant now, const Address& address) {
    joining_.begin(now, address);
    left_ = false;
    id_is_reported_ = false;
}

std::optional<Refused> Handshake::run_join(Instant now, std::size_t room) {
    const Link* link = around_.links.at(joining_.link());
    const bool is_answering = link != nullptr && link->ends.remote_known;
    if (joining_.is_hopeless(now) && !is_answering) return Refused{*cancel_join(now), Reason::timed_out};
    if (joining_.should_move_on(now)) around_.owner.drop_link(now, joining_.link(), Reason::timed_out);
    const auto address = joining_.next_call(now);
    if (!address || joining_.is_hopeless(now + kAnswerTime)) return std::nullopt;
    const Call call = open_call(now, Contact{.id = {}, .address = *address}, room);
    if (call.link == nullptr) return Refused{*cancel_join(now), Reason::full};
    joining_.called(now, call.link->ends.local_number);
    return std::nullopt;
}

std::optional<Address> Handshake::cancel_join(Instant now) {
    if (!joining_.is_wanted()) return std::nullopt;
    const LinkNumber link = joining_.link();
    joining_.end();
    if (link != kNoLink) around_.owner.drop_link(now, link, Reason::left);
    return joining_.named();
}

bool Handshake::finish_join(LinkNumber link) {
    if (!is_joining_over(link)) {
        // Some other link came up: this peer is not alone any more.
        if (joining_.is_again() && !is_newcomer(link)) joining_.end();
        return false;
    }
    joining_.end();
    for (const LinkNumber number : around_.links.pending()) {
        if (greetings_[number].waits_for_join) answer(number);
    }
    return true;
}

std::optional<Refused> Handshake::fail_join(Instant now, LinkNumber link, Reason reason) {
    if (!is_joining_over(link)) return std::nullopt;
    const auto why = joining_.fail(now, reason);
    if (!why) return std::nullopt;
    joining_.end();
    return Refused{joining_.named(), *why};
}

std::optional<Handshake::JoinTime> Handshake::join_time(LinkNumber link, const Hello& hello) {
    if (!is_joining_over(link) || !joining_.take_time()) return std::nullopt;
    return JoinTime{.asked = joining_.hello_sent(hello.answered_attempt, greetings_[link].attempts),
                    .crossing = greetings_[link].crossing};
}

Handshake::RefusalOutcome Handshake::handle_refusal(Instant now, Token token, BitReader& in) {
    Refusal refusal;
    const auto reject = [this](Rejection why) {
        around_.rejections.count(why);
        return RefusalOutcome{};
    };
    if (!read(in, refusal)) return reject(Rejection::malformed);
    Link* link = around_.links.at(refusal.link);
    if (link == nullptr) return reject(Rejection::unknown_link);
    if (link->ends.local_token != token) return reject(Rejection::bad_token);
    // A peer that answered our call may have no place left when our first data arrives.
    const bool is_up = around_.links.is_up(refusal.link);
    if (is_up && (link->arrivals.any() || refusal.reason != Reason::full))
        return reject(Rejection::impossible);
    if (refusal.asks_proof) {
        link->ends.remote_token = refusal.proof;
        greet(refusal.link);
        return {};
    }
    RefusalOutcome outcome;
    if (is_up) outcome.lost = link->ends.peer;
    const bool joining = is_joining_over(refusal.link);
    if (joining) joining_.learn(refusal.others.span());
    if (refusal.reason == Reason::own_id && !joining && !std::exchange(id_is_reported_, true))
        outcome.report = Refused{link->ends.address, Reason::own_id};
    around_.owner.drop_link(now, refusal.link, refusal.reason);
    return outcome;
}

}  // namespace fray
