#pragma once
// Messages between desks. All kinds begin alike:
//
//   | kind 3 | proposer 128, number 64 | key 64 | partner 128 | witness 128 | by kind |
//   offer, vote     what is given, what is wanted: | count varint | item 64, count 32 ... | each
//   prepare         | ballot 31 |
//   promise         | ballot 31 | anything accepted 1 | [ballot 31, commit 1] |
//   accept          | ballot 31, commit 1 |
//   decided         | commit 1 | I know that you know 1 |
//   unknown         nothing: the sender does not hold this trade, and did not vote in it unless it is over

#include <fray/serialize.hpp>
#include <fray/trade.hpp>

#include "trade/verdict.hpp"
#include "wire/lists.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// The name of a trade, the same for all three peers. The partner draws the key when it agrees; zero before.
struct TradeName {
    TradeId id;
    std::uint64_t key = 0;
    PeerId partner;
    PeerId witness;
    friend bool operator==(const TradeName&, const TradeName&) = default;

    [[nodiscard]] const PeerId& peer(TradeRole role) const {
        return role == TradeRole::proposer ? id.proposer : role == TradeRole::partner ? partner : witness;
    }
    [[nodiscard]] std::optional<TradeRole> role_of(const PeerId& who) const {
        for (const TradeRole role : {TradeRole::proposer, TradeRole::partner, TradeRole::witness}) {
            if (peer(role) == who) return role;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool three_peers() const {
        return id.proposer != partner && partner != witness && witness != id.proposer;
    }
};

enum class TradeKind : std::uint8_t { offer, vote, prepare, promise, accept, decided, unknown };

struct TradePacket {
    TradeKind kind{};
    TradeName name;
    Items give{}, want{};
    Ballot ballot = 0;
    std::optional<Accepted> accepted{};
    bool commit = false;
    bool heard = false;  // the sender knows that the receiver knows
};

template <class Stream>
void serialize(Stream& s, Stack& stack) {
    auto item = static_cast<std::uint64_t>(stack.item);
    s.whole(item);
    stack.item = ItemId{item};
    s.whole(stack.count);
}

template <class Stream>
void serialize(Stream& s, TradeId& id) {
    serialize(s, id.proposer);
    s.whole(id.number);
}

template <class Stream>
void serialize(Stream& s, TradeName& name) {
    serialize(s, name.id);
    s.whole(name.key);
    serialize(s, name.partner);
    serialize(s, name.witness);
}

template <class Stream>
void serialize(Stream& s, TradePacket& p) {
    s.enumeration(p.kind, TradeKind::unknown);
    serialize(s, p.name);
    switch (p.kind) {
        case TradeKind::offer:
        case TradeKind::vote:
            serialize_list(s, p.give, kMostStacks);
            serialize_list(s, p.want, kMostStacks);
            return;
        case TradeKind::prepare:
            return s.integer(p.ballot, 1, kLastBallot);
        case TradeKind::promise:
            s.integer(p.ballot, 1, kLastBallot);
            return serialize_optional(s, p.accepted);
        case TradeKind::accept:
            s.integer(p.ballot, 0, kLastBallot);
            return s.boolean(p.commit);
        case TradeKind::decided:
            s.boolean(p.commit);
            return s.boolean(p.heard);
        case TradeKind::unknown:
            return;
    }
}

[[nodiscard]] std::vector<std::uint8_t> encode(const TradePacket& packet);
/// Nothing if the bytes are no packet, name fewer than three peers, or contain invalid items.
[[nodiscard]] std::optional<TradePacket> decode(std::span<const std::uint8_t> bytes);

}  // namespace fray
