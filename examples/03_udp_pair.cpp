// Two processes over UDP. Start one, then the other with the address that the first one printed:
//
//     example_03_udp_pair Alice 7000
//     example_03_udp_pair Bob 7001 127.0.0.1:7000
//
// Each process drives a tank, sees the other tank, and chats. Both end once each has seen and heard the
// other.

#include <fray/fray.hpp>
#include <fray/udp_peer.hpp>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>

using namespace std::chrono_literals;

namespace {

constexpr std::string_view kDone = "bye";

struct Line {
    std::string text;
};
template <class Stream>
void serialize(Stream& stream, Line& line) {
    stream.text(line.text, 200);  // bytes; longer lines are refused, here and by the receiver
}

int fail(std::string_view what) {
    std::fprintf(stderr, "03_udp_pair: %.*s\n", static_cast<int>(what.size()), what.data());
    return 2;
}

bool say(fray::Instant now, fray::Peer& peer, std::string_view text) {
    // To every peer that is linked now or within 10 s, complete and in order.
    const Line line{std::string{text}};
    return peer.send(now, line, fray::Audience::session(), fray::Delivery::ordered).has_value();
}

struct Progress {
    bool saw_tank = false;
    bool heard_chat = false;
    bool other_is_done = false;
    [[nodiscard]] bool satisfied() const { return saw_tank && heard_chat; }
};

void react(const fray::Event& event, const std::string& name, Progress& progress) {
    if (const auto* message = std::get_if<fray::Message>(&event)) {
        const auto line = message->as<Line>();
        if (!line) return;  // the other program sent something else
        std::printf("%s heard: %s\n", name.c_str(), line->text.c_str());
        (line->text == kDone ? progress.other_is_done : progress.heard_chat) = true;
    } else if (std::get_if<fray::Refused>(&event) != nullptr) {
        std::printf("%s: %s\n", name.c_str(), fray::to_string(event).c_str());
    } else if (std::get_if<fray::PeerLeft>(&event) != nullptr) {
        progress.other_is_done = true;
    }
}

bool play(const std::string& name, fray::UdpPeer& me) {
    fray::Peer& peer = me.peer();
    fray::Instant now = me.pump();
    const fray::Instant start = now;
    const auto tank = peer.publish(now, fray::state_of(fray::Pose{}));
    Progress progress;
    if (!tank || !say(now, peer, "hello from " + name)) return false;
    bool said_done = false;
    while (now < start + 30s && !(progress.satisfied() && progress.other_is_done)) {
        now = me.wait(10ms);  // a game that draws calls pump() instead
        const auto x = static_cast<float>(fray::seconds(now - start));
        if (!peer.update(now, *tank, fray::state_of({.position = {x, 0, 0}, .velocity = {1, 0, 0}}))) break;
        while (const auto event = peer.poll_event()) react(*event, name, progress);
        if (!peer.replicas(now).empty() && !progress.saw_tank) {
            progress.saw_tank = true;
            std::printf("%s sees a tank of peer %s\n", name.c_str(),
                        fray::to_string(peer.replicas(now)[0].id.owner).c_str());
        }
        if (!said_done && progress.satisfied()) said_done = say(now, peer, kDone);
    }
    me.leave();  // says goodbye
    return progress.satisfied() && progress.other_is_done;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) return fail("usage: 03_udp_pair NAME PORT [ADDRESS-OF-A-PEER]");
    const std::string_view port_text = argv[2];
    fray::UdpOptions options{.bind_address = "127.0.0.1"};  // omit it to accept other machines
    const auto [last, problem] =
        std::from_chars(port_text.data(), port_text.data() + port_text.size(), options.port);
    if (problem != std::errc{} || last != port_text.data() + port_text.size()) return fail("bad port");

    auto me = fray::UdpPeer::open({}, options);
    if (!me) return fail(me.error().message);
    std::printf("%s listens on %s\n", argv[1], fray::to_string(me->local_address()).c_str());
    std::fflush(stdout);
    if (argc == 4) {
        if (const auto joined = me->join(argv[3]); !joined) return fail(joined.error().message);
    }
    return play(argv[1], *me) ? 0 : 1;
}
