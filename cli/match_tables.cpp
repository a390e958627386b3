#include "cli/match_tables.hpp"

#include "lab/runner/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace fray::cli {
namespace {

using panzer::MatchReport;
using Reports = std::span<const MatchReport>;

constexpr std::size_t kMostPeerRows = 16;
constexpr std::size_t kMostRanks = 64;

std::string percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string name_of(const MatchReport& report) {
    const panzer::Card* card = report.standings.find(report.player);
    if (card != nullptr) return card->name;
    return report.name.empty() ? to_string(report.player) : report.name;
}

std::vector<std::string> network_row(std::string name, const panzer::NetworkReport& network,
                                     std::string refused) {
    // Time Warp has no replicas that could be old or corrected.
    const bool has_replicas = network.update_age_ms_p95 > 0;
    const auto of_replicas = [&](double value, int digits) {
        return has_replicas ? fmt::format("{:.{}f}", value, digits) : std::string{"-"};
    };
    return {std::move(name),
            fmt::format("{:.0f}", network.upload_kbps_mean),
            fmt::format("{:.0f}", network.upload_kbps_most),
            of_replicas(network.update_age_ms_p50, 0),
            of_replicas(network.update_age_ms_p95, 0),
            fmt::format("{:.1f}", network.rtt_ms),
            of_replicas(network.corrections_per_s, 2),
            std::move(refused)};
}

/// Each value of all peers' networks, combined by `combine` from zero on.
template <class Combine>
panzer::NetworkReport combined(Reports reports, Combine combine) {
    panzer::NetworkReport result;
    for (const MatchReport& report : reports) {
        const panzer::NetworkReport& network = report.network;
        result.upload_kbps_mean = combine(result.upload_kbps_mean, network.upload_kbps_mean);
        result.upload_kbps_most = combine(result.upload_kbps_most, network.upload_kbps_most);
        result.update_age_ms_p50 = combine(result.update_age_ms_p50, network.update_age_ms_p50);
        result.update_age_ms_p95 = combine(result.update_age_ms_p95, network.update_age_ms_p95);
        result.rtt_ms = combine(result.rtt_ms, network.rtt_ms);
        result.corrections_per_s = combine(result.corrections_per_s, network.corrections_per_s);
    }
    return result;
}

std::string refused_by_all(Reports reports) {
    std::uint64_t claimed = 0;
    std::uint64_t refused = 0;
    for (const MatchReport& report : reports) {
        claimed += report.hits_claimed;
        refused += report.hits_refused;
    }
    return percent(refused, claimed);
}

std::string most_refused(Reports reports) {
    const auto share = [](const MatchReport& report) {
        return static_cast<double>(report.hits_refused) /
               static_cast<double>(std::max<std::uint64_t>(report.hits_claimed, 1));
    };
    const auto worst =
        std::max_element(reports.begin(), reports.end(),
                         [&](const MatchReport& a, const MatchReport& b) { return share(a) < share(b); });
    return percent(worst->hits_refused, worst->hits_claimed);
}

}  // namespace

Agreement agreement_of(Reports reports, std::size_t players) {
    Agreement agreement{.peers = reports.size()};
    std::set<std::uint64_t> scoreboards;
    std::set<std::uint64_t> states;
    for (const MatchReport& report : reports) {
        scoreboards.insert(report.standings.fingerprint());
        if (!report.finished) ++agreement.unfinished;
        if (report.players_seen + 1 >= players) ++agreement.saw_everyone;
        agreement.taken_over += report.taken_over + report.created;
        agreement.impossible_moves += report.impossible_moves;
        agreement.warps = agreement.warps || report.warp;
        if (report.warp) states.insert(report.warp->state_hash);
    }
    agreement.states = states.size();
    agreement.scoreboards = scoreboards.size();
    return agreement;
}

std::string scoreboard(Reports reports) {
    std::set<PeerId> present;
    for (const MatchReport& report : reports) present.insert(report.player);
    return scoreboard(reports.front().standings, present);
}

std::string scoreboard(const panzer::Standings& standings, const std::set<PeerId>& present) {
    const std::vector<panzer::Card> ranking = standings.ranking();
    lab::TextTable table{{"rank", "player", "score", "kills", "deaths", "accuracy", "pick-ups", ""}};
    for (std::size_t i = 0; i < std::min(ranking.size(), kMostRanks); ++i) {
        const panzer::Record& record = ranking[i].record;
        table.add({fmt::format("{}", i + 1), ranking[i].name, fmt::format("{}", record.score),
                   fmt::format("{}", record.kills), fmt::format("{}", record.deaths),
                   percent(record.hits, record.shots), fmt::format("{}", record.pickups),
                   present.empty() || present.contains(ranking[i].player) ? "" : "gone"});
    }
    if (ranking.size() <= kMostRanks) return table.text();
    return table.text() + fmt::format("  ... {} more\n", ranking.size() - kMostRanks);
}

