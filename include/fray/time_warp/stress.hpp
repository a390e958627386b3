#pragma once
// Checks in one call that a game of parts (parts.hpp) is deterministic and can be rewound, or names what is
// wrong with it.
//
//     const StressReport report = stress([&] { return Tanks{map}; },
//                                        [](RandomStream& random, Tick tick, PartNumber seat) {
//                                            return random.chance(0.1) ? any_key(random, seat) :
//                                            std::nullopt;
//                                        },
//                                        {.seats = 4});
//     if (!report.ok) show(report.text);
//     // "tick 41, part 3, x: 7, 9: restored from its parts, the game continues differently: ..."
//
// A match of random messages is played once, in order. Then it is played in other ways that have to give the
// same states and outcomes. The first difference is reported:
//   1. in a second game, made in memory that held other bytes, with a heap that gives other addresses;
//   2. in a game with another past, restored from its parts at any tick;
//   3. in copies of a game;
//   4. in some parts only, as far as reach() says, while all others hold values of another tick;
//   5. parts and messages are written as bytes and read back;
//   6. by PartWarp, with messages that come late.
//
// For tests: it keeps all states of the match in memory.

#include <fray/detail/painted_game.hpp>
#include <fray/detail/stress_match.hpp>
#include <fray/encode.hpp>
#include <fray/time_warp/part_warp.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fray {

namespace detail {

template <Parted Game, class Make>
class Stress {
public:
    template <class Moves>
    Stress(Make& make, Moves& moves, const StressOptions& options)
        : make_{make},
          options_{options},
          random_{options.seed, "stress"},
          first_{painted(kDark)},
          match_{options, game().parts()} {
        match_.draw_messages(random_, moves);
    }
    StressReport run() {
        match_.play(game());
        match_.report().ok = has_work() && repeats() && restores() && copies() && reaches() &&
                             writes_parts() && writes_messages() && rewinds();
        return match_.report();
    }

private:
    using Match = StressMatch<Game>;
    using Part = typename Game::Part;
    using Message = typename Game::Message;
    using Outcome = typename Game::Outcome;
    using Painted = std::unique_ptr<PaintedGame<Game>>;
    static constexpr unsigned char kDark = 0x00;
    static constexpr unsigned char kBright = 0xA5;

    Painted painted(unsigned char colour) {
        return std::make_unique<PaintedGame<Game>>(make_, random_, colour);
    }
    Game& game() { return first_->game(); }
    Tick any_tick() { return random_.below(static_cast<std::uint32_t>(match_.ticks())); }

    bool has_work() {
        bool has_changed = false;
        for (const PartNumber part : match_.all().members())
            for (Tick tick = 1; tick <= match_.ticks() && !has_changed; ++tick)
                has_changed = !(match_.part_at(tick, part) == match_.part_at(0, part));
        if (has_changed && match_.report().messages > 0) return true;
        return match_.refuse(StressFault::idle, 0, 0, "no messages, or no part ever changed");
    }

    bool repeats() {
        const Painted second = painted(kBright);
        bool is_right = match_.is_state(second->game(), 0, StressFault::repeated);
        for (Tick tick = 0; tick < match_.ticks() && is_right; ++tick)
            is_right = match_.steps_right(second->game(), tick, StressFault::repeated);
        if (is_right) return true;
        const std::string where = places(sizeof(Game), [&](std::size_t i) {
            return first_->new_bytes()[i] == kDark && second->new_bytes()[i] == kBright;
        });
        if (!where.empty()) match_.report().text += "; the constructor leaves out " + where + " of the game";
        return false;
    }

    bool restores() {
        const Painted other = painted(kBright);
        for (Tick i = 0; i < match_.ticks(); ++i) {
            const Tick begin = any_tick();
            const Tick end = std::min<Tick>(match_.ticks(), begin + 1 + random_.below(8));
            match_.restore(other->game(), begin);
            bool is_right = match_.is_state(other->game(), begin, StressFault::restored);
            for (Tick tick = begin; tick < end && is_right; ++tick)
                is_right = match_.steps_right(other->game(), tick, StressFault::restored);
            if (is_right) continue;
            const std::string where = not_restored(match_.report().tick);
            if (!where.empty()) match_.report().text += "; set() leaves out " + where + " of the game";
            return false;
        }
        return true;
    }
    /// What a step changes in the game itself, and setting all parts does not change back. Some of it may be
    /// scratch memory.
    std::string not_restored(Tick tick) {
        const Painted fresh = painted(kDark);
        Game& played = fresh->game();
        for (Tick i = 0; i < tick; ++i) played.step(i, match_.messages(i), match_.all());
        const auto before = fresh->bytes();
        played.step(tick, match_.messages(tick), match_.all());
        match_.restore(played, tick);
        const auto after = fresh->bytes();
        return places(sizeof(Game), [&](std::size_t i) { return before[i] != after[i]; });
    }

