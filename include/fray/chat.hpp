#pragma once
// Chat whose lines everybody sees in the same order. One member, the serializer, gives every line its place;
// the others show lines in the order of places and ask again for what they miss. When the serializer leaves,
// the member with the smallest id takes over.
//
// Like Peer, a room does no I/O: the game carries its messages (reliable and ordered suits it, lossy ones
// work as well), gives it the time, and says who is a member (PeerJoined, PeerLeft).
//
// HAND-OVER. The new serializer begins a term, asks every member how far it has shown and for the lines it
// lacks itself, and goes on behind the furthest. Who has answered shows nothing of the old term any more but
// what the new serializer sends.
//
// WHAT HOLDS
//   - Members that go from one term into the next together have shown the same lines in the same order, none
//     missing, none twice (virtual synchrony). A line its author has not seen by then is offered again.
//   - A member that was left out (cut off, or too slow in a hand-over) may have shown lines the others never
//     saw. It is told so by a ChatReset, and from there on shows what the others show.
//   - Where a group falls apart, each part goes on by itself. When they meet, the higher term stays, and the
//     members of the other part get a ChatReset. A member knows by the terms its lines were placed in: where
//     it followed none of the last 16 of the others, or was further than the next of them began, it starts
//     afresh.
//   - A game that does not poll loses lines, not memory: kMostUnreadChat events wait for it. Then the oldest
//     make room, and a ChatReset before the others says from which place on they are all there.
// Members are honest here: a serializer could order as it likes. Strangers are not heard.

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

inline constexpr std::size_t kMostChatBytes = 512;    ///< a line
inline constexpr std::size_t kMostChatters = 64;      ///< members, ourselves included
inline constexpr std::size_t kMostUnreadChat = 1024;  ///< events that wait for poll_event()

/// The next line to show.
struct ChatLine {
    std::uint64_t place = 0;  ///< consecutive, and the same for all members
    PeerId author;
    std::string text;
};
/// Until here the others may have seen other lines, or more, as may have come here and waited for
/// poll_event() too long; the next line is at this place.
struct ChatReset {
    std::uint64_t place = 0;
};
using ChatEvent = std::variant<ChatLine, ChatReset>;

/// To be carried to that peer's room.
struct ChatMessage {
    PeerId to;
    std::vector<std::uint8_t> bytes;
};

struct ChatOptions {
    Duration resend{
        500ms};  ///< own lines nobody placed, missing lines, and the serializer's "so far"; 10 ms to 1 min
    Duration patience{
        2s};  ///< for answers in a hand-over, and of a newcomer before it begins; 10 ms to 1 min

    /// Says the first value that cannot be.
    [[nodiscard]] Result<void> check() const;
};

class ChatLog;  // the lines behind ChatRoom

/// Not thread-safe. `now` never goes back.
class ChatRoom {
public:
    [[nodiscard]] static Result<ChatRoom> open(Instant now, PeerId self, const ChatOptions& options = {});
    ChatRoom(ChatRoom&&) noexcept;
    ChatRoom& operator=(ChatRoom&&) noexcept;
    ~ChatRoom();

    // --- getters ---
    /// Whom we follow; nobody yet at the start.
    [[nodiscard]] std::optional<PeerId> serializer() const;
    /// Own lines that have no place yet.
    [[nodiscard]] std::size_t waiting() const;
    /// Messages dropped: malformed, of strangers, or with numbers that no honest member comes to.
    [[nodiscard]] std::uint64_t rejected() const;

    // --- network and time in ---
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);
    void handle_time(Instant now);

    // --- commands ---
    Result<void> add_member(const PeerId& peer);
    void remove_member(Instant now, const PeerId& peer);
    /// Shown here, too, only once it has its place. Refused where too long, or too many wait.
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
