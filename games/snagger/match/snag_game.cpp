#include "games/snagger/match/snag_game.hpp"

#include "games/snagger/rules/entity.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace fray::snagger {

namespace {

constexpr std::size_t kMostOpen = 16;     // requests
constexpr std::size_t kMostCatches = 16;  // that the window shows

/// The player saw this alien in the loop and pressed the space bar.
struct Claim {
    std::uint32_t number = 0;
};
template <class Stream>
void serialize(Stream& stream, Claim& claim) {
    stream.varint(claim.number);
}

/// Whether other screens extrapolate with the player's keys. If not, they are not sent.
bool uses_inputs(const Consistency& consistency) {
    if (const auto* everquest = std::get_if<EverQuest>(&consistency.algorithm))
        return everquest->motion_model;
    return std::holds_alternative<BucketSync>(consistency.algorithm) ||
           std::holds_alternative<Adaptive>(consistency.algorithm);
}

}  // namespace

PeerOptions peer_options(const SnagOptions& options) {
    PeerOptions peer;
    peer.id = PeerId::from_number(options.ship + std::uint64_t{1});
    peer.world = table_world();
    peer.overlay = FullMesh{.most_peers = 2};
    peer.consistency = consistency_of(options.choice);
    peer.count_corrections = true;
    return peer;
}

SnagGame::SnagGame(const SnagOptions& options, Keys keys)
    : options_{options},
      keys_{std::move(keys)},
      choice_{options.choice},
      buckets_{consistency_of(options.choice), kKeys},
      sends_inputs_{uses_inputs(consistency_of(options.choice))},
      screen_{start(options.seed)} {
    own_ = screen_.ships[options.ship];
}

void SnagGame::started(Commands& peer) {
    ship_id_ = peer.publish(state_of(own_.pose, kShipType)).value();
    if (options_.ship != 0) return;
    table_ = lay_table(options_.seed, peer.session_time());
    table_id_ = peer.publish(state_of(Pose{}, table_, kTableType)).value();
    // Every screen shows the newest table.
    (void)peer.set_consistency(*table_id_, Consistency{});
}

void SnagGame::frame(Commands& peer) {
    ++screen_.tick;
    follow_choice(peer);
    fly(peer);
    show(peer);
    snag(peer);
}

void SnagGame::fly(Commands& peer) {
    const auto due = buckets_.apply(peer.session_time(), input_bytes(keys_(screen_)));
    own_ = advance(own_, input_of(due));
    State state = state_of(own_.pose, kShipType);
    if (sends_inputs_) state.input.assign(due.begin(), due.end());
    (void)peer.update(ship_id_, state);
}

// --- the screen ---

void SnagGame::show(Commands& peer) {
    const Table before = table_;
    show_ships(peer);
    note_catches(before);
    const auto& ships = screen_.ships;
    screen_.net = drag(screen_.net, ships[0].pose.position, ships[1].pose.position);
    screen_.score = table_.score;
    screen_.arrivals = table_.arrivals;
    const auto links = peer.peer().stats().links;
    rtt_ = links.empty() ? Duration{} : links.front().rtt;
}

void SnagGame::show_ships(Commands& peer) {
    const SessionInstant now = peer.session_time();
    if (const auto own = peer.local_view(ship_id_)) {
        screen_.ships[options_.ship].pose = own->pose;
        feel_.draw_own(now, *own);
    }
    for (const Replica& replica : peer.replicas()) {
        if (replica.type == kTableType) {
            table_id_ = replica.id;
            table_ = replica.as<Table>().value_or(table_);
            continue;
        }
        screen_.ships[1 - options_.ship].pose = replica.pose;
        feel_.draw_other(now, replica);
    }
    feel_.end_frame(now);
}

/// Aliens that the table has lost were caught, by whichever player.
void SnagGame::note_catches(const Table& before) {
    for (std::size_t i = 0; i < kAliens && before.arrivals != 0; ++i) {
        if (before.seed != table_.seed || before.aliens[i] == table_.aliens[i]) continue;
        catches_.push_back({screen_.aliens[i].position, screen_.tick});
        if (catches_.size() > kMostCatches) catches_.erase(catches_.begin());
    }
}

