// Which reliable channel a new link names in its hellos.

#include "link/handshake.hpp"

namespace fray {

bool Handshake::call_by_channel(const Question& question, Link& link) {
    // A call by address names a new channel, since the peer is not known yet. If the two incarnations have a
    // channel already, both sides must name it. The new token makes it another link for the other side.
    const Hello& hello = question.hello;
    const std::uint32_t channel = around_.parked.id_to_continue(hello.id, Incarnation{hello.incarnation},
                                                                around_.links.up_with(hello.id));
    const bool is_up = around_.links.is_up(link.ends.local_number);
    if (is_up || options_.early_data || channel == 0 || channel == link.channel.id) return false;
    link.ends.local_token = secrets_.draw_token();
    link.channel.id = channel;
    link.last_heard = question.now;
    greet(link.ends.local_number);
    return true;
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

}  // namespace fray
