#include <fray/options.hpp>

#include <string>

namespace fray {

namespace {

Result<void> check_mesh(const FullMesh& mesh) {
    if (mesh.most_peers == 0) return Error{"overlay.most_peers must be at least 1"};
    if (mesh.retry < 10ms || mesh.retry_most < mesh.retry) {
        return Error{"overlay.retry must be at least 10 ms, and retry_most not shorter"};
    }
    if (mesh.forget < mesh.retry_most) return Error{"overlay.forget must not be shorter than retry_most"};
    return {};
}

Result<void> check_psense(const PSense& psense) {
    constexpr float kFarthest = 1e30F;
    if (!(psense.vision_range > 0 && psense.vision_range < kFarthest))
        return Error{"overlay.vision_range must be above 0, and not endless"};
    if (!(psense.margin >= 0 && psense.margin < kFarthest))
        return Error{"overlay.margin must not be negative, nor endless"};
    if (psense.most_vision != 0 && !(psense.most_vision >= psense.vision_range))
        return Error{"overlay.most_vision must not be less than vision_range"};
    if (psense.sectors < 1 || psense.sectors > 64) return Error{"overlay.sectors must be between 1 and 64"};
    if (psense.hop_limit < 1 || psense.hop_limit > 15)
        return Error{"overlay.hop_limit must be between 1 and 15"};
    if (psense.backups > 8) return Error{"overlay.backups must be at most 8"};
    if (psense.contacts > 1024) return Error{"overlay.contacts must be at most 1024"};
    if (psense.paper_update_bytes < 1) return Error{"overlay.paper_update_bytes must be at least 1"};
    if (psense.sensor_interval < 1) return Error{"overlay.sensor_interval must be at least 1"};
    return {};
}

Result<void> check_link(const LinkOptions& link, Duration tick) {
    constexpr std::uint32_t kMostKbps = 10'000'000;
    constexpr std::uint32_t kLeastRound = 128;  // a hello, with headers
    if (link.upload_kbps > kMostKbps)
        return Error{"link.upload_kbps must be at most " + std::to_string(kMostKbps)};
    if (link.upload_kbps != 0 && link.upload_bytes_per_round != 0) {
        return Error{"link.upload_kbps and link.upload_bytes_per_round exclude each other"};
    }
    if (link.upload_bytes_per_round != 0 && link.upload_bytes_per_round < kLeastRound) {
        return Error{"link.upload_bytes_per_round must be at least " + std::to_string(kLeastRound)};
    }
    if (link.timeout < 4 * tick || link.timeout > 600s) {
        return Error{"link.timeout must be between four world ticks and 600 s"};
    }
    if (link.keep_alive < tick || link.keep_alive > link.timeout / 2) {
        return Error{"link.keep_alive must be at least a world tick and at most half of link.timeout"};
    }
    if (link.most_links == 0) return Error{"link.most_links must be at least 1"};
    return {};
}

}  // namespace

Result<void> PeerOptions::check() const {
    if (const auto checked = world.check(); !checked) return Error{"world: " + checked.error().message};
    if (auto checked = check_link(link, world.tick); !checked) return checked;
    if (clock.interval < 100ms || clock.interval > 60s)
        return Error{"clock.interval must be between 100 ms and 60 s"};
    if (const auto checked = consistency.check(); !checked)
        return Error{"consistency: " + checked.error().message};
    if (const auto* psense = std::get_if<PSense>(&overlay)) return check_psense(*psense);
    return check_mesh(std::get<FullMesh>(overlay));
}

}  // namespace fray
