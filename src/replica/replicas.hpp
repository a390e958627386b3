#pragma once
// The entities of all known peers: one ReplicaStore per link or acquaintance.

#include "core/lasting.hpp"
#include "core/part.hpp"
#include "core/sighting.hpp"
#include "replica/replica_store.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <optional>

namespace fray {

class Replicas final : public Part, public ReplicaReader, public ReplicaSink {
public:
    /// `relays`: peers forward each other's states, so a state may come from a peer that is not its owner.
    Replicas(const PartContext& context, bool relays) : context_{context}, relays_{relays} {}
    /// Call once, before the first datagram arrives. Sightings are computed only if there is an observer.
    void connect(StateObserver& states, AppearanceObserver& appearances, SightingObserver* sightings) {
        states_ = &states;
        appearances_ = &appearances;
        sightings_ = sightings;
    }

    /// The entities of the peer at the other end; nullptr if none was received yet.
    [[nodiscard]] const ReplicaStore* store(LinkNumber link) const { return stores_.find(link); }
    [[nodiscard]] std::optional<HeardState> newest(LinkNumber link, std::uint32_t number) const override;
    [[nodiscard]] std::optional<HeardState> first(LinkNumber link) const override;
    [[nodiscard]] bool was_withdrawn(LinkNumber link, std::uint32_t number) const override;
    bool take_relayed(LinkNumber owner, const RelayedState& state) override;
    [[nodiscard]] std::size_t entities(LinkNumber owner) const override;
    [[nodiscard]] SessionInstant taken_at(LinkNumber owner, std::size_t i) const override;
    void write_stamped(LinkNumber owner, std::size_t i, BitWriter& out) const override;

    struct Counts {
        std::uint64_t received = 0;  ///< newer than what was held
        std::uint64_t stale = 0;     ///< a newer state was held already
    };
    [[nodiscard]] const Counts& counts() const { return counts_; }

    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_link_up(Instant now, const LinkUp& link) override;
    void handle_link_down(Instant now, const LinkDown& link) override;
    void handle_clock_set(Instant now) override;
    void handle_moved(LinkNumber from, LinkNumber to) override;
    void forget_link(LinkNumber link) override;
    void reset() override { stores_.clear(); }
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    [[nodiscard]] Receipt read_state(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_withdraw(const Arrival& arrival, BitReader& in);
    void observe(const Arrival& arrival, const ReplicaStore& store, const ReplicaStore::Applied& applied,
                 SessionInstant when);
    void drop_unconfirmed(Instant now, LinkNumber link, ReplicaStore& store);
    void report_gone(LinkNumber number);
    [[nodiscard]] bool is_possible(const ReplicaStore& store, const RelayedState& relayed) const;

    const PartContext& context_;
    bool relays_;
    StateObserver* states_ = nullptr;
    AppearanceObserver* appearances_ = nullptr;
    SightingObserver* sightings_ = nullptr;
    PerLink<ReplicaStore> stores_;
    ReadUpdate read_;  // scratch
    Counts counts_;
};

}  // namespace fray
