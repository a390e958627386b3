#pragma once
// The streams of a match: what every player says, in which tick, and up to which tick all of it is known.
//
// Each member of the match has one stream of lines, ordered by tick. A member promises its lines up to a
// tick: after that it cannot add an earlier one. The horizon is the tick up to which this member has the
// lines of all members. Lines before it can never change, so what follows from them is final.
//
// Like ChatRoom, it does no I/O. The game carries its messages, passes in the time, and calls link_up() and
// link_down() on PeerJoined and PeerLeft.
//
//     TickStreams streams = TickStreams::found(now, self, {.seats = 8}).value();   // or join()
//     streams.say(tick, bytes);                 // my player presses a key in this tick
//     streams.advance(now, tick);               // and says no more for the ticks before this one
//     while (auto line = streams.poll_line()) ...       // lines of all members, for the engine
//     engine.commit(streams.horizon());
//
// MEMBERS. The member with the smallest id keeps the list: it admits newcomers and ends lost members, by
// lines of its own stream, so that every member learns of it before its horizon passes that tick.
//   - A newcomer is admitted to a seat, gets the state of a tick after its admission in pieces, and executes
//     all lines from there on. The others do not wait for it; only their horizon does, for a moment.
//   - When a member is lost, every survivor reports the lines that it has of it. The largest number counts:
//     what any survivor has taken as final stays final. Lines that a survivor lacks are sent to it.
//   - A member that has not acknowledged the newest 1,024 lines of another is lost, too: older ones are not
//     kept.
//   - If a partition has split the match, each part continues. When they meet, the smaller part is Evicted,
//     and its members may join again. On a tie, that is the part without the oldest member.
// CHECKPOINTS. Members compare hashes of their states at agreed ticks. A member whose hash is not that of the
// largest group (on a tie, of the oldest member) gets StateDiffers, and then the state of the oldest member
// of that group.
//
// Members are trusted to play by this protocol; strangers are ignored. All memory is bounded.

#include <fray/event.hpp>
#include <fray/ids.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>
#include <fray/time_warp/parts.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace fray {

inline constexpr std::size_t kMostLineBytes = 64;
inline constexpr std::size_t kMostSeats = 256;
inline constexpr std::size_t kMostStateBytes = 4 * 1024 * 1024;
inline constexpr Tick kLastTick = (Tick{1} << 40U) - 1;
inline constexpr PartNumber kNoSeat = 0xFFFF;

/// One thing that a member said.
struct StreamLine {
    enum class Kind : std::uint8_t {
        game,   ///< bytes of the game
        enter,  ///< `subject` takes the seat; said by the keeper of the list
        leave,  ///< `subject` has lost its seat; the same
    };
    Tick tick = 0;
    PeerId author;
    std::uint32_t number = 0;  ///< of the author's lines, from 1
    Kind kind{};
    PeerId subject;           ///< enter, leave; otherwise the author
    PartNumber seat = 0;      ///< of the subject
    std::uint32_t count = 0;  ///< enter: names the stay; leave: the lines of the subject that count
    Tick through = 0;         ///< leave: up to which tick the subject said them
    std::vector<std::uint8_t> bytes{};
};

/// This member has a seat from this tick on. Unless it founded the match, a StateArrived follows.
struct Admitted {
    Tick tick = 0;
    PartNumber seat = 0;
    std::vector<std::uint8_t> greeting;  ///< of the founder, passed on (StreamOptions::greeting)
};
/// Answer with offer_state(): of this tick, or of any tick from it on if `exact` is false.
struct StateAsked {
    PeerId peer;
    Tick tick = 0;
    bool exact = false;
};
/// The whole state before this tick. Its hash was checked.
struct StateArrived {
    PeerId from;
    Tick tick = 0;
    std::vector<std::uint8_t> bytes;
};
/// This member's state differs from that of the larger group. It is asked for; a StateArrived follows.
struct StateDiffers {
    Tick tick = 0;
    PeerId from;
};
/// The other members go on without this one: link loss, or the smaller part after a partition.
struct Evicted {};
struct MemberEntered {
    PeerId peer;
    PartNumber seat = 0;
    Tick since = 0;  ///< not after this member's own admission: it was there before
};
/// Also for members that were lost before this one was admitted, after those that are there.
struct MemberLeft {
    PeerId peer;
    PartNumber seat = 0;
};
/// A member found, and repaired, a difference of its state from the others'.
struct DesyncReport {
    PeerId peer;
    Tick tick = 0;
    std::vector<std::uint8_t> text;  ///< the game's description: which field, both values
};
using StreamEvent = std::variant<Admitted, StateAsked, StateArrived, StateDiffers, Evicted, MemberEntered,
                                 MemberLeft, DesyncReport>;