    bool copies() {
        constexpr int kCopies = 64;
        const Painted other = painted(kBright);
        for (int i = 0; i < kCopies; ++i) {
            const Tick tick = any_tick();
            match_.restore(game(), tick);
            Game copy{game()};
            Game& assigned = other->game();
            assigned = game();
            const bool is_right = match_.steps_right(copy, tick, StressFault::copied) &&
                                  match_.steps_right(assigned, tick, StressFault::copied) &&
                                  match_.is_state(game(), tick, StressFault::copied) &&
                                  match_.steps_right(game(), tick, StressFault::copied);
            if (!is_right) return false;
        }
        return true;
    }

    // --- some of the parts ---
    bool reaches() {
        constexpr int kRoots = 4;  // in each tick
        for (Tick tick = 0; tick < match_.ticks(); ++tick) {
            for (int i = 0; i < kRoots; ++i) {
                const PartSet set = reached(tick);
                if (set.has_all()) continue;
                ++match_.report().subsets;
                const Tick wrong = any_tick();
                step_some(tick, set, wrong);
                if (!leaves_others(tick, set, wrong)) return false;
                if (is_right_in(tick, set)) continue;
                name_missing(set, wrong);
                return false;
            }
        }
        return true;
    }
    PartSet reached(Tick tick) {
        PartSet set{match_.all().size()};
        set.add(random_.below(static_cast<std::uint32_t>(match_.all().size())));
        const auto at = [&](PartNumber part) -> const Part& { return match_.part_at(tick, part); };
        game().reach(tick, match_.messages(tick), at, set);
        return ascending(set);
    }
    /// As PartWarp has them.
    PartSet ascending(const PartSet& set) const {
        PartSet ordered{match_.all().size()};
        for (const PartNumber part : match_.all().members())
            if (set.contains(part)) ordered.add(part);
        return ordered;
    }
    /// Steps the members of the set in a game whose other parts are those of a wrong tick.
    void step_some(Tick tick, const PartSet& set, Tick wrong) {
        for (const PartNumber part : match_.all().members())
            game().set(part, match_.part_at(set.contains(part) ? tick : wrong, part));
        game().step(tick, match_.messages(tick), set);
    }
    bool is_right_in(Tick tick, const PartSet& set) {
        for (const PartNumber part : set.members())
            if (!match_.is_value(game().get(part), tick + 1, part, tick, StressFault::reached)) return false;
        std::vector<Outcome> wanted = match_.outcomes(tick);
        std::erase_if(wanted, [&](const Outcome& outcome) { return !set.contains(outcome.part); });
        return match_.are_outcomes(Match::sorted(game().outcomes()), wanted, tick, StressFault::reached);
    }
    bool leaves_others(Tick tick, const PartSet& set, Tick wrong) {
        for (const PartNumber part : match_.all().members()) {
            if (set.contains(part)) continue;
            if (match_.is_value(game().get(part), wrong, part, tick, StressFault::reached)) continue;
            match_.report().text += "; the part is written, but is not in the set";
            return false;
        }
        return true;
    }
    /// Looks for the one part with which the step of the set would have been right.
    void name_missing(const PartSet& set, Tick wrong) {
        const StressReport found = match_.report();
        for (const PartNumber part : match_.all().members()) {
            if (set.contains(part)) continue;
            PartSet larger = set;
            larger.add(part);
            step_some(found.tick, ascending(larger), wrong);
            const bool is_enough = is_right_in(found.tick, larger);
            match_.report() = found;
            if (!is_enough) continue;
            match_.report().text += "; reach() leaves out part " + std::to_string(part);
            return;
        }
    }

