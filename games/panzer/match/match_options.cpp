#include "games/panzer/match/match_options.hpp"

#include "games/panzer/match/messages.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace fray::panzer {

namespace {

constexpr Duration kLeastLength{1s};
/// Beyond what a screen shows, so that tanks are known before they come into view.
constexpr float kVisionRange = kViewRange + 40;

/// The value with this name; the error lists all names.
template <class T>
Result<T> by_name(std::string_view what, std::string_view text,
                  std::span<const std::pair<std::string_view, T>> known) {
    std::string names;
    for (const auto& [name, value] : known) {
        if (name == text) return value;
        names += (names.empty() ? "" : ", ") + std::string{name};
    }
    return Error{"unknown " + std::string{what} + " \"" + std::string{text} + "\" (known: " + names + ")"};
}

constexpr std::array<std::pair<std::string_view, Cheat>, kCheats> kCheatNames{
    {{"none", Cheat::none}, {"walls", Cheat::walls}, {"speed", Cheat::speed}, {"fire", Cheat::fire}}};

InterestOptions interest_named(InterestName name) {
    switch (name) {
        case InterestName::broadcast:
            return Broadcast{};
        case InterestName::random:
            return RandomChoice{};
        case InterestName::focus:
            return FocusSet{};
        case InterestName::nearest:
            break;
    }
    return Nearest{};
}

}  // namespace

std::string_view to_string(Cheat cheat) { return kCheatNames[static_cast<std::size_t>(cheat)].first; }

Result<Cheat> parse_cheat(std::string_view text) { return by_name<Cheat>("cheat", text, kCheatNames); }

Result<Mode> parse_mode(std::string_view text) {
    const std::array<std::pair<std::string_view, Mode>, 3> known{
        {{to_string(Mode::free_for_all), Mode::free_for_all},
         {to_string(Mode::teams), Mode::teams},
         {to_string(Mode::flag), Mode::flag}}};
    return by_name<Mode>("mode", text, known);
}

Result<OverlayName> parse_overlay(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, OverlayName>, 2> kKnown{
        {{"mesh", OverlayName::mesh}, {"psense", OverlayName::psense}}};
    return by_name<OverlayName>("overlay", text, kKnown);
}

Result<InterestName> parse_interest(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, InterestName>, 4> kKnown{
        {{"nearest", InterestName::nearest},
         {"broadcast", InterestName::broadcast},
         {"random", InterestName::random},
         {"focus", InterestName::focus}}};
    return by_name<InterestName>("interest", text, kKnown);
}

Result<Consistency> parse_consistency(std::string_view text) {
    const std::array<ConsistencyAlgorithmOptions, 6> all{
        EverQuest{}, CentralizedSerialization{}, LocalLag{}, BucketSync{}, HalfLife{}, Adaptive{}};
    std::array<std::pair<std::string_view, std::size_t>, all.size()> known;
    for (std::size_t i = 0; i < all.size(); ++i) known[i] = {name_of(all[i]), i};
    const auto found = by_name<std::size_t>("consistency algorithm", text, known);
    if (!found) return found.error();
    Consistency consistency{.algorithm = all[*found]};
    // The first player orders the others' updates.
    if (auto* central = std::get_if<CentralizedSerialization>(&consistency.algorithm))
        central->serializer = PeerId::from_number(1);
    return consistency;
}

Result<void> MatchOptions::check(const Map& map) const {
    if (length < kLeastLength || length > kMostMatch)
        return Error{"a match lasts 1 second to 24 hours, not " + std::to_string(seconds(length)) +
                     " seconds"};
    if (mode == Mode::flag && overlay == OverlayName::psense)
        return Error{"mode flag needs the overlay mesh: with psense nothing is shared by all players"};
    if (const auto consistent = consistency.check(); !consistent) return consistent;
    if (time_warp && guidance)
        return Error{
            "guidance and time_warp exclude each other: with time_warp no replica waits for updates"};
    if (time_warp && overlay == OverlayName::psense)
        return Error{"time_warp needs the overlay mesh: every peer simulates all tanks"};
    if (time_warp && people != 0) return Error{"people are told from bots only without time_warp"};
    if (time_warp && players > kMostSeats)
        return Error{"time_warp is for 2 to 256 players, not " + std::to_string(players)};
    if (time_warp && (time_warp->lag < Duration{} || time_warp->lag > kMostLag))
        return Error{"the lag is 0 to 5,000 ms"};
    // The rules know which maps have room for how many.
    const auto started = Rules{map}.start({.tanks = players, .mode = mode, .seed = seed});
    return started ? Result<void>{} : Result<void>{started.error()};
}

PlayerOptions bot_player(std::uint32_t number) {
    PlayerOptions player;
    player.number = number;
    player.bot.level = static_cast<std::uint8_t>(1 + number % kLevels);
    player.bot.character = static_cast<CharacterName>(number % kCharacters);
    player.name = std::string{to_string(player.bot.character)} + "-" + std::to_string(number + 1);
    return player;
}

PlayerOptions watcher(std::uint32_t number, std::uint32_t which) {
    PlayerOptions player;
    player.number = number;
    player.watches = true;
    player.name = "watcher-" + std::to_string(which + 1);
    return player;
}

World match_world(const Battlefield& field, Mode mode, const TankGuide* guide) {
    World all = world(field);
    if (guide != nullptr) add_guide(all, *guide);
    all.name += " ";
    all.name += to_string(mode);
    all.types.push_back(EntityType::of<Thing>("thing"));
    return all;
}

World warp_world(const Battlefield& field, Mode mode) {
    World all = match_world(field, mode);
    all.name += " time warp";
    all.tick = kWarpFrame;
    return all;
}

PeerOptions peer_options(const Battlefield& field, const MatchOptions& match, const PlayerOptions& player,
                         const TankGuide* guide) {
    PeerOptions options;
    options.id = PeerId::from_number(player.number + std::uint64_t{1});
    if (!match.guidance) guide = nullptr;
    options.world = match.time_warp ? warp_world(field, match.mode) : match_world(field, match.mode, guide);
    options.guidance = {.enabled = guide != nullptr,
                        .diameter = 2 * kTankRadius,
                        .top_speed = kTopSpeed * (1 + kEngineStep * kMostLevel),
                        .turn_limit = kTurnRateAtRest};
    options.interest = interest_named(match.interest);
    options.link.upload_kbps = match.upload_kbps;
    options.consistency = match.consistency;
    options.count_corrections = true;
    if (match.overlay == OverlayName::psense) {
        const float diagonal = length({field.map().width(), field.map().height()});
        options.overlay = PSense{.vision_range = std::min(kVisionRange, diagonal)};
    }
    return options;
}

}  // namespace fray::panzer
