#pragma once
// Other peers' entities: how our screen shows them, by the algorithm that their owner chose; and which of
// their updates we relay, if the owner chose us to order or validate them.

#include "consistency/consistency_choice.hpp"
#include "consistency/showing.hpp"
#include "core/sighting.hpp"
#include "wire/part_context.hpp"
#include "wire/relayed_state.hpp"
#include "wire/session_time.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fray {

class RemoteViews {
public:
    RemoteViews(const PartContext& context, const ReplicaReader& replicas, OrderedSender& relay)
        : context_{context}, replicas_{replicas}, relay_{relay} {}

    /// One entity as our screen shows it; `heard` is its newest state.
    [[nodiscard]] Replica shown(LinkNumber link, const HeardState& heard, SessionInstant now) const;

    /// Whether this peer's states must be handed to handle_state().
    [[nodiscard]] bool wants_states(LinkNumber link) const {
        const Views* views = views_.find(link);
        return context_.options.count_corrections || (views != nullptr && !views->empty());
    }
    /// A state arrived from its owner directly; `newest`: no newer one is known.
    void handle_state(Instant now, LinkNumber link, const HeardState& heard, bool newest);
    /// The newest state of this entity was forwarded by another peer.
    void handle_passed_on(Instant now, LinkNumber link, std::uint32_t number);
    /// The owner chose an algorithm.
    [[nodiscard]] Receipt handle_choice(Instant now, LinkNumber link, const ConsistencyChoice& choice);
    /// The peer that orders or validates this entity's states, if any.
    [[nodiscard]] std::optional<PeerId> through(LinkNumber link, std::uint32_t number) const;
    /// A state arrived from that peer; `newest` is the newest state that replicas hold.
    void handle_ordered(Instant now, LinkNumber link, const HeardState& newest, const Moment& moment);

    /// A link came up: its peer may have missed the last state of an entity that goes through us.
    void handle_link_up(LinkNumber link);
    void run_frame(Instant now);
    void forget_entity(LinkNumber link, std::uint32_t number);
    void forget_link(LinkNumber link) { views_.erase(link); }
    void reset() { views_.clear(); }
    /// Forgets all timelines, after a clock step.
    void forget_past();
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    struct View {
        std::uint32_t number = 0;
        std::optional<std::uint16_t> version{};  // of the owner's choice, once it arrived
        std::unique_ptr<Showing> showing;
        // If its updates go through us:
        SessionInstant passed_on{};                     // when the last one was relayed
        SessionInstant overruled = session_instant(0);  // when its owner was last overruled
        bool settled = true;                            // the last one was sent reliably to every peer
        // If they go through another peer:
        // Since when a state that arrived from the owner directly waits to be confirmed by that peer.
        std::optional<Instant> held{};
        bool direct = false;  // that took too long: states from the owner are shown
    };
    using Views = std::vector<View>;  // of one peer, ordered by number

    [[nodiscard]] View* find(LinkNumber link, std::uint32_t number);
    [[nodiscard]] const View* find(LinkNumber link, std::uint32_t number) const;
    /// The view of an entity; nullptr if the default algorithm shows it and corrections are not counted.
    [[nodiscard]] View* find_or_count(LinkNumber link, std::uint32_t number);
    View& add(LinkNumber link, std::uint32_t number, const Consistency& consistency);
    void add_newest(Instant now, LinkNumber link, View& view);
    /// States of this entity come through another peer; those that come from the owner directly are not
    /// shown.
    [[nodiscard]] bool comes_through_another(LinkNumber link, const View& view) const;
    void hold_back(Instant now, View& view, SessionInstant when);
    void release_held(Instant now);
    void settle(Instant now);
    void pass_on(Instant now, LinkNumber link, View& view, bool reliably);
    /// Returns whether each of these links got the newest state of this view.
    bool send(std::span<const LinkNumber> to, LinkNumber owner, const View& view, bool reliably);
    [[nodiscard]] bool is_valid(Instant now, LinkNumber link, View& view, EntityTypeId type,
                                const Moment& moment);
    void overrule(LinkNumber link, const View& view, EntityTypeId type);

    const PartContext& context_;
    const ReplicaReader& replicas_;
    OrderedSender& relay_;
    PerLink<Views> views_;
    Moment moment_;            // scratch: the state being added
    bool passes_on_ = false;   // updates of some entity go through us
    bool holds_back_ = false;  // some view has `held` set
};

}  // namespace fray
