#pragma once
// Trades between two players that happen for both or for neither, even if messages are lost and peers crash.
// A TradeDesk holds one player's items and takes part in each trade in one of three roles:
//
//   proposer   offers some items for some others
//   partner    accepts or refuses
//   witness    a third peer; records the decision before either side shows it
//
// Like Peer, a desk does no I/O. The game carries its messages (Peer::send, Peer::poll_event), passes in the
// time and stores its journal.
//
//     // once in a player's life
//     auto desk = fray::TradeDesk::open_new(now, peer.id(), fray::system_seed());
//     // every time after that
//     auto desk = fray::TradeDesk::reopen(now, peer.id(), stored_journal);
//
//     desk->propose(now, {.partner = ben, .witness = cem, .give = {{kSword, 1}}, .want = {{kGold, 50}}});
//     ...
//     if (const auto journal = desk->poll_journal()) store(*journal);  // first, and wait until it is stored
//     while (const auto message = desk->poll_message()) send(*message);
//     while (const auto event = desk->poll_event()) show(*event);
//
// PROTOCOL
//   1. The proposer locks what it gives and sends the offer to the partner. No side is bound yet.
//   2. The partner accepts: it locks what it gives, records its vote under a key that it never reuses, and
//      sends the vote to proposer and witness. It is bound: it waits for the decision.
//   3. The proposer receives the vote, records its own and sends it to the witness. It is bound as well.
//   4. When the witness holds two votes for the same terms, it records "commit". If the second vote is
//      missing after TradeOptions::vote, it records "abort". It sends the decision to both sides.
//   5. A side that receives the decision records it, moves the items, unlocks them, and shows the result.
//      Two of the three now have the decision on record.
//   6. All three repeat the decision until each knows that all know it. Then the trade is forgotten.
// A side without a recorded vote may refuse at any time ("unknown to me"). It never votes in that trade
// afterwards, so abort is certain, and every peer that learns of the refusal aborts.
//
// RECOVERY. If the trade is not decided TradeOptions::doubt after a role was bound, that role leads a ballot:
// it asks the other two what they have recorded under a numbered ballot. They promise to accept nothing with
// a lower number. One answer suffices. If anything was recorded, the leader proposes the record with the
// highest number, otherwise "abort". This is Paxos with three acceptors, in which the witness's record is
// ballot zero. Without faults it adds no message.
//
// GUARANTEES
//   one outcome   No two of the three ever decide differently. An outcome is decided once two of the
//                 three have recorded it in the same ballot, and any two promises include at least one of
//                 these two.
//   one owner     A side moves its items, once, in the same journal write that records the decision.
//   witnessed     No side shows a commit that the witness has not recorded before: only the witness starts
//                 one, others repeat what they find. The two sides may decide an abort without the witness;
//                 otherwise a witness that never returns would lock their items for ever.
//   no lock for ever   While two of the three are up and messages eventually arrive, every peer that is up
//                 decides. A peer that returns asks and is told.
//   no replay     A late copy of an old message cannot repeat a trade: votes count only under the partner's
//                 key, and a key is used once. (A witness may record an old outcome again, never another one:
//                 it shows what a side that voted tells it.)
// None of this depends on time. A timeout does not prove a crash: a wrong one costs messages or an abort.
//
// ASSUMPTIONS
//   - Messages may be lost, duplicated, reordered and delayed, but not forged: `from` is the sender. Links
//     guarantee that only once they are sealed. Until then, an attacker that can read the traffic can send,
//     and trade, under another peer's id.
//   - A peer that crashes returns with the last journal that poll_journal() returned and the game stored, or
//     never. A player that lost its journal must return under another PeerId.
//   - Of the three peers of a trade, at most one is down at a time. One that never returns counts as down for
//     ever. If two are gone for good, the third cannot know whether they committed. Its offered items then
//     stay locked until it hears from one of the two, so that no item ever has two owners. No protocol can do
//     better.
//   - All three follow the protocol. A side can lie about what it owns, and a lying witness can favour a
//     side. A peer that is none of the three cannot affect a trade under its own id: malformed and invalid
//     messages are dropped and counted. It can only use up its share of the limits below.
// The items of a player that never returns are gone with it, including those from its last trade.

