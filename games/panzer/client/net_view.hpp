#pragma once
// The network as one peer knows it, for the panels F1 and F2: where the upload goes, links, ages of updates,
// corrections, jumps, rollbacks, and how each tank of others is kept.

#include <fray/game.hpp>
#include <fray/guide.hpp>
#include <fray/stats.hpp>

#include "games/feel/feel_meter.hpp"
#include "games/panzer/client/moment.hpp"
#include "games/panzer/match/jump_meter.hpp"
#include "games/panzer/match/player_game.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fray::panzer::client {

struct NetTank {
    bool is_known = false;
    bool was_known = false;
    Vec2 received{};   ///< in the owner's latest update
    Vec2 predicted{};  ///< where the guide steers it
    float age_ms = 0;  ///< of that update
    ReplicaMode mode = ReplicaMode::direct;
    bool has_prediction = false;
    bool is_linked = false;
    float rtt_ms = 0, jitter_ms = 0, loss = 0;  ///< of the link
    bool in_focus = false;                      ///< it gets every frame from us
    float attention = 0;                        ///< that our player pays to it
    float attention_heard = 0;                  ///< that it pays to us
    bool is_near = false, is_sensor = false;    ///< with the overlay pSense
    static constexpr std::size_t kPath = 8;     ///< frames
    std::array<Vec2, kPath> path{};             ///< where the screen showed it lately, newest first
    std::array<Vec2, kPath> old_path{};         ///< likewise, before the screen moved it elsewhere
    float pulled = 0;                           ///< 1 to 0 in half a second after that
    Corrections corrections{};                  ///< so far
};

struct NetView {
    static constexpr std::size_t kHistory = 120;     ///< quarter seconds
    std::array<float, kPurposeCount> upload_kbps{};  ///< by purpose, over the last second
    float upload_total_kbps = 0;
    float download_kbps = 0;
    std::vector<LinkStats> links;
    FocusStats focus{};
    PSenseStats psense{};
    float age_ms_mean = 0, age_ms_most = 0;  ///< of the tanks of others, now
    float jumps_per_s = 0;
    float corrections_per_s = 0, correction_m = 0;  ///< of one tank of others; mean length
    float guided_share = 0;
    bool warps = false;
    float rollbacks_per_s = 0, depth_ms = 0;
    std::array<float, kHistory> upload_history{}, age_history{}, rtt_history{};
    std::size_t history = 0;     ///< entries so far
    games::Feel feel{};          ///< the five metrics; not with Time Warp
    float response_ms = 0;       ///< with Time Warp
    std::vector<NetTank> tanks;  ///< by tank
};

class NetMeter {
public:
    /// Call it once per frame of the peer. `slots`: the tank of each player.
    void frame(const Commands& peer, const PlayerGame& game, const std::map<PeerId, std::uint16_t>& slots);
    void set_feel(const games::Feel& feel) { view_.feel = feel; }
    [[nodiscard]] const NetView& view() const { return view_; }

private:
    void see_tanks(const Commands& peer, const PlayerGame& game,
                   const std::map<PeerId, std::uint16_t>& slots);
    void see_jumps(const Commands& peer, const PlayerGame& game);
    void take_rates(const Commands& peer, const PlayerGame& game,
                    const std::map<PeerId, std::uint16_t>& slots);
    float take_links(const Stats& stats, const std::map<PeerId, std::uint16_t>& slots);
    void take_rollbacks(const PlayerGame& game, double elapsed);
    void take_upload(const Stats& stats, double elapsed);
    void take_corrections(double elapsed);

    NetView view_;
    JumpMeter jumps_;
    std::optional<Instant> rates_at_;
    std::optional<Instant> frame_at_;
    ByteLedger ledger_;
    std::uint64_t received_ = 0, jumped_ = 0, rollbacks_ = 0;
    std::uint64_t corrections_ = 0;  // of living tanks, since the rates were taken last
    double corrected_by_ = 0;
};

}  // namespace fray::panzer::client
