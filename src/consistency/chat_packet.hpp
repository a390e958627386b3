#pragma once
// What rooms say to each other, one shape for all kinds:
//
//   | kind 3 | term: round 32, serializer 128 | next 64 | by kind |
//   say     own lines without a place            lines
//   ask     a new serializer: how far are you?
//   state   an answer: so far, and these         | place of the first 64 | who said how many: list | lines
//   open    the term begins                      | begin 64 | oldest kept 64 | who said how many: list |
//   lines   lines with their places              lines
//   head    the serializer: so far
//   want    a member: send me from `next` on, or the term where it is not mine

#include <fray/chat.hpp>
#include <fray/serialize.hpp>

#include "consistency/lists.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace fray {

/// One serializer's time in office; of two, the higher stays.
struct ChatTerm {
    std::uint32_t round = 0;  // zero: none yet
    PeerId serializer{};
    friend auto operator<=>(const ChatTerm&, const ChatTerm&) = default;
};

/// A line: whose, and the how many'th of that author. Places follow from the packet.
struct PlacedLine {
    PeerId author;
    std::uint32_t number = 0;
    std::vector<std::uint8_t> text{};
};

/// How many lines of an author have a place.
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
    std::uint64_t next =
        0;  // how many places are known; lines: the place of the first; want: the first wanted
    std::uint64_t begin = 0;  // open: the place at which the term began; state: the place of the first line
    std::uint64_t oldest = 0;
    std::vector<PlacedLine> lines{};
    std::vector<SaidBy> said{};
};

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
    s.whole(p.term.round);
    serialize(s, p.term.serializer);
    s.whole(p.next);
    switch (p.kind) {
        case ChatKind::open:
            s.whole(p.begin);
            s.whole(p.oldest);
            return serialize_list(s, p.said, kMostAuthors);
        case ChatKind::state:
            s.whole(p.begin);
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
