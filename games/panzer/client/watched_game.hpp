#pragma once
// A player's game, watched by a window: forwards everything to the game, and keeps what the window shows: the
// last two moments, the network as this peer knows it, and what people say to each other.

#include "games/feel/feel_meter.hpp"
#include "games/panzer/client/moment.hpp"
#include "games/panzer/client/net_view.hpp"
#include "games/panzer/client/talk.hpp"
#include "games/panzer/match/player_game.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fray::panzer::client {

class WatchedGame final : public PlayerGame {
public:
    /// `name`: of the player, told to the others as that of a person; empty: a bot.
    WatchedGame(std::unique_ptr<PlayerGame> game, const MatchOptions& match, std::string name);

    void started(Commands& peer) override;
    void frame(Commands& peer) override;
    void event(Commands& peer, const Event& event) override;

    [[nodiscard]] bool is_over() const override { return game_->is_over(); }
    [[nodiscard]] double progress() const override { return game_->progress(); }
    [[nodiscard]] const std::optional<Refused>& refused() const override { return game_->refused(); }
    [[nodiscard]] MatchReport report() const override { return game_->report(); }
    [[nodiscard]] const Battle& screen() const override { return game_->screen(); }
    [[nodiscard]] std::uint16_t own_tank() const override { return game_->own_tank(); }
    void list_seats(std::vector<Seat>& seats) const override { game_->list_seats(seats); }

    /// Grows by one with each moment.
    [[nodiscard]] std::uint64_t frames() const { return frames_; }
    [[nodiscard]] const Moment& latest() const { return latest_; }
    [[nodiscard]] const Moment& previous() const { return previous_; }
    [[nodiscard]] const NetView& net() const { return net_.view(); }
    [[nodiscard]] const std::vector<SeatNote>& seats() const { return seat_notes_; }
    [[nodiscard]] const PlayerGame& game() const { return *game_; }
    [[nodiscard]] double seconds_left() const { return (1 - game_->progress()) * seconds(match_.length); }

    /// To all players, with the next frame.
    void say(std::string text) { to_say_.push_back({Talk::Kind::chat, std::move(text)}); }
    void announce(std::string text) { to_say_.push_back({Talk::Kind::notice, std::move(text)}); }
    /// A word of a study, to the other people.
    void say_study(std::string text) { to_say_.push_back({Talk::Kind::study, std::move(text)}); }
    struct StudyWord {
        PeerId from;
        std::string text;
    };
    /// Those that came since the last call.
    [[nodiscard]] std::vector<StudyWord> take_study_words() { return std::exchange(study_words_, {}); }
    /// Whether this player has told us that it is a person, and is linked.
    [[nodiscard]] bool is_present(const PeerId& person) const;
    /// As shown; 0 for a player without a tank.
    [[nodiscard]] std::int32_t points_of(const PeerId& player) const;
    /// All players' scores are shown from zero again.
    void restart_scores();

    /// Changes how the own tank is kept consistent, with the next frame.
    void choose(const Consistency& consistency) { chosen_ = consistency; }
    struct Heard {
        double at = 0;  ///< of the match
        std::string who;
        std::string text;
        bool is_notice = false;
    };
    /// Oldest first.
    [[nodiscard]] const std::deque<Heard>& heard() const { return heard_; }
    void hear(Heard heard);

private:
    void tell(Commands& peer);
    void take_talk(const PeerId& from, const Talk& talk);
    void watch(Commands& peer);
    void see_triggers(Commands& peer);
    void measure_feel(Commands& peer);
    void show_own(const LocalView& view);
    void take_scores();
    [[nodiscard]] std::string name_of(const PeerId& player) const;

    std::unique_ptr<PlayerGame> game_;
    MatchOptions match_;
    std::string name_;
    NetMeter net_;
    Moment latest_, previous_;
    std::uint64_t frames_ = 0;
    std::vector<Seat> seats_;
    std::map<PeerId, std::uint16_t> slots_;
    std::vector<SeatNote> seat_notes_;
    std::map<PeerId, std::string> people_;
    std::vector<Talk> to_say_;
    std::deque<Heard> heard_;
    std::vector<StudyWord> study_words_;
    std::map<PeerId, Record> before_;  // of each player, when the scores were restarted
    games::FeelMeter feel_;
    std::optional<Consistency> chosen_;
};

}  // namespace fray::panzer::client
