#include "games/panzer/match/input_recording.hpp"

#include <fray/encode.hpp>
#include <fray/fingerprint.hpp>

#include "games/panzer/match/match_options.hpp"
#include "games/panzer/rules/map_text.hpp"
#include "games/panzer/warp/battle_wire.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace fray::panzer {

namespace {

constexpr Tick kMostTicks = kMostMatch / kWarpFrame + 1;
constexpr std::size_t kHashBytes = 8;

std::uint64_t hash_of(std::span<const std::uint8_t> bytes) { return Fingerprint{}.add(bytes).value(); }

std::uint64_t number_at_end(std::span<const std::uint8_t> bytes) {
    std::uint64_t number = 0;
    for (unsigned i = 0; i < kHashBytes; ++i)
        number |= std::uint64_t{bytes[bytes.size() - kHashBytes + i]} << (8 * i);
    return number;
}

/// What is wrong with the content; empty: nothing.
std::string problem_of(const InputRecording& recording) {
    const auto is_seat = [&](PartNumber seat) { return seat < recording.tanks; };
    if (recording.said.end > kMostTicks) return "longer than a match can be";
    if (!std::ranges::all_of(recording.players, is_seat, &InputRecording::Player::seat))
        return "a player of a tank that does not exist";
    const auto is_seat_or_none = [&](PartNumber seat) {
        return seat == kNoSeat || is_seat(seat);
    };  // watchers
    if (!std::ranges::all_of(recording.said.lines, is_seat_or_none, &WarpRecording::Line::seat))
        return "a line of a tank that does not exist";
    return {};
}

}  // namespace

std::vector<std::uint8_t> InputRecording::to_bytes() const {
    std::vector<std::uint8_t> bytes{kInputMagic.begin(), kInputMagic.end()};
    bytes.push_back(kInputVersion);
    const auto body = bytes_of(*this);
    if (body) bytes.insert(bytes.end(), body->begin(), body->end());
    const std::uint64_t hash = hash_of(bytes);
    for (unsigned i = 0; i < kHashBytes; ++i) bytes.push_back(static_cast<std::uint8_t>(hash >> (8 * i)));
    return bytes;
}

Result<void> InputRecording::save(const std::string& path, sim::Overwrite overwrite) const {
    if (map.empty()) return Error{path + ": not written: the match did not end"};
    return sim::write_file(path, to_bytes(), overwrite);
}

bool InputRecording::has_magic(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= kInputMagic.size() &&
           std::equal(kInputMagic.begin(), kInputMagic.end(), bytes.begin());
}

Result<InputRecording> InputRecording::from_body(std::span<const std::uint8_t> body,
                                                 const std::string& name) {
    auto recording = value_of<InputRecording>(body);
    if (!recording) return Error{name + ": damaged: invalid content"};
    if (const std::string problem = problem_of(*recording); !problem.empty())
        return Error{name + ": damaged: " + problem};
    return std::move(*recording);
}

Result<InputRecording> InputRecording::parse(std::span<const std::uint8_t> bytes, const std::string& name) {
    if (!has_magic(bytes))
        return Error{name + ": not a recording of inputs: it does not begin with " +
                     std::string{kInputMagic}};
    const std::size_t begin = kInputMagic.size() + 1;
    if (bytes.size() >= begin && bytes[begin - 1] != kInputVersion)
        return Error{name + ": recorded with format version " + std::to_string(bytes[begin - 1]) +
                     ", this program reads version " + std::to_string(kInputVersion)};
    if (bytes.size() < begin + kHashBytes)
        return Error{name + ": cut off after " + std::to_string(bytes.size()) + " bytes"};
    if (hash_of(bytes.first(bytes.size() - kHashBytes)) != number_at_end(bytes))
        return Error{name + ": cut off or damaged: hash mismatch"};
    return from_body(bytes.subspan(begin, bytes.size() - begin - kHashBytes), name);
}

Result<InputRecording> InputRecording::load(const std::string& path) {
    const auto bytes = sim::read_file(path, kMostInputBytes);
    if (!bytes) return bytes.error();
    return parse(*bytes, path);
}

Result<InputRecording::Outcome> InputRecording::execute(Tick most) const {
    const auto field = parse_map(map, "map");
    if (!field) return Error{"damaged: " + field.error().message};
    auto battle =
        PartBattle::start(*field, {.tanks = tanks, .mode = mode, .seed = seed}, PartBattle::Players::absent);
    if (!battle) return Error{"damaged: " + battle.error().message};
    const WarpBattle last = replay(
        WarpBattle{std::move(*battle)}, said, [](const auto&, Tick) {}, most);
    Outcome outcome{.standings = Standings{}, .state_hash = 0, .map = field->name};
    for (const Player& player : players) {
        const Record record = std::get<TankPart>(last.get(player.seat).value).record;
        outcome.standings.merge(
            {.player = player.id, .name = player.name, .revision = 1, .is_final = true, .record = record});
    }
    Battle state;
    last.copy_to(state, std::min(said.end, most));
    outcome.state_hash = fingerprint(state);
    return outcome;
}

}  // namespace fray::panzer
