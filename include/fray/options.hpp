#pragma once
// Everything a peer can be told at birth. Defaults suit a game at 20 Hz on a home connection.

#include <fray/consistency.hpp>
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

/// Overlay: pSense (A. Schmieg et al., 2008). Links only with who is in sight (near nodes) and, in every
/// direction, with the closest one beyond it (sensor nodes): an open world of any size. A round is a
/// World::tick. The defaults are what we recommend; paper() gives the publication.
struct PSense {
    float vision_range = 200;     ///< units; how far this peer sees
    float margin = 20;            ///< neighbours are learnt so much before they come into view; paper: 0
    std::uint8_t sectors = 8;     ///< in the ground plane, one sensor node in each
    std::uint8_t hop_limit = 3;   ///< an update travels no further among those who see its originator
    std::uint8_t backups = 1;     ///< further sensor nodes remembered per sector; paper: 0
    std::uint16_t contacts = 24;  ///< remembered for when everybody else is lost; paper: 0
    std::uint16_t sensor_interval = 8;  ///< rounds between two words to a sensor node; paper: 1
    std::uint16_t lists_per_round =
        1;  ///< copies of an update that carry the receiver list; 0: every one (paper)
    std::uint32_t paper_cap_bytes =
        0;  ///< cap per round in bytes of the paper's marshalling; 0: the real upload
    /// What an update takes in it, without the 4 bytes per receiver on its list; the paper does not say.
    std::uint8_t paper_update_bytes = 50;
    /// Whoever falls silent is doubted before its link times out, whoever was only named by others is no
    /// sensor node until it answers, and while much is unknown everybody is asked in every round. Paper: no.
    bool watchful = true;
    float most_vision = 0;  ///< nobody is believed to see further, in units; 0: four times our vision range
    [[nodiscard]] static PSense paper(float vision_range, std::uint32_t cap_bytes) {
        return {.vision_range = vision_range,
                .margin = 0,
                .backups = 0,
                .contacts = 0,
                .sensor_interval = 1,
                .lists_per_round = 0,
                .paper_cap_bytes = cap_bytes,
                .watchful = false};
    }
};
using OverlayOptions = std::variant<FullMesh, PSense>;

/// Interest: every update to everybody; what the upload does not carry goes out in turns.
struct Broadcast {};
/// Interest: what the upload does not carry is chosen at random, anew every frame (pSense).
struct RandomChoice {
    enum class Drop : std::uint8_t { evenly, forwards_first, own_first };
    Drop drop = Drop::evenly;  ///< updates of others that we pass on, our own, or whatever comes
};
/// Interest: the nearest first, but who went without moves up, so that nobody is left out for good.
struct Nearest {};
using InterestOptions = std::variant<Broadcast, RandomChoice, Nearest>;

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
    /// Replica::corrections of every entity. Else only of those for which their owner chose an algorithm: the
    /// plain way of going on remembers nothing, which is what makes it cheap.
    bool count_corrections = false;
    Consistency consistency{};  ///< of our entities, where set_consistency() says nothing else

    /// Says the first value that cannot be.
    [[nodiscard]] Result<void> check() const;
};

}  // namespace fray
