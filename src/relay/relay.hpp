#pragma once
// Passes on states of other peers: along the overlay's routes (pSense's localized multicast), and in the
// order that a serializer gives them. Decides whether a state is timely and where it goes next.

#include "core/part.hpp"
#include "core/recycled.hpp"
#include "wire/part_context.hpp"
#include "wire/relayed_state.hpp"

#include <cstdint>
#include <functional>
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

    /// Sends a state of this origin: the state, then the route's header. An empty state stands for the newest
    /// one that the origin sent us directly.
    struct Forward {
        LinkNumber to = 0;
        PeerId origin;
        std::span<const std::uint8_t> state;
        std::size_t state_bits = 0;
        std::span<const std::uint8_t> header;
        std::size_t header_bits = 0;
    };
    void forward(Instant now, const Forward& forward);
    /// Delivers states that arrived before their owner had a link. `link_with`: the link with a peer, which
    /// may be pending; kNoLink if there is none.
    void deliver_waiting(const std::function<LinkNumber(const PeerId&)>& link_with);
    bool send_ordered(const PeerId& origin, std::uint32_t number, SessionInstant when,
                      const WholeStateView& state, bool reliably) override;

    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_clock_set(Instant) override { waiting_.clear(); }
    void reset() override { waiting_.clear(); }
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    [[nodiscard]] Receipt read_forward(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_ordered(const Arrival& arrival, BitReader& in);
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
    RelayedState read_;                // scratch
    std::vector<std::uint8_t> bytes_;  // scratch
    Recycled<RelayedState> waiting_;   // of peers that are not linked with us yet
};

}  // namespace fray
