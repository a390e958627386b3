#pragma once
// One player's peer in a match on Time Warp (fray/time_warp/warp_match.hpp). Every peer simulates all tanks;
// a player sends nothing but what its hands do. The scoreboard is that of the last state, which is the same
// for all.

#include <fray/time_warp/warp_match.hpp>

#include "games/panzer/bots/hands.hpp"
#include "games/panzer/match/network_meter.hpp"
#include "games/panzer/match/pilot.hpp"
#include "games/panzer/match/player_game.hpp"
#include "games/panzer/match/warp_meter.hpp"
#include "games/panzer/warp/battle_wire.hpp"

#include <map>
#include <optional>
#include <string>

namespace fray::panzer {

class WarpPlayer final : public PlayerGame {
public:
    WarpPlayer(const Battlefield& field, const NavQuery& query, const MatchOptions& match,
               const PlayerOptions& player, ScreenRecorder* recorder);

    void started(Commands& peer) override;
    void frame(Commands& peer) override;
    void event(Commands& peer, const Event& event) override;

    [[nodiscard]] bool is_over() const override { return is_over_; }
    [[nodiscard]] double progress() const override;
    [[nodiscard]] const std::optional<Refused>& refused() const override { return refused_; }
    [[nodiscard]] MatchReport report() const override;
    [[nodiscard]] const Battle& screen() const override { return screen_; }
    [[nodiscard]] std::uint16_t own_tank() const override;
    void list_seats(std::vector<Seat>& seats) const override;
    /// The match on Time Warp; nullptr before started().
    [[nodiscard]] const WarpMatch<WarpBattle>* match() const { return warp_ ? &*warp_ : nullptr; }
    [[nodiscard]] WarpMatch<WarpBattle>* match() { return warp_ ? &*warp_ : nullptr; }

private:
    [[nodiscard]] WarpMatchOptions warp_options() const;
    [[nodiscard]] std::optional<BattleMessage> press();
    void change_lag(Instant now);
    void send_messages(Commands& peer);
    void send_names_of_lost(Commands& peer, const PeerId& to);
    void take_name(PeerId player, std::span<const std::uint8_t> name, bool is_own);
    void look(Commands& peer);
    void close(Commands& peer);
    void record(const Commands& peer);
    void record_inputs();
    void finish_inputs();
    [[nodiscard]] std::string name_of(const PeerId& player) const;

    void handle(Commands& peer, const PeerJoined& joined);
    void handle(Commands& peer, const PeerLeft& left) { warp_->link_down(peer.now(), left.peer); }
    void handle(Commands& peer, const Message& message);
    void handle(Commands&, const Refused& refused) { refused_ = refused; }
    template <class Other>
    void handle(Commands&, const Other&) {}

    const Battlefield* field_;
    MatchOptions match_;
    PlayerOptions player_;
    ScreenRecorder* recorder_;
    Tick end_;  // the last state
    BotPilot bot_;
    Pilot* pilot_;  // the bot, or the one of PlayerOptions
    Hands hands_;
    RandomStream random_;
    std::optional<WarpMatch<WarpBattle>> warp_;
    std::map<PeerId, std::string> names_;
    Battle view_;    // as it is simulated; what the pilot sees
    Battle screen_;  // as it is shown
    WarpMeter meter_;
    NetworkMeter network_;
    std::uint64_t frames_ = 0;
    Instant lag_changes_at_ = Instant::min();
    std::optional<Instant> complete_since_;
    std::optional<Instant> ended_at_;
    std::optional<Refused> refused_;
    bool is_over_ = false;
};

}  // namespace fray::panzer
