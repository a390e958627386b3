#pragma once
// What a player has chosen, kept in a text file of lines "key = value" in the user's config directory.

#include <fray/result.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace fray::panzer::client {

enum class Action : std::uint8_t {
    ahead,
    back,
    left,
    right,
    gun,
    shell,
    scores,
    chat,
    network,
    overlay,
    net_graph,
    menu,
    vote
};
inline constexpr std::size_t kActions = 13;
/// As it is shown, and as it stands in the file.
[[nodiscard]] std::string_view title_of(Action action);
[[nodiscard]] std::string_view key_of(Action action);

enum class DetailChoice : std::uint8_t { automatic, low, medium, high };
inline constexpr std::size_t kDetails = 4;
[[nodiscard]] std::string_view to_string(DetailChoice detail);

struct Settings {
    std::string name = "Player";
    /// A key as SDL names it ("W", "Left Shift"), or "Mouse 1" to "Mouse 5".
    std::array<std::string, kActions> bindings{"W",      "S",  "A",  "D",  "Mouse 1", "Mouse 3", "Tab",
                                               "Return", "F1", "F2", "F3", "Escape",  "V"};
    float mouse = 1;      ///< sensitivity
    float volume = 0.7F;  ///< 0 to 1
    bool shake = true;
    DetailChoice detail{};
    int width = 1280, height = 720;
    std::uint32_t bots = 15;
    std::string map = "arena";
    std::string mode = "ffa";
    std::string netcode = "everquest";
    std::string address = "127.0.0.1:7777";
    std::uint16_t port = 7777;

    friend bool operator==(const Settings&, const Settings&) = default;
};

/// "$XDG_CONFIG_HOME/fray/panzer.conf", or below ~/.config; empty if there is neither.
[[nodiscard]] std::string settings_file();
/// Unknown keys and values that do not fit are left out; `complaint` names the first of them.
[[nodiscard]] Settings parse_settings(std::string_view text, std::string& complaint);
[[nodiscard]] std::string to_text(const Settings& settings);
/// A file that does not exist gives the defaults.
[[nodiscard]] Settings load_settings(const std::string& file, std::string& complaint);
/// Creates the folder if needed.
[[nodiscard]] Result<void> save_settings(const std::string& file, const Settings& settings);

}  // namespace fray::panzer::client
