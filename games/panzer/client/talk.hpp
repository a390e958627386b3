#pragma once
// What the windows of a match say to each other, besides the game: chat, notices about changed settings, that
// a player is a person, and the words of a study (games/panzer/study). Bots do not read it: no message of the
// match begins with this byte.

#include <fray/serialize.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fray::panzer::client {

/// What is known of the player of a tank besides its score.
struct SeatNote {
    bool is_person = false;
    int rtt_ms = -1;  ///< -1: not known
};

struct Talk {
    enum class Kind : std::uint8_t { chat, notice, person, study };
    static constexpr std::size_t kMostBytes = 200;
    Kind kind{};
    std::string text;  ///< at most kMostBytes
};

/// Nothing if the bytes are no talk. Control characters become '?'.
[[nodiscard]] std::optional<Talk> talk_of(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::vector<std::uint8_t> bytes_of_talk(const Talk& talk);

}  // namespace fray::panzer::client
