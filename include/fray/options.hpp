#pragma once
// All options of a peer, fixed at creation. The defaults suit a game at 20 Hz on a home connection.

#include <fray/attention.hpp>
#include <fray/consistency.hpp>
#include <fray/guide.hpp>
#include <fray/ids.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>
#include <fray/world.hpp>

#include <cstdint>
#include <variant>

namespace fray {

/// Overlay: every peer is linked with every other. The baseline, suited to a few dozen peers.
struct FullMesh {
    std::uint32_t most_peers = 1024;  ///< at least 1; further peers are refused (Reason::full)
    Duration retry{500ms};            ///< first pause between two calls of a silent contact; at least 10 ms
    Duration retry_most{2s};          ///< longest pause: the back-off doubles up to it
    Duration forget{120s};            ///< a lost contact is called for this long; retry_most to 24 h
};

/// Overlay: pSense (A. Schmieg et al., 2008), for open worlds of any size. A peer is linked with the peers in
/// sight (near nodes) and, in each sector, with the closest peer beyond them (sensor node). A round is one
/// World::tick. The defaults are recommended; paper() gives the published algorithm.
struct PSense {
    float vision_range = 200;     ///< units; how far this peer sees; at most the diagonal of the world
    float margin = 20;            ///< units; peers are learnt this far before they come into view; paper: 0
    std::uint8_t sectors = 8;     ///< of the ground plane, 1 to 64; one sensor node in each
    std::uint8_t hop_limit = 3;   ///< 1 to 15; hops of an update among the peers that see its originator
    std::uint8_t backups = 1;     ///< spare sensor nodes remembered per sector, at most 8; paper: 0
    std::uint16_t contacts = 24;  ///< contacts kept for when all links are lost, at most 1024; paper: 0
    std::uint16_t sensor_interval = 8;  ///< rounds between two requests to a sensor node; paper: 1
    std::uint16_t lists_per_round = 1;  ///< copies of an update that carry the receiver list; 0: all (paper)
    /// Upload cap per round, in bytes of the paper's marshalling. 0: the real upload.
    std::uint32_t paper_cap_bytes = 0;
    /// Size of an update under that cap, without 4 bytes per receiver on its list. The paper does not say.
    std::uint8_t paper_update_bytes = 50;
    /// Detects silence: marks silent peers suspect before their links time out, uses a contact as sensor node
    /// only after it has answered, and asks in every round while much is unknown. Paper: false.
    bool watchful = true;
    float most_vision = 0;  ///< units; larger vision ranges of others are cut to it; 0: 4 x vision_range
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
/// Overlay: hundreds of mutually visible peers without a full mesh. Peers are in rows. A peer is linked with
/// its row and sends it a state per interval; for each peer outside of the row, one member of the row bundles
/// the newest states of all members. So everybody knows everybody through at most one other peer. Peers that
/// pay attention to each other (a policy says so) are linked and get every update. Peer::peers() and
/// PeerJoined name linked peers only; replicas are of all.
struct Crowd {
    std::uint16_t most_peers = 4096;  ///< known at most, 2 to 16,384
    std::uint16_t most_links = 256;   ///< at least 16; further peers are refused (Reason::full)
    Duration interval{800ms};         ///< of the states of a peer out of focus; 100 ms to 2 s
};
using OverlayOptions = std::variant<FullMesh, PSense, Crowd>;

/// Interest: every update goes to every peer; if the upload does not suffice, peers take turns.
struct Broadcast {};
/// Interest: if the upload does not suffice, random updates are dropped, drawn anew every frame (pSense). An
/// update longer than what the upload carries in a frame is never sent.
struct RandomChoice {
    enum class Drop : std::uint8_t { evenly, forwards_first, own_first };
    Drop drop = Drop::evenly;  ///< dropped first: any update, forwards of other peers' updates, or own ones
};
/// Interest: if the upload does not suffice, nearest first. A peer at the edge of sight weighs a quarter of
/// one next to the entity; the weight of a peer grows while it waits, so none starves. Sight is
/// PSense::vision_range; in a full mesh, half the diagonal of the world.
struct Nearest {};
/// Interest: focus sets (Donnybrook, section III-A). The peers whose players pay this peer's player the most
/// attention get every frame; the rest of the upload goes to those updated least recently. Every peer tells
/// the others its attention, whether or not their upload is short. The defaults are recommended; paper()
/// gives the published policy.
struct FocusSet {
    /// F_alpha: share of each frame's bytes for the focus set, 0 to 1. What it does not need goes to the
    /// others.
    float bandwidth_share = 0.9F;
    /// The focus set shrinks, but not below `least_focus`, so that every other peer gets an update in this
    /// time as well. At most 60 s. 0: never (paper).
    Duration most_gap{950ms};
    /// Peers, as far as the upload carries them. Four make a game enjoyable (section IV-C); one changes.
    std::uint16_t least_focus = 5;
    AttentionWeights weights{};   ///< unless Peer::set_attention() states others
    float d_max = 0;              ///< units; from there on, proximity is 0. 0: half the diagonal of the world
    Duration aim_average{500ms};  ///< time constant of the moving average of the aim, 1 ms to 60 s
    Duration interval{100ms};     ///< between two estimates of the attention on one peer; at most 60 s
    [[nodiscard]] static FocusSet paper(float bandwidth_share) {
        return {.bandwidth_share = bandwidth_share, .most_gap = Duration{0}, .least_focus = 0};
    }
};
using InterestOptions = std::variant<Broadcast, RandomChoice, Nearest, FocusSet>;

struct LinkOptions {
    /// Upload limit, UDP and IP headers included; at most 10,000,000. 0: no limit.
    std::uint32_t upload_kbps = 0;
    /// Instead of a rate: bytes per frame, at least 256, sent without pacing (the simulator's round mode).
    /// 0: use the rate.
    std::uint32_t upload_bytes_per_round = 0;
    Duration timeout{5s};     ///< silence after which a link is dropped; 4 ticks to 600 s
    Duration keep_alive{1s};  ///< idle time after which a datagram is sent; one tick to timeout / 2
    /// Puts messages into the first datagram to a peer, before it answers. Saves a round trip, but gives up
    /// the proof that the other side owns its address: only for round mode and closed networks.
    bool early_data = false;
    std::uint16_t most_links = 4096;  ///< at least 1

