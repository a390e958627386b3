#include "cli/match_json.hpp"

#include <nlohmann/json.hpp>

#include <charconv>

namespace fray::cli {
namespace {

using nlohmann::json;

PeerId peer_id(const std::string& hex) {
    PeerId id;
    for (std::size_t i = 0; i < id.bytes.size() && 2 * i + 2 <= hex.size(); ++i)
        (void)std::from_chars(hex.data() + 2 * i, hex.data() + 2 * i + 2, id.bytes[i], 16);
    return id;
}

json to_json(const panzer::Card& card) {
    const panzer::Record& record = card.record;
    return {{"player", to_string(card.player)},
            {"name", card.name},
            {"revision", card.revision},
            {"final", card.is_final},
            {"record",
             {record.score, record.kills, record.deaths, record.accidents, record.shots, record.hits,
              record.shells, record.pickups}}};
}

panzer::Card card_from(const json& value) {
    const json& record = value.at("record");
    return {.player = peer_id(value.at("player")),
            .name = value.at("name"),
            .revision = value.at("revision"),
            .is_final = value.at("final"),
            .record = {.score = record.at(0),
                       .kills = record.at(1),
                       .deaths = record.at(2),
                       .accidents = record.at(3),
                       .shots = record.at(4),
                       .hits = record.at(5),
                       .shells = record.at(6),
                       .pickups = record.at(7)}};
}

json to_json(const panzer::NetworkReport& network) {
    return {network.upload_kbps_mean,  network.upload_kbps_most, network.update_age_ms_p50,
            network.update_age_ms_p95, network.rtt_ms,           network.corrections_per_s,
            network.correction_m,      network.focus_size,       network.best_effort_gap_ms,
            network.guided_pct};
}

panzer::NetworkReport network_from(const json& value) {
    return {.upload_kbps_mean = value.at(0),
            .upload_kbps_most = value.at(1),
            .update_age_ms_p50 = value.at(2),
            .update_age_ms_p95 = value.at(3),
            .rtt_ms = value.at(4),
            .corrections_per_s = value.at(5),
            .correction_m = value.at(6),
            .focus_size = value.at(7),
            .best_effort_gap_ms = value.at(8),
            .guided_pct = value.at(9)};
}

json to_json(const panzer::WarpReport& warp) {
    return {warp.rollbacks,
            warp.depth_ms_p50,
            warp.depth_ms_p99,
            warp.late_below_50ms,
            warp.late_below_100ms,
            warp.visible,
            warp.shown_error_m_p95,
            warp.reversed_deaths,
            warp.ticks,
            warp.tank_ticks_again,
            warp.stalled_ticks,
            warp.response_ms,
            warp.death_final_ms_p50,
            warp.death_final_ms_p95,
            warp.desyncs,
            warp.refused,
            warp.messages,
            warp.state_hash,
            warp.last_desync};
}

panzer::WarpReport warp_from(const json& value) {
    return {.rollbacks = value.at(0),
            .depth_ms_p50 = value.at(1),
            .depth_ms_p99 = value.at(2),
            .late_below_50ms = value.at(3),
            .late_below_100ms = value.at(4),
            .visible = value.at(5),
            .shown_error_m_p95 = value.at(6),
            .reversed_deaths = value.at(7),
            .ticks = value.at(8),
            .tank_ticks_again = value.at(9),
            .stalled_ticks = value.at(10),
            .response_ms = value.at(11),
            .death_final_ms_p50 = value.at(12),
            .death_final_ms_p95 = value.at(13),
            .desyncs = value.at(14),
            .refused = value.at(15),
            .messages = value.at(16),
            .state_hash = value.at(17),
            .last_desync = value.at(18)};
}

json to_json(const panzer::MatchReport& report) {
    json cards = json::array();
    for (const auto& [player, card] : report.standings.cards()) cards.push_back(to_json(card));
    return {{"warp", report.warp ? to_json(*report.warp) : json{}},
            {"player", to_string(report.player)},
            {"name", report.name},
            {"cards", std::move(cards)},
            {"network", to_json(report.network)},
            {"players_seen", report.players_seen},
            {"hits_claimed", report.hits_claimed},
            {"hits_refused", report.hits_refused},
            {"refused", report.refused},
            {"impossible_moves", report.impossible_moves},
            {"taken_over", report.taken_over},
            {"created", report.created},
            {"doors_opened", report.doors_opened},
            {"flags_taken", report.flags_taken},
            {"finished", report.finished}};
}

panzer::MatchReport report_from(const json& value) {
    panzer::MatchReport report{.player = peer_id(value.at("player")),
                               .name = value.at("name"),
                               .standings = panzer::Standings{},
                               .network = network_from(value.at("network")),
                               .players_seen = value.at("players_seen"),
                               .hits_claimed = value.at("hits_claimed"),
                               .hits_refused = value.at("hits_refused"),
                               .refused = value.at("refused"),
                               .impossible_moves = value.at("impossible_moves"),
                               .taken_over = value.at("taken_over"),
                               .created = value.at("created"),
                               .doors_opened = value.at("doors_opened"),
                               .flags_taken = value.at("flags_taken"),
                               .warp = std::nullopt,
                               .finished = value.at("finished")};
    if (!value.at("warp").is_null()) report.warp = warp_from(value.at("warp"));
    for (const json& card : value.at("cards")) report.standings.merge(card_from(card));
    return report;
}

struct Writer {
    json operator()(const PeerReady&) const { return {{"ready", true}}; }
    json operator()(const PeerAddress& message) const { return {{"address", message.address}}; }
    json operator()(const PeerProgress& message) const { return {{"progress", message.share}}; }
    json operator()(const PeerFailed& message) const { return {{"error", message.message}}; }
    json operator()(const panzer::MatchReport& report) const { return {{"report", to_json(report)}}; }
};

PeerMessage message_from(const json& value) {
    if (value.contains("ready")) return PeerReady{};
    if (value.contains("address")) return PeerAddress{value.at("address")};
    if (value.contains("progress")) return PeerProgress{value.at("progress")};
    if (value.contains("error")) return PeerFailed{value.at("error")};
    return report_from(value.at("report"));
}

}  // namespace

std::string to_line(const PeerMessage& message) {
    return std::visit(Writer{}, message).dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<PeerMessage> parse_line(std::string_view line) {
    try {
        return message_from(json::parse(line));
    } catch (const json::exception& error) {
        return Error{error.what()};
    }
}

}  // namespace fray::cli
