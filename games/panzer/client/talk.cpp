#include "games/panzer/client/talk.hpp"

namespace fray::panzer::client {

namespace {

/// A Note of the match that begins so is complete after two bits, and a note of Time Warp is at most 2.
constexpr std::uint8_t kTalk = 0xFF;

}  // namespace

std::optional<Talk> talk_of(std::span<const std::uint8_t> bytes) {
    constexpr std::size_t kHead = 2;
    if (bytes.size() < kHead || bytes.size() > kHead + Talk::kMostBytes || bytes[0] != kTalk)
        return std::nullopt;
    if (bytes[1] > static_cast<std::uint8_t>(Talk::Kind::study)) return std::nullopt;
    Talk talk{static_cast<Talk::Kind>(bytes[1]), {}};
    for (const std::uint8_t byte : bytes.subspan(kHead))
        talk.text += byte < 0x20 || byte == 0x7F ? '?' : static_cast<char>(byte);
    return talk;
}

std::vector<std::uint8_t> bytes_of_talk(const Talk& talk) {
    std::vector<std::uint8_t> bytes{kTalk, static_cast<std::uint8_t>(talk.kind)};
    for (const char letter : talk.text.substr(0, Talk::kMostBytes))
        bytes.push_back(static_cast<std::uint8_t>(letter));
    return bytes;
}

}  // namespace fray::panzer::client