    /// Returns an error naming the first invalid value. `tick`: of the world.
    [[nodiscard]] Result<void> check(Duration tick) const;
};

struct ClockOptions {
    Duration interval{1s};  ///< between two exchanges, 100 ms to 60 s; a tenth of it until the clock settles
};

/// What a game may change while its peer runs, with Peer::tune(): for experiments, and for players that watch
/// the netcode at work.
struct Tuning {
    std::uint32_t upload_kbps = 0;  ///< replaces LinkOptions::upload_kbps
    /// False: the FocusSet policy has no focus set, and all receivers take turns. Other policies ignore it.
    bool focus_sets = true;
    /// False: replicas are shown without their guides, and no guidance is told. True changes nothing for a
    /// peer that was created without guidance.
    bool guidance = true;
    friend constexpr bool operator==(const Tuning&, const Tuning&) = default;
};

struct PeerOptions {
    PeerId id{};                ///< all zero: drawn from the seed
    Incarnation incarnation{};  ///< zero: drawn from the seed
    World world{};
    OverlayOptions overlay{FullMesh{}};
    InterestOptions interest{Broadcast{}};
    LinkOptions link{};
    ClockOptions clock{};
    /// Counts Replica::corrections for every entity. By default they are counted only for entities whose
    /// owner chose an algorithm other than plain EverQuest, because plain extrapolation keeps no history.
    bool count_corrections = false;
    Consistency consistency{};  ///< of this peer's entities, unless set_consistency() chooses another
    GuidanceOptions guidance{};

    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
};

}  // namespace fray
