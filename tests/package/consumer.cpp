#include <fray/fray.hpp>

#include <cstdio>

int main() {
    const auto peer = fray::Peer::create({}, fray::Seed{42});
    if (!peer) return 1;
    std::printf("%zu links, protocol version %u\n", peer->peers().size(), unsigned{fray::kProtocolVersion});
    return 0;
}
