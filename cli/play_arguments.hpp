#pragma once
// The options of a match on the command line. The program that starts a match passes them on to the processes
// of its players.

#include <fray/result.hpp>

#include "games/panzer/match/input_recording.hpp"
#include "games/panzer/match/match_options.hpp"
#include "games/panzer/match/screen_recording.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): theirs
class App;
}

namespace fray::cli {

struct PlayArguments {
    std::string map = "arena";
    std::uint32_t bots = 16;
    double seconds = 60;
    std::uint64_t seed = 1;
    std::uint32_t upload_kbps = 0;
    std::string mode = "ffa";
    std::string overlay = "mesh";
    std::string interest;  // empty: as the upload needs it
    bool no_guidance = false;
    std::string consistency = "everquest";
    std::uint32_t lag_ms = 0;  ///< of Time Warp's middle queue
    bool lag_changes = false;
    std::uint32_t input_delay_ms = 0;
    std::uint32_t watchers = 0;  ///< peers without a tank, on Time Warp
    std::uint32_t late = 0;      ///< of the bots, the last ones: join at half-time
    std::uint32_t level = 0;     ///< of all bots; 0: levels alternate
    std::string character;       ///< likewise; empty: characters alternate
    std::string cheat = "none";
    std::string record;
    std::string record_inputs;
    bool force = false;  ///< overwrites recordings

    /// Players and watchers.
    [[nodiscard]] std::uint32_t peers() const { return bots + watchers; }
};

void add_play_arguments(CLI::App& command, PlayArguments& arguments);
/// The same options as words of a command line.
[[nodiscard]] std::vector<std::string> words_of(const PlayArguments& arguments);

/// A match that can begin. Map and battlefield do not move: the field refers to the map.
struct MatchSetup {
    std::unique_ptr<const panzer::Map> map;
    std::unique_ptr<const panzer::Battlefield> field;
    panzer::MatchOptions match;
    std::vector<panzer::PlayerOptions> players;                ///< and watchers, after them
    std::unique_ptr<panzer::InputRecording> inputs = nullptr;  ///< of the first player, if asked for
};
/// Returns an error naming the first option that is wrong.
[[nodiscard]] Result<MatchSetup> set_up(const PlayArguments& arguments);

/// Of the first player's screen; nothing if no recording is asked for.
[[nodiscard]] std::optional<panzer::ScreenRecorder> make_recorder(const PlayArguments& arguments,
                                                                  const MatchSetup& setup);
/// Writes the recordings that are asked for.
[[nodiscard]] Result<void> save(const std::optional<panzer::ScreenRecorder>& recorder,
                                const MatchSetup& setup, const PlayArguments& arguments);

}  // namespace fray::cli
