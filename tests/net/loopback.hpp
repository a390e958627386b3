#pragma once
// Peers on real sockets of this machine. Waits are bounded, and long, because a busy machine is no error.

#include <fray/udp_driver.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fray::loopback {

inline constexpr std::chrono::seconds kPatience{20};
inline constexpr const char* kIpv4 = "127.0.0.1";

/// A peer with its driver. The peer is behind a pointer because it must not move.
struct Player {
    std::unique_ptr<Peer> peer;
    std::unique_ptr<UdpDriver> driver;
    std::vector<Event> events{};

    [[nodiscard]] std::string address() const { return to_string(driver->local_address()); }
    [[nodiscard]] bool sees(const Player& other) const {
        for (const PeerId& id : peer->peers()) {
            if (id == other.peer->id()) return true;
        }
        return false;
    }
    /// The first event of this kind so far, or nothing.
    template <class Kind>
    [[nodiscard]] const Kind* event() const {
        for (const Event& event : events) {
            if (const auto* found = std::get_if<Kind>(&event)) return found;
        }
        return nullptr;
    }
};

inline Player make_player(std::uint64_t number, PeerOptions options = {},
                          const UdpOptions& udp = {.bind_address = kIpv4}) {
    options.id = PeerId::from_number(number);
    SecretKey key;
    key.bytes[0] = static_cast<std::uint8_t>(number);
    auto peer = Peer::create(std::move(options), key);
    EXPECT_TRUE(peer.has_value());
    Player player{.peer = std::make_unique<Peer>(std::move(*peer)), .driver = nullptr};
    auto driver = UdpDriver::open(*player.peer, udp);
    EXPECT_TRUE(driver.has_value()) << (driver ? "" : driver.error().message);
    if (driver) player.driver = std::make_unique<UdpDriver>(std::move(*driver));
    return player;
}

/// Runs all players until the condition holds; false after a timeout.
template <class Condition>
[[nodiscard]] bool run_until(std::initializer_list<Player*> players, Condition&& holds) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > end) return false;
        for (Player* player : players) {
            player->driver->wait(1ms);
            while (auto event = player->peer->poll_event()) player->events.push_back(std::move(*event));
        }
    }
    return true;
}

}  // namespace fray::loopback
