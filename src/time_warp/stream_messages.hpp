#pragma once
// Messages between the streams of a match. A packet of lines is sent often and may be lost: what is not
// acknowledged comes again with the next one. Everything else is a note, sent reliably and in order.

#include <fray/serialize.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include "wire/lists.hpp"

#include <cstdint>
#include <vector>

namespace fray {

inline constexpr std::size_t kMostLinesInPacket = 64;
inline constexpr std::size_t kMostLinesInNote = 1024;
inline constexpr std::size_t kPacketBytes = 900;  // a packet begins no further line after so many
inline constexpr std::size_t kPieceBytes = 900;
inline constexpr std::size_t kMostListed = 2 * kMostSeats;  // in a welcome, lost members included

template <class Stream>
void serialize_tick(Stream& s, Tick& tick) {
    s.integer(tick, 0, kLastTick);
}

template <class Stream>
void serialize_seat(Stream& s, PartNumber& seat) {
    s.integer(seat, 0, kNoSeat);
}

/// A line without its tick and number. Its author is known from the message.
template <class Stream>
void serialize_body(Stream& s, StreamLine& line) {
    s.enumeration(line.kind, StreamLine::Kind::leave);
    if (line.kind == StreamLine::Kind::game) return s.bytes(line.bytes, kMostLineBytes);
    serialize(s, line.subject);
    serialize_seat(s, line.seat);
    s.varint(line.count);
    if (line.kind == StreamLine::Kind::leave) serialize_tick(s, line.through);
}

/// Consecutive lines of one author. The tick of each is coded as the distance from the one before.
template <class Stream>
void serialize_lines(Stream& s, std::uint32_t& first, std::vector<StreamLine>& lines, std::size_t most) {
    s.varint(first);
    Tick last = 0;
    std::uint32_t number = first;
    s.list(lines, most, [&](Stream& stream, StreamLine& line) {
        auto later = static_cast<std::uint64_t>(line.tick - last);
        stream.varint(later);
        if constexpr (Stream::kReading) {
            if (later > static_cast<std::uint64_t>(kLastTick - last)) return stream.fail();
            line.tick = last + static_cast<Tick>(later);
            line.number = number;
        }
        last = line.tick;
        ++number;
        serialize_body(stream, line);
    });
}

/// What one member says to another in a frame.
struct StreamPacket {
    std::uint32_t match = 0;
    Tick since = 0;           ///< the tick in which the sender was admitted: names its stream
    Tick base = 0;            ///< lines of earlier ticks are not for this receiver
    Tick through = 0;         ///< the promise
    std::uint32_t heard = 0;  ///< lines of the receiver that the sender has
    Tick heard_since = 0;     ///< of the stream that they are from
    std::uint32_t first = 1;  ///< number of the first line
    std::vector<StreamLine> lines{};
    Tick hash_at = 0;  ///< 0: no hash
    std::uint64_t hash = 0;
};

template <class Stream>
void serialize(Stream& s, StreamPacket& packet) {
    s.whole(packet.match);
    serialize_tick(s, packet.through);
    // Small numbers: how far these ticks lie behind the promise.
    const auto behind = [&](Tick& tick) {
        auto ago = static_cast<std::uint64_t>(packet.through - tick);
        s.varint(ago);
        if constexpr (Stream::kReading) {
            if (ago > static_cast<std::uint64_t>(packet.through)) return s.fail();
            tick = packet.through - static_cast<Tick>(ago);
        }
    };
    behind(packet.since);
    behind(packet.base);
    s.varint(packet.heard);
    serialize_tick(s, packet.heard_since);
    serialize_lines(s, packet.first, packet.lines, kMostLinesInPacket);
    bool has_hash = packet.hash_at != 0;
    s.boolean(has_hash);
    if (!has_hash) return;
    behind(packet.hash_at);
    if (packet.hash_at == 0) return s.fail();
    s.whole(packet.hash);
}

struct SeatedPeer {
    PeerId peer;
    PartNumber seat = 0;
    Tick since = 0;
    std::uint32_t stay = 0;  ///< a newcomer's own name for its stay
    bool is_lost = false;    ///< it has left; its seat is free, its score remains
};
template <class Stream>
void serialize(Stream& s, SeatedPeer& seated) {
    serialize(s, seated.peer);
    serialize_seat(s, seated.seat);
    serialize_tick(s, seated.since);
    s.varint(seated.stay);
    s.boolean(seated.is_lost);
}

struct StreamNote {
    enum class Kind : std::uint8_t {
        knock,    ///< a newcomer asks for a seat, or to watch
        welcome,  ///< admitted at `tick`; the members, the newcomer and lost ones included
        report,   ///< `subject` is lost; its lines that the sender has
        legacy,   ///< lines of a lost member that the receiver lacks
        rival,    ///< to a linked peer that is no member here: how large this part of the match is
        wanted,   ///< the state of `tick` is asked for
        piece,    ///< of a state
        desync,   ///< a difference that was repaired
    };
    std::uint32_t match = 0;
    Kind kind{};
    Tick tick = 0;
    bool flag = false;  ///< knock: to watch; wanted: exactly this tick
    PeerId subject{};   ///< report, legacy; rival: the oldest member
    Tick since = 0;     ///< report, legacy: of the subject's stream
    std::uint32_t number =
        0;  ///< report: lines known; legacy: the same; rival: members; piece: offset; knock: stay
    std::uint32_t total = 0;  ///< piece: bytes of the whole state
    std::uint64_t hash = 0;   ///< piece: of the whole state
    Tick base = 0;            ///< report, legacy: the lines are all from this tick on
    std::uint32_t first = 1;
    std::vector<StreamLine> lines{};
    std::vector<SeatedPeer> members{};
    std::vector<std::uint8_t> bytes{};  ///< welcome: greeting; piece; desync: text
};

template <class Stream>
void serialize(Stream& s, StreamNote& note) {
    using Kind = StreamNote::Kind;
    s.whole(note.match);
    s.enumeration(note.kind, Kind::desync);
    serialize_tick(s, note.tick);
    if (note.kind == Kind::knock || note.kind == Kind::wanted) s.boolean(note.flag);
    if (note.kind == Kind::knock) s.varint(note.number);
    if (note.kind == Kind::report || note.kind == Kind::legacy || note.kind == Kind::rival) {
        serialize(s, note.subject);
        serialize_tick(s, note.since);
        s.varint(note.number);
    }
    if (note.kind == Kind::report || note.kind == Kind::legacy) {
        serialize_tick(s, note.base);
        serialize_lines(s, note.first, note.lines, kMostLinesInNote);
    }
    if (note.kind == Kind::welcome) s.list(note.members, kMostListed);
    if (note.kind == Kind::piece) {
        s.varint(note.number);
        s.varint(note.total);
        s.whole(note.hash);
    }
    if (note.kind == Kind::welcome || note.kind == Kind::desync) s.bytes(note.bytes, kMostGreetingBytes);
    if (note.kind == Kind::piece) s.bytes(note.bytes, kPieceBytes);
}

/// The first bit tells packets and notes apart.
struct StreamDatum {
    bool is_note = false;
    StreamPacket packet{};
    StreamNote note{};
};
template <class Stream>
void serialize(Stream& s, StreamDatum& datum) {
    s.boolean(datum.is_note);
    if (datum.is_note)
        serialize(s, datum.note);
    else
        serialize(s, datum.packet);
}

}  // namespace fray
