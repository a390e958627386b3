#pragma once
// The outcome of a match for a person: scoreboard, network, refusals, and whether the peers agree.

#include "games/panzer/match/match_report.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

namespace fray::cli {

/// What the reports of all peers say together.
struct Agreement {
    std::size_t peers = 0;               ///< that reported
    std::size_t scoreboards = 0;         ///< different ones
    std::size_t unfinished = 0;          ///< peers that lack the final card of a player that was present
    std::size_t saw_everyone = 0;        ///< peers
    std::uint64_t taken_over = 0;        ///< items, doors and flags, when their owner was lost
    std::uint64_t impossible_moves = 0;  ///< noticed by all peers together
    bool warps = false;                  ///< on Time Warp
    std::size_t states = 0;              ///< different last states, on Time Warp

    [[nodiscard]] bool holds() const {
        return peers > 0 && scoreboards == 1 && unfinished == 0 && states <= 1;
    }
};
/// `players`: that took part, also those that reported nothing.
[[nodiscard]] Agreement agreement_of(std::span<const panzer::MatchReport> reports, std::size_t players);

/// Best player first. Players without a report are marked as gone. Requires a report.
[[nodiscard]] std::string scoreboard(std::span<const panzer::MatchReport> reports);
/// The same; players that are not present are marked as gone, unless nobody is said to be present.
[[nodiscard]] std::string scoreboard(const panzer::Standings& standings, const std::set<PeerId>& present);
/// A row per peer, or mean and worst of more than 16.
[[nodiscard]] std::string network_table(std::span<const panzer::MatchReport> reports);
/// Of a match with focus sets, a row per peer or mean and worst; empty for other matches.
[[nodiscard]] std::string focus_table(std::span<const panzer::MatchReport> reports);
/// Of a match on Time Warp, a row per peer or mean and worst; empty for other matches.
[[nodiscard]] std::string rollback_table(std::span<const panzer::MatchReport> reports);
/// Refused claims by reason, one line; empty if there are none.
[[nodiscard]] std::string refusal_line(std::span<const panzer::MatchReport> reports);
[[nodiscard]] std::string agreement_line(const Agreement& agreement);

}  // namespace fray::cli
