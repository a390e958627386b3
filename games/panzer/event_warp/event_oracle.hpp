#pragma once
// A witness of a match in event mode. It gathers what all players said as far as it counts, leaves out what
// was voided, executes the rest once and in order, and compares the final states of all peers with that. It
// shares no code with the engine but the rules of the battle, and how a line is read (event_line.hpp).

#include <fray/time_warp/event_warp.hpp>

#include "games/panzer/event_warp/event_battle.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fray::panzer {

class EventOracle {
public:
    /// The battle before the match.
    explicit EventOracle(EventBattle battle) : battle_{std::move(battle)} {}

    /// Call it at least once per second, for every peer; stay: counts the times that it came. The matches
    /// keep their lines (EventWarpOptions::keeps_lines).
    void see(const PeerId& peer, std::uint64_t stay, EventWarp<EventBattle>& match);

    struct Verdict {
        std::uint64_t compared = 0;  ///< checkpoints of all peers
        std::uint64_t different = 0;
        std::string first;  ///< difference: which peer, which tick
        std::uint64_t messages = 0;
        std::uint64_t voided = 0;
        std::uint64_t hits = 0, deaths = 0;
        EventBattle::State last;  ///< after everything before the end
    };
    /// end: of the match.
    [[nodiscard]] Verdict judge(SessionInstant end);

private:
    /// What a peer says may be lost with it before another one has it: it counts later.
    struct Own {
        std::uint64_t stay = 0;
        std::deque<StreamLine> lines;
    };
    void gather(const StreamLine& line);
    void execute_before(SessionInstant time);

    EventBattle battle_;
    TickTimes times_{};
    std::map<PeerId, Own> own_;
    std::map<Stamp, EventMessage> messages_;
    std::set<Stamp> voided_;
    std::map<std::pair<Tick, PeerId>, std::vector<std::uint8_t>> states_;
    std::map<Stamp, EventMessage>::const_iterator next_;
};

}  // namespace fray::panzer