std::string focus_table(Reports reports) {
    const auto has_focus = [](const MatchReport& report) { return report.network.focus_size > 0; };
    if (std::none_of(reports.begin(), reports.end(), has_focus)) return {};
    const bool each = reports.size() <= kMostPeerRows;
    lab::TextTable table{{each ? "player" : fmt::format("{} peers", reports.size()), "focus set",
                          "others every ms", "guided in sight"},
                         16};
    const auto row = [&](std::string name, double size, double gap, double guided) {
        table.add({std::move(name), fmt::format("{:.1f}", size), fmt::format("{:.0f}", gap),
                   fmt::format("{:.1f} %", guided)});
    };
    panzer::NetworkReport mean;
    double smallest = reports.front().network.focus_size;
    double longest = 0;
    double most = 0;
    for (const MatchReport& report : reports) {
        const panzer::NetworkReport& network = report.network;
        if (each) row(name_of(report), network.focus_size, network.best_effort_gap_ms, network.guided_pct);
        const auto count = static_cast<double>(reports.size());
        mean.focus_size += network.focus_size / count;
        mean.best_effort_gap_ms += network.best_effort_gap_ms / count;
        mean.guided_pct += network.guided_pct / count;
        smallest = std::min(smallest, network.focus_size);
        longest = std::max(longest, network.best_effort_gap_ms);
        most = std::max(most, network.guided_pct);
    }
    if (each) return table.text();
    row("mean", mean.focus_size, mean.best_effort_gap_ms, mean.guided_pct);
    row("worst", smallest, longest, most);
    return table.text();
}

std::string network_table(Reports reports) {
    const bool each = reports.size() <= kMostPeerRows;
    lab::TextTable table{
        {each ? "player" : fmt::format("{} peers", reports.size()), "upload kbit/s", "1 s maximum",
         "age p50 ms", "age p95 ms", "RTT ms", "corrections/s", "hits refused"},
        16};
    if (each) {
        for (const MatchReport& report : reports)
            table.add(network_row(name_of(report), report.network,
                                  percent(report.hits_refused, report.hits_claimed)));
        return table.text();
    }
    const auto count = static_cast<double>(reports.size());
    const auto mean = combined(reports, [&](double sum, double value) { return sum + value / count; });
    const auto worst = combined(reports, [](double a, double b) { return std::max(a, b); });
    table.add(network_row("mean", mean, refused_by_all(reports)));
    table.add(network_row("worst", worst, most_refused(reports)));
    return table.text();
}

std::string rollback_table(Reports reports) {
    if (!reports.front().warp) return {};
    lab::TextTable table{{"player", "rollbacks", "depth p50 ms", "p99 ms", "visible", "again/tick", "stalled",
                          "response ms", "death final ms p95", "reversed", "desyncs"},
                         16};
    for (std::size_t i = 0; i < std::min(reports.size(), kMostRanks); ++i) {
        const panzer::WarpReport warp = reports[i].warp.value_or(panzer::WarpReport{});
        const double again = static_cast<double>(warp.tank_ticks_again) /
                             static_cast<double>(std::max<std::uint64_t>(warp.ticks, 1));
        table.add({name_of(reports[i]), fmt::format("{}", warp.rollbacks),
                   fmt::format("{:.0f}", warp.depth_ms_p50), fmt::format("{:.0f}", warp.depth_ms_p99),
                   fmt::format("{}", warp.visible), fmt::format("{:.1f}", again),
                   fmt::format("{}", warp.stalled_ticks), fmt::format("{:.0f}", warp.response_ms),
                   fmt::format("{:.0f}", warp.death_final_ms_p95), fmt::format("{}", warp.reversed_deaths),
                   fmt::format("{}", warp.desyncs)});
    }
    return table.text();
}

std::string refusal_line(Reports reports) {
    std::string reasons;
    for (std::size_t i = 1; i < panzer::kRefusals; ++i) {
        std::uint64_t count = 0;
        for (const MatchReport& report : reports) count += report.refused[i];
        if (count == 0) continue;
        reasons += fmt::format("{}{} ({})", reasons.empty() ? "" : ", ", count,
                               panzer::to_string(static_cast<panzer::Refusal>(i)));
    }
    return reasons.empty() ? reasons : "refused: " + reasons + "\n";
}

std::string agreement_line(const Agreement& agreement) {
    const std::string boards = agreement.scoreboards == 1
                                   ? fmt::format("scoreboards equal on all {} peers", agreement.peers)
                                   : fmt::format("scoreboards differ: {} different ones on {} peers",
                                                 agreement.scoreboards, agreement.peers);
    const std::string unfinished =
        agreement.unfinished == 0 ? std::string{}
                                  : fmt::format(", {} peers without every final score", agreement.unfinished);
    const std::string moves = agreement.impossible_moves == 0
                                  ? std::string{}
                                  : fmt::format("; {} impossible moves noticed", agreement.impossible_moves);
    if (agreement.warps)
        return fmt::format("{}{}; {} of {} saw everyone; {}\n", boards, unfinished, agreement.saw_everyone,
                           agreement.peers,
                           agreement.states == 1 ? "the last states are equal"
                                                 : fmt::format("{} different last states", agreement.states));
    return fmt::format("{}{}; {} of {} saw everyone; {} items, doors and flags taken over{}\n", boards,
                       unfinished, agreement.saw_everyone, agreement.peers, agreement.taken_over, moves);
}

}  // namespace fray::cli
