#include "games/panzer/client/live_battle.hpp"

#include "games/panzer/client/lan_address.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace fray::panzer::client {

namespace {

constexpr std::uint32_t kMostPlayers = 64;
constexpr int kMostAttempts = 12;
constexpr Duration kLonely{6s};  // without any link, in a battle of others

/// Numbers of people who join lie above those of bots: nobody knows which are free.
std::uint32_t random_seat(std::uint32_t seats) {
    std::random_device device;
    const std::uint32_t low = seats > 4 ? seats / 2 : 1;
    return low + device() % std::max(1U, seats - low);
}

std::string why_refused(const Refused& refused, const std::string& address) {
    switch (refused.reason) {
        case Reason::timed_out:
            return "Nobody answers at " + address + ". Is the address right, and is a battle open there?";
        case Reason::world_mismatch:
            return "The battle at " + address +
                   " uses another map, mode or netcode. Choose the same and join again.";
        case Reason::version_mismatch:
            return "The battle at " + address + " runs another version of the game.";
        case Reason::overlay_mismatch:
            return "The battle at " + address + " uses another network overlay.";
        case Reason::own_id:
            return "The place for you at " + address + " is taken.";
        case Reason::full:
            return "The battle at " + address + " is full.";
        default:
            return "The battle at " + address +
                   " cannot be joined: " + std::string{to_string(refused.reason)} + ".";
    }
}

}  // namespace

std::uint32_t seats_of(const Map& map, MatchOptions match) {
    for (std::uint32_t seats = kMostPlayers; seats > 2; --seats) {
        match.players = seats;
        if (match.check(map)) return seats;
    }
    return 2;
}

LiveBattle::LiveBattle(const Battlefield& field, const NavMesh& mesh, const LiveOptions& options)
    : field_{&field},
      mesh_{&mesh},
      options_{options},
      query_{mesh},
      guide_{&field, &query_},
      pilot_{field.map(), query_} {
    options_.match.players = seats_of(field.map(), options.match);
    options_.bots = std::min(options_.bots, options_.match.players - 1);
}

LiveBattle::~LiveBattle() { (void)leave(); }

Result<std::unique_ptr<LiveBattle>> LiveBattle::open(const Battlefield& field, const NavMesh& mesh,
                                                     const LiveOptions& options) {
    std::unique_ptr<LiveBattle> battle{new LiveBattle{field, mesh, options}};
    if (const auto fits = battle->options_.match.check(field.map()); !fits) return fits.error();
    battle->number_ = options.seat           ? *options.seat
                      : options.join.empty() ? 0
                                             : random_seat(battle->options_.match.players);
    if (const auto opened = battle->open_seat(); !opened) return opened.error();
    if (battle->options_.bots > 0 && options.join.empty()) battle->start_bots();
    return battle;
}

Result<void> LiveBattle::open_seat() {
    PlayerOptions player;
    player.number = number_;
    player.begins = options_.join.empty();
    player.name = options_.name;
    player.pilot = &pilot_;
    const UdpOptions udp{.port = options_.port, .bind_address = options_.is_open ? "" : "127.0.0.1"};
    const bool is_local = options_.join.starts_with("127.") || options_.join.empty();
    UdpOptions bind = udp;
    if (!options_.join.empty()) bind = {.port = 0, .bind_address = is_local ? "127.0.0.1" : ""};
    auto peer = UdpPeer::open(peer_options(*field_, options_.match, player, &guide_), bind);
    if (!peer) {
        if (options_.port != 0 && options_.join.empty())
            return Error{"Port " + std::to_string(options_.port) + " cannot be used (" +
                         peer.error().message + "). Choose another one."};
        return Error{"The network cannot be used: " + peer.error().message};
    }
    if (!options_.join.empty()) {
        if (const auto joined = peer->join(options_.join); !joined)
            return Error{"\"" + options_.join + "\" is no address to join: " + joined.error().message +
                         ". It looks like 192.168.0.12:7777."};
    }
    if (!options_.record.empty())
        recorder_ = std::make_unique<ScreenRecorder>(
            screen_header(field_->map(), options_.match.mode, options_.match.seed, number_, options_.name));
    peer_.emplace(std::move(*peer));
    peer_->set_conditions(options_.conditions);
    game_ = std::make_unique<WatchedGame>(
        make_player_game(*field_, query_, options_.match, player, recorder_.get()), options_.match,
        options_.name);
    return {};
}

