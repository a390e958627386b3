#pragma once
// Messages between chat rooms. All kinds begin alike:
//
//   | kind 3 | term: round 30, serializer 128 | next 50 | by kind |
//
//   kind    meaning                                        by kind
//   say     own lines without a place                      | lines |
//   ask     a new serializer: how far are you?
//   state   the answer                                     | begin 50 | eras | said | lines |
//   open    the serializer: the term begins                | oldest 50 | eras | said |
//   lines   the serializer: lines with their places        | lines |
//   head    the serializer: the number of places
//   want    a member: send me lines from `next` on, or `open` if my term is not yours
//
// begin: the place of the first line. oldest: the first place still kept. said: per author, the number of its
// lines that have a place. eras: the terms in which the sender's lines were placed, newest last, each with
// its first place: | count varint | round 30, serializer 128, begin 50 ... |

#include <fray/chat.hpp>
#include <fray/serialize.hpp>

#include "wire/lists.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace fray {

/// Round 1 follows it: a member that names the last round must not end the chat.
inline constexpr std::uint32_t kLastRound = 1'000'000'000;
/// Higher ones are rejected, so that no number overflows.
inline constexpr std::uint64_t kLastPlace = 1'000'000'000'000'000;
inline constexpr std::uint64_t kMostPlacesAhead = 1'000'000'000;  ///< of ours; not reached in years

/// The time in which one member is serializer; of two, the later one wins. Rounds form a circle: of two, the
/// one that comes less than half a circle after the other is the later one.
struct ChatTerm {
    std::uint32_t round = 0;  // zero: none yet, before all others
    PeerId serializer{};
    [[nodiscard]] std::uint32_t next_round() const { return round % kLastRound + 1; }
    friend bool operator==(const ChatTerm&, const ChatTerm&) = default;
    friend std::strong_ordering operator<=>(const ChatTerm& a, const ChatTerm& b) {
        if (a.round == b.round) return a.serializer <=> b.serializer;
        if (a.round == 0 || b.round == 0) return a.round <=> b.round;
        const std::uint32_t ahead = (a.round + kLastRound - b.round) % kLastRound;
        return ahead < kLastRound / 2 ? std::strong_ordering::greater : std::strong_ordering::less;
    }
};

/// A term, and the place of the first line that its serializer placed.
struct ChatEra {
    ChatTerm term{};
    std::uint64_t begin = 0;
};
inline constexpr std::size_t kMostEras = 16;  // a member that missed more starts over

/// A line, and its number among its author's lines. Its place follows from the packet.
struct PlacedLine {
    PeerId author;
    std::uint32_t number = 0;
    std::vector<std::uint8_t> text{};
};

/// The number of an author's lines that have a place.
struct SaidBy {
    PeerId author;
    std::uint32_t count = 0;
};

enum class ChatKind : std::uint8_t { say, ask, state, open, lines, head, want };

inline constexpr std::size_t kMostLinesAtOnce = 16;
inline constexpr std::size_t kMostAuthors = 2 * kMostChatters;

struct ChatPacket {
    ChatKind kind{};
    ChatTerm term{};
    std::uint64_t next = 0;   // number of known places; lines: place of the first; want: the first wanted
    std::uint64_t begin = 0;  // state: the place of the first line
    std::uint64_t oldest = 0;
    std::vector<ChatEra> eras{};
    std::vector<PlacedLine> lines{};
    std::vector<SaidBy> said{};
};

template <class Stream>
void serialize(Stream& s, ChatTerm& term) {
    s.integer(term.round, 0, kLastRound);
    serialize(s, term.serializer);
}

template <class Stream>
void serialize(Stream& s, ChatEra& era) {
    serialize(s, era.term);
    s.integer(era.begin, 0, kLastPlace);
}

template <class Stream>
void serialize(Stream& s, PlacedLine& line) {
    serialize(s, line.author);
    s.varint(line.number);
    s.bytes(line.text, kMostChatBytes);
}

template <class Stream>
void serialize(Stream& s, SaidBy& said) {
    serialize(s, said.author);
    s.varint(said.count);
}

template <class Stream>
void serialize(Stream& s, ChatPacket& p) {
    s.enumeration(p.kind, ChatKind::want);
    serialize(s, p.term);
    s.integer(p.next, 0, kLastPlace);
    switch (p.kind) {
        case ChatKind::open:
            s.integer(p.oldest, 0, kLastPlace);
            serialize_list(s, p.eras, kMostEras);
            return serialize_list(s, p.said, kMostAuthors);
        case ChatKind::state:
            s.integer(p.begin, 0, kLastPlace);
            serialize_list(s, p.eras, kMostEras);
            serialize_list(s, p.said, kMostAuthors);
            return serialize_list(s, p.lines, kMostLinesAtOnce);
        case ChatKind::say:
        case ChatKind::lines:
            return serialize_list(s, p.lines, kMostLinesAtOnce);
        case ChatKind::ask:
        case ChatKind::head:
        case ChatKind::want:
            return;
    }
}

}  // namespace fray
