#pragma once
// Passes on states of other peers: along the overlay's routes (pSense's localized multicast), and in the
// order that a serializer gives them. Decides whether a state is timely and where it goes next.
//
//   relayed   | stamp 16, state, more 1 |... | ordered 1 | owner 128 or the overlay's header |
//   bundle    | salt 8 | more 1, name 16, fan-out 1 [4], [state 1, stamp 16, state]... |... | more 0 |

#include "core/part.hpp"
#include "core/recycled.hpp"
#include "wire/part_context.hpp"
#include "wire/relayed_state.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace fray {

class Relay final : public Part, public OrderedSender {
public:
    Relay(const PartContext& context, ReplicaSink& replicas) : context_{context}, replicas_{replicas} {}
    /// Call once, before the first datagram arrives.
    void connect(RelayRoute& route, RelayObserver& observer) {
        route_ = &route;
        observer_ = &observer;
    }

    /// Passes states of this origin on: the states, then the route's header. No states stand for the newest
    /// ones that the origin sent us itself.
    struct Forward {
        LinkNumber to = 0;
        PeerId origin;
        std::span<const std::uint8_t> state;
        std::size_t state_bits = 0;
        std::span<const std::uint8_t> header;
        std::size_t header_bits = 0;
    };
    void forward(Instant now, const Forward& forward);
    /// Sends states of several linked peers, in as many datagrams as they need. Returns the bytes that they
    /// take, without headers.
    std::size_t bundle(Instant now, LinkNumber to, std::span<const BundleMember> members);
    /// Delivers states whose owners were not linked with us when the states arrived.
    /// `link_with`: the link with a peer, pending ones included; kNoLink if there is none.
    void deliver_waiting(const std::function<LinkNumber(const PeerId&)>& link_with);
    bool send_ordered(std::span<const LinkNumber> links, const PeerId& origin, std::uint32_t number,
                      SessionInstant when, const WholeStateView& state, bool reliably) override;

    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_clock_set(Instant) override { waiting_.clear(); }
    void reset() override { waiting_.clear(); }
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    /// Reads into arrived_; false if the bits are no states.
    [[nodiscard]] bool read_states(Instant now, BitReader& in);
    [[nodiscard]] Receipt read_ordered(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_forward(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_bundle(const Arrival& arrival, BitReader& in);
    /// Reads the states of one peer in a bundle into arrived_; false if the bits are no states.
    [[nodiscard]] bool read_bundled(Instant now, BitReader& in);
    [[nodiscard]] bool read_state(Instant now, BitReader& in);
    void write_member(Instant now, const BundleMember& member, BitWriter& out);
    /// Writes the newest state of the i-th entity if receivers accept it.
    bool write_bundled(Instant now, LinkNumber owner, std::size_t i, BitWriter& out) const;
    /// Writes the newest states that the origin sent us; false if no peer would accept them.
    [[nodiscard]] bool write_newest(Instant now, const PeerId& origin, BitWriter& out);
    /// Writes the states of arrived_ that are timely.
    void write_arrived(Instant now, BitWriter& out) const;
    void deliver(Instant now, const std::optional<LinkNumber>& owner, const RelayedState& state);
    [[nodiscard]] bool is_timely(Instant now, SessionInstant when) const {
        return !is_ahead(now, when) && !is_old(now, when);
    }
    [[nodiscard]] bool is_ahead(Instant now, SessionInstant when) const {
        return when - context_.session_time(now) > kMostRelayAhead;
    }
    [[nodiscard]] bool is_old(Instant now, SessionInstant when) const {
        return context_.session_time(now) - when > most_relay_age(context_.world().tick);
    }

    const PartContext& context_;
    ReplicaSink& replicas_;
    RelayRoute* route_ = nullptr;
    RelayObserver* observer_ = nullptr;
    std::size_t turn_ = 0;             // entities that do not fit one message take turns
    Recycled<RelayedState> arrived_;   // scratch: the message being read
    Recycled<RelayedState> waiting_;   // their owners are not linked with us yet
    std::vector<std::uint8_t> bytes_;  // scratch
};

}  // namespace fray
