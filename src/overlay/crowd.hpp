#pragma once
// Many mutually visible peers, each with about three times sqrt(N) links.
//
// The roster is in rows of about sqrt(N) peers. A peer is linked with its whole row, and gives it a state per
// interval. Of each other row, it chooses one member as its relay: by weighted rendezvous hashing, so that
// all members are chosen about as often as they can carry. It calls that member and wants its row; the member
// then bundles the newest states of the row for it, once per interval. A relay that stays silent or refuses
// is replaced at once, any other one after a while, so that none can harm anybody for long.
//
// The roster spreads by gossip: digests, names, introductions. A name in a bundle that its receiver does not
// know is asked for. A link without a duty is dropped.

#include <fray/options.hpp>
#include <fray/random.hpp>

#include "overlay/crowd_gossip.hpp"
#include "overlay/crowd_sources.hpp"
#include "overlay/crowd_streams.hpp"
#include "overlay/overlay.hpp"
#include "overlay/roster.hpp"

#include <functional>
#include <vector>

namespace fray {

class CrowdOverlay final : public Overlay {
public:
    CrowdOverlay(const Crowd& options, const World& world, PeerId self, Seed seed);

    [[nodiscard]] std::size_t room() const override {
        return options_.most_links - std::min<std::size_t>(options_.most_links, up_.size());
    }
    void handle_link_up(Instant now, const LinkUp& link) override;
    void handle_link_down(Instant now, const LinkDown& link) override;
    void handle_alive(Instant now, LinkNumber link) override;
    void handle_sighting(Instant now, LinkNumber link, const Sighting& sighting) override;
    void forget_link(LinkNumber link) override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    [[nodiscard]] std::optional<PeerId> handle_bundled(Instant now, LinkNumber from,
                                                       const BundledPeer& peer) override;
    void want(Instant now, const PeerId& peer) override;
    void round(Instant now, const std::optional<Vec3>& self, std::size_t bytes,
               OverlayActions& actions) override;
    void candidates(std::span<const News> news, std::vector<Candidate>& out) override;
    void dispatch(Instant now, std::span<const Candidate> chosen, OverlayActions& actions) override;
    [[nodiscard]] bool must_pass_on() const override { return !passing_.empty(); }
    void pass_on(Instant now, OverlayActions& actions) override;
    void handle_unsent(LinkNumber link) override {
        if (Linked* linked = linked_.find(link)) linked->served = -1;
    }
    void handle_bundle_queued(std::size_t members, std::size_t bytes) override;
    [[nodiscard]] bool stays_known(const LinkDown& link) const override;
    [[nodiscard]] std::optional<Duration> late_ack_delay(LinkNumber link) const override;
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    static constexpr Duration kTendInterval{100ms};
    struct Stream {
        std::uint32_t origin = 0;  // its name
        Instant until{};
        std::size_t bytes = 0;  // in a frame
    };
    struct Linked {
        Contact contact;
        std::uint32_t name = 0;
        std::optional<Vec3> position;
        Instant since{};
        Instant needed{};  // when it last had a duty
        Instant heard{};
        Instant fresh = Instant::min();             // when a state of it arrived last
        std::int64_t served = -1;                   // turn in which it got our own state
        std::int64_t bundled_turn = -1;             // turn of its last bundle, ...
        Instant bundled = Instant::min();           // ... and when that was
        Instant subscribed_until = Instant::min();  // it wants bundles of our row
        Instant feeds_until = Instant::min();       // it gets every update, or its stripes
        Instant wants_told = Instant::min();        // when we last told it what we want
        Instant parts_at = Instant::max();          // it is told that we drop the link
        std::uint8_t told_fan_out = 0;
        unsigned stripes = 0;  // of our updates that it passes on
        bool is_up = false;
        bool wants_row = false;  // it was told that we want its row
        bool refuses_row = false;
        std::uint8_t refusals = 0;    // it was refused by so many others of our row, as it says
        std::vector<Stream> streams;  // it wants every update of these
        std::vector<std::uint32_t> refused_streams;  // ascending; it is to be told
        std::vector<std::uint32_t> wants_streams;    // it was told that we want every update of these

        [[nodiscard]] bool gets_row(Instant now) const { return subscribed_until > now; }
        [[nodiscard]] bool is_fed(Instant now) const { return feeds_until > now; }
        /// Links take their turns at different times, so that a peer does not send to all of them at once.
        [[nodiscard]] std::int64_t turn(Instant now, Duration period) const;
        /// It does not send what it was told that we want.
        [[nodiscard]] bool lacks_wanted(Instant now) const;
    };

    // --- crowd.cpp ---
    void tend(Instant now, OverlayActions& actions);
    /// Names what the session is to know, and calls peers that must be linked.
    void call_needed(Instant now, OverlayActions& actions);
    [[nodiscard]] bool is_needed(const KnownPeer& peer) const;
    void part_idle(Instant now, OverlayActions& actions);
    void send_wants(Instant now, OverlayActions& actions);
    [[nodiscard]] bool has_duty(const Linked& linked) const;
    /// Returns its size in bytes.
    std::size_t send(LinkNumber link, CrowdMessage& message, OverlayActions& actions) const;
    [[nodiscard]] bool knows_all(Instant now);

    // --- crowd_relaying.cpp ---
    void plan_upload(Instant now);
    void plan_bundles();
    /// Of the linked peers.
    [[nodiscard]] std::size_t count(const std::function<bool(const Linked&)>& is_counted) const;
    [[nodiscard]] std::size_t row_size() { return roster_.row(roster_.row_of(name_)).size(); }
    [[nodiscard]] std::size_t row_bytes();
    [[nodiscard]] std::size_t spare_bytes();
    std::span<const std::uint32_t> list_carried();
    void bundle_row(LinkNumber to, OverlayActions& actions);
    void add_member(OverlayActions::Bundle& bundle, std::uint32_t member, const Linked& receiver,
                    bool has_news);

    void take_want(Instant now, Linked& from);
    [[nodiscard]] std::size_t stream_bytes() const;

    Crowd options_;
    const World& world_;
    PeerId self_;
    std::uint32_t name_;
    float sight_;
    RandomStream choice_;
    CrowdRoster roster_;
    CrowdSources sources_;
    CrowdStreams streams_;
    CrowdGossip gossip_;
    std::vector<LinkNumber> up_;  // in the order in which they came up
    PerLink<Linked> linked_;
    struct Lost {
        std::vector<Contact> contacts;
        Instant next_call = Instant::min();
    };
    Lost lost_;  // vanished peers, to be called now and then: a partition may heal
    Instant now_ = Instant::min();
    bool wants_more_ = false;  // a peer is watched that was not a moment ago
    struct Times {
        Instant next_tend = Instant::min();
        Instant joined{};  // when the first link came up
    };
    Times times_;
    struct Upload {
        std::uint32_t frame = 0;  // its number
        std::size_t frame_bytes = 0;
        std::uint8_t weight = 1;  // what we can carry for others
        std::uint8_t fan_out =
            0;  // relays that we feed in a frame; 0: we serve all attentive peers ourselves
        Instant fan_out_until = Instant::min();
        Duration bundle_interval{1s};
        double member_bytes = 24;  // of a bundle, average
    };
    Upload upload_;
    CrowdMessage message_;                // scratch
    std::vector<std::uint32_t> carried_;  // origins whose every update we relay
    std::vector<std::uint32_t> passing_;  // those of which an update arrived just now
};

}  // namespace fray