/// The bots join as any player does. They see nothing of this process but the map.
void LiveBattle::start_bots() {
    std::vector<PlayerOptions> players;
    const std::uint32_t first = std::max(1U, options_.match.people);
    for (std::uint32_t i = 0; i < options_.bots; ++i) players.push_back(bot_player(first + i));
    // Players of other machines must reach the bots, too.
    const std::string own = options_.is_open ? lan_address() : "127.0.0.1";
    const std::string entry = own + ":" + std::to_string(peer_->local_address().port);
    bots_ = std::jthread{[this, players = std::move(players), own, entry,
                          match = options_.match](const std::stop_token& stop) {
        auto crowd = UdpMatch::open(*field_, *mesh_, match, players, {.bind_address = own, .join = entry});
        const auto goes_on = [&](double) {
            follow_orders(*crowd);
            return !stop.stop_requested();
        };
        if (crowd) crowd->set_conditions(options_.conditions);
        const auto played = crowd ? crowd->run(goes_on) : Result<void>{crowd.error()};
        if (played) return;
        const std::lock_guard lock{bots_mutex_};
        bots_failure_ = "The bots cannot play: " + played.error().message;
    }};
}

void LiveBattle::follow_orders(UdpMatch& crowd) {
    BotOrders orders;
    {
        const std::lock_guard lock{bots_mutex_};
        orders = std::exchange(bot_orders_, {});
    }
    if (orders.tuning) crowd.tune(*orders.tuning);
    if (orders.consistency) crowd.set_consistency(*orders.consistency);
}

void LiveBattle::tune(const Tuning& tuning) {
    if (now_ == Instant{}) now_ = peer_->pump();
    (void)peer_->peer().tune(now_, tuning);
    const std::lock_guard lock{bots_mutex_};
    bot_orders_.tuning = tuning;
}

void LiveBattle::set_consistency(const Consistency& consistency) {
    game_->choose(consistency);
    const std::lock_guard lock{bots_mutex_};
    bot_orders_.consistency = consistency;
}

void LiveBattle::pump(const Input& input, bool is_idle) {
    if (!failure_.empty() || has_left_) return;
    pilot_.set(input, is_idle);
    now_ = peer_->play(*game_, Duration{});
    if (opened_at_ == Instant{}) opened_at_ = now_;
    if (game_->frames() != seen_frames_) {
        seen_frames_ = game_->frames();
        ticked_at_ = now_;
    }
    find_trouble(now_);
}

void LiveBattle::find_trouble(Instant now) {
    if (const auto& refused = game_->refused()) {
        const bool can_try = !options_.seat && attempts_ < kMostAttempts;
        if (refused->reason == Reason::own_id && can_try) return try_other_number();
        failure_ = why_refused(*refused, options_.join);
        return;
    }
    {
        const std::lock_guard lock{bots_mutex_};
        if (!bots_failure_.empty()) failure_ = std::exchange(bots_failure_, {});
    }
    const bool has_links = !peer_->peer().peers().empty();
    had_links_ = had_links_ || has_links;
    if (has_links || !had_links_) {
        alone_since_.reset();
        return;
    }
    if (!alone_since_) alone_since_ = now;
    if (!options_.join.empty() && now - *alone_since_ > kLonely && !game_->is_over())
        failure_ = "The connection to all other players was lost.";
}

/// Somebody has this number already.
void LiveBattle::try_other_number() {
    ++attempts_;
    number_ = random_seat(options_.match.players);
    peer_.reset();
    if (const auto opened = open_seat(); !opened) failure_ = opened.error().message;
}

void LiveBattle::show_now(Moment& moment) const {
    const Duration tick = options_.match.time_warp ? kWarpFrame : Duration{50ms};
    const auto share = static_cast<float>(seconds(now_ - ticked_at_) / seconds(tick));
    if (game_->frames() < 2)
        moment = game_->latest();
    else
        mix(game_->previous(), game_->latest(), std::clamp(share, 0.0F, 1.0F), moment);
}

Result<void> LiveBattle::leave() {
    if (std::exchange(has_left_, true)) return {};
    if (bots_.joinable()) bots_.request_stop();
    if (peer_) peer_->leave();
    if (bots_.joinable()) bots_.join();
    if (!recorder_) return {};
    if (const auto saved = recorder_->save(options_.record, sim::Overwrite::yes); !saved)
        return Error{"The recording is not saved: " + saved.error().message};
    return {};
}

}  // namespace fray::panzer::client
