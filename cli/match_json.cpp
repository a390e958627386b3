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
            network.correction_m};
}

panzer::NetworkReport network_from(const json& value) {
    return {.upload_kbps_mean = value.at(0),
            .upload_kbps_most = value.at(1),
            .update_age_ms_p50 = value.at(2),
            .update_age_ms_p95 = value.at(3),
            .rtt_ms = value.at(4),
            .corrections_per_s = value.at(5),
            .correction_m = value.at(6)};
}

json to_json(const panzer::MatchReport& report) {
    json cards = json::array();
    for (const auto& [player, card] : report.standings.cards()) cards.push_back(to_json(card));
    return {{"player", to_string(report.player)},  {"cards", std::move(cards)},
            {"network", to_json(report.network)},  {"players_seen", report.players_seen},
            {"hits_claimed", report.hits_claimed}, {"hits_refused", report.hits_refused},
            {"refused", report.refused},           {"impossible_moves", report.impossible_moves},
            {"taken_over", report.taken_over},     {"doors_opened", report.doors_opened},
            {"flags_taken", report.flags_taken},   {"finished", report.finished}};
}

panzer::MatchReport report_from(const json& value) {
    panzer::MatchReport report{.player = peer_id(value.at("player")),
                               .standings = panzer::Standings{},
                               .network = network_from(value.at("network")),
                               .players_seen = value.at("players_seen"),
                               .hits_claimed = value.at("hits_claimed"),
                               .hits_refused = value.at("hits_refused"),
                               .refused = value.at("refused"),
                               .impossible_moves = value.at("impossible_moves"),
                               .taken_over = value.at("taken_over"),
                               .doors_opened = value.at("doors_opened"),
                               .flags_taken = value.at("flags_taken"),
                               .finished = value.at("finished")};
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
