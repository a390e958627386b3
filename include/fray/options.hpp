#pragma once
// Everything a peer can be told at birth. Defaults suit a game at 20 Hz on a home connection.

#include <fray/ids.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>
#include <fray/world.hpp>

#include <cstdint>
#include <variant>

namespace fray {

/// Overlay: everybody is linked with everybody. The baseline, right for up to a few dozen peers.
struct FullMesh {
    std::uint32_t most_peers = 1024;  ///< further ones are refused (Reason::full)
    Duration retry{500ms};            ///< how often a silent contact is called again, at first
    Duration retry_most{2s};          ///< and after it did not answer for long
    Duration forget{120s};            ///< how long a lost contact is called
};
using OverlayOptions = std::variant<FullMesh>;

/// Interest: every update to everybody; what the upload does not carry goes out in turns.
struct Broadcast {};
using InterestOptions = std::variant<Broadcast>;

struct LinkOptions {
    /// All bytes, UDP and IP headers included. 0: no limit.
    std::uint32_t upload_kbps = 0;
    /// Instead of a rate: bytes per frame, sent at once, without pacing (the simulator's round mode). 0: use
    /// the rate.
    std::uint32_t upload_bytes_per_round = 0;
    Duration timeout{5s};     ///< silence after which a link is dropped
    Duration keep_alive{1s};  ///< silence after which we say something
    /// Messages may ride in the very first datagram to a peer, before it has answered. Saves a round trip and
    /// gives up the proof that the other side owns its address: for round mode and closed networks.
    bool early_data = false;
    std::uint16_t most_links = 4096;
};

struct ClockOptions {
    Duration interval{1s};  ///< between two exchanges once settled; ten times as often at first
};

struct PeerOptions {
    PeerId id{};                ///< all zero: drawn from the seed
    Incarnation incarnation{};  ///< zero: drawn from the seed
    World world{};
    OverlayOptions overlay{FullMesh{}};
    InterestOptions interest{Broadcast{}};
    LinkOptions link{};
    ClockOptions clock{};

    /// Says the first value that cannot be.
    [[nodiscard]] Result<void> check() const;
};

}  // namespace fray