    // --- bytes ---
    bool writes_parts() {
        if constexpr (Serializable<Part>) {
            for (Tick tick = 0; tick <= match_.ticks(); ++tick)
                for (const PartNumber part : match_.all().members())
                    if (!is_part_kept(tick, part)) return false;
        }
        return true;
    }
    bool is_part_kept(Tick tick, PartNumber part) {
        constexpr StressFault kFault = StressFault::part_bytes;
        const Part& value = match_.part_at(tick, part);
        if (tick > 0 && value == match_.part_at(tick - 1, part)) return true;  // was looked at
        const auto bytes = bytes_of(value);
        if (!bytes) return match_.refuse(kFault, tick, part, bytes.error().message);
        const auto again = value_of<Part>(*bytes);
        if (!again) return match_.refuse(kFault, tick, part, "its bytes are refused");
        return match_.is_value(*again, tick, part, tick, kFault);
    }
    bool writes_messages() {
        if constexpr (requires(Message message) { Game::read(0, Game::write(message)); })
            for (const auto& move : match_.moves())
                if (!is_message_kept(move)) return false;
        return true;
    }
    bool is_message_kept(const typename Match::Move& move) {
        const std::vector<std::uint8_t> bytes = Game::write(move.message);
        const std::optional<Message> again = Game::read(move.seat, bytes);
        bool is_same = again && Game::write(*again) == bytes;
        if constexpr (std::equality_comparable<Message>) is_same = again && *again == move.message;
        return is_same || match_.refuse(StressFault::message_bytes, move.tick, Game::part_of(move.message),
                                        again ? "another message is read" : "its bytes are refused");
    }

    // --- late messages ---
    struct Posted {
        Tick due;
        Stamped<Message> message;
    };
    std::vector<Posted> posted() {
        std::vector<Posted> all;
        const auto most = static_cast<std::uint32_t>(options_.most_late);
        for (Tick tick = 0; tick < match_.ticks(); ++tick)
            for (const auto& message : match_.messages(tick))
                all.push_back({tick + random_.below(most + 1), message});
        std::ranges::stable_sort(all, {}, &Posted::due);
        return all;
    }
    bool rewinds() {
        const std::vector<Posted> all = posted();
        PartWarp<Game> warp{make_(), {.step = Match::kStep, .window = options_.most_late + 2}};
        auto next = all.begin();
        for (Tick now = 0; now <= match_.ticks() + options_.most_late; ++now) {
            for (; next != all.end() && next->due <= now; ++next)
                (void)warp.add(next->message.stamp, next->message.body);
            warp.run(std::min(now, match_.ticks()));
            const Tick before = warp.horizon();
            warp.commit(now - options_.most_late);
            if (warp.horizon() > before && !is_final_right(warp, before)) return false;
        }
        match_.report().rollbacks = warp.counts().rollbacks;
        return match_.is_state(warp.game(), match_.ticks(), StressFault::rewound);
    }
    /// Peers compare hashes of the bytes: what is equal has to be written alike. 0 and -0 are equal.
    static bool has_same_bytes(const Part& a, const Part& b) {
        if constexpr (Serializable<Part>) return bytes_of(a).value() == bytes_of(b).value();
        return true;
    }
    /// tick: the one that has become final.
    bool is_final_right(PartWarp<Game>& warp, Tick tick) {
        for (const PartNumber part : match_.all().members()) {
            const Part& value = warp.part_at(tick + 1, part);
            if (!match_.is_value(value, tick + 1, part, tick, StressFault::rewound)) return false;
            if (!has_same_bytes(value, match_.part_at(tick + 1, part)))
                return match_.refuse(StressFault::part_bytes, tick, part, "equal values with other bytes");
        }
        std::vector<Outcome> outcomes;
        for (const auto& recorded : warp.take_final()) outcomes.push_back(recorded.outcome);
        return match_.are_outcomes(outcomes, match_.outcomes(tick), tick, StressFault::rewound);
    }

    Make& make_;
    StressOptions options_;
    RandomStream random_;
    Painted first_;
    Match match_;
};

}  // namespace detail

/// make() returns a new game, the same each time. moves(random, tick, seat) returns the message that the
/// player in this seat sends in this tick, if any, as std::optional<Message>. If the game has enter() and
/// leave() (WarpGame), players come and go, and moves() is called for those that are in.
template <class Make, class Moves>
[[nodiscard]] StressReport stress(Make make, Moves moves, const StressOptions& options = {}) {
    return detail::Stress<std::remove_cvref_t<decltype(make())>, Make>{make, moves, options}.run();
}

}  // namespace fray
