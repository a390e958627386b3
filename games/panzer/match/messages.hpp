#pragma once
// What the peers of a match say to each other besides the states of tanks: claims and decisions about hits
// and things, and notes. Every field has a range; bytes that do not fit are no message.

#include <fray/encode.hpp>
#include <fray/ids.hpp>
#include <fray/time.hpp>

#include "games/panzer/match/refusal.hpp"
#include "games/panzer/match/standings.hpp"
#include "games/panzer/rules/battle.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fray::panzer {

/// Session time in whole milliseconds, up to a hundred years; times before zero become zero.
template <class Stream>
void serialize_time(Stream& stream, SessionInstant& time) {
    constexpr std::int64_t kMost = (std::int64_t{1} << 42U) - 1;
    std::int64_t ms = std::clamp<std::int64_t>(micros(time.time_since_epoch()) / 1000, 0, kMost);
    stream.integer(ms, 0, kMost);
    if constexpr (Stream::kReading) time = SessionInstant{Duration{ms * 1000}};
}
template <class Stream>
void serialize_place(Stream& stream, Vec2& place) {
    stream.real(place.x);
    stream.real(place.y);
}

/// To the owner of a tank: my gun hit it, as my screen shows it.
struct ShotClaim {
    SessionInstant at{};
    Vec2 from{};
    Angle aim = 0;
    Vec2 to{};  ///< where the screen showed the target
};
template <class Stream>
void serialize(Stream& stream, ShotClaim& claim) {
    serialize_time(stream, claim.at);
    serialize_place(stream, claim.from);
    stream.whole(claim.aim);
    serialize_place(stream, claim.to);
}
/// The owner's decision.
struct ShotReply {
    Refusal refusal{};
    bool destroyed = false;  ///< by this shot
};
template <class Stream>
void serialize(Stream& stream, ShotReply& reply) {
    stream.enumeration(reply.refusal, static_cast<Refusal>(kRefusals - 1));
    stream.boolean(reply.destroyed);
}

enum class ThingKind : std::uint8_t { item, door, flag };

/// The payload of a shared entity: an item, a door or the flag. Its pose says where it is.
struct Thing {
    ThingKind kind{};
    std::uint16_t number = 0;  ///< of Map::items or Map::doors
    std::uint32_t taken = 0;   ///< how often an item was
    SessionInstant until{};    ///< an item lies there again, or an open door begins to close, at this time
    std::vector<std::uint8_t> carrier{};  ///< the id of the flag's carrier; empty: it lies there

    [[nodiscard]] std::optional<PeerId> carrier_id() const {
        if (carrier.size() != sizeof(PeerId::bytes)) return std::nullopt;
        PeerId id;
        std::ranges::copy(carrier, id.bytes.begin());
        return id;
    }
};
template <class Stream>
void serialize(Stream& stream, Thing& thing) {
    stream.enumeration(thing.kind, ThingKind::flag);
    stream.varint(thing.number);
    stream.varint(thing.taken);
    serialize_time(stream, thing.until);
    stream.bytes(thing.carrier, sizeof(PeerId::bytes));
}
/// To the owner of a thing: my tank is at this place, and takes or opens it.
struct ThingClaim {
    SessionInstant at{};
    Vec2 place{};
};
template <class Stream>
void serialize(Stream& stream, ThingClaim& claim) {
    serialize_time(stream, claim.at);
    serialize_place(stream, claim.place);
}
struct ThingReply {
    Refusal refusal{};
    ItemKind item{};  ///< what it turned out to be
};
template <class Stream>
void serialize(Stream& stream, ThingReply& reply) {
    stream.enumeration(reply.refusal, static_cast<Refusal>(kRefusals - 1));
    stream.enumeration(reply.item, static_cast<ItemKind>(kItemKinds - 1));
}

/// To every linked peer: a shell was fired.
struct Launch {
    SessionInstant at{};
    Vec2 from{};
    Angle aim = 0;
};
template <class Stream>
void serialize(Stream& stream, Launch& launch) {
    serialize_time(stream, launch.at);
    serialize_place(stream, launch.from);
    stream.whole(launch.aim);
}

inline constexpr std::size_t kMostCardsInNote = 64;

/// A message of the match.
struct Note {
    enum class Kind : std::uint8_t {
        greeting,  ///< to a peer that was linked: when the match ends, and cards
        cards,     ///< scores that changed
        score,     ///< the sender's own
        launch,    ///< a shell
        struck,    ///< to a shooter: its shell destroyed my tank
    };
    Kind kind{};
    SessionInstant ends_at{};
    std::vector<Card> cards{};
    Score score{};
    Launch launch{};
};
template <class Stream>
void serialize(Stream& stream, Note& note) {
    stream.enumeration(note.kind, Note::Kind::struck);
    if (note.kind == Note::Kind::greeting) serialize_time(stream, note.ends_at);
    if (note.kind == Note::Kind::greeting || note.kind == Note::Kind::cards)
        stream.list(note.cards, kMostCardsInNote);
    if (note.kind == Note::Kind::score) serialize(stream, note.score);
    if (note.kind == Note::Kind::launch) serialize(stream, note.launch);
}

}  // namespace fray::panzer
