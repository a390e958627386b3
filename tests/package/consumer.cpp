#include <fray/chat.hpp>
#include <fray/fray.hpp>

#include <cstdio>

int main() {
    const auto peer = fray::Peer::create({}, fray::Seed{42});
    const auto room = fray::ChatRoom::open({}, fray::PeerId{});  // a module that a peer itself does not use
    if (!peer || !room) return 1;
    std::printf("%zu links, protocol version %u\n", peer->peers().size(), unsigned{fray::kProtocolVersion});
    return 0;
}
