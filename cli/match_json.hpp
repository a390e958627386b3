#pragma once
// What a process of players tells the process that gathers the match: one JSON value per line.

#include <fray/result.hpp>

#include "games/panzer/match/match_report.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace fray::cli {

/// Map and mesh are loaded; the process waits for the address to join.
struct PeerReady {};
/// The sockets are open; other peers can join here.
struct PeerAddress {
    std::string address;
};
struct PeerProgress {
    double share = 0;  ///< of the match, 0 to 1
};
/// The process cannot go on.
struct PeerFailed {
    std::string message;
};

using PeerMessage = std::variant<PeerReady, PeerAddress, PeerProgress, PeerFailed, panzer::MatchReport>;

/// Without the end of the line.
[[nodiscard]] std::string to_line(const PeerMessage& message);
[[nodiscard]] Result<PeerMessage> parse_line(std::string_view line);

}  // namespace fray::cli
