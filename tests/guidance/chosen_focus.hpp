#pragma once
// An update policy that a test steers: who is in focus gets every frame, everybody else one update per
// second.

#include "core/focus_state.hpp"
#include "interest/update_policy.hpp"
#include "session/composition.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>

namespace fray::test {

/// What a test decides for one peer.
struct FocusChoice {
    std::set<PeerId> focus;        ///< peers that this one sends every frame to
    std::optional<PeerId> target;  ///< that it aims at
    Duration gap{1s};
};

class ChosenFocus final : public UpdatePolicy, public FocusState {
public:
    ChosenFocus(const PartContext& context, const FocusChoice& choice) : context_{context}, choice_{choice} {}

    void begin_frame(Instant now) override { now_ = now; }
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t) override {
        std::size_t chosen = 0;
        for (Candidate& c : candidates) {
            const bool due = now_ >= next_[c.link];
            if (rate(c.link) != Rate::every_frame && !due && !c.first) continue;
            if (due) next_[c.link] = now_ + choice_.gap;
            std::swap(c, candidates[chosen++]);
        }
        return chosen;
    }
    void resume(LinkNumber, std::uint16_t) override {}
    [[nodiscard]] const FocusState* focus() const override { return this; }
    [[nodiscard]] Rate rate(LinkNumber link) const override {
        const bool focused = choice_.focus.contains(context_.links.peer(link));
        return focused ? Rate::every_frame : Rate::best_effort;
    }
    [[nodiscard]] Duration best_effort_gap() const override { return choice_.gap; }
    [[nodiscard]] std::optional<AimTarget> aim_target() const override {
        const auto link = choice_.target ? context_.links.up(*choice_.target) : std::nullopt;
        return link ? std::optional{AimTarget{*link, 0.1F}} : std::nullopt;
    }
    void forget_link(LinkNumber link) override { next_.erase(link); }
    [[nodiscard]] std::size_t memory_bytes() const override { return sizeof(*this) + next_.heap_bytes(); }

private:
    const PartContext& context_;
    const FocusChoice& choice_;
    Instant now_{};
    PerLink<Instant> next_;
};

[[nodiscard]] inline Additions with_focus(const FocusChoice& choice) {
    return {.policy = [&choice](const PartContext& context) {
        return std::make_unique<ChosenFocus>(context, choice);
    }};
}

}  // namespace fray::test
