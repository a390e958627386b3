#pragma once
// Who destroyed whom, as far as a screen can tell: it sees tanks end, and cards with more kills arrive a
// little later. A death without such a card is told without a name.

#include "games/panzer/client/moment.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace fray::panzer::client {

class KillFeed {
public:
    static constexpr double kShown = 6;       ///< seconds that a line is shown
    static constexpr double kPatience = 1.5;  ///< seconds to wait for the card of the killer
    static constexpr std::size_t kMostLines = 6;

    struct Line {
        double at = 0;
        std::uint16_t killer = kNone;  ///< kNone: not known; the victim itself: an accident
        std::uint16_t victim = 0;
    };

    void see(const Moment& moment);
    /// Oldest first.
    [[nodiscard]] const std::deque<Line>& lines() const { return lines_; }

private:
    struct Death {
        double at = 0;
        std::uint16_t victim = 0;
        std::uint16_t suspect = kNone;  // aimed at the victim
    };
    struct Kill {
        double at = 0;
        std::uint16_t killer = 0;
    };
    void match(double now);
    void add(double at, std::uint16_t killer, std::uint16_t victim);

    std::vector<bool> alive_;
    std::vector<std::uint32_t> kills_;
    std::vector<Death> deaths_;
    std::vector<Kill> open_kills_;
    std::deque<Line> lines_;
    double last_ = -1;
};

}  // namespace fray::panzer::client
