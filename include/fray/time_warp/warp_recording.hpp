#pragma once
// A recording of a match on Time Warp: what was said, in the order of execution. With the game at its
// beginning it gives every state of the match again.
//
//     WarpRecording recording;
//     for (StreamLine& line : match.take_final_lines()) recording.add(line);     // each frame
//     recording.end = match.horizon();
//     replay(Tanks{map}, recording, [](const Tanks& tanks, Tick tick) { draw(tanks); });
//
// The lines are those of all members from the first tick on: of the founder, or of a peer that was there from
// the beginning. It has a serialize(), so bytes_of() and value_of() store it.

#include <fray/time_warp/warp_match.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace fray {

struct WarpRecording {
    struct Line {
        Tick tick = 0;
        StreamLine::Kind kind{};
        PartNumber seat = 0;
        std::vector<std::uint8_t> bytes{};
        friend bool operator==(const Line&, const Line&) = default;
    };
    static constexpr std::size_t kMostLines = std::size_t{1} << 24U;

    Tick end = 0;  ///< the last state
    std::vector<Line> lines{};

    void add(const StreamLine& line) { lines.push_back({line.tick, line.kind, line.seat, line.bytes}); }
};

template <class Stream>
void serialize(Stream& stream, WarpRecording& recording) {
    stream.integer(recording.end, 0, kLastTick);
    Tick last = 0;
    stream.list(recording.lines, WarpRecording::kMostLines, [&](Stream& s, WarpRecording::Line& line) {
        auto later = static_cast<std::uint64_t>(line.tick - last);
        s.varint(later);
        if constexpr (Stream::kReading) {
            const auto most = static_cast<std::uint64_t>(kLastTick - last);
            line.tick = last + static_cast<Tick>(std::min(later, most));
        }
        last = line.tick;
        s.enumeration(line.kind, StreamLine::Kind::leave);
        s.integer(line.seat, 0, kNoSeat);
        s.bytes(line.bytes, kMostLineBytes);
    });
}

/// Executes a recording on the game at its beginning, and calls see(game, tick) before each tick and with the
/// last state. `most`: stops there. Returns the game.
template <WarpGame Game, class See>
Game replay(Game game, const WarpRecording& recording, See&& see, Tick most = kLastTick) {
    PartSet all{game.parts()};
    all.add_all();
    std::vector<Stamped<typename Game::Message>> messages;
    auto line = recording.lines.begin();
    const Tick end = std::min(recording.end, most);
    for (Tick tick = 0; tick < end; ++tick) {
        see(std::as_const(game), tick);
        messages.clear();
        for (; line != recording.lines.end() && line->tick <= tick; ++line) {
            StreamLine said{.tick = line->tick, .author = {}, .number = 0, .kind = line->kind, .subject = {}};
            said.seat = line->seat;
            said.bytes = line->bytes;
            auto message = WarpMatch<Game>::message_of(said);
            if (message && Game::part_of(*message) < game.parts())
                messages.push_back({Stamp{}, std::move(*message)});
        }
        game.step(tick, messages, all);
    }
    see(std::as_const(game), end);
    return game;
}

}  // namespace fray
