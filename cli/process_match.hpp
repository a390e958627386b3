#pragma once
// A match over UDP on this machine, with the players in processes of their own (fray play-peer). This process
// starts them, waits until all are ready, tells them where to join, and gathers their reports.

#include <fray/result.hpp>

#include "cli/play_arguments.hpp"
#include "games/panzer/match/match_report.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fray::cli {

struct ProcessMatchOptions {
    PlayArguments match;
    std::uint32_t processes = 1;  ///< at most match.peers()
    std::uint16_t port = 0;       ///< of the first player; 0: any free port
};

/// Players whose process ended before it reported.
struct LostPlayers {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::string end;          ///< "signal 9 (Killed)"
    bool was_killed = false;  ///< from outside; otherwise the process failed
};

struct GatheredMatch {
    std::vector<panzer::MatchReport> reports;  ///< by player
    std::vector<LostPlayers> lost;
    std::vector<std::string> failures;  ///< of processes while the match ran, one line each
};

/// `progress` is called several times a second with the share that is done, and stops the match by returning
/// false. Returns an error if the match was stopped, or could not begin. No process is left running.
[[nodiscard]] Result<GatheredMatch> play_in_processes(const ProcessMatchOptions& options,
                                                      const std::function<bool(double)>& progress);

}  // namespace fray::cli
