#pragma once
// A policy decides which updates go first and which are cut to the bytes of this frame, before anything is
// encoded. It is a part: a policy that needs information from other peers sends messages of its own kind.

#include <fray/attention.hpp>
#include <fray/stats.hpp>

#include "core/attention_sink.hpp"
#include "core/candidate.hpp"
#include "core/focus_state.hpp"
#include "core/interaction_observer.hpp"
#include "core/part.hpp"
#include "core/peer_places.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fray {

class UpdatePolicy : public Part, public InteractionObserver {
public:
    /// Whether it uses Candidate::distance. If not, an overlay may leave it unknown.
    [[nodiscard]] virtual bool needs_positions() const { return false; }
    /// Whether choose() gets the same bytes in each frame. If not, it also gets what earlier frames have
    /// left, more than can leave within a frame; what does not leave is offered again.
    [[nodiscard]] virtual bool wants_even_budget() const { return false; }
    /// Call once, before the first frame.
    virtual void connect(const PeerPlaces&) {}
    /// What the game says draws the attention of this peer's player.
    virtual void set_attention(const AttentionWeights&) {}
    /// Whether it may prefer the receivers in its focus set, if it has one.
    virtual void set_focus_sets(bool) {}
    void handle_interaction(Instant, LinkNumber) override {}
    virtual void connect(AttentionSink&) {}
    /// Once per frame, before choose(): sends its own messages that are due.
    virtual void begin_frame(Instant) {}
    /// Puts the chosen candidates first, in sending order, and returns their number.
    [[nodiscard]] virtual std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) = 0;
    /// How many of the chosen ones, from the first on, leave before messages that are not prompt.
    [[nodiscard]] virtual std::size_t before_others() const { return 0; }
    /// Called once for each update that was chosen last and not sent, lowest priority first.
    virtual void resume(LinkNumber link, std::uint16_t primary) = 0;
    /// Called before the next frame for each update that was not chosen and went along with a datagram that
    /// left anyway. Only with even budgets.
    virtual void handle_rider(LinkNumber, std::uint16_t) {}

    /// Which links get every frame; nullptr if the policy does not tell.
    [[nodiscard]] virtual const FocusState* focus() const { return nullptr; }
    /// Expected time between two updates to the same link; zero: unknown.
    [[nodiscard]] virtual Duration expected_gap() const { return Duration{0}; }
    [[nodiscard]] virtual FocusStats stats() const { return {}; }
    virtual void add_stats(LinkNumber, LinkStats&) const {}

    /// A peer with FocusSet tells its attention to all others: policies without a use for it ignore it.
    [[nodiscard]] std::span<const MessageKind> kinds() const override {
        static constexpr std::array kKinds{MessageKind::attention};
        return kKinds;
    }
    [[nodiscard]] Receipt handle_message(const Arrival&, MessageKind, BitReader&) override {
        return taken_unacknowledged();
    }
};

}  // namespace fray