struct StreamOptions {
    std::uint32_t match = 1;               ///< names the match; messages of others are ignored
    std::size_t seats = 2;                 ///< of the match, at most kMostSeats
    bool watches = false;                  ///< a spectator: gets all lines, has no seat
    std::vector<std::uint8_t> greeting{};  ///< of the founder, for every newcomer; at most kMostGreetingBytes
    Duration lag{};                        ///< the middle queue: messages are held back for this long
    Duration send_interval{50ms};          ///< between two messages to a member without new lines
    Duration patience{2s};                 ///< a member whose link is gone for this long is lost
    Duration silence{10s};                 ///< likewise one that promises nothing new, or gets no first link
    Tick checkpoint{60};                   ///< ticks between two hashes
    Tick most_ahead{600};                  ///< a line may lie this far ahead of the present

    [[nodiscard]] Result<void> check() const;
};
inline constexpr std::size_t kMostGreetingBytes = 256;

/// Bytes for that peer's streams. The game delivers them.
struct StreamMessage {
    PeerId to;
    std::vector<std::uint8_t> bytes;
    Delivery delivery{};
};

struct StreamCounts {
    std::uint64_t lines = 0;           ///< of other members, taken
    std::uint64_t malformed = 0;       ///< messages that do not decode, or of another match
    std::uint64_t from_strangers = 0;  ///< lines of peers that are no members
    std::uint64_t before_promise = 0;  ///< lines for ticks that their author had promised before
    std::uint64_t too_far = 0;         ///< lines for ticks far ahead
    std::uint64_t bad_states = 0;      ///< states that do not match their hash, or were not asked for
    std::uint64_t dropped_events = 0;  ///< events for which there was no room
    std::uint64_t dropped_lines = 0;   ///< lines that were not taken (poll_line()) in time
    std::uint64_t divergences = 0;     ///< checkpoints at which this member was not in the larger group
};

class StreamLog;  // implements TickStreams

/// Not thread-safe. `now` must never decrease.
class TickStreams {
public:
    /// Begins a match at tick 0, with this member in seat 0.
    [[nodiscard]] static Result<TickStreams> found(Instant now, const PeerId& self,
                                                   const StreamOptions& options);
    /// Asks the members that get linked for a seat.
    [[nodiscard]] static Result<TickStreams> join(Instant now, const PeerId& self,
                                                  const StreamOptions& options);
    TickStreams(TickStreams&&) noexcept;
    TickStreams& operator=(TickStreams&&) noexcept;
    ~TickStreams();

    // --- getters ---
    [[nodiscard]] const PeerId& self() const;
    [[nodiscard]] bool is_member() const;
    [[nodiscard]] PartNumber seat() const;  ///< kNoSeat: none
    /// All lines for ticks before this one are known. Never decreases.
    [[nodiscard]] Tick horizon() const;
    /// Own lines are for this tick or a later one.
    [[nodiscard]] Tick promised() const;
    /// The members with a seat, in order of id, this one included.
    [[nodiscard]] std::vector<PeerId> members() const;
    [[nodiscard]] const StreamCounts& counts() const;

    // --- network and time in ---
    void link_up(Instant now, const PeerId& peer);
    void link_down(Instant now, const PeerId& peer);
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);

    // --- commands ---
    /// A line of this member for a tick that is not promised yet.
    Result<void> say(Tick tick, std::span<const std::uint8_t> bytes);
    /// Once per frame: promises that this member says nothing more for ticks before `present`, and sends.
    void advance(Instant now, Tick present);
    /// The hash of the state before a tick that is a multiple of StreamOptions::checkpoint, not after the
    /// horizon.
    void set_hash(Tick tick, std::uint64_t hash);
    /// The answer to StateAsked. Sent in pieces, a few per frame.
    void offer_state(const PeerId& to, Tick tick, std::vector<std::uint8_t> bytes);
    /// Tells all members of a difference that was repaired.
    void report_desync(Tick tick, std::vector<std::uint8_t> text);
    /// The game cannot go on with this member: it counts as lost, for all members.
    void drop(const PeerId& member);
    /// The middle queue may change while playing; what is in it keeps its time.
    void set_lag(Duration lag);

    // --- messages, lines, events out ---
    [[nodiscard]] std::optional<StreamMessage> poll_message();
    /// Own lines too. In the order of a stream, but not of all streams.
    [[nodiscard]] std::optional<StreamLine> poll_line();
    [[nodiscard]] std::optional<StreamEvent> poll_event();

private:
    explicit TickStreams(std::unique_ptr<StreamLog> log);
    std::unique_ptr<StreamLog> log_;
};

}  // namespace fray
