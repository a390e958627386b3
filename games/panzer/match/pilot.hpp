#pragma once
// Who presses the keys of a tank: a bot here; a person at a window is another pilot.

#include "games/panzer/bots/bot.hpp"
#include "games/panzer/bots/senses.hpp"

namespace fray::panzer {

class Pilot {
public:
    virtual ~Pilot() = default;
    /// The keys of the coming step, for tank `own` of what its screen shows.
    [[nodiscard]] virtual Input play(const Battle& screen, std::uint16_t own) = 0;
};

class BotPilot final : public Pilot {
public:
    /// Map and query must outlive the pilot.
    BotPilot(const BotOptions& options, const Map& map, const NavQuery& query)
        : senses_{map}, bot_{options, map, query} {}

    [[nodiscard]] Input play(const Battle& screen, std::uint16_t own) override {
        if (bot_.looks(screen.step)) {
            senses_.fill_view(screen, own, view_);
            bot_.look(view_);
        }
        return bot_.play(screen.step, screen.tanks[own]);
    }

private:
    Senses senses_;
    Bot bot_;
    View view_;  // scratch
};

}  // namespace fray::panzer
