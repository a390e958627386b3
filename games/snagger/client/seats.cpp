#include "games/snagger/client/seats.hpp"

#include <cstdio>

namespace fray::snagger::client {

namespace {

constexpr Seed kPilots{7};
constexpr const char* kThisMachine = "127.0.0.1";

std::string why_refused(const Refused& refused, const std::string& address) {
    switch (refused.reason) {
        case Reason::timed_out:
            return "Nobody answers at " + address + ". Is the address right, and is a game open there?";
        case Reason::own_id:
        case Reason::full:
            return "Two players are at " + address + " already.";
        case Reason::world_mismatch:
            return "At " + address + " another game is played.";
        case Reason::version_mismatch:
            return "The game at " + address + " is of another version.";
        default:
            return "The game at " + address + " cannot be joined: " + std::string{to_string(refused.reason)} +
                   ".";
    }
}

std::string describe(const UdpConditions& c) {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "adds %d ms of delay, %d ms of jitter, %.0f %% loss",
                  static_cast<int>(micros(c.lag) / 1000), static_cast<int>(micros(c.jitter) / 1000),
                  c.loss * 100);
    return text.data();
}

}  // namespace

Seats::Seat::Seat(UdpPeer opened, const SnagOptions& options)
    : peer{std::move(opened)}, pilot{options.ship, kPilots} {
    game = std::make_unique<SnagGame>(
        options, [this](const snagger::Game& screen) { return is_idle ? pilot.play(screen) : keys; });
}

Seats::~Seats() {
    for (const auto& seat : seats_) {
        seat->peer.set_conditions({});
        seat->peer.leave();
    }
}

Result<std::unique_ptr<Seats>> Seats::open(const SeatOptions& options) {
    std::unique_ptr<Seats> seats{new Seats{options}};
    const bool is_guest = options.kind == SeatKind::join;
    if (const auto added = seats->add_seat(is_guest ? 1 : 0); !added) return added.error();
    if (is_guest) {
        if (const auto joined = seats->join(options.address); !joined)
            return Error{"\"" + options.address + "\" is no address to join: " + joined.error().message +
                         ". It looks like 192.168.0.12:7778."};
    }
    if (options.kind == SeatKind::keyboard) {
        if (const auto added = seats->add_seat(1); !added) return added.error();
        if (const auto joined = seats->join(std::string{kThisMachine} + ":" + std::to_string(seats->port()));
            !joined)
            return joined.error();
    }
    seats->conditions_ = options.conditions;
    seats->seats_.back()->peer.set_conditions(options.conditions);
    return seats;
}

Result<void> Seats::add_seat(std::size_t ship) {
    const SnagOptions game{.ship = ship, .seed = options_.seed, .choice = options_.choice};
    const bool is_local = options_.kind == SeatKind::keyboard ||
                          (options_.kind == SeatKind::join && options_.address.starts_with("127."));
    UdpOptions udp{.port = 0, .bind_address = is_local ? kThisMachine : ""};
    if (options_.kind == SeatKind::host) udp.port = options_.port;
    auto peer = UdpPeer::open(peer_options(game), udp);
    if (!peer) {
        if (udp.port != 0)
            return Error{"Port " + std::to_string(udp.port) + " cannot be used (" + peer.error().message +
                         "). Choose another one."};
        return Error{"The network cannot be used: " + peer.error().message};
    }
    seats_.push_back(std::make_unique<Seat>(std::move(*peer), game));
    return {};
}

Result<void> Seats::join(const std::string& address) { return seats_.back()->peer.join(address); }

void Seats::press(std::size_t ship, const Input& keys, bool is_idle) {
    for (const auto& seat : seats_) {
        if (seat->game->ship() != ship) continue;
        seat->keys = keys;
        seat->is_idle = is_idle;
    }
}

void Seats::pump() {
    if (!failure_.empty()) return;
    for (const auto& seat : seats_) (void)seat->peer.play(*seat->game, Duration{});
    find_trouble();
}

void Seats::find_trouble() {
    for (const auto& seat : seats_) {
        if (const auto& refused = seat->game->refused())
            failure_ = why_refused(*refused, options_.address);
        else if (seat->game->is_abandoned())
            failure_ = "The other player is gone, or the connection was lost.";
    }
}

/// At one keyboard only one of the two sockets adds them: otherwise each way would be as long as two.
void Seats::set_conditions(const UdpConditions& conditions) {
    if (conditions == conditions_) return;
    conditions_ = conditions;
    seats_.back()->peer.set_conditions(conditions);
    seats_.back()->game->announce(describe(conditions));
}

}  // namespace fray::snagger::client
