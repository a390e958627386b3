// Any bytes as messages of a match of Panzer: each is rejected, or written back to the same bits; and a
// player that gets them as notes, claims and replies plays on.

#include <fray/assert.hpp>
#include <fray/swarm.hpp>

#include "fuzz/read_and_write.hpp"
#include "games/panzer/match/match_game.hpp"
#include "games/panzer/match/messages.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
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

const Place& place() {
    static const Place kPlace;
    return kPlace;
}
MatchOptions match() {
    MatchOptions options;
    options.players = 2;
    return options;
}

/// Plays like an honest player, and in each frame sends the next piece as a note, or as a claim on whatever
/// the other player owns.
class Hostile final : public Game {
public:
    explicit Hostile(std::span<const std::uint8_t> bytes)
        : honest_{place().field, place().query, match(), bot_player(1)}, bytes_{bytes} {}
    void started(Commands& peer) override { honest_.started(peer); }
    void event(Commands& peer, const Event& event) override { honest_.event(peer, event); }
    void frame(Commands& peer) override {
        honest_.frame(peer);
        const std::size_t count = peer.replicas().size();
        if (bytes_.empty() || count == 0) return;
        // The first byte of a piece is its length, the second what is done with it.
        const std::size_t size = std::min<std::size_t>(bytes_.size(), 2U + bytes_[0]);
        const std::uint8_t use = bytes_[std::min<std::size_t>(1, size - 1)];
        const std::vector<std::uint8_t> piece{
            bytes_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, size)),
            bytes_.begin() + static_cast<std::ptrdiff_t>(size)};
        bytes_ = bytes_.subspan(size);
        const EntityId target = peer.replicas()[use % count].id;
        const EntityId own{peer.id(), 0};
        if (use % 2 == 0)
            (void)peer.send(Outgoing{piece, {}, Delivery::reliable, {}});
        else
            (void)peer.interact(own, target, piece);
    }
    [[nodiscard]] bool is_done() const { return bytes_.empty(); }

private:
    MatchGame honest_;
    std::span<const std::uint8_t> bytes_;
};

void play(std::span<const std::uint8_t> bytes) {
    auto swarm = Swarm::create({.network = network_profile("lan").value()}, Seed{1}).value();
    GameWorkload games{[&](PeerIndex index) -> std::unique_ptr<Game> {
        if (index == 1) return std::make_unique<Hostile>(bytes);
        PlayerOptions first = bot_player(0);
        first.begins = true;
        return std::make_unique<MatchGame>(place().field, place().query, match(), first);
    }};
    swarm.set_workload(&games);
    for (std::uint32_t i = 0; i < 2; ++i)
        (void)swarm.add_peer(peer_options(place().field, match(), bot_player(i)));
    const auto* hostile = dynamic_cast<const Hostile*>(games.game(1));
    for (int i = 0; i < 60 && (hostile == nullptr || !hostile->is_done()); ++i) {
        swarm.run_for(100ms);
        hostile = dynamic_cast<const Hostile*>(games.game(1));
    }
    swarm.run_for(200ms);
    const auto& honest = dynamic_cast<const MatchGame&>(*games.game(0));
    for (const Tank& tank : honest.screen().tanks)
        FRAY_ASSERT(std::isfinite(tank.position.x) && std::isfinite(tank.position.y));
    FRAY_ASSERT(honest.report().standings.cards().size() <= match().players);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::uint8_t> bytes{data, size};
    read_and_write<Note>(bytes);
    read_and_write<ShotClaim>(bytes);
    read_and_write<ShotReply>(bytes);
    read_and_write<Thing>(bytes);
    read_and_write<ThingClaim>(bytes);
    read_and_write<ThingReply>(bytes);

    play(bytes);
    return 0;
}
