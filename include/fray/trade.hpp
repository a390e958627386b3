#pragma once
// Trades between two players that happen for both or for neither, whatever messages are lost and whoever
// crashes. A TradeDesk holds what one player owns and takes part in trades as one of three:
//
//   proposer   offers some items for some others
//   partner    says yes or no
//   witness    a third peer; records the decision before either side shows it
//
// Like Peer, a desk does no I/O: the game carries its messages (Peer::send, Peer::poll_event), gives it the
// time and stores its journal.
//
//     auto desk = fray::TradeDesk::open_new(now, peer.id(), fray::system_seed());   // once in a player's
//     life auto desk = fray::TradeDesk::reopen(now, peer.id(), stored_journal);          // ever after
//     desk->propose(now, {.partner = ben, .witness = cem, .give = {{kSword, 1}}, .want = {{kGold, 50}}});
//     ...
//     if (const auto journal = desk->poll_journal()) store(*journal);   // first, and until it is safe
//     while (const auto message = desk->poll_message()) send(*message);
//     while (const auto event = desk->poll_event()) show(*event);
//
// THE PROTOCOL
//   1. The proposer locks what it gives and sends the offer to the partner. Nobody is bound yet.
//   2. The partner agrees: it locks what it gives, records its vote under a key it never uses twice, and
//      sends the vote to proposer and witness. From here on it waits for the decision.
//   3. The proposer hears it, records its own vote and sends it to the witness. It is bound as well.
//   4. The witness holds two votes for the same terms: it records "commit". After TradeOptions::vote without
//      the second it records "abort". Then it tells both sides.
//   5. A side that hears it records it, moves the items, unlocks, and shows it. Two of three have it now.
//   6. Everybody tells everybody until all three are known to know; then the trade is forgotten.
// A side without a vote on record may refuse at any time ("unknown to me"): it never votes in that trade
// afterwards, so abort is certain, and whoever hears it aborts.
// When nothing is heard for TradeOptions::doubt, any of the three takes the lead: it asks the others what
// they have recorded (a numbered ballot; they promise to accept nothing of a lower number), and needs one
// answer. Where something was recorded it proposes the one with the highest number, else "abort". This is
// Paxos with three acceptors, in which the witness's record is ballot zero: in good times it costs nothing.
//
// WHAT HOLDS
//   one outcome   No two of the three ever decide differently. An outcome is decided once two of the three
//                 have recorded it in the same ballot; any two promises meet at least one of these two.
//   one owner     A side moves its items in the same journal in which it records the decision, once.
//   witnessed     Nobody shows a commit that the witness has not recorded before: only the witness starts
//   one,
//                 others repeat what they find. An abort the two sides may decide without it: else a witness
//                 that never returns would lock their items for ever.
//   no lock for ever   While two of the three are up and messages get through at last, everyone who is up
//                 decides. Who returns asks and is told.
//   no ghosts     A late copy of an old message cannot make a trade happen again: votes count only under the
//                 partner's key, and a key is used once. (A witness may note an old outcome again, never
//                 another one: it shows what a side that voted tells it.)
// None of it depends on time. Time-outs do not prove a crash; a wrong one costs an abort or some messages.
//
// ASSUMPTIONS
//   - Messages may be lost, doubled, reordered and late; they are not forged: `from` is who sent it. Links
//   vouch
//     for that only once they are sealed; until then, who can read the traffic can speak, and trade, in
//     another's name.
//   - Who crashes returns with the last journal that poll_journal() gave out and the game stored, or never.
//     A player that lost its journal must come back under another PeerId.
//   - Of the three of one trade, at most one is down at a time; one that never returns is down for ever.
//     Where two are gone for good, the third cannot know whether they had committed. It then stays on the
//     safe side: its offered items remain locked, so that no item ever has two owners, until it hears from
//     one of the two. No protocol can do better.
//   - All three follow the protocol. A side can lie about what it owns, and a lying witness can favour a
//     side. Who is none of the three cannot touch a trade under its own name, whatever it makes up: what is
//     cut or nonsense is dropped and counted. It can only take up room, in the shares of the limits below.
// What a player owns who never returns has left with it, items it got in its last trade included.

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

/// What can be owned: the game's own number for a thing, or for a kind of thing.
enum class ItemId : std::uint64_t {};

/// So many of one item; a unique thing is a stack of one that nobody else has.
struct Stack {
    ItemId item{};
    std::uint32_t count = 1;
    friend constexpr auto operator<=>(const Stack&, const Stack&) = default;
};
using Items = std::vector<Stack>;

/// Limits, per side of a trade and per desk.
inline constexpr std::size_t kMostStacks = 32;      ///< different items a side gives
inline constexpr std::size_t kMostItems = 4096;     ///< different items a player owns
inline constexpr std::size_t kMostTrades = 256;     ///< not yet forgotten, all roles together; of these
inline constexpr std::size_t kMostWitnessed = 128;  ///< as witness, and
inline constexpr std::size_t kMostOffered = 64;  ///< as partner: what is left for own offers nobody can take
inline constexpr std::size_t kMostPerPeer = 16;  ///< as begun with us by one other peer
inline constexpr std::size_t kMostForgotten = 4096;  ///< see TradeDesk::forget()

/// A trade: who offered it, and a number that peer never uses twice.
struct TradeId {
    PeerId proposer;
    std::uint64_t number = 0;
    friend constexpr auto operator<=>(const TradeId&, const TradeId&) = default;
    friend constexpr bool operator==(const TradeId&, const TradeId&) = default;
};

/// What is offered, as the proposer sees it.
struct TradeTerms {
    PeerId partner;
    PeerId witness;  ///< neither of the two; somebody both are linked with
    Items give;      ///< from proposer to partner
    Items want;      ///< from partner to proposer
};

