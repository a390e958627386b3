#include "games/panzer/match/udp_match.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace fray::panzer {

namespace {

constexpr Duration kProgressEvery{100ms};
/// Between two looks at the sockets, if several players share the process. Waiting on one of them would run
/// its peer's frame without its game's.
constexpr Duration kTurn{1ms};

}  // namespace

struct UdpMatch::Seat {
    Seat(UdpPeer opened, const Battlefield& field, const NavQuery& query, const MatchOptions& match,
         const PlayerOptions& player, ScreenRecorder* recorder)
        : peer{std::move(opened)}, game{make_player_game(field, query, match, player, recorder)} {}

    UdpPeer peer;
    std::unique_ptr<PlayerGame> game;
    Instant now{};  // of its last turn
};

UdpMatch::UdpMatch() = default;
UdpMatch::UdpMatch(UdpMatch&&) noexcept = default;
UdpMatch& UdpMatch::operator=(UdpMatch&&) noexcept = default;
UdpMatch::~UdpMatch() = default;

Result<UdpMatch> UdpMatch::open(const Battlefield& field, const NavMesh& mesh, const MatchOptions& match,
                                std::vector<PlayerOptions> players, const Place& place,
                                ScreenRecorder* recorder) {
    if (auto checked = match.check(field.map()); !checked) return checked.error();
    if (players.empty()) return Error{"a match needs a player in every process"};
    UdpMatch made;
    made.query_ = std::make_unique<NavQuery>(mesh);
    made.guide_ = std::make_unique<TankGuide>(TankGuide{&field, made.query_.get()});
    for (PlayerOptions& player : players) {
        const bool is_first = made.seats_.empty();
        player.begins = is_first && place.join.empty();
        const std::uint16_t port = is_first ? place.port : std::uint16_t{0};
        auto peer = UdpPeer::open(peer_options(field, match, player, made.guide_.get()),
                                  {.port = port, .bind_address = place.bind_address});
        if (!peer) return peer.error();
        if (!player.begins) {
            const std::string entry = place.join.empty() ? to_string(made.address()) : place.join;
            if (auto joined = peer->join(entry); !joined) return joined.error();
        }
        made.seats_.push_back(std::make_unique<Seat>(std::move(*peer), field, *made.query_, match, player,
                                                     is_first ? recorder : nullptr));
    }
    return made;
}

Address UdpMatch::address() const { return seats_.front()->peer.local_address(); }

Result<void> UdpMatch::run(const std::function<bool(double)>& progress) {
    Instant next_progress = Instant::min();
    const auto is_over = [](const auto& seat) { return seat->game->is_over(); };
    while (!std::ranges::all_of(seats_, is_over)) {
        Instant now{};
        for (const auto& seat : seats_) {
            now = seat->now = seat->peer.play(*seat->game, seats_.size() == 1 ? kProgressEvery : Duration{});
            if (const auto& refused = seat->game->refused())
                return Error{"cannot join the match at " + to_string(refused->address) + ": " +
                             std::string{to_string(refused->reason)}};
        }
        if (seats_.size() > 1) std::this_thread::sleep_for(kTurn);
        if (now < next_progress) continue;
        next_progress = now + kProgressEvery;
        if (progress && !progress(seats_.front()->game->progress())) break;
    }
    for (const auto& seat : seats_) seat->peer.leave();
    return {};
}

void UdpMatch::tune(const Tuning& tuning) {
    for (const auto& seat : seats_) (void)seat->peer.peer().tune(seat->now, tuning);
}

void UdpMatch::set_conditions(const UdpConditions& conditions) {
    for (const auto& seat : seats_) seat->peer.set_conditions(conditions);
}

void UdpMatch::set_consistency(const Consistency& consistency) {
    for (const auto& seat : seats_) {
        Peer& peer = seat->peer.peer();
        if (const auto tank = tank_of(peer)) (void)peer.set_consistency(seat->now, *tank, consistency);
    }
}

std::vector<MatchReport> UdpMatch::reports() const {
    std::vector<MatchReport> all;
    for (const auto& seat : seats_) all.push_back(seat->game->report());
    return all;
}

}  // namespace fray::panzer
