// How a peer joins: which address the handshake calls, and when it gives up.

#include "link/handshake.hpp"

namespace fray {

void Handshake::join(Instant now, const Address& address) {
    joining_.begin(now, address);
    left_ = false;
}

std::optional<Refused> Handshake::run_join(Instant now, std::size_t room) {
    const Link* link = around_.links.at(joining_.link());
    const bool is_answering = link != nullptr && link->ends.remote_known;
    if (joining_.is_hopeless(now) && !is_answering) return Refused{*cancel_join(now), Reason::timed_out};
    if (joining_.should_move_on(now)) around_.owner.drop_link(now, joining_.link(), Reason::timed_out);
    const auto address = joining_.next_call(now);
    if (!address) return std::nullopt;
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
        if (greetings_[number].waits_for_join) greet(number);
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

}  // namespace fray
