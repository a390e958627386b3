#include "games/panzer/client/watched_game.hpp"

#include "games/panzer/rules/entity.hpp"

#include <algorithm>
#include <numbers>
#include <utility>
#include <variant>

namespace fray::panzer::client {

namespace {

constexpr std::size_t kMostHeard = 50;
constexpr std::uint64_t kSeatsEvery = 5;  // frames

}  // namespace

WatchedGame::WatchedGame(std::unique_ptr<PlayerGame> game, const MatchOptions& match, std::string name)
    : game_{std::move(game)}, match_{match}, name_{std::move(name)} {}

void WatchedGame::started(Commands& peer) {
    game_->started(peer);
    if (!name_.empty()) people_[peer.id()] = name_;
}

void WatchedGame::frame(Commands& peer) {
    game_->frame(peer);
    tell(peer);
    watch(peer);
}

void WatchedGame::event(Commands& peer, const Event& event) {
    if (const auto* message = std::get_if<Message>(&event)) {
        if (const auto talk = talk_of(message->bytes)) return take_talk(message->from, *talk);
    }
    if (const auto* joined = std::get_if<PeerJoined>(&event); joined != nullptr && !name_.empty())
        (void)peer.send(Outgoing{bytes_of_talk({Talk::Kind::person, name_}),
                                 Audience::only(joined->peer),
                                 Delivery::reliable,
                                 {}});
    game_->event(peer, event);
}

void WatchedGame::tell(Commands& peer) {
    if (chosen_) {
        if (const auto tank = tank_of(peer.peer())) (void)peer.set_consistency(*tank, *chosen_);
        chosen_.reset();
    }
    for (Talk& talk : std::exchange(to_say_, {})) {
        (void)peer.send(Outgoing{bytes_of_talk(talk), Audience::everyone(), Delivery::ordered, {}});
        if (talk.kind != Talk::Kind::study)
            hear({latest_.at, name_, std::move(talk.text), talk.kind == Talk::Kind::notice});
    }
}

bool WatchedGame::is_present(const PeerId& person) const {
    const auto slot = slots_.find(person);
    return people_.contains(person) && slot != slots_.end() && slot->second < net_.view().tanks.size() &&
           net_.view().tanks[slot->second].is_linked;
}

std::int32_t WatchedGame::points_of(const PeerId& player) const {
    const auto slot = slots_.find(player);
    return slot == slots_.end() || slot->second >= latest_.scores.size() ? 0
                                                                         : latest_.scores[slot->second].score;
}

void WatchedGame::restart_scores() {
    before_.clear();
    for (const Seat& seat : seats_) before_[seat.player] = seat.record;
}

void WatchedGame::take_talk(const PeerId& from, const Talk& talk) {
    if (talk.kind == Talk::Kind::person) {
        if (people_.size() < kMostTanks) people_[from] = talk.text;
        return;
    }
    if (talk.kind == Talk::Kind::study) {
        if (study_words_.size() < kMostHeard) study_words_.push_back({from, talk.text});
        return;
    }
    hear({latest_.at, name_of(from), talk.text, talk.kind == Talk::Kind::notice});
}

void WatchedGame::hear(Heard heard) {
    heard_.push_back(std::move(heard));
    if (heard_.size() > kMostHeard) heard_.pop_front();
}

std::string WatchedGame::name_of(const PeerId& player) const {
    const auto person = people_.find(player);
    if (person != people_.end()) return person->second;
    const auto slot = slots_.find(player);
    return slot == slots_.end() ? std::string{"a player"} : seats_[slot->second].name;
}

void WatchedGame::watch(Commands& peer) {
    std::swap(previous_, latest_);
    show(game_->screen(), game_->own_tank(), game_->progress() * seconds(match_.length), latest_);
    const bool is_news = frames_++ % kSeatsEvery == 0 || seats_.size() != latest_.tanks.size();
    if (is_news) {
        game_->list_seats(seats_);
        slots_.clear();
        for (std::size_t i = 0; i < seats_.size(); ++i)
            slots_[seats_[i].player] = static_cast<std::uint16_t>(i);
    }
    take_scores();
    see_triggers(peer);
    measure_feel(peer);
    net_.frame(peer, *game_, slots_);
    if (!is_news) return;
    seat_notes_.assign(seats_.size(), {});
    for (std::size_t i = 0; i < seats_.size(); ++i)
        seat_notes_[i].is_person = people_.contains(seats_[i].player);
    for (const LinkStats& link : net_.view().links) {
        const auto slot = slots_.find(link.peer);
        if (slot != slots_.end())
            seat_notes_[slot->second].rtt_ms = static_cast<int>(micros(link.rtt) / 1000);
    }
}

void WatchedGame::take_scores() {
    for (std::size_t i = 0; i < std::min(seats_.size(), latest_.scores.size()); ++i) {
        const Seat& seat = seats_[i];
        Score& score = latest_.scores[i];
        if (score.name != seat.name) score.name = seat.name;
        const auto found = before_.find(seat.player);
        const Record before = found == before_.end() ? Record{} : found->second;
        score.score = seat.record.score - before.score;
        score.kills = seat.record.kills - std::min(before.kills, seat.record.kills);
        score.deaths = seat.record.deaths - std::min(before.deaths, seat.record.deaths);
    }
}

/// The own tank is drawn as its algorithm shows it to its player: with local lag, later than it is.
void WatchedGame::measure_feel(Commands& peer) {
    if (match_.time_warp) return;  // the battle is simulated here, and messages come late
    const SessionInstant now = peer.session_time();
    if (const auto tank = tank_of(peer.peer())) {
        if (const auto view = peer.local_view(*tank)) {
            feel_.draw_own(now, *view);
            show_own(*view);
        }
    }
    for (const Replica& replica : peer.replicas()) {
        const auto slot = slots_.find(replica.id.owner);
        const bool is_tank = replica.type == kTankType && slot != slots_.end();
        if (is_tank && slot->second < latest_.tanks.size() && latest_.tanks[slot->second].alive())
            feel_.draw_other(now, replica);
    }
    feel_.end_frame(now);
    net_.set_feel(feel_.feel());
}

void WatchedGame::show_own(const LocalView& view) {
    if (latest_.own >= latest_.tanks.size() || !latest_.tanks[latest_.own].alive()) return;
    ShownTank& own = latest_.tanks[latest_.own];
    const Vec2 place{view.pose.position.x, view.pose.position.y};
    constexpr float kEntered = 8;  // metres: the view is still where the tank was destroyed
    if (square_length(place - own.position) > kEntered * kEntered) return;
    own.position = place;
    own.hull = view.pose.yaw * std::numbers::pi_v<float> / 180;
}

/// Replicas come with the keys that their player holds.
void WatchedGame::see_triggers(Commands& peer) {
    if (match_.time_warp) return;  // the battle holds every gun
    for (const Replica& replica : peer.replicas()) {
        if (replica.type != kTankType) continue;
        const auto slot = slots_.find(replica.id.owner);
        if (slot == slots_.end() || slot->second >= latest_.tanks.size()) continue;
        latest_.tanks[slot->second].fires = input_of(replica.input).gun;
    }
}

}  // namespace fray::panzer::client
