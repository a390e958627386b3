#include "games/snagger/match/table.hpp"

#include "games/snagger/rules/entity.hpp"

#include <algorithm>

namespace fray::snagger {

namespace {

constexpr std::uint32_t kTicksBetweenFirst = 4 * kTicksPerSecond;  // as in start()
constexpr std::uint32_t kHeadStart = kAliens * kTicksBetweenFirst;
/// An alien that is said to be older is computed as if it were not: a table may come from a broken peer.
constexpr std::uint32_t kMostDrift = 3600 * kTicksPerSecond;
constexpr std::int64_t kTickMicros = 16'667;

}  // namespace

std::uint32_t Table::tick_at(SessionInstant now) const {
    const auto since = micros(now.time_since_epoch()) - static_cast<std::int64_t>(start);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(since / kTickMicros, 0, UINT32_MAX));
}

Table lay_table(Seed seed, SessionInstant now) {
    Table table{.seed = seed.value,
                .start = static_cast<std::uint64_t>(micros(now.time_since_epoch()) -
                                                    std::int64_t{kHeadStart} * kTickMicros)};
    for (Entry& entry : table.aliens) {
        entry.number = table.arrivals++;
        entry.tick = kHeadStart - table.arrivals * kTicksBetweenFirst;
    }
    return table;
}

bool take_alien(Table& table, std::uint32_t number, SessionInstant now) {
    const auto taken = std::ranges::find(table.aliens, number, &Entry::number);
    if (taken == table.aliens.end()) return false;
    *taken = {table.arrivals++, table.tick_at(now)};
    ++table.score;
    return true;
}

void AlienView::advance(const Table& table, SessionInstant now) {
    const std::uint32_t tick = table.tick_at(now);
    const bool is_same_game = seed_ == table.seed;
    seed_ = table.seed;
    for (std::size_t i = 0; i < kAliens; ++i) {
        const Entry& entry = table.aliens[i];
        Known& known = known_[i];
        if (!is_same_game || known.entry != entry) {
            aliens_[i] = arrival(Seed{table.seed}, entry.number);
            known = {entry, std::max(entry.tick, tick > kMostDrift ? tick - kMostDrift : 0)};
        }
        for (; known.tick < tick; ++known.tick) aliens_[i] = drift(aliens_[i]);
    }
}

World table_world() {
    World all = world();
    all.name = "snagger for two";
    all.types.push_back(EntityType::of<Table>("table"));
    return all;
}

}  // namespace fray::snagger
