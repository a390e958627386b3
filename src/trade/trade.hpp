#pragma once
// One trade, as one of its three peers holds it.

#include <fray/serialize.hpp>
#include <fray/time.hpp>
#include <fray/trade.hpp>

#include "trade/trade_packet.hpp"
#include "trade/verdict.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace fray {

/// The two other roles.
[[nodiscard]] constexpr std::array<TradeRole, 2> others(TradeRole role) {
    const auto n = static_cast<unsigned>(role);
    return {static_cast<TradeRole>((n + 1) % 3), static_cast<TradeRole>((n + 2) % 3)};
}

enum class TradeStage : std::uint8_t {
    offering,  // proposer: not bound, not recorded; a crash withdraws it
    offered,   // partner: not bound, not recorded; a crash forgets it
    bound,     // a side that has recorded its vote, or the witness
    decided,   // some peer is not known to know the decision
    over,      // is about to be removed
};

struct Trade {
    TradeName name;
    TradeRole role{};
    TradeStage stage{};
    Items give{}, want{};  // as in TradeTerms; at the witness, empty until a vote arrives
    Verdict verdict{};
    std::array<bool, 2> voted{};  // witness: proposer, partner
    std::array<bool, 3> knows{};  // by role: known to know the decision
    TradeRole opener{};           // the peer whose message created it here
    bool shown = false;           // the game got the decision as an event
    // Not recorded: when it entered this stage, and when it is due to be repeated next.
    Instant since{};
    Instant next{};
    unsigned tries = 0;
    bool in_doubt = false;

    [[nodiscard]] bool undecided() const { return stage < TradeStage::decided; }
    [[nodiscard]] bool recorded() const { return stage == TradeStage::bound || stage == TradeStage::decided; }
    [[nodiscard]] bool is_side() const { return role != TradeRole::witness; }
    /// What this side gives and gets.
    [[nodiscard]] const Items& out() const { return role == TradeRole::proposer ? give : want; }
    [[nodiscard]] const Items& in() const { return role == TradeRole::proposer ? want : give; }
    /// The proposer's items are locked from the offer on, the partner's from its vote on.
    [[nodiscard]] bool locks() const {
        return is_side() && (stage == TradeStage::offering || stage == TradeStage::bound);
    }
    [[nodiscard]] bool knows_by(TradeRole who) const { return knows[static_cast<std::size_t>(who)]; }
    [[nodiscard]] bool all_know() const { return knows[0] && knows[1] && knows[2]; }
    /// We are the witness, and only the opener's side was heard.
    [[nodiscard]] bool one_sided() const {
        const TradeRole other = opener == TradeRole::proposer ? TradeRole::partner : TradeRole::proposer;
        return !is_side() && !voted[static_cast<std::size_t>(other)] && !knows_by(other);
    }
    /// Nothing was recorded or promised: forgetting it is the same as losing the messages about it.
    [[nodiscard]] bool droppable() const { return one_sided() && undecided() && verdict.untouched(); }
    /// True if it is news.
    bool note_knows(TradeRole who) { return !std::exchange(knows[static_cast<std::size_t>(who)], true); }
    void enter(Instant now, TradeStage to) {
        stage = to;
        since = next = now;
        tries = 0;
        in_doubt = false;
    }
};

/// The fields that a journal holds; see Trade::recorded().
template <class Stream>
void serialize(Stream& s, Trade& t) {
    serialize(s, t.name);
    s.enumeration(t.role, TradeRole::witness);
    bool decided = t.stage == TradeStage::decided;
    s.boolean(decided);
    if (Stream::kReading) t.stage = decided ? TradeStage::decided : TradeStage::bound;
    serialize_list(s, t.give, kMostStacks);
    serialize_list(s, t.want, kMostStacks);
    serialize(s, t.verdict);
    for (bool& voted : t.voted) s.boolean(voted);
    for (bool& knows : t.knows) s.boolean(knows);
    s.enumeration(t.opener, TradeRole::witness);
    s.boolean(t.shown);
}

}  // namespace fray
