#pragma once
// Chat in which every member shows the same lines in the same order. One member, the serializer, assigns each
// line a place (a sequence number). The other members show lines by place and request the ones they miss.
// When the serializer leaves, the member with the smallest id takes over.
//
// Like Peer, a room does no I/O. The game carries its messages (reliable and ordered delivery suits best;
// lossy delivery works too), passes in the time, and calls add_member() and remove_member() on PeerJoined and
// PeerLeft.
//
// HAND-OVER. The new serializer starts a term. It asks every member for its next place and for the lines that
// the serializer itself lacks, and continues after the highest place. A member that has answered shows lines
// of the old term only if the new serializer sends them.
//
// GUARANTEES
//   - Members that move from one term to the next together have shown the same lines in the same order, none
//     missing and none twice (virtual synchrony). An author offers a line again that has no place by then.
//   - A member that was excluded (cut off, or too slow in a hand-over) may have shown lines that the other
//     members never saw. It gets a ChatReset and shows the same lines as the others from there on.
//   - If a partition splits the group, each part continues on its own. When the parts meet, the part with the
//     higher term wins and the members of the other part get a ChatReset. A member decides this by the terms
//     in which its lines were placed: it resets if it followed none of the last 16 terms of the winning part,
//     or if it had already passed the place at which the next of those terms began.
//   - A game that does not poll loses lines, not memory. At most kMostUnreadChat events are queued; then the
//     oldest are evicted, and a ChatReset in front of the queue gives the place from which it is complete.
// Members are trusted: a malicious serializer can order lines as it likes. Non-members are ignored.

#include <fray/ids.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fray {

inline constexpr std::size_t kMostChatBytes = 512;    ///< bytes per line
inline constexpr std::size_t kMostChatters = 64;      ///< members, including this one
inline constexpr std::size_t kMostUnreadChat = 1024;  ///< events queued for poll_event()

/// The next line to show.
struct ChatLine {
    std::uint64_t place = 0;  ///< consecutive, and the same for all members
    PeerId author;
    std::string text;
};
/// Lines before this place may differ from, or be missing compared with, what other members saw, or were
/// evicted because the game did not poll. The next line has this place.
struct ChatReset {
    std::uint64_t place = 0;
};
using ChatEvent = std::variant<ChatLine, ChatReset>;

/// A message for that peer's room. The game delivers it.
struct ChatMessage {
    PeerId to;
    std::vector<std::uint8_t> bytes;
};

/// Both range from 10 ms to 1 min.
struct ChatOptions {
    /// Interval for repeating: own lines without a place, requests for missing lines, the serializer's head.
    Duration resend{500ms};
    /// How long a new serializer waits for answers, and a new member for a serializer.
    Duration patience{2s};

    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
};

class ChatLog;  // implements ChatRoom

/// Not thread-safe. `now` must never decrease.
class ChatRoom {
public:
    /// Opens the room of member `self`. Returns an error if an option is out of range.
    [[nodiscard]] static Result<ChatRoom> open(Instant now, PeerId self, const ChatOptions& options = {});
    ChatRoom(ChatRoom&&) noexcept;
    ChatRoom& operator=(ChatRoom&&) noexcept;
    ~ChatRoom();

    // --- getters ---
    /// The current serializer; nothing while this member follows none.
    [[nodiscard]] std::optional<PeerId> serializer() const;
    /// Number of own lines without a place.
    [[nodiscard]] std::size_t waiting() const;
    /// Number of messages dropped: malformed, from non-members, or with numbers out of range.
    [[nodiscard]] std::uint64_t rejected() const;

    // --- network and time in ---
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);
    void handle_time(Instant now);

    // --- commands ---
    Result<void> add_member(const PeerId& peer);
    void remove_member(Instant now, const PeerId& peer);
    /// Offers a line. It is shown here, too, only once it has a place. Returns an error if the text is longer
    /// than kMostChatBytes or if 32 own lines have no place yet.
    Result<void> say(std::string_view text);

    // --- messages, wake-up, events out ---
    [[nodiscard]] std::optional<ChatMessage> poll_message();
    [[nodiscard]] std::optional<ChatEvent> poll_event();
    [[nodiscard]] Instant poll_wakeup() const;

private:
    explicit ChatRoom(std::unique_ptr<ChatLog> log);
    std::unique_ptr<ChatLog> log_;
};

}  // namespace fray
