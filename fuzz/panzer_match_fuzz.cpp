// Any bytes as messages of a match of Panzer: each is rejected, or written back to the same bits; and a
// player that gets them as notes, claims and replies plays on.

#include <fray/assert.hpp>
#include <fray/game.hpp>

#include "fuzz/read_and_write.hpp"
#include "games/panzer/match/match_game.hpp"
#include "games/panzer/match/messages.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace {

using namespace fray;
using namespace fray::panzer;

struct Place {
    Map map = shipped_map("duel").value();
    NavMesh mesh{std::move(NavMesh::build(map).value())};
    NavQuery query{mesh};
    Battlefield field{map};
};

class Player {
public:
    Player()
        : game_{place().field, place().query, match(), player()},
          peer_{std::move(Peer::create(peer_options(place().field, match(), player()), Seed{1}).value())} {
        PeerCommands commands{now_, peer_};
        game_.started(commands);
        frame();
    }
    void frame() {
        now_ += 50ms;
        PeerCommands commands{now_, peer_};
        game_.frame(commands);
        while (const auto event = peer_.poll_event()) game_.event(commands, *event);
        peer_.handle_time(now_);
    }
    /// The same bytes as everything that another player can say.
    void hear(const std::vector<std::uint8_t>& bytes) {
        PeerCommands commands{now_, peer_};
        const PeerId other = PeerId::from_number(2);
        game_.event(commands, Message{other, {}, Delivery::reliable, bytes});
        for (std::uint32_t number = 0; number < 4; ++number) {
            const EntityId target{peer_.id(), number};
            game_.event(commands, Asked{{other, number}, {other, 0}, target, {}, {}, bytes});
            game_.event(commands, Answered{{peer_.id(), number}, target, true, bytes});
        }
    }
    void check() const {
        for (const Tank& tank : game_.screen().tanks)
            FRAY_ASSERT(std::isfinite(tank.position.x) && std::isfinite(tank.position.y));
        FRAY_ASSERT(game_.report().standings.cards().size() <= kMostTanks);
    }

private:
    static const Place& place() {
        static const Place kPlace;
        return kPlace;
    }
    static MatchOptions match() {
        MatchOptions options;
        options.players = 2;
        return options;
    }
    static PlayerOptions player() {
        PlayerOptions options = bot_player(0);
        options.begins = true;
        return options;
    }
    Instant now_{1s};
    MatchGame game_;
    Peer peer_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::uint8_t> bytes{data, size};
    read_and_write<Note>(bytes);
    read_and_write<ShotClaim>(bytes);
    read_and_write<ShotReply>(bytes);
    read_and_write<Thing>(bytes);
    read_and_write<ThingClaim>(bytes);
    read_and_write<ThingReply>(bytes);

    // The first byte of each piece is its length.
    Player player;
    for (std::size_t at = 0; at < size;) {
        const std::size_t end = std::min(size, at + 1 + data[at]);
        player.hear({data + at + 1, data + end});
        player.frame();
        at = end;
    }
    player.check();
    return 0;
}
