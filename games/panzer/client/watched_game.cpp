#include "games/panzer/client/watched_game.hpp"

#include "games/panzer/rules/entity.hpp"

#include <algorithm>
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
        // The tank is the first entity that the game has published.
        constexpr std::uint32_t kFirst = 4;
        for (std::uint32_t number = 0; number < kFirst; ++number) {
            const EntityId tank{peer.id(), number};
            if (!peer.owns(tank)) continue;
            (void)peer.set_consistency(tank, *chosen_);
            break;
        }
        chosen_.reset();
    }
    for (Talk& talk : std::exchange(to_say_, {})) {
        (void)peer.send(Outgoing{bytes_of_talk(talk), Audience::everyone(), Delivery::ordered, {}});
        hear({latest_.at, name_, std::move(talk.text), talk.kind == Talk::Kind::notice});
    }
}

void WatchedGame::choose(const Consistency& consistency, std::string announcement) {
    chosen_ = consistency;
    announce(std::move(announcement));
}

void WatchedGame::take_talk(const PeerId& from, const Talk& talk) {
    if (talk.kind == Talk::Kind::person) {
        if (people_.size() < kMostTanks) people_[from] = talk.text;
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
    for (std::size_t i = 0; i < std::min(seats_.size(), latest_.scores.size()); ++i) {
        Score& score = latest_.scores[i];
        if (score.name != seats_[i].name) score.name = seats_[i].name;
        score.score = seats_[i].record.score;
        score.kills = seats_[i].record.kills;
        score.deaths = seats_[i].record.deaths;
    }
    see_triggers(peer);
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
