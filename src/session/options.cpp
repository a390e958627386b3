#include <fray/options.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace fray {

namespace {

std::string ms(Duration d) {
    return d % 1ms == Duration{0} ? std::to_string(d / 1ms) + " ms" : std::to_string(d / 1us) + " us";
}

std::string number(float value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

/// "link.timeout must be between 1 and 3, not 7".
Error out_of_range(const std::string& name, const std::string& right, const std::string& value) {
    return Error{name + " must be " + right + ", not " + value};
}
Error out_of_range(const std::string& name, const std::string& right, std::uint64_t value) {
    return out_of_range(name, right, std::to_string(value));
}
Error out_of_range(const std::string& name, const std::string& right, Duration value) {
    return out_of_range(name, right, ms(value));
}

Result<void> check_mesh(const FullMesh& mesh) {
    if (mesh.most_peers == 0) return out_of_range("overlay.most_peers", "at least 1", 0U);
    if (mesh.retry < 10ms) return out_of_range("overlay.retry", "at least 10 ms", mesh.retry);
    if (mesh.retry_most < mesh.retry)
        return out_of_range("overlay.retry_most", "at least overlay.retry, " + ms(mesh.retry),
                            mesh.retry_most);
    if (mesh.forget < mesh.retry_most || mesh.forget > 24h)
        return out_of_range("overlay.forget",
                            "between overlay.retry_most, " + ms(mesh.retry_most) + ", and 24 h", mesh.forget);
    return {};
}

Result<void> check_psense(const PSense& psense, const World& world) {
    constexpr float kFarthest = 1e30F;
    const float diagonal = length(world.high - world.low);
    if (!(psense.vision_range > 0 && psense.vision_range <= diagonal && psense.vision_range < kFarthest)) {
        return out_of_range("overlay.vision_range",
                            "above 0 and at most the diagonal of the world, " + number(diagonal),
                            number(psense.vision_range));
    }
    if (!(psense.margin >= 0 && psense.margin < kFarthest))
        return Error{"overlay.margin must be at least 0 and below 1e30"};
    if (psense.most_vision != 0 && !(psense.most_vision >= psense.vision_range))
        return Error{"overlay.most_vision must be 0 or at least overlay.vision_range"};
    if (psense.sectors < 1 || psense.sectors > 64)
        return out_of_range("overlay.sectors", "between 1 and 64", psense.sectors);
    if (psense.hop_limit < 1 || psense.hop_limit > 15)
        return out_of_range("overlay.hop_limit", "between 1 and 15", psense.hop_limit);
    if (psense.backups > 8) return out_of_range("overlay.backups", "at most 8", psense.backups);
    if (psense.contacts > 1024) return out_of_range("overlay.contacts", "at most 1024", psense.contacts);
    if (psense.paper_update_bytes < 1) return out_of_range("overlay.paper_update_bytes", "at least 1", 0U);
    if (psense.sensor_interval < 1) return out_of_range("overlay.sensor_interval", "at least 1", 0U);
    return {};
}

Result<void> check_focus(const FocusSet& focus) {
    if (!(focus.bandwidth_share >= 0 && focus.bandwidth_share <= 1))
        return out_of_range("interest.bandwidth_share", "between 0 and 1", number(focus.bandwidth_share));
    if (focus.most_gap < Duration{0} || focus.most_gap > 60s)
        return out_of_range("interest.most_gap", "between 0 and 60 s", focus.most_gap);
    if (!(focus.d_max >= 0 && focus.d_max < 1e30F))
        return Error{"interest.d_max must be at least 0 and below 1e30"};
    if (focus.aim_average < 1ms || focus.aim_average > 60s)
        return out_of_range("interest.aim_average", "between 1 ms and 60 s", focus.aim_average);
    if (focus.interval < Duration{0} || focus.interval > 60s)
        return out_of_range("interest.interval", "between 0 and 60 s", focus.interval);
    if (const auto checked = focus.weights.check(); !checked)
        return Error{"interest.weights: " + checked.error().message};
    return {};
}

Result<void> check_crowd(const Crowd& crowd) {
    if (crowd.most_peers < 2 || crowd.most_peers > 16'384)
        return out_of_range("overlay.most_peers", "between 2 and 16384", crowd.most_peers);
    if (crowd.most_links < 16) return out_of_range("overlay.most_links", "at least 16", crowd.most_links);
    if (crowd.interval < 100ms || crowd.interval > 2s)
        return out_of_range("overlay.interval", "between 100 ms and 2 s", crowd.interval);
    return {};
}

Result<void> check_guidance(const GuidanceOptions& guidance, Duration tick) {
    constexpr float kMost = 1e6F;
    if (!(guidance.diameter > 0 && guidance.diameter <= kMost))
        return out_of_range("guidance.diameter", "above 0 and at most 1e6", number(guidance.diameter));
    if (!(guidance.top_speed >= 0 && guidance.top_speed <= kMost))
        return out_of_range("guidance.top_speed", "between 0 and 1e6", number(guidance.top_speed));
    if (!(guidance.turn_limit > 0 && guidance.turn_limit <= kMost))
        return out_of_range("guidance.turn_limit", "above 0 and at most 1e6", number(guidance.turn_limit));
    if (guidance.longest_prediction < std::min(tick, Duration{1s}) || guidance.longest_prediction > 1s) {
        return out_of_range("guidance.longest_prediction", "between one world tick and 1 s",
                            guidance.longest_prediction);
    }
    return {};
}

}  // namespace

Result<void> AttentionWeights::check() const {
    for (const auto& [name, weight] :
         {std::pair{"proximity", proximity}, {"aim", aim}, {"interaction", interaction}}) {
        if (!(weight >= 0 && weight <= kMostAttentionWeight))
            return out_of_range(name, "between 0 and " + number(kMostAttentionWeight), number(weight));
    }
    if (look && !(std::isfinite(look->yaw) && std::isfinite(look->pitch)))
        return Error{"look.yaw and look.pitch must be finite"};
    return {};
}

Result<void> LinkOptions::check(Duration tick) const {
    constexpr std::uint32_t kMostKbps = 10'000'000;
    constexpr std::uint32_t kLeastRound = 256;  // a hello that names other peers, over IPv6
    if (upload_kbps > kMostKbps)
        return out_of_range("link.upload_kbps", "at most " + std::to_string(kMostKbps), upload_kbps);
    if (upload_kbps != 0 && upload_bytes_per_round != 0)
        return Error{"link.upload_kbps and link.upload_bytes_per_round exclude each other: one must be 0"};
    if (upload_bytes_per_round != 0 && upload_bytes_per_round < kLeastRound) {
        return out_of_range("link.upload_bytes_per_round", "0 or at least " + std::to_string(kLeastRound),
                            upload_bytes_per_round);
    }
    if (timeout < 4 * tick || timeout > 600s)
        return out_of_range("link.timeout", "between four world ticks and 600 s", timeout);
    if (keep_alive < tick || keep_alive > timeout / 2) {
        return out_of_range("link.keep_alive", "between one world tick and half of link.timeout", keep_alive);
    }
    if (most_links == 0) return out_of_range("link.most_links", "at least 1", 0U);
    return {};
}

Result<void> PeerOptions::check() const {
    if (const auto checked = world.check(); !checked) return Error{"world: " + checked.error().message};
    if (auto checked = link.check(world.tick); !checked) return checked;
    if (clock.interval < 100ms || clock.interval > 60s)
        return out_of_range("clock.interval", "between 100 ms and 60 s", clock.interval);
    if (const auto checked = consistency.check(); !checked)
        return Error{"consistency: " + checked.error().message};
    if (const auto* focus = std::get_if<FocusSet>(&interest)) {
        if (auto checked = check_focus(*focus); !checked) return checked;
    }
    if (auto checked = check_guidance(guidance, world.tick); !checked) return checked;
    if (const auto* psense = std::get_if<PSense>(&overlay)) return check_psense(*psense, world);
    if (const auto* crowd = std::get_if<Crowd>(&overlay)) return check_crowd(*crowd);
    return check_mesh(std::get<FullMesh>(overlay));
}

}  // namespace fray
