#include "lab/advise/advice_text.hpp"

#include "lab/runner/json_value.hpp"
#include "lab/runner/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace fray::lab::advise {
namespace {

constexpr std::size_t kMostWidth = 26;
constexpr std::string_view kNotPlayable = "none is playable";

double in_ms(Duration duration) { return std::chrono::duration<double, std::milli>{duration}.count(); }

/// All names of the entities in a group.
std::string title(const Description& description, const Group& group) {
    std::string text;
    for (const std::size_t i : group.entities)
        text += (text.empty() ? "" : " = ") + description.entities[i].name;
    return text;
}

std::string_view word_for(Means means) {
    constexpr std::array<std::string_view, 4> kWords{"none needed", "", "TradeDesk", "ChatRoom"};
    return kWords[static_cast<std::size_t>(means)];
}

std::string plain(double value, const Metric& metric) {
    return metric.unit == "ms" ? fmt::format("{:.0f}", value) : short_number(value);
}

/// "12≤50": measured and allowed; empty if there is no meaningful figure.
std::string against(const Metric& metric, const Tried& tried, const Tolerances& tolerances, bool moving) {
    if (!tried.playable()) return {};  // too little arrived for a meaningful figure
    const double measured = tried.felt.*metric.felt;
    const auto& allowed = tolerances.*metric.allowed;
    const bool means_nothing =
        (metric.of_movement && !moving) || (about_decisions(metric) && !about_decisions(tolerances));
    if (!allowed) return means_nothing ? std::string{} : plain(measured, metric);
    return fmt::format("{}{}{}", plain(measured, metric), measured <= *allowed ? "≤" : ">",
                       plain(*allowed, metric));
}

std::string cost(const Tried& tried, const Group& group) {
    if (!tried.playable()) return {};
    const std::string measured = short_number(tried.kbps);
    if (!group.most_kbps) return measured;
    return fmt::format("{}{}{}", measured, tried.kbps <= *group.most_kbps ? "≤" : ">",
                       short_number(*group.most_kbps));
}

/// Columns with a limit for some entity; of the others, the paper's five are always shown.
std::vector<const Metric*> shown_metrics(std::span<const Advice> advice) {
    std::vector<const Metric*> shown;
    for (const Metric& metric : metrics()) {
        const bool rare = metric.name == "shape_divergence" || metric.name == "duration_divergence" ||
                          about_decisions(metric);
        const bool limited = std::any_of(advice.begin(), advice.end(), [&](const Advice& one) {
            return (one.group.tolerances.*metric.allowed).has_value();
        });
        if (!rare || limited) shown.push_back(&metric);
    }
    return shown;
}

std::string table(const Description& description, std::span<const Advice> advice) {
    const auto columns = shown_metrics(advice);
    std::vector<std::string> header{"entity", "met", "algorithm"};
    std::vector<std::string> units(header.size());
    for (const Metric* metric : columns) {
        header.emplace_back(metric->short_word);
        units.emplace_back(metric->unit);
    }
    header.emplace_back("upload");
    units.emplace_back("kbit/s");
    TextTable text{header, kMostWidth};
    text.add(units);
    for (const Advice& one : advice) {
        std::vector<std::string> row{title(description, one.group), one.met ? "yes" : "NO"};
        if (one.chosen) {
            const Tried& tried = *one.chosen;
            const bool moving =
                std::any_of(one.group.entities.begin(), one.group.entities.end(),
                            [&](std::size_t i) { return moves(description.entities[i].type); });
            row.emplace_back(tried.playable() ? to_text(tried.consistency) : kNotPlayable);
            for (const Metric* metric : columns)
                row.push_back(against(*metric, tried, one.group.tolerances, moving));
            row.push_back(cost(tried, one.group));
        } else {
            row.emplace_back(word_for(one.group.means));
        }
        text.add(std::move(row));
    }
    return text.text();
}

std::string explanation(const Description& description, const Advice& advice) {
    std::string text = fmt::format("{}:", title(description, advice.group));
    if (advice.chosen && advice.met)
        text += fmt::format(" {}, {} kbit/s", to_text(advice.chosen->consistency),
                            short_number(advice.chosen->kbps));
    if (!advice.chosen) text += fmt::format(" {}", word_for(advice.group.means));
    text += '\n';
    for (const std::string& note : advice.notes) text += fmt::format("  - {}\n", note);
    if (!advice.why_not.empty()) text += "  why not\n";
    for (const std::string& line : advice.why_not) text += fmt::format("    {}\n", line);
    return text;
}

Json figures(const Tried& tried, const Tolerances& tolerances) {
    Json json;
    for (const Metric& metric : metrics()) {
        if (about_decisions(metric) && !about_decisions(tolerances)) continue;
        json[std::string{metric.name}] = tried.felt.*metric.felt;
    }
    json["kbps"] = tried.kbps;
    json["inputs"] = tried.felt.inputs;
    json["inputs_unseen"] = tried.felt.inputs_unseen;
    json["viewer_frames"] = tried.felt.viewer_frames;
    if (about_decisions(tolerances)) json["decisions"] = tried.felt.decisions;
    return json;
}

Json to_json(const Description& description, const Advice& advice) {
    Json json;
    json["entities"] = Json::array();
    for (const std::size_t i : advice.group.entities)
        json["entities"].push_back(description.entities[i].name);
    json["met"] = advice.met;
    json["means"] = advice.chosen ? "algorithm" : word_for(advice.group.means);
    Json allowed = Json::object();
    for (const Metric& metric : metrics()) {
        if (const auto& most = advice.group.tolerances.*metric.allowed)
            allowed[std::string{metric.name}] = *most;
    }
    if (advice.group.most_kbps) allowed["kbps"] = *advice.group.most_kbps;
    json["allowed"] = std::move(allowed);
    if (advice.chosen) {
        json["algorithm"] = algorithm_name(advice.chosen->consistency);
        json["parameters"] = parameters_text(advice.chosen->consistency);
        json["interval_ms"] = in_ms(advice.chosen->consistency.interval);
        json["playable"] = advice.chosen->playable();
        if (advice.chosen->playable()) json["measured"] = figures(*advice.chosen, advice.group.tolerances);
    }
    json["why_not"] = advice.why_not;
    json["notes"] = advice.notes;
    return json;
}

}  // namespace

bool all_met(std::span<const Advice> advice) {
    return std::all_of(advice.begin(), advice.end(), [](const Advice& one) { return one.met; });
}

std::string advice_text(const Description& description, const Network& network,
                        std::span<const Advice> advice) {
    std::string text = fmt::format(
        "{} over {} (median latency {} ms one way, half a round trip): what was measured, and what is "
        "allowed\n\n",
        description.game, network.name, short_number(in_ms(network.median_latency)));
    text += table(description, advice);
    for (const Advice& one : advice) text += '\n' + explanation(description, one);
    return text;
}

std::string advice_json(const Description& description, const Network& network,
                        std::span<const Advice> advice) {
    Json json;
    json["game"] = description.game;
    json["network"] = network.name;
    json["median_latency_ms"] = in_ms(network.median_latency);
    json["met"] = all_met(advice);
    json["advice"] = Json::array();
    for (const Advice& one : advice) json["advice"].push_back(to_json(description, one));
    // Paths may hold any bytes.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace fray::lab::advise
