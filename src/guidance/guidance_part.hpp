#pragma once
// Guidable AI as a part of a peer: the messages between the owner's side (advisor.hpp) and the receiver's
// (guided_replicas.hpp). They ride in datagrams that leave anyway. Without GuidanceOptions::enabled, messages
// of other peers are read and ignored.

#include "core/part.hpp"
#include "guidance/advisor.hpp"
#include "guidance/guided_replicas.hpp"

namespace fray {

class GuidancePart final : public Part, public DatagramWriter {
public:
    struct Around {
        const OwnEntities& own;
        const CarriedStates& carried;
        const ReplicaReader& replicas;
    };
    GuidancePart(const PartContext& context, const Around& around)
        : context_{context},
          advisor_{context, around.own, around.carried, around.replicas},
          replicas_{context, around.own, around.carried, around.replicas} {}
    void set_focus(const FocusState* focus) { advisor_.set_focus(focus); }
    [[nodiscard]] bool enabled() const { return is_active_ && context_.options.guidance.enabled; }
    /// Off: replicas are shown directly, and guidance of other peers is ignored.
    void set_active(bool is_active) {
        if (is_active != is_active_) reset();
        is_active_ = is_active;
    }

    /// Turns what would be shown directly into what is shown. `heard` is the newest state.
    void show(LinkNumber link, const HeardState& heard, SessionInstant now, Replica& replica) {
        if (enabled()) replicas_.show(link, heard, now, replica);
    }

    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_clock_set(Instant) override { replicas_.forget_past(); }
    void handle_moved(LinkNumber from, LinkNumber to) override { replicas_.move(from, to); }
    void forget_link(LinkNumber link) override {
        advisor_.forget_link(link);
        replicas_.forget_link(link);
    }
    void reset() override {
        advisor_.reset();
        replicas_.reset();
    }
    [[nodiscard]] std::size_t memory_bytes() const override;

    // --- datagrams out: a rider ---
    [[nodiscard]] bool has_messages(LinkNumber) const override { return false; }
    void write_messages(Instant now, LinkNumber link, std::uint16_t sequence, BitWriter& out) override;
    [[nodiscard]] bool handle_sent(Instant, LinkNumber) override { return false; }

private:
    const PartContext& context_;
    bool is_active_ = true;
    Advisor advisor_;
    GuidedReplicas replicas_;
    GuidanceMessage message_;          // scratch
    std::vector<std::uint8_t> bytes_;  // scratch
};

}  // namespace fray
