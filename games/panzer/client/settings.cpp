#include "games/panzer/client/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace fray::panzer::client {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, kActions> kNames{
    {{"Drive ahead", "ahead"},
     {"Brake, reverse", "back"},
     {"Turn left", "left"},
     {"Turn right", "right"},
     {"Fire the gun", "gun"},
     {"Fire a shell", "shell"},
     {"Scoreboard", "scores"},
     {"Chat", "chat"},
     {"Network panel", "network"},
     {"Network overlay", "overlay"},
     {"Net graph", "net_graph"},
     {"Menu", "menu"},
     {"Vote (study)", "vote"}}};
constexpr std::array<std::string_view, kDetails> kDetailNames{"automatic", "low", "medium", "high"};
constexpr std::size_t kMostText = 64;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

template <class Number>
bool read_number(std::string_view text, Number least, Number most, Number& value) {
    Number read{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    if (error != std::errc{} || end != text.data() + text.size() || !(read >= least && read <= most))
        return false;
    value = read;
    return true;
}

bool read_text(std::string_view text, std::string& value) {
    const bool fits = !text.empty() && text.size() <= kMostText &&
                      std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (fits) value = text;
    return fits;
}

bool read_detail(std::string_view text, DetailChoice& value) {
    const auto found = std::ranges::find(kDetailNames, text);
    if (found == kDetailNames.end()) return false;
    value = static_cast<DetailChoice>(found - kDetailNames.begin());
    return true;
}

bool read_flag(std::string_view text, bool& value) {
    if (text != "yes" && text != "no") return false;
    value = text == "yes";
    return true;
}

bool set(Settings& s, std::string_view key, std::string_view value) {
    for (std::size_t i = 0; i < kActions; ++i) {
        if (key == kNames[i].second) return read_text(value, s.bindings[i]);
    }
    if (key == "name") return read_text(value.substr(0, 20), s.name);
    if (key == "mouse") return read_number(value, 0.1F, 5.0F, s.mouse);
    if (key == "volume") return read_number(value, 0.0F, 1.0F, s.volume);
    if (key == "shake") return read_flag(value, s.shake);
    if (key == "detail") return read_detail(value, s.detail);
    if (key == "width") return read_number(value, 480, 7680, s.width);
    if (key == "height") return read_number(value, 270, 4320, s.height);
    if (key == "bots") return read_number(value, std::uint32_t{0}, std::uint32_t{63}, s.bots);
    if (key == "map") return read_text(value, s.map);
    if (key == "mode") return read_text(value, s.mode);
    if (key == "netcode") return read_text(value, s.netcode);
    if (key == "address") return read_text(value, s.address);
    if (key == "port") return read_number(value, std::uint16_t{0}, std::uint16_t{65535}, s.port);
    return false;
}

}  // namespace

std::string_view title_of(Action action) { return kNames[static_cast<std::size_t>(action)].first; }
std::string_view key_of(Action action) { return kNames[static_cast<std::size_t>(action)].second; }
std::string_view to_string(DetailChoice detail) { return kDetailNames[static_cast<std::size_t>(detail)]; }

std::string settings_file() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config != nullptr && *config != '\0') return std::string{config} + "/fray/panzer.conf";
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home != '\0') return std::string{home} + "/.config/fray/panzer.conf";
    return {};
}

Settings parse_settings(std::string_view text, std::string& complaint) {
    Settings settings;
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (line.empty() || line.front() == '#') continue;
        const std::size_t equals = line.find('=');
        const bool is_known =
            equals != std::string_view::npos &&
            set(settings, trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
        if (!is_known && complaint.empty())
            complaint = "line " + std::to_string(number) + " is not understood: \"" +
                        std::string{line.substr(0, 40)} + "\"";
    }
    return settings;
}

std::string to_text(const Settings& settings) {
    std::ostringstream out;
    out << "# Settings of the tank game Panzer. Keys as SDL names them; buttons are Mouse 1 to Mouse 5.\n";
    out << "name = " << settings.name << "\n";
    for (std::size_t i = 0; i < kActions; ++i)
        out << kNames[i].second << " = " << settings.bindings[i] << "\n";
    out << "mouse = " << settings.mouse << "\nvolume = " << settings.volume
        << "\nshake = " << (settings.shake ? "yes" : "no") << "\ndetail = " << to_string(settings.detail)
        << "\nwidth = " << settings.width << "\nheight = " << settings.height << "\nbots = " << settings.bots
        << "\nmap = " << settings.map << "\nmode = " << settings.mode << "\nnetcode = " << settings.netcode
        << "\naddress = " << settings.address << "\nport = " << settings.port << "\n";
    return out.str();
}

Settings load_settings(const std::string& file, std::string& complaint) {
    std::ifstream in{file, std::ios::binary};
    if (!in) return {};
    std::ostringstream text;
    text << in.rdbuf();
    Settings settings = parse_settings(text.str(), complaint);
    if (!complaint.empty()) complaint = file + ": " + complaint;
    return settings;
}

Result<void> save_settings(const std::string& file, const Settings& settings) {
    if (file.empty()) return Error{"settings are not kept: neither XDG_CONFIG_HOME nor HOME is set"};
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path{file}.parent_path(), failed);
    const std::string fresh = file + ".new";
    {
        std::ofstream out{fresh, std::ios::binary | std::ios::trunc};
        out << to_text(settings);
        if (!out.flush()) return Error{file + ": settings cannot be written"};
    }
    std::filesystem::rename(fresh, file, failed);
    if (failed) return Error{file + ": settings cannot be written: " + failed.message()};
    return {};
}

}  // namespace fray::panzer::client
