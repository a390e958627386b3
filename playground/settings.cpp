#include "playground/settings.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace fray::playground {
namespace {

using namespace std::chrono_literals;

struct Number {
    std::string_view name;
    std::int32_t Settings::*value;
    std::int32_t low;
    std::int32_t high;
};
constexpr Number kNumbers[] = {
    {"players", &Settings::players, 2, 200},      {"vision", &Settings::vision, 40, 600},
    {"upload", &Settings::upload_kbps, 16, 4096}, {"latency", &Settings::latency_ms, 0, 400},
    {"jitter", &Settings::jitter_ms, 0, 200},     {"loss", &Settings::loss_permille, 0, 300},
    {"relays", &Settings::relays, 0, 1},          {"guidance", &Settings::guidance, 0, 1},
    {"seed", &Settings::seed, 0, 2'000'000'000}};

struct Word {
    std::string_view name;
    std::string Settings::*value;
    std::initializer_list<std::string_view> choices;
};
const Word kWords[] = {
    {"overlay", &Settings::overlay, {"mesh", "psense"}},
    {"interest", &Settings::interest, {"broadcast", "nearest", "focus"}},
    {"consistency", &Settings::consistency, {"everquest", "local_lag", "half_life", "adaptive"}}};

Error error_of(std::string_view name, const std::string& what) {
    return Error{std::string{name} + " must be " + what};
}

Result<void> set_number(Settings& settings, const Number& number, std::string_view text) {
    std::int32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
    if (!whole || value < number.low || value > number.high)
        return error_of(number.name, "a whole number between " + std::to_string(number.low) + " and " +
                                         std::to_string(number.high));
    settings.*number.value = value;
    return {};
}

Result<void> set_word(Settings& settings, const Word& word, std::string_view text) {
    std::string list;
    for (const std::string_view choice : word.choices) {
        list += (list.empty() ? "" : ", ") + std::string{choice};
        if (choice != text) continue;
        settings.*word.value = std::string{text};
        return {};
    }
    return error_of(word.name, "one of " + list);
}

Result<void> set(Settings& settings, std::string_view name, std::string_view text) {
    for (const Number& number : kNumbers) {
        if (number.name == name) return set_number(settings, number, text);
    }
    for (const Word& word : kWords) {
        if (word.name == name) return set_word(settings, word, text);
    }
    return Error{"there is no setting " + std::string{name}};
}

OverlayOptions overlay_of(const Settings& settings) {
    if (settings.overlay == "mesh") return FullMesh{};
    PSense psense{.vision_range = static_cast<float>(settings.vision)};
    if (settings.relays == 0) psense.hop_limit = 1;
    return psense;
}

InterestOptions interest_of(const Settings& settings) {
    if (settings.interest == "nearest") return Nearest{};
    if (settings.interest == "focus") return FocusSet{.d_max = static_cast<float>(settings.vision)};
    return Broadcast{};
}

ConsistencyAlgorithmOptions algorithm_of(const Settings& settings) {
    if (settings.consistency == "local_lag") return LocalLag{};
    if (settings.consistency == "half_life") return HalfLife{};
    if (settings.consistency == "adaptive") return Adaptive{};
    return EverQuest{};
}

}  // namespace

Result<Settings> parse_settings(std::string_view text) {
    Settings settings;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos) return Error{"settings are written as name=value&name=value"};
        auto done = set(settings, part.substr(0, equals), part.substr(equals + 1));
        if (!done) return done.error();
    }
    return settings;
}

PeerOptions peer_options(const Settings& settings) {
    PeerOptions options;
    options.world.low = {0, 0, 0};
    options.world.high = {kFieldSize, kFieldSize, 0};
    options.overlay = overlay_of(settings);
    options.interest = interest_of(settings);
    options.consistency.algorithm = algorithm_of(settings);
    options.link.upload_kbps = static_cast<std::uint32_t>(settings.upload_kbps);
    // Who walks out of sight is forgotten soon, so that a look from above shows the links that are used.
    if (settings.overlay == "psense") options.link.timeout = 1500ms;
    if (settings.overlay == "psense") options.link.keep_alive = 500ms;
    options.guidance = {.enabled = settings.guidance != 0, .diameter = 4, .top_speed = 60};
    return options;
}

SwarmOptions swarm_options(const Settings& settings) {
    SwarmOptions options;
    options.network.latency = ConstantLatency{settings.latency_ms * 1ms};
    options.network.jitter.mean = settings.jitter_ms * 1ms;
    options.network.loss = IndependentLoss{settings.loss_permille / 1000.0};
    return options;
}

}  // namespace fray::playground
