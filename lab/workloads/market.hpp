#pragma once
// Two players trade while they play, with the third peer as witness. Measures the time until both know that a
// trade is done. Items move through TradeDesk, whatever algorithm their ships use.

#include <fray/swarm.hpp>
#include <fray/trade.hpp>

#include <array>
#include <map>
#include <optional>

namespace fray::lab {

/// Over all trades that both sides saw committed. The partner accepts at once: the time a person thinks is
/// not measured.
struct TradeFigures {
    double response_ms = 0;  ///< from the offer until the proposer sees the result, mean
    double both_ms = 0;      ///< from the offer until both see it, mean
    std::uint64_t done = 0;
    std::uint64_t undone = 0;  ///< refused, or one side did not learn the result before the end
};

class Market {
public:
    /// pause: between two offers; 0: no trades.
    explicit Market(Duration pause) : pause_{pause} {}

    void started(PeerIndex index, Instant now, const Peer& peer);
    /// playing: the first player makes offers.
    void frame(Swarm& swarm, PeerIndex index, Instant now, bool playing);
    void event(Swarm& swarm, PeerIndex index, Instant now, const Event& event);

    [[nodiscard]] TradeFigures figures() const;

private:
    struct Deal {
        SessionInstant offered{};
        std::array<std::optional<SessionInstant>, 2> shown{};  // done: to the proposer, to the partner
    };

    void settle(Swarm& swarm, PeerIndex index, Instant now);
    void show(Swarm& swarm, PeerIndex index, Instant now, const TradeEvent& event);

    Duration pause_;
    std::array<std::optional<TradeDesk>, 3> desks_;
    SessionInstant next_{};
    std::map<TradeId, Deal> deals_;
};

}  // namespace fray::lab