enum class TradeRole : std::uint8_t { proposer, partner, witness };

/// Why a trade ended so, as far as this peer knows; others may have heard another reason for an abort.
enum class TradeReason : std::uint8_t {
    agreed,     ///< committed
    declined,   ///< the partner would not
    withdrawn,  ///< the proposer took it back, or came back without it
    timed_out,  ///< somebody was silent for too long
};

/// Somebody offers us a trade: accept() or decline() it.
struct TradeOffered {
    TradeId trade;
    TradeTerms terms;
};
/// It is over, here and for everybody alike: the items have moved (committed), or are free again. Who crashed
/// and returned may be told a second time. A witness is told once a side that voted says so; where none does,
/// there was nothing to witness.
struct TradeDecided {
    TradeId trade;
    TradeRole role;  ///< ours in it
    bool committed = false;
    TradeReason reason{};
};
using TradeEvent = std::variant<TradeOffered, TradeDecided>;

/// To be carried to that peer's desk; may be lost.
struct TradeMessage {
    PeerId to;
    std::vector<std::uint8_t> bytes;
};

/// How long a desk waits: human time for offers, network time for the rest. Doubt should be longer than vote,
/// or the sides interfere with a witness that is about to decide.
struct TradeOptions {
    Duration offer{30s};     ///< an offer without an answer is void; 1 s to 1 h
    Duration vote{5s};       ///< the witness waits for the second vote; 10 ms to 10 min
    Duration doubt{8s};      ///< nothing heard: take the lead; 10 ms to 10 min
    Duration resend{500ms};  ///< first pause before saying it again, then doubled up to 32 times, and in
                             ///< doubt to 4 s at least; 1 ms to 1 min

    /// Says the first value that cannot be.
    [[nodiscard]] Result<void> check() const;
};

/// A trade a desk has not forgotten.
struct TradeState {
    TradeId trade;
    PeerId partner;
    PeerId witness;
    TradeRole role{};  ///< ours in it
    bool decided = false;
    Instant since{};  ///< when it came so far, or when the desk was opened
};

class TradeBook;  // the trades and items behind TradeDesk

/// Not thread-safe. `now` never goes back while a desk lives; a new desk may start at any time.
class TradeDesk {
public:
    /// The desk of a player that never had one: what it gave out before must never be given out again, so who
    /// had one comes back with its journal, or under another PeerId. Nobody else knows the seed. Refuses
    /// options that cannot be.
    [[nodiscard]] static Result<TradeDesk> open_new(Instant now, PeerId self, Seed seed,
                                                    const TradeOptions& options = {});
    /// The desk of a player that returns. Refuses a journal that is empty, cut, damaged, of another version
    /// or another player's.
    [[nodiscard]] static Result<TradeDesk> reopen(Instant now, PeerId self,
                                                  std::span<const std::uint8_t> journal,
                                                  const TradeOptions& options = {});
    TradeDesk(TradeDesk&&) noexcept;
    TradeDesk& operator=(TradeDesk&&) noexcept;
    ~TradeDesk();

    // --- getters ---
    /// Everything owned, ascending by item; what is locked in a trade is still ours.
    [[nodiscard]] Items items() const;
    [[nodiscard]] std::uint32_t owned(ItemId item) const;
    /// Owned and not locked.
    [[nodiscard]] std::uint32_t free(ItemId item) const;
    /// Trades that are not decided and of which we are a side. Leave a session when it is zero.
    [[nodiscard]] std::size_t undecided() const;
    /// Trades that are not decided and whose witness we are. A leaver need not wait for them: the sides can
    /// decide without us, and whoever votes in a trade that its partner knows nothing of keeps one up for
    /// ever.
    [[nodiscard]] std::size_t witnessing() const;
    /// Trades not yet forgotten, decided or not.
    [[nodiscard]] std::size_t remembered() const;
    /// The same one by one: whoever stands here since long ago may be one to forget().
    [[nodiscard]] std::vector<TradeState> trades() const;
    /// Messages dropped: malformed, forged, or too many.
    [[nodiscard]] std::uint64_t rejected() const;

    // --- network and time in ---
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);
    /// To be called at the time poll_wakeup() gave; calling it more often is harmless.
    void handle_time(Instant now);

    // --- commands ---
    /// Items that come from or go to the world. Locked ones cannot be removed.
    Result<void> add(const Items& items);
    Result<void> remove(const Items& items);
    /// Locks what we give. Ends with a TradeDecided.
    [[nodiscard]] Result<TradeId> propose(Instant now, const TradeTerms& terms);
    /// Locks what the offer wants of us. Ends with a TradeDecided.
    Result<void> accept(Instant now, const TradeId& trade);
    /// The partner says no, or the proposer takes it back; only as long as neither has voted.
    Result<void> refuse(const TradeId& trade);
    /// That peer never returns, because the game says so (banned, gone for a month): nothing is kept for it
    /// any more, and whatever it sends is ignored for ever. A trade we watched is kept until both sides are
    /// forgotten or know its end; one in which we voted, until we know it.
    Result<void> forget(const PeerId& peer);

    // --- journal, messages, wake-up, events out ---
    /// All of the desk as bytes, whenever they changed. Messages and events are held back until it was asked
    /// for; store it before asking for them, and give the last one stored to reopen() after a crash.
    [[nodiscard]] std::optional<std::vector<std::uint8_t>> poll_journal();
    [[nodiscard]] std::optional<TradeMessage> poll_message();
    [[nodiscard]] std::optional<TradeEvent> poll_event();
    [[nodiscard]] Instant poll_wakeup() const;

private:
    explicit TradeDesk(std::unique_ptr<TradeBook> book);
    std::unique_ptr<TradeBook> book_;
};

}  // namespace fray
