#pragma once
// A match of random messages, played once and in order; other games are compared with it (stress.hpp).

#include <fray/time_warp/stress_report.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fray::detail {

template <Parted Game>
class StressMatch {
public:
    using Part = typename Game::Part;
    using Message = typename Game::Message;
    using Outcome = typename Game::Outcome;
    struct Move {
        Tick tick;
        PartNumber seat;
        Message message;
    };
    static constexpr Duration kStep{10'000};

    StressMatch(const StressOptions& options, std::size_t parts) : options_{options}, all_{parts} {
        all_.add_all();
    }

    // --- the match ---
    template <class Moves>
    void draw_messages(RandomStream& random, Moves& moves) {
        messages_.resize(index(options_.ticks));
        std::vector<bool> is_in(options_.seats);
        for (Tick tick = 0; tick < options_.ticks; ++tick) {
            for (PartNumber seat = 0; seat < options_.seats; ++seat) {
                come_and_go(random, tick, seat, is_in);
                if (!is_in[seat]) continue;
                std::optional<Message> message = moves(random, tick, seat);
                if (!message) continue;
                moves_.push_back({tick, seat, *message});
                post(random, tick, seat, *message);
            }
            std::ranges::sort(messages_[index(tick)], {}, &Stamped<Message>::stamp);
        }
    }
    void play(Game& game) {
        states_.push_back(parts_of(game));
        for (Tick tick = 0; tick < options_.ticks; ++tick) {
            game.step(tick, messages(tick), all_);
            states_.push_back(parts_of(game));
            outcomes_.push_back(sorted(game.outcomes()));
            report_.outcomes += outcomes_.back().size();
        }
    }

    [[nodiscard]] Tick ticks() const { return options_.ticks; }
    [[nodiscard]] const PartSet& all() const { return all_; }
    /// Without entering and leaving.
    [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
    [[nodiscard]] std::span<const Stamped<Message>> messages(Tick tick) const {
        return messages_[index(tick)];
    }
    [[nodiscard]] const Part& part_at(Tick tick, PartNumber part) const { return states_[index(tick)][part]; }
    /// Of one tick, by part.
    [[nodiscard]] const std::vector<Outcome>& outcomes(Tick tick) const { return outcomes_[index(tick)]; }
    [[nodiscard]] StressReport& report() { return report_; }

    /// By part: only the order within a part is the game's own.
    static std::vector<Outcome> sorted(std::span<const Outcome> outcomes) {
        std::vector<Outcome> all{outcomes.begin(), outcomes.end()};
        std::ranges::stable_sort(all, {}, &Outcome::part);
        return all;
    }

    // --- comparisons: true if all is as it was, otherwise the report says what is not ---
    void restore(Game& game, Tick tick) const {
        for (const PartNumber part : all_.members()) game.set(part, part_at(tick, part));
    }
    bool steps_right(Game& game, Tick tick, StressFault fault) {
        game.step(tick, messages(tick), all_);
        return is_state(game, tick + 1, fault) &&
               are_outcomes(sorted(game.outcomes()), outcomes(tick), tick, fault);
    }
    bool is_state(const Game& game, Tick state, StressFault fault) {
        return std::ranges::all_of(all_.members(), [&](PartNumber part) {
            return is_value(game.get(part), state, part, std::max<Tick>(state, 1) - 1, fault);
        });
    }
    /// tick: as reported.
    bool is_value(const Part& value, Tick state, PartNumber part, Tick tick, StressFault fault) {
        const Part& wanted = part_at(state, part);
        if (value == wanted) return true;
        if constexpr (requires { Game::difference(part, wanted, value); })
            return refuse(fault, tick, part, Game::difference(part, wanted, value));
        return refuse(fault, tick, part, "another value");
    }
    bool are_outcomes(std::span<const Outcome> have, std::span<const Outcome> wanted, Tick tick,
                      StressFault fault) {
        const auto is_same = [](const Outcome& a, const Outcome& b) {
            if constexpr (std::equality_comparable<Outcome>) return a == b;
            return a.part == b.part;
        };
        const auto [a, b] = std::ranges::mismatch(have, wanted, is_same);
        if (a == have.end() && b == wanted.end()) return true;
        return refuse(fault, tick, a != have.end() ? a->part : b->part, "other outcomes");
    }
    /// False.
    bool refuse(StressFault fault, Tick tick, PartNumber part, const std::string& what) {
        report_.fault = fault;
        report_.tick = tick;
        report_.part = part;
        report_.text = "tick " + std::to_string(tick) + ", part " + std::to_string(part) + ", " + what +
                       ": " + meaning_of(fault);
        return false;
    }

private:
    static std::size_t index(Tick tick) { return static_cast<std::size_t>(tick); }
    static std::vector<Part> parts_of(const Game& game) {
        std::vector<Part> parts;
        for (PartNumber part = 0; part < game.parts(); ++part) parts.push_back(game.get(part));
        return parts;
    }
    void come_and_go(RandomStream& random, Tick tick, PartNumber seat, std::vector<bool>& is_in) {
        if (tick > 0 && !random.chance(is_in[seat] ? 0.002 : 0.02)) return;
        if constexpr (requires { Game::enter(seat), Game::leave(seat); }) {
            is_in[seat] = !is_in[seat];
            post(random, tick, seat, is_in[seat] ? Game::enter(seat) : Game::leave(seat));
        } else {
            is_in[seat] = true;
        }
    }
    void post(RandomStream& random, Tick tick, PartNumber seat, const Message& message) {
        const Duration within{random.below(static_cast<std::uint32_t>(micros(kStep)))};
        const auto number = static_cast<std::uint32_t>(++report_.messages);
        const Stamp stamp{SessionInstant{tick * kStep + within}, {PeerId::from_number(seat + 1), number}};
        messages_[index(tick)].push_back({stamp, message});
    }

    StressOptions options_;
    StressReport report_;
    PartSet all_;
    std::vector<Move> moves_;
    std::vector<std::vector<Stamped<Message>>> messages_;  // by tick
    std::vector<std::vector<Part>> states_;
    std::vector<std::vector<Outcome>> outcomes_;  // by tick
};

}  // namespace fray::detail
