#pragma once
// A recording of what was said in a match on Time Warp, which executes the match again:
//
//     InputRecording recording;                      // PlayerOptions::inputs of the first player
//     ...                                            // the match fills it
//     auto saved = recording.save(path, sim::Overwrite::no);
//
//     auto recording = InputRecording::load(path);
//     auto match = recording->execute();             // scoreboard and hash of the last state
//
// File: "FRAYINP" and a version byte; the fields below as serialize() writes them, padded to a byte; u64 hash
// of everything before it, little-endian. 8 bots for 60 s take about 20 KB.

#include <fray/result.hpp>
#include <fray/time_warp/warp_recording.hpp>

#include "games/panzer/match/standings.hpp"
#include "games/panzer/rules/battle.hpp"
#include "sim/file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::panzer {

inline constexpr std::string_view kInputMagic = "FRAYINP";
inline constexpr std::uint8_t kInputVersion = 1;
inline constexpr std::size_t kMostMapBytes = std::size_t{1}
                                             << 21U;  ///< kMostSide x kMostSide cells, and more
inline constexpr std::size_t kMostInputBytes = std::size_t{1} << 28U;

struct InputRecording {
    struct Player {
        PartNumber seat = 0;
        PeerId id;
        std::string name;
        friend bool operator==(const Player&, const Player&) = default;
    };

    std::string map;  ///< its text; empty until the match has ended
    Mode mode{};
    Seed seed{};
    std::uint32_t tanks = 0;
    std::vector<Player> players;
    std::uint64_t state_hash = 0;  ///< of the last state
    WarpRecording said;

    /// The bytes of a file.
    [[nodiscard]] std::vector<std::uint8_t> to_bytes() const;
    /// Returns an error if the match did not end, or the file cannot be written. Overwrite::no: an existing
    /// file is an error, and is left unchanged.
    [[nodiscard]] Result<void> save(const std::string& path, sim::Overwrite overwrite) const;

    /// Returns an error of one line, beginning with `name`, if the bytes are cut off, damaged, of another
    /// version, or no recording of inputs.
    [[nodiscard]] static Result<InputRecording> parse(std::span<const std::uint8_t> bytes,
                                                      const std::string& name);
    /// The same for the fields alone, without magic and hash.
    [[nodiscard]] static Result<InputRecording> from_body(std::span<const std::uint8_t> body,
                                                          const std::string& name);
    [[nodiscard]] static Result<InputRecording> load(const std::string& path);
    /// Whether bytes begin as those of a recording of inputs, of any version.
    [[nodiscard]] static bool has_magic(std::span<const std::uint8_t> bytes);

    struct Outcome {
        Standings standings;
        std::uint64_t state_hash = 0;
        std::string map;  ///< its name
    };
    /// Executes the match again, up to `most` ticks. Returns an error if the map or the number of tanks is
    /// invalid.
    [[nodiscard]] Result<Outcome> execute(Tick most = kLastTick) const;
};

template <class Stream>
void serialize(Stream& stream, InputRecording::Player& player) {
    stream.integer(player.seat, 0, kMostSeats - 1);
    stream.array(player.id.bytes);
    stream.text(player.name, kMostNameBytes);
}

template <class Stream>
void serialize(Stream& stream, InputRecording& recording) {
    stream.text(recording.map, kMostMapBytes);
    stream.enumeration(recording.mode, kLastMode);
    stream.whole(recording.seed.value);
    stream.integer(recording.tanks, 2, static_cast<std::uint32_t>(kMostSeats));
    stream.list(recording.players, kMostSeats);
    stream.whole(recording.state_hash);
    stream.object(recording.said);
}

}  // namespace fray::panzer