#include <fray/ids.hpp>
#include <fray/random.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace fray {

/// Identifies something that can be owned. The game assigns one number per thing, or per kind of thing.
enum class ItemId : std::uint64_t {};

/// A number of one item. A unique thing is a stack of one that no other player has.
struct Stack {
    ItemId item{};
    std::uint32_t count = 1;
    friend constexpr auto operator<=>(const Stack&, const Stack&) = default;
};
using Items = std::vector<Stack>;

/// Limits, per side of a trade and per desk.
inline constexpr std::size_t kMostStacks = 32;      ///< different items that one side gives
inline constexpr std::size_t kMostItems = 4096;     ///< different items that a player owns
inline constexpr std::size_t kMostTrades = 256;     ///< trades not yet forgotten, in all roles; of these
inline constexpr std::size_t kMostWitnessed = 128;  ///< as witness, and
inline constexpr std::size_t kMostOffered = 64;     ///< as partner; the rest is reserved for own offers
inline constexpr std::size_t kMostPerPeer = 16;     ///< in which one other peer takes part
/// As witness, trades of which only one side was heard by the time that a decision had to be recorded. A
/// record must be kept until both sides know it, for ever if the other side does not exist.
inline constexpr std::size_t kMostOneSided = 64;
inline constexpr std::size_t kMostOneSidedPerPeer = 4;  ///< of these, started by one peer
inline constexpr std::size_t kMostForgotten = 4096;     ///< peers; see TradeDesk::forget()

/// Identifies a trade: the peer that offered it, and a number that this peer never reuses.
struct TradeId {
    PeerId proposer;
    std::uint64_t number = 0;
    friend constexpr auto operator<=>(const TradeId&, const TradeId&) = default;
    friend constexpr bool operator==(const TradeId&, const TradeId&) = default;
};

/// The terms of an offer, as the proposer sees them.
struct TradeTerms {
    PeerId partner;
    PeerId witness;  ///< a third peer, linked with both sides
    Items give;      ///< from proposer to partner
    Items want;      ///< from partner to proposer
};

enum class TradeRole : std::uint8_t { proposer, partner, witness };

/// Why a trade ended, as far as this peer knows. Other peers may have another reason for the same abort.
enum class TradeReason : std::uint8_t {
    agreed,     ///< committed
    declined,   ///< the partner refused
    withdrawn,  ///< the proposer took the offer back, or returned without it
    timed_out,  ///< a peer was silent for too long
};

/// Another player offers a trade: accept() or refuse() it.
struct TradeOffered {
    TradeId trade;
    TradeTerms terms;
};
/// The trade is decided, with the same outcome for all three: the items have moved (committed) or are
/// unlocked. After a crash a desk may report the same trade again. A witness gets the event when a side that
/// voted confirms the outcome; if none does, there was nothing to witness.
struct TradeDecided {
    TradeId trade;
    TradeRole role;  ///< of this peer
    bool committed = false;
    TradeReason reason{};
};
using TradeEvent = std::variant<TradeOffered, TradeDecided>;

/// A message for that peer's desk. The game delivers it; it may be lost.
struct TradeMessage {
    PeerId to;
    std::vector<std::uint8_t> bytes;
};

/// Timeouts of a desk: human time for offers, network time for the rest. `doubt` should be longer than
/// `vote`; otherwise the sides interfere with a witness that is about to decide.
struct TradeOptions {
    Duration offer{30s};  ///< an offer without an answer expires; 1 s to 1 h
    Duration vote{5s};    ///< the witness waits this long for the second vote; 10 ms to 10 min
    Duration doubt{8s};   ///< a bound role starts recovery after this time; 10 ms to 10 min
    /// First pause before a retransmit; 1 ms to 1 min. It doubles up to 32 x resend, in recovery up to 4 s at
    /// least. In recovery it is 2 to 4 times as long, by role, so that two leaders do not block each other.
    Duration resend{500ms};

    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
};

