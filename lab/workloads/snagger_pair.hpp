#pragma once
// Two players in a recorded game of Snagger over a network, each ship kept consistent by one algorithm, with
// both screens logged: section 6.1 of the consistency paper, with real peers. An optional third peer without
// a ship serves algorithms and trades that need one.

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

/// From reading the keys to the picture on the screen: the paper's response time without any other delay.
inline constexpr Duration kDrawing{1500us};

/// Further actions of the players. They cost bytes, so there are none by default.
struct Besides {
    Duration shots{};   ///< between two shots of a player; 0: none
    Duration trades{};  ///< between two offers; 0: none
    /// A third peer takes part even if no algorithm or trade needs it, as in the paper's study, and the
    /// players send it their ships' updates as well.
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

    /// Runs the whole game and a little more, so that its last inputs become visible. False if the user
    /// wanted to stop.
    [[nodiscard]] bool run(Swarm& swarm, RunContext& context);

    /// Logs of this player's ship (0 or 1): its owner's actions and screen, and the other player's screen.
    [[nodiscard]] const OwnerLog& owner(std::size_t ship) const { return players_[ship].own; }
    [[nodiscard]] const ViewerLog& viewer(std::size_t ship) const { return players_[1 - ship].other; }
    /// From the first input to the last.
    [[nodiscard]] SessionSpan measured() const { return {begin_, end_}; }
    [[nodiscard]] TradeFigures trades() const { return market_.figures(); }
    /// Bytes that this peer sent during the game, all headers included.
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
        Duration bucket{};              // bucket_sync: inputs within it are applied together
        std::int64_t collecting = 0;    // the present bucket
        std::size_t first_waiting = 0;  // first frame whose input has not been applied
        OwnerLog own;
        ViewerLog other;
        Corrections before{};  // corrections before the first input
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
