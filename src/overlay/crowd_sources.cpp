#include "overlay/crowd_sources.hpp"

#include "overlay/rendezvous.hpp"

#include <algorithm>
#include <tuple>

namespace fray {

namespace {
constexpr Duration kLeastTime{200ms};
// Relays are not replaced all at once.
constexpr Duration kReplaceStep{1s};
constexpr std::uint64_t kReplaceSteps = 16;
}  // namespace

void CrowdSources::choose(Instant now, CrowdRoster& roster) {
    follow_rows(roster);
    for (std::uint32_t row = 0; row < sources_.size(); ++row) {
        if (row != roster.row_of(own_name_)) choose(now, row, sources_[row], roster);
    }
}

/// The number of rows has changed: relays stay, each in the row that it is in now.
void CrowdSources::follow_rows(const CrowdRoster& roster) {
    if (sources_.size() == roster.rows()) return;
    std::vector<Source> former(roster.rows());
    former.swap(sources_);
    for (Source& source : former) {
        if (source.current == 0) continue;
        source.previous = 0;
        sources_[roster.row_of(source.current)] = source;
    }
}

void CrowdSources::choose(Instant now, std::uint32_t row, Source& source, CrowdRoster& roster) {
    KnownPeer* current = roster.find(source.current);
    const bool is_silent = now - std::max(source.chosen, source.heard) > kSilence;
    if (current != nullptr && is_silent) current->avoided_until = now + kAvoidFor;
    const bool works = current != nullptr && !is_silent && current->avoided_until <= now;
    if (works && source.heard > source.chosen) source.previous = 0;
    if (works && now - source.chosen <
                     kReplaceEvery +
                         kReplaceStep * static_cast<std::int64_t>(rank_of(own_name_, row, 1) % kReplaceSteps))
        return;
    if (current != nullptr && now - source.chosen < kLeastTime) return;  // all members may have refused
    ++source.choices;
    const std::uint32_t next = pick(now, row, source, roster);
    if (works) source.previous = source.current;
    if (source.previous == next) source.previous = 0;
    source.current = next;
    source.chosen = now;
}

std::uint32_t CrowdSources::pick(Instant now, std::uint32_t row, const Source& source,
                                 CrowdRoster& roster) const {
    // Peers that only one other peer has mentioned may be invented.
    std::uint32_t best = 0;
    std::tuple<bool, bool, std::uint64_t> best_rank{};
    for (const KnownPeer& peer : roster.row(row)) {
        const std::tuple rank{peer.avoided_until <= now && peer.fan_out == 0, peer.is_confirmed,
                              rank_of(own_name_ + source.choices, peer.name, peer.weight)};
        if (best != 0 && rank <= best_rank) continue;
        best = peer.name;
        best_rank = rank;
    }
    return best;
}

std::uint8_t CrowdSources::refusals(const CrowdRoster& roster, std::uint32_t name) const {
    const std::uint32_t row = roster.row_of(name);
    return row < sources_.size() ? sources_[row].refusals : std::uint8_t{0};
}

bool CrowdSources::has(const CrowdRoster& roster, std::uint32_t name) const {
    const std::uint32_t row = roster.row_of(name);
    return row < sources_.size() && (sources_[row].current == name || sources_[row].previous == name);
}

void CrowdSources::handle_bundle(Instant now, const CrowdRoster& roster, std::uint32_t name) {
    const std::uint32_t row = roster.row_of(name);
    if (row >= sources_.size() || sources_[row].current != name) return;
    sources_[row].heard = now;
    sources_[row].refusals = 0;
}

void CrowdSources::handle_refusal(Instant now, CrowdRoster& roster, std::uint32_t name) {
    KnownPeer* peer = roster.find(name);
    if (peer == nullptr || !has(roster, name)) return;
    peer->avoided_until = now + kAvoidFor / 2;
    std::uint8_t& refusals = sources_[roster.row_of(name)].refusals;
    refusals = std::min<std::uint8_t>(kMostRefusals, refusals + 1);
}

}  // namespace fray
