#pragma once
// What this peer's screen shows, and which route states take: our own entities and those of others, each by
// the consistency algorithm that its owner chose.

#include "consistency/own_views.hpp"
#include "consistency/remote_views.hpp"
#include "core/lasting.hpp"
#include "core/part.hpp"

namespace fray {

class Views final : public Part, public StateObserver, public RelayObserver {
public:
    struct Around {
        const OwnEntities& own;
        const ReplicaReader& replicas;
        ReplicaSink& sink;
        OrderedSender& relay;
        const EntityNames& names;
    };
    Views(const PartContext& context, const Around& around)
        : context_{context},
          replicas_{around.replicas},
          sink_{around.sink},
          own_{context, around.own},
          remote_{context, around.replicas, around.relay},
          own_entities_{around.own},
          names_{around.names} {}

    [[nodiscard]] OwnViews& own() { return own_; }
    [[nodiscard]] const OwnViews& own() const { return own_; }
    /// One entity of another peer as our screen shows it; `heard` is its newest state.
    [[nodiscard]] Replica shown(LinkNumber link, const HeardState& heard, SessionInstant now) const {
        return remote_.shown(link, heard, now);
    }
    void run_frame(Instant now) {
        own_.run_frame(now);
        remote_.run_frame(now);
    }

    // --- states in ---
    [[nodiscard]] bool wants_states(LinkNumber link) const override { return remote_.wants_states(link); }
    void handle_state(Instant now, LinkNumber link, const HeardState& state, bool newest) override {
        remote_.handle_state(now, link, state, newest);
    }
    void handle_entity_gone(LinkNumber link, std::uint32_t number) override {
        remote_.forget_entity(link, number);
    }
    void handle_passed_on(Instant now, LinkNumber owner, std::uint32_t number) override {
        remote_.handle_passed_on(now, owner, number);
    }
    void handle_ordered(Instant now, LinkNumber from, const RelayedState& relayed) override;

    // --- life-cycle ---
    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_link_up(Instant, const LinkUp& link) override {
        own_.tell_all(link.link);
        remote_.handle_link_up(link.link);
    }
    void handle_clock_set(Instant) override {
        own_.forget_past();
        remote_.forget_past();
    }
    void forget_link(LinkNumber link) override { remote_.forget_link(link); }
    void reset() override { remote_.reset(); }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return sizeof(*this) + own_.memory_bytes() + remote_.memory_bytes();
    }

private:
    [[nodiscard]] Receipt read_overruled(const Arrival& arrival, BitReader& in);

    const PartContext& context_;
    const ReplicaReader& replicas_;
    ReplicaSink& sink_;
    OwnViews own_;
    RemoteViews remote_;
    const OwnEntities& own_entities_;
    const EntityNames& names_;
    Moment moment_;     // scratch
    WholeState state_;  // scratch
};

}  // namespace fray
