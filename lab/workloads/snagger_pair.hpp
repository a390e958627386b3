#pragma once
// Two people play a recorded game of Snagger over a network, each ship kept consistent by one algorithm, and
// both screens are logged: section 6.1 of the consistency paper, with real peers. A third peer, without a
// ship, may be there for what needs one between the players.

#include <fray/swarm.hpp>

#include "games/snagger/pilot/recording.hpp"
#include "lab/metrics/screen_log.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/workloads/duel.hpp"
#include "lab/workloads/market.hpp"

#include <array>
#include <utility>

namespace fray::lab {

inline constexpr PeerIndex kSerializerIndex = 2;
[[nodiscard]] constexpr PeerId serializer_id() { return PeerId::from_number(kSerializerIndex + 1ULL); }

/// From reading the keys to the picture on the screen: what the paper measures where nothing else delays.
inline constexpr Duration kDrawing{1500us};

/// What the players do besides: it costs bytes of its own, so by default they do nothing.
struct Besides {
    Duration shots{};   ///< between two shots of a player; 0: none
    Duration trades{};  ///< between two offers; 0: none
    /// A third peer is there even where nothing goes through it, as in the paper's study, and the players
    /// tell it of their ships, too. False: only where the algorithm or a trade needs it.
    bool third_peer = true;
};

inline constexpr Duration kBetweenShots{500ms};
inline constexpr Duration kBetweenTrades{1s};

class SnaggerPair final : public Workload {
public:
    SnaggerPair(const snagger::Recording& recording, const Consistency& consistency,
                const Besides& besides = {});

    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event) override;

    /// Everything up to the end of the game, and a little more, so that its last inputs are seen. False where
    /// the user wanted to stop.
    [[nodiscard]] bool run(Swarm& swarm, RunContext& context);

    /// Of the ship of this player (0 or 1): what its owner did and saw, and what the other saw.
    [[nodiscard]] const OwnerLog& owner(std::size_t ship) const { return players_[ship].own; }
    [[nodiscard]] const ViewerLog& viewer(std::size_t ship) const { return players_[1 - ship].other; }
    /// From the first input to the last.
    [[nodiscard]] SessionSpan measured() const { return {begin_, end_}; }
    [[nodiscard]] TradeFigures trades() const { return market_.figures(); }
    /// Bytes with all headers that this peer sent meanwhile.
    [[nodiscard]] std::uint64_t bytes_sent(PeerIndex index) const { return bytes_[index]; }

private:
    struct Player {
        explicit Player(InputBuckets buckets) : inputs{std::move(buckets)} {}
        snagger::Ship ship;
        EntityId entity{};
        EntityId others{};  // the other ship
        bool sees_other = false;
        Duration next_frame{};
        std::size_t frames = 0;
        InputBuckets inputs;
        Duration bucket{};              // bucket_sync: of inputs that are applied together
        std::int64_t collecting = 0;    // the present one
        std::size_t first_waiting = 0;  // frame whose input has not been applied
        OwnerLog own;
        ViewerLog other;
        Corrections before{};  // until the first input
    };

    [[nodiscard]] bool playing(std::size_t player) const;
    [[nodiscard]] snagger::Input keys(std::size_t player) const;
    void log_inputs(Player& player, SessionInstant polled, SessionInstant own_time);
    void look(Swarm& swarm, std::size_t player);
    void count_bytes(const Swarm& swarm);

    snagger::Recording recording_;
    std::array<Player, 2> players_;
    bool inputs_travel_;
    Duel duel_;
    Market market_;
    SessionInstant begin_{};
    SessionInstant end_{};
    std::array<std::uint64_t, 3> bytes_{};
};

}  // namespace fray::lab
