#pragma once
// An overlay decides which peers are linked, and which of them may get which update. It sees peers, links and
// positions, never sockets, sequence numbers or bytes of updates.

#include <fray/bits.hpp>
#include <fray/event.hpp>
#include <fray/geometry.hpp>
#include <fray/ids.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "core/attention_sink.hpp"
#include "core/candidate.hpp"
#include "core/contact.hpp"
#include "core/part.hpp"
#include "core/recycled.hpp"
#include "core/sighting.hpp"
#include "wire/relayed_state.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// Actions that an overlay requests; the session carries them out.
struct OverlayActions {
    struct Message {
        LinkNumber link = 0;
        std::vector<std::uint8_t> bytes;
        bool this_frame_only = false;  ///< dropped if it is unsent when the frame ends
    };
    /// Another peer's state, sent before a header of the overlay.
    struct Forward {
        LinkNumber to = 0;
        PeerId origin;
        /// As in PassedOn; empty: the newest state that the origin sent us directly.
        std::vector<std::uint8_t> state;
        std::size_t state_bits = 0;
        std::vector<std::uint8_t> header;
        std::size_t header_bits = 0;
    };
    /// The newest states of several linked peers, each under a name of the overlay.
    struct Bundle {
        LinkNumber to = 0;
        std::vector<BundleMember> members;
    };
    std::vector<Contact> calls;         ///< peers to call
    std::vector<LinkNumber> hang_ups;   ///< links that are no longer needed
    std::vector<PeerId> acquaintances;  ///< peers to know without a link
    std::vector<PeerId> forgotten;      ///< former acquaintances
    Recycled<Message> messages;
    Recycled<Forward> forwards;
    Recycled<Bundle> bundles;
    void clear() {
        calls.clear();
        hang_ups.clear();
        acquaintances.clear();
        forgotten.clear();
        messages.clear();
        forwards.clear();
        bundles.clear();
    }
    [[nodiscard]] std::size_t memory_bytes() const {
        std::size_t sum = calls.capacity() * sizeof(Contact) + hang_ups.capacity() * sizeof(LinkNumber) +
                          (acquaintances.capacity() + forgotten.capacity()) * sizeof(PeerId) +
                          messages.all().capacity() * sizeof(Message) +
                          forwards.all().capacity() * sizeof(Forward);
        for (const Message& m : messages.all()) sum += m.bytes.capacity();
        sum += bundles.all().capacity() * sizeof(Bundle);
        for (const Bundle& b : bundles.all()) sum += b.members.capacity() * sizeof(BundleMember);
        for (const Forward& f : forwards.all()) sum += f.state.capacity() + f.header.capacity();
        return sum;
    }
};

class Overlay : public Part, public SightingObserver, public RelayRoute, public AttentionSink {
public:
    /// Whether peers forward each other's states in this overlay.
    [[nodiscard]] bool relays() const { return relays_; }
    /// Whether this peer is linked with all peers that it should be linked with, as far as it knows, and has
    /// asked for others. Each round() states it anew.
    [[nodiscard]] bool is_complete() const { return is_complete_; }
    /// How many further peers may be linked.
    [[nodiscard]] virtual std::size_t room() const = 0;
    /// A valid datagram arrived over this link: the other side is alive.
    virtual void handle_alive(Instant, LinkNumber) {}
    void want(Instant, const PeerId&) override {}
    /// Whether it needs the positions of peers even if the policy does not. If neither needs them, sightings
    /// are not computed.
    [[nodiscard]] virtual bool wants_sightings() const { return relays_; }
    [[nodiscard]] std::optional<PeerId> handle_forward(Instant, LinkNumber, BitReader& header,
                                                       const PassedOn&) override {
        header.fail();  // this overlay relays nothing
        return std::nullopt;
    }
    [[nodiscard]] std::optional<PeerId> handle_bundled(Instant, LinkNumber, const BundledPeer&) override {
        return std::nullopt;
    }
    /// Once per frame: adds calls and messages that are due. `self`: our position, if we have an entity;
    /// `bytes`: what the upload carries in a frame.
    virtual void round(Instant now, const std::optional<Vec3>& self, std::size_t bytes,
                       OverlayActions& actions) = 0;
    /// Adds a candidate for each peer that may get this frame's news, with its distance, and for each
    /// forward.
    virtual void candidates(std::span<const News> news, std::vector<Candidate>& out) = 0;
    /// After each datagram: whether there are forwards that must not wait for the next frame. Then pass_on()
    /// adds them.
    [[nodiscard]] virtual bool must_pass_on() const { return false; }
    virtual void pass_on(Instant, OverlayActions&) {}
    /// The updates that were chosen for this link in the last frame did not leave.
    virtual void handle_unsent(LinkNumber) {}
    /// A bundle of so many members takes so many bytes, without headers.
    virtual void handle_bundle_queued(std::size_t, std::size_t) {}
    /// Replaces the upload as the budget of the candidates, in the bytes that they state.
    [[nodiscard]] virtual std::optional<std::size_t> own_budget() const { return std::nullopt; }
    /// These candidates were chosen: adds the messages and forwards that accompany them.
    virtual void dispatch(Instant, std::span<const Candidate>, OverlayActions&) {}
    /// Whether the peer stays an acquaintance after this link goes down.
    [[nodiscard]] virtual bool stays_known(const LinkDown&) const { return false; }
    /// How long the acknowledgement of a state may wait for a datagram that leaves on this link anyway;
    /// nothing: as for other messages.
    [[nodiscard]] virtual std::optional<Duration> late_ack_delay(LinkNumber) const { return std::nullopt; }
    /// Whether the link is kept alive while there is nothing to send.
    [[nodiscard]] virtual bool keeps(LinkNumber) const { return true; }
    [[nodiscard]] virtual PSenseStats stats() const { return {}; }

    [[nodiscard]] std::span<const MessageKind> kinds() const final {
        static constexpr std::array kKinds{MessageKind::overlay};
        return kKinds;
    }

protected:
    explicit Overlay(bool relays) : relays_{relays} {}
    void set_complete(bool is_complete) { is_complete_ = is_complete; }

private:
    bool relays_;
    bool is_complete_ = false;
};

}  // namespace fray
