#pragma once
// Focus sets (Donnybrook, section III-A): the peers that pay us the most attention get every frame, and those
// updated least recently get the rest of the bytes.
//
// What is outside the focus set waits by age, so an update is passed by older ones only, and the focus set
// gives way where the oldest one would not fit. So the age of every update is bounded, whatever attention
// other peers claim; and a peer that claims the largest one takes one place in the focus set.

#include <fray/options.hpp>

#include "interest/attention.hpp"
#include "interest/attention_exchange.hpp"
#include "interest/copy_prices.hpp"
#include "interest/expected_gap.hpp"
#include "interest/focus_size.hpp"
#include "interest/update_policy.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <vector>

namespace fray {

class FocusSetPolicy final : public UpdatePolicy, private FocusState {
public:
    FocusSetPolicy(const PartContext& context, const FocusSet& options);

    // --- UpdatePolicy ---
    [[nodiscard]] bool wants_even_budget() const override { return true; }
    void connect(const PeerPlaces& places) override { attention_.connect(places); }
    void connect(AttentionSink& overlay) override { overlay_ = &overlay; }
    void set_attention(const AttentionWeights& weights) override { attention_.set_weights(weights); }
    void set_focus_sets(bool uses_them) override { has_focus_ = uses_them; }
    void handle_interaction(Instant now, LinkNumber link) override {
        attention_.handle_interaction(now, link);
    }
    void begin_frame(Instant now) override;
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) override;
    [[nodiscard]] std::size_t before_others() const override { return before_others_; }
    void resume(LinkNumber link, std::uint16_t primary) override;
    void handle_rider(LinkNumber link, std::uint16_t primary) override;
    [[nodiscard]] const FocusState* focus() const override { return this; }
    [[nodiscard]] Duration expected_gap() const override { return best_effort_gap(); }
    [[nodiscard]] FocusStats stats() const override;
    void add_stats(LinkNumber link, LinkStats& stats) const override;

    // --- Part ---
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void forget_link(LinkNumber link) override;
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    using Frame = std::uint32_t;
    /// The frame of the last update and of the one before it: a choice can be undone.
    struct Served {
        Frame last = 0;
        Frame before = 0;
        void serve(Frame now) {
            if (last != now) *this = {.last = now, .before = last};
        }
        void undo(Frame now) {
            if (last == now) last = before;
        }
    };
    struct Receiver {
        bool in_focus = false;
        // Frames in a row in which an update was chosen and did not leave: until the last one, and before it.
        std::uint8_t late = 0;
        std::uint8_t was_late = 0;
        Frame offered = 0;           // when there was a candidate for it last
        Frame forwards_due = 0;      // since when there are forwards for it
        Frame forwards_offered = 0;  // when there was one last
        Served forwards;
        std::vector<Served> entities;  // by index among our entities
    };
    /// A candidate and what it is judged by.
    struct Item {
        Candidate candidate;
        std::uint32_t offered = 0;  // its place among the candidates
        std::uint32_t turn = 0;     // among items of the same age
        std::uint32_t age = 0;      // frames; of a promoted one more than it waited
        int heard = 0;              // attention that its receiver pays us, in steps; more for one in focus
        bool is_own = false;
        bool is_late = false;
    };

    // --- FocusState ---
    [[nodiscard]] Rate rate(LinkNumber link) const override;
    [[nodiscard]] Duration best_effort_gap() const override { return gap_.gap(context_.world().tick); }
    [[nodiscard]] std::optional<AimTarget> aim_target() const override { return attention_.aim_target(); }

    /// Tells the overlay which peers this player watches.
    void tell_overlay(Instant now);
    void judge(std::span<const Candidate> candidates);
    [[nodiscard]] std::uint32_t age(const Candidate& c, Receiver& to) const;
    [[nodiscard]] std::size_t focus_bytes(std::size_t budget_bytes);
    /// Chooses the focus set and moves its items to the front. Returns their number.
    [[nodiscard]] std::size_t choose_focus(std::size_t budget_bytes);
    /// Appends the oldest items that fit the rest of the budget. Returns the number of all that are chosen.
    [[nodiscard]] std::size_t fill(std::size_t focus, std::size_t budget_bytes);
    void sort_by_age(std::size_t begin);
    /// The end of the items of the receiver that begins here.
    [[nodiscard]] std::size_t end_of_receiver(std::size_t begin) const;
    /// The begin of the items of the receiver that ends here.
    [[nodiscard]] std::size_t last_receiver(std::size_t end) const;
    [[nodiscard]] auto at(std::size_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); }
    /// Choose these items, or no longer. Returns their bytes.
    [[nodiscard]] std::size_t add(std::size_t begin, std::size_t end);
    std::size_t remove(std::size_t begin, std::size_t end);
    /// Of the message that goes along with this item.
    [[nodiscard]] std::size_t attention_bytes(std::size_t i) const;
    [[nodiscard]] bool fits(std::size_t i, std::size_t budget_bytes);
    /// What did not leave in the last frame goes first, or it might never leave.
    void put_late_first(std::size_t chosen);
    void serve(std::size_t chosen);
    void tell_attention(std::size_t chosen);

    const PartContext& context_;
    FocusSet options_;
    Attention attention_;
    AttentionExchange exchange_;
    AttentionSink* overlay_ = nullptr;
    ExpectedGap gap_;
    bool has_focus_ = true;  // false: all receivers take turns
    Frame frame_ = 0;
    PerLink<Receiver> receivers_;
    FocusSize size_;
    std::size_t riders_ = 0;           // updates that left unchosen since the last frame
    std::size_t spent_ = 0;            // bytes of the items that are chosen so far
    std::size_t focus_end_ = 0;        // items of the focus set, after fill()
    std::size_t before_others_ = 0;    // these and very late ones
    CopyPrices prices_;                // scratch
    std::vector<Item> items_;          // scratch
    std::vector<LinkNumber> watched_;  // scratch
};

}  // namespace fray
