#pragma once
// Our own entities: the algorithm that the game chose for each, what our screen shows, and the messages that
// tell other peers the choice.

#include "consistency/showing.hpp"
#include "core/sighting.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fray {

class OwnViews {
public:
    OwnViews(const PartContext& context, const OwnEntities& own) : context_{context}, own_{own} {}

    // There is one view per entity, in the order of Primaries.
    void publish(Instant now, std::uint32_t number);
    /// The game set a new state.
    void update(Instant now, std::size_t i) { show(now, views_[i]); }
    void withdraw(std::size_t i) { views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(i)); }
    void choose(Instant now, std::size_t i, const Consistency& consistency);
    /// The i-th entity as our screen shows it.
    [[nodiscard]] LocalView shown(Instant now, std::size_t i) const;

    /// The entity's update interval has elapsed: the state that the game set may be sent.
    [[nodiscard]] bool update_due(Instant now, std::size_t i) const { return now >= views_[i].next_update; }
    void note_update(Instant now, std::size_t i);
    /// The i-th entity is shown by the default algorithm: its updates go directly to every peer.
    [[nodiscard]] bool is_default(std::size_t i) const { return !views_[i].showing; }
    /// Whether updates of the i-th entity go directly to this peer. `told`: it knows that the entity exists.
    [[nodiscard]] bool goes_to(std::size_t i, const PeerId& peer, bool told) const;
    /// The peer that orders or validates this entity of ours, if any.
    [[nodiscard]] std::optional<PeerId> through(std::uint32_t number) const;
    /// Our own state came back from the peer that orders it. False if we did not choose that peer.
    bool handle_echo(Instant now, const PeerId& from, std::uint32_t number, const Moment& moment);

    /// Once per frame: adapts lags to the network.
    void run_frame(Instant now);
    /// Sends every choice that differs from the default over a new link.
    void tell_all(LinkNumber link) const;
    void forget_past();
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    struct View {
        std::uint32_t number = 0;
        std::uint16_t version = 0;  // of our choice
        Duration best_lag{};        // Adaptive: at the last review of the network
        Consistency consistency;
        std::unique_ptr<Showing> showing;  // null: the default algorithm, which needs no timeline
        Instant next_update = Instant::min();
        Instant next_review = Instant::min();  // of the lag, if it is adapted to the network
    };
    void choose(Instant now, View& view, const Consistency& consistency);
    void show(Instant now, View& view);
    [[nodiscard]] bool waits_for_echo(const View& view) const;
    [[nodiscard]] const View* find(std::uint32_t number) const;
    void follow_network(Instant now, View& view);
    void tell(LinkNumber link, const View& view) const;

    const PartContext& context_;
    const OwnEntities& own_;
    std::vector<View> views_;
    Moment moment_;  // scratch
};

}  // namespace fray