// --- catching ---

void SnagGame::snag(Commands& peer) {
    const Table before = table_;
    if (table_id_) {
        aliens_.advance(table_, peer.session_time());
        screen_.aliens = aliens_.aliens();
    }
    const bool snagged = own_.snagging && !was_snagging_;
    screen_.ships[options_.ship].snagging = own_.snagging;
    for (std::size_t i = 0; snagged && table_id_ && i < kAliens; ++i) {
        if (is_enclosed(screen_, screen_.aliens[i])) take(peer, before.aliens[i].number);
    }
    was_snagging_ = own_.snagging;
    note_catches(before);
}

void SnagGame::take(Commands& peer, std::uint32_t number) {
    if (options_.ship == 0) {
        if (take_alien(table_, number, peer.session_time())) publish_table(peer);
        return;
    }
    if (open_.size() >= kMostOpen) return;
    if (const auto request = peer.interact(ship_id_, *table_id_, Claim{number})) open_.insert(*request);
}

void SnagGame::publish_table(Commands& peer) {
    (void)peer.update(*table_id_, state_of(Pose{}, table_, kTableType));
}

/// The other player's screen counts: what it saw in the loop is caught, unless it was caught before.
void SnagGame::handle(Commands& peer, const Asked& asked) {
    const auto claim = asked.as<Claim>();
    const bool is_table = table_id_ && asked.target == *table_id_;
    const Table before = table_;
    if (claim && is_table && take_alien(table_, claim->number, peer.session_time())) publish_table(peer);
    note_catches(before);
    (void)peer.answer(asked.request, std::span<const std::uint8_t>{});
}

// --- what the players tell each other ---

void SnagGame::adopt(const Choice& choice) {
    if (choice == choice_) return;
    choice_ = choice;
    has_new_choice_ = true;
    const Consistency consistency = consistency_of(choice);
    buckets_ = InputBuckets{consistency, kKeys};
    sends_inputs_ = uses_inputs(consistency);
}

void SnagGame::follow_choice(Commands& peer) {
    if (wanted_) {
        const Choice chosen = *std::exchange(wanted_, std::nullopt);
        adopt(chosen);
        const std::string text = "Both ships: " + describe(chosen);
        tell(peer, Audience::everyone(), {.has_choice = true, .choice = chosen, .text = text});
        hear(text);
    }
    if (!to_announce_.empty()) {
        const std::string text = "Player " + std::to_string(options_.ship + 1) + ": " +
                                 std::exchange(to_announce_, {}).substr(0, Notice::kMostBytes / 2);
        tell(peer, Audience::everyone(), {.text = text});
        hear(text);
    }
    // Also after a choice of the other player.
    if (std::exchange(has_new_choice_, false)) (void)peer.set_consistency(ship_id_, consistency_of(choice_));
}

void SnagGame::tell(Commands& peer, const Audience& audience, const Notice& notice) {
    (void)peer.send(notice, audience, Delivery::ordered);
}

void SnagGame::hear(const std::string& text) {
    notice_ = text;
    noticed_at_ = screen_.tick;
}

void SnagGame::handle(Commands& peer, const PeerJoined& joined) {
    has_partner_ = had_partner_ = true;
    if (options_.ship == 0)
        tell(peer, Audience::only(joined.peer), {.has_choice = true, .choice = choice_, .text = ""});
}

void SnagGame::handle(Commands&, const Message& message) {
    const auto notice = message.as<Notice>();
    if (!notice) return;
    if (notice->has_choice) adopt(notice->choice);
    if (!notice->text.empty()) hear(notice->text);
}

void SnagGame::event(Commands& peer, const Event& event) {
    std::visit([&](const auto& one) { handle(peer, one); }, event);
}

}  // namespace fray::snagger
