#pragma once
// What both players share besides their ships: which aliens are there, and the score. The peer of the first
// ship owns it as one entity and decides which alien was caught; every screen computes where the aliens are.

#include <fray/ids.hpp>
#include <fray/random.hpp>
#include <fray/time.hpp>
#include <fray/world.hpp>

#include "games/snagger/rules/game.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace fray::snagger {

/// One alien: its number among all that entered, and the tick of the table in which it did.
struct Entry {
    std::uint32_t number = 0;
    std::uint32_t tick = 0;
    friend constexpr bool operator==(const Entry&, const Entry&) = default;
};

struct Table {
    std::uint64_t seed = 0;
    std::uint64_t start = 0;  ///< of its ticks: microseconds of session time
    std::uint32_t score = 0;  ///< aliens caught, by both players together
    std::uint32_t arrivals = 0;
    std::array<Entry, kAliens> aliens{};
    friend constexpr bool operator==(const Table&, const Table&) = default;

    [[nodiscard]] std::uint32_t tick_at(SessionInstant now) const;
};

template <class Stream>
void serialize(Stream& stream, Table& table) {
    stream.whole(table.seed);
    stream.whole(table.start);
    stream.varint(table.score);
    stream.varint(table.arrivals);
    for (Entry& entry : table.aliens) {
        stream.varint(entry.number);
        stream.varint(entry.tick);
    }
}

/// The table of a game that begins now: its aliens have been drifting for a while.
[[nodiscard]] Table lay_table(Seed seed, SessionInstant now);
/// Another alien enters in place of the one with this number. False if that one is gone already.
bool take_alien(Table& table, std::uint32_t number, SessionInstant now);

/// Where the aliens of a table are, for one screen.
class AlienView {
public:
    /// Aliens that are new are computed from their arrival on.
    void advance(const Table& table, SessionInstant now);
    [[nodiscard]] const std::array<Alien, kAliens>& aliens() const { return aliens_; }

private:
    struct Known {
        Entry entry{};
        std::uint32_t tick = 0;  // that the alien stands for
    };
    std::array<Alien, kAliens> aliens_{};
    std::array<Known, kAliens> known_{};
    std::optional<std::uint64_t> seed_;
};

inline constexpr EntityTypeId kShipType{0};
inline constexpr EntityTypeId kTableType{1};
/// world() with the table.
[[nodiscard]] World table_world();

}  // namespace fray::snagger
