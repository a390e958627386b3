#pragma once
// The choices of a match, which all of its peers must share but for those of one player.

#include <fray/options.hpp>
#include <fray/random.hpp>
#include <fray/result.hpp>
#include <fray/time_warp/part_warp.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include "games/panzer/bots/bot.hpp"
#include "games/panzer/bots/guide.hpp"
#include "games/panzer/rules/battle.hpp"
#include "games/panzer/rules/entity.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fray::panzer {

struct InputRecording;
class Pilot;

/// What a dishonest player tries, for tests of the refusals.
enum class Cheat : std::uint8_t {
    none,
    walls,  ///< claims hits on tanks that its shots cannot reach
    speed,  ///< drives three times as fast as a tank can
    fire,   ///< fires in every step
};
inline constexpr std::size_t kCheats = 4;
[[nodiscard]] std::string_view to_string(Cheat cheat);
/// The error lists the known names.
[[nodiscard]] Result<Cheat> parse_cheat(std::string_view text);
[[nodiscard]] Result<Mode> parse_mode(std::string_view text);
/// "everquest", "local_lag", ... with the defaults of consistency.hpp. The error lists the known names.
[[nodiscard]] Result<Consistency> parse_consistency(std::string_view text);

enum class OverlayName : std::uint8_t { mesh, psense };
/// "mesh" or "psense".
[[nodiscard]] Result<OverlayName> parse_overlay(std::string_view text);

/// Which updates go first when the upload is short (InterestOptions).
enum class InterestName : std::uint8_t { nearest, broadcast, random, focus };
/// "nearest", "broadcast", "random" or "focus".
[[nodiscard]] Result<InterestName> parse_interest(std::string_view text);

/// A match on Time Warp: every peer simulates all tanks, and only what players do is sent.
struct TimeWarpChoice {
    Duration lag{};            ///< the middle queue of every peer
    bool lag_changes = false;  ///< every second, between 0 and `lag`
    Tick input_delay = 0;      ///< most; follows the network
    Reexecution reexecution = Reexecution::causal;
    Store store = Store::undo_log;
    std::uint64_t budget = 20'000;  ///< part-ticks that a frame spends on repairs
    bool keeps_lines = false;       ///< for a witness (warp_oracle.hpp)
    bool glides = true;             ///< pictures glide to where a rollback has moved a tank; false: they jump
};

inline constexpr Duration kMostLag{5s};
inline constexpr Duration kMostMatch{std::chrono::hours{24}};

/// Points for destroying a tank: of a bot or, in a match without people, of anybody; and of a person.
inline constexpr std::int32_t kTankPoints = 1;
inline constexpr std::int32_t kPersonPoints = 10;

/// The same for all peers of a match.
struct MatchOptions {
    Mode mode{};
    OverlayName overlay{};
    InterestName interest{};
    Consistency consistency{};
    std::optional<TimeWarpChoice> time_warp{};  ///< instead of a consistency algorithm
    /// Tanks that are updated seldom are driven by a guide. It matters with an interest that has a focus.
    bool guidance = false;
    std::uint32_t upload_kbps = 0;  ///< of each peer; 0: no limit
    std::uint32_t players = 16;     ///< that the match is for
    Duration length{60s};           ///< 1 s to kMostMatch
    Seed seed{};
    /// The players with the lowest numbers are people: destroying one of them gives kPersonPoints. Not with
    /// Time Warp.
    std::uint32_t people = 0;

    [[nodiscard]] std::int32_t points_for(const PeerId& destroyed) const {
        return destroyed.number() <= people ? kPersonPoints : kTankPoints;
    }
    /// Returns an error naming the first choice that does not fit the map or another choice.
    [[nodiscard]] Result<void> check(const Map& map) const;
};

/// One player.
struct PlayerOptions {
    std::uint32_t number = 0;  ///< from 0; decides the peer's id, the team and the bot's seed
    bool begins = false;   ///< the first of the match: creates items, doors and the flag, and sets its end
    Duration enters_at{};  ///< since the first player began; in a swarm
    std::string name;
    BotOptions bot;  ///< its seed is derived from the match's
    /// Presses the keys instead of the bot. Must outlive the match.
    Pilot* pilot = nullptr;
    Cheat cheat{};
    bool watches = false;  ///< on Time Warp: sees everything, has no tank
    /// On Time Warp, of the peer that begins the match: gets what is said in it. Must outlive the match.
    InputRecording* inputs = nullptr;
};

/// Player `number` of a crowd of bots: levels and characters alternate.
[[nodiscard]] PlayerOptions bot_player(std::uint32_t number);
/// A peer without a tank that watches a match on Time Warp; `number`: after those of all players.
[[nodiscard]] PlayerOptions watcher(std::uint32_t number, std::uint32_t which);

/// The world of a match: tanks (type 0) and things (type 1). Peers with another map or mode are refused.
inline constexpr EntityTypeId kTankType{0};
inline constexpr EntityTypeId kThingType{1};
/// With a guide, tanks count their shots: they are another type.
[[nodiscard]] World match_world(const Battlefield& field, Mode mode, const TankGuide* guide = nullptr);

/// The same, in frames of one step: only messages travel.
inline constexpr Duration kWarpFrame{16'667};
[[nodiscard]] World warp_world(const Battlefield& field, Mode mode);

/// The peer of this player: id, world, overlay, consistency, guidance and upload. The guide is used if the
/// match has guidance; then it must outlive the peer.
[[nodiscard]] PeerOptions peer_options(const Battlefield& field, const MatchOptions& match,
                                       const PlayerOptions& player, const TankGuide* guide = nullptr);

}  // namespace fray::panzer
