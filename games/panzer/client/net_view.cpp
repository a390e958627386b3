#include "games/panzer/client/net_view.hpp"

#include "games/panzer/match/warp_player.hpp"
#include "games/panzer/rules/entity.hpp"

#include <algorithm>

namespace fray::panzer::client {

namespace {

constexpr Duration kRatesEvery{250ms};
constexpr float kPullFades = 0.5F;  // seconds

Vec2 flat(const Pose& pose) { return {pose.position.x, pose.position.y}; }
float milliseconds(Duration d) { return static_cast<float>(micros(d)) / 1000.0F; }

}  // namespace

void NetMeter::frame(const Commands& peer, const PlayerGame& game,
                     const std::map<PeerId, std::uint16_t>& slots) {
    see_jumps(peer, game);
    see_tanks(peer, game, slots);
    if (!rates_at_ || peer.now() - *rates_at_ >= kRatesEvery) take_rates(peer, game, slots);
    frame_at_ = peer.now();
}

void NetMeter::see_jumps(const Commands& peer, const PlayerGame& game) {
    const Battle& screen = game.screen();
    const std::size_t known = view_.tanks.size();
    view_.tanks.resize(screen.tanks.size());
    const auto elapsed = frame_at_ ? static_cast<float>(seconds(peer.now() - *frame_at_)) : 0.05F;
    for (std::size_t i = 0; i < screen.tanks.size(); ++i) {
        NetTank& tank = view_.tanks[i];
        tank.pulled = std::max(0.0F, tank.pulled - elapsed / kPullFades);
        const bool jumps = i != game.own_tank() && jumps_.show(i, screen.tanks[i], elapsed);
        if (jumps && i < known) {
            tank.old_path = tank.path;
            tank.pulled = 1;
        }
        // A tank that enters has no path; nor does one that was moved.
        if (jumps || i >= known || !screen.tanks[i].alive()) tank.path.fill(screen.tanks[i].position);
        std::shift_right(tank.path.begin(), tank.path.end(), 1);
        tank.path.front() = screen.tanks[i].position;
    }
}

void NetMeter::see_tanks(const Commands& peer, const PlayerGame& game,
                         const std::map<PeerId, std::uint16_t>& slots) {
    for (NetTank& tank : view_.tanks) tank.is_known = false;
    float sum = 0, most = 0;
    std::size_t count = 0, guided = 0;
    for (const Replica& replica : peer.replicas()) {
        const auto slot = slots.find(replica.id.owner);
        if (replica.type != kTankType || slot == slots.end() || slot->second >= view_.tanks.size()) continue;
        NetTank& tank = view_.tanks[slot->second];
        tank.is_known = game.screen().tanks[slot->second].alive();
        // A tank that enters elsewhere is no correction.
        if (tank.is_known && tank.was_known && replica.corrections.count > tank.corrections.count) {
            corrections_ += replica.corrections.count - tank.corrections.count;
            corrected_by_ += replica.corrections.sum - tank.corrections.sum;
        }
        tank.was_known = tank.is_known;
        tank.corrections = replica.corrections;
        tank.received = flat(replica.received);
        tank.age_ms = std::max(0.0F, milliseconds(replica.age));
        tank.mode = replica.mode;
        tank.has_prediction = replica.guidance != nullptr;
        if (replica.guidance != nullptr) tank.predicted = flat(replica.guidance->predicted);
        if (!tank.is_known) continue;
        ++count;
        guided += replica.mode != ReplicaMode::direct ? 1U : 0U;
        sum += tank.age_ms;
        most = std::max(most, tank.age_ms);
    }
    view_.age_ms_mean = count == 0 ? 0 : sum / static_cast<float>(count);
    view_.age_ms_most = most;
    view_.guided_share = count == 0 ? 0 : static_cast<float>(guided) / static_cast<float>(count);
}

void NetMeter::take_rates(const Commands& peer, const PlayerGame& game,
                          const std::map<PeerId, std::uint16_t>& slots) {
    const Stats stats = peer.peer().stats();
    const bool has_before = rates_at_.has_value();
    const double elapsed = has_before ? seconds(peer.now() - *rates_at_) : 1;
    rates_at_ = peer.now();
    if (has_before) {
        take_upload(stats, elapsed);
        take_corrections(elapsed);
        view_.jumps_per_s +=
            0.25F *
            (static_cast<float>(static_cast<double>(jumps_.jumps() - jumped_) / elapsed) - view_.jumps_per_s);
    }
    ledger_ = stats.ledger;
    received_ = stats.bytes_received;
    jumped_ = jumps_.jumps();
    view_.focus = stats.focus;
    view_.psense = stats.psense;
    const float rtt = take_links(stats, slots);
    take_rollbacks(game, elapsed);
    const std::size_t at = view_.history++ % NetView::kHistory;
    view_.upload_history[at] = view_.upload_total_kbps;
    view_.age_history[at] = view_.age_ms_mean;
    view_.rtt_history[at] = rtt;
}

/// Returns the mean round-trip time.
float NetMeter::take_links(const Stats& stats, const std::map<PeerId, std::uint16_t>& slots) {
    view_.links = stats.links;
    float rtt = 0;
    for (NetTank& tank : view_.tanks) tank.is_linked = tank.in_focus = tank.is_near = tank.is_sensor = false;
    for (const PSenseNode& node : stats.psense.nodes) {
        const auto slot = slots.find(node.peer);
        if (slot == slots.end() || slot->second >= view_.tanks.size()) continue;
        NetTank& tank = view_.tanks[slot->second];
        (node.is_near ? tank.is_near : tank.is_sensor) = true;
    }
    for (const LinkStats& link : view_.links) {
        rtt += milliseconds(link.rtt) / static_cast<float>(view_.links.size());
        const auto slot = slots.find(link.peer);
        if (slot == slots.end() || slot->second >= view_.tanks.size()) continue;
        NetTank& tank = view_.tanks[slot->second];
        tank.is_linked = true;
        tank.rtt_ms = milliseconds(link.rtt);
        tank.jitter_ms = milliseconds(link.jitter);
        tank.loss = static_cast<float>(link.loss);
        tank.in_focus = link.in_focus;
        tank.attention = link.attention;
        tank.attention_heard = link.attention_heard;
    }
    return rtt;
}

void NetMeter::take_rollbacks(const PlayerGame& game, double elapsed) {
    if (const auto* warp = dynamic_cast<const WarpPlayer*>(&game); warp != nullptr) {
        const auto report = warp->report();
        view_.warps = true;
        if (report.warp) {
            view_.rollbacks_per_s =
                static_cast<float>(static_cast<double>(report.warp->rollbacks - rollbacks_) / elapsed);
            view_.depth_ms = static_cast<float>(report.warp->depth_ms_p50);
            view_.response_ms = static_cast<float>(report.warp->response_ms);
            rollbacks_ = report.warp->rollbacks;
        }
    }
}

void NetMeter::take_upload(const Stats& stats, double elapsed) {
    constexpr float kSmooth = 0.3F;
    float total = 0;
    for (std::size_t i = 0; i < kPurposeCount; ++i) {
        const auto purpose = static_cast<Purpose>(i);
        const double kbit = static_cast<double>(stats.ledger.bits(purpose) - ledger_.bits(purpose)) / 1000;
        view_.upload_kbps[i] += kSmooth * (static_cast<float>(kbit / elapsed) - view_.upload_kbps[i]);
        total += view_.upload_kbps[i];
    }
    view_.upload_total_kbps = total;
    const double got = static_cast<double>(stats.bytes_received - received_) * 8 / 1000;
    view_.download_kbps += kSmooth * (static_cast<float>(got / elapsed) - view_.download_kbps);
}

void NetMeter::take_corrections(double elapsed) {
    const auto count = static_cast<double>(corrections_);
    const auto others = static_cast<double>(std::max<std::size_t>(view_.tanks.size(), 2) - 1);
    view_.corrections_per_s +=
        0.3F * (static_cast<float>(count / elapsed / others) - view_.corrections_per_s);
    if (count > 0)
        view_.correction_m += 0.3F * (static_cast<float>(corrected_by_ / count) - view_.correction_m);
    corrections_ = 0;
    corrected_by_ = 0;
}

}  // namespace fray::panzer::client
