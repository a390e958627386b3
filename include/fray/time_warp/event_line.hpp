#pragma once
// What members of a match in event mode say (event_warp.hpp), and when it takes effect.

#include <fray/serialize.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include <algorithm>
#include <cstdint>

namespace fray {

/// What a member says in one line.
template <class Message>
struct EventLine {
    enum class Kind : std::uint8_t {
        message,   ///< at `offset` within the tick of the line
        null,      ///< voids the own message with this number, of this time
        executed,  ///< all lines for ticks before `tick` are
    };
    static constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 45U;  // a year
    Kind kind{};
    std::uint32_t number = 0;
    std::uint64_t offset = 0;  ///< microseconds; null: since the match began
    Tick tick = 0;
    Message message{};

    template <class Stream>
    friend void serialize(Stream& stream, EventLine& line) {
        stream.enumeration(line.kind, Kind::executed);
        if (line.kind == Kind::executed) {
            stream.integer(line.tick, 0, kLastTick);
            return;
        }
        stream.varint(line.number);
        stream.varint(line.offset);
        if constexpr (Stream::kReading) {
            if (line.offset > kMostOffset) return stream.fail();
        }
        if (line.kind == Kind::message) stream.object(line.message);
    }
};

/// The ticks of a match in time.
struct TickTimes {
    SessionInstant start{};
    Duration step{16'667};

    [[nodiscard]] SessionInstant begin_of(Tick tick) const { return start + tick * step; }
    /// Before the match begins, its first tick.
    [[nodiscard]] Tick tick_of(SessionInstant at) const { return std::max<Tick>(0, (at - start) / step); }
};

/// The stamp of a message, or of the message that a null-message voids.
template <class Message>
[[nodiscard]] Stamp stamp_of(const TickTimes& times, const StreamLine& line, const EventLine<Message>& said) {
    const bool is_null = said.kind == EventLine<Message>::Kind::null;
    const SessionInstant from = is_null ? times.start : times.begin_of(line.tick);
    return {from + Duration{said.offset}, {line.author, said.number}};
}
/// The stamp of a player's entering or leaving. Numbers of messages are smaller.
[[nodiscard]] inline Stamp stamp_of_seat(const TickTimes& times, const StreamLine& line) {
    constexpr std::uint32_t kSeatNumbers = 0x8000'0000;
    return {times.begin_of(line.tick), {line.author, kSeatNumbers | line.number}};
}

}  // namespace fray