/// A trade that a desk has not yet forgotten.
struct TradeState {
    TradeId trade;
    PeerId partner;
    PeerId witness;
    TradeRole role{};  ///< of this peer
    bool decided = false;
    Instant since{};  ///< when it reached its present stage, or when the desk was opened
};

class TradeBook;  // implements TradeDesk

/// Not thread-safe. `now` must never decrease while a desk lives; a new desk may start at any time.
class TradeDesk {
public:
    /// Opens the desk of a player that never had one. Trade numbers must never be reused, so a player that
    /// had a desk returns with its journal, or under another PeerId. Keep the seed secret. Returns an error
    /// if an option is out of range.
    [[nodiscard]] static Result<TradeDesk> open_new(Instant now, PeerId self, Seed seed,
                                                    const TradeOptions& options = {});
    /// Reopens the desk of a player that returns. Returns an error if the journal is empty, truncated,
    /// damaged, of another version, or of another player.
    [[nodiscard]] static Result<TradeDesk> reopen(Instant now, PeerId self,
                                                  std::span<const std::uint8_t> journal,
                                                  const TradeOptions& options = {});
    TradeDesk(TradeDesk&&) noexcept;
    TradeDesk& operator=(TradeDesk&&) noexcept;
    ~TradeDesk();

    // --- getters ---
    /// All items owned, ascending by item, including those locked in a trade.
    [[nodiscard]] Items items() const;
    [[nodiscard]] std::uint32_t owned(ItemId item) const;
    /// Owned and not locked.
    [[nodiscard]] std::uint32_t free(ItemId item) const;
    /// Number of undecided trades in which this peer is proposer or partner. Leave a session when it is zero.
    [[nodiscard]] std::size_t undecided() const;
    /// Number of undecided trades that this peer witnesses. A leaving peer need not wait for them: the sides
    /// can decide without it, and a trade whose partner does not know of it stays undecided for ever.
    [[nodiscard]] std::size_t witnessing() const;
    /// Number of trades not yet forgotten, decided or not.
    [[nodiscard]] std::size_t remembered() const;
    /// Lists these trades. A peer in a very old entry is a candidate for forget().
    [[nodiscard]] std::vector<TradeState> trades() const;
    /// Number of messages dropped: malformed, from a wrong role, or over a limit.
    [[nodiscard]] std::uint64_t rejected() const;

    // --- network and time in ---
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);
    /// Call it at the time that poll_wakeup() returned. Earlier and repeated calls are harmless.
    void handle_time(Instant now);

    // --- commands ---
    /// Adds items from, or removes items to, the game world. Locked items cannot be removed.
    Result<void> add(const Items& items);
    Result<void> remove(const Items& items);
    /// Locks what this side gives. A TradeDecided event follows.
    [[nodiscard]] Result<TradeId> propose(Instant now, const TradeTerms& terms);
    /// Locks what the offer asks of this side. A TradeDecided event follows.
    Result<void> accept(Instant now, const TradeId& trade);
    /// As partner, declines an offer; as proposer, withdraws it. Only possible before this side has voted.
    Result<void> refuse(const TradeId& trade);
    /// Declares that a peer never returns (banned, gone for a month). The desk keeps nothing for it and
    /// ignores its messages from then on. A witnessed trade is kept until both sides are forgotten or know
    /// the outcome; a trade in which this peer voted, until this peer knows the outcome.
    Result<void> forget(const PeerId& peer);

    // --- journal, messages, wake-up, events out ---
    /// The whole desk as bytes, if it has changed. Messages and events are withheld until this is called.
    /// Store the journal before polling them, and pass the last one stored to reopen() after a crash.
    [[nodiscard]] std::optional<std::vector<std::uint8_t>> poll_journal();
    [[nodiscard]] std::optional<TradeMessage> poll_message();
    [[nodiscard]] std::optional<TradeEvent> poll_event();
    [[nodiscard]] Instant poll_wakeup() const;

private:
    explicit TradeDesk(std::unique_ptr<TradeBook> book);
    std::unique_ptr<TradeBook> book_;
};

}  // namespace fray
