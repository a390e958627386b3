#include "games/panzer/bots/pace.hpp"

#include "games/panzer/rules/units.hpp"

#include <array>

namespace fray::panzer {

namespace {

struct TableRow {
    double lag_ms;
    double share;
};
constexpr std::array<TableRow, 4> kTable3{{{0, 0.593}, {200, 0.489}, {400, 0.264}, {600, 0.21}}};

// How far motion may run ahead of its share or fall behind it, in seconds: this makes spells of 1 to 5 s.
constexpr double kLeastSwing = 0.3;
constexpr double kMostSwing = 1.0;

}  // namespace

double dynamic_share(double lag_ms) {
    for (std::size_t i = 1; i < kTable3.size(); ++i) {
        const TableRow& low = kTable3[i - 1];
        const TableRow& high = kTable3[i];
        if (lag_ms >= high.lag_ms) continue;
        const double part = lag_ms <= low.lag_ms ? 0 : (lag_ms - low.lag_ms) / (high.lag_ms - low.lag_ms);
        return low.share + part * (high.share - low.share);
    }
    return kTable3.back().share;
}

Pace::Pace(double share, Seed seed) : share_{share}, random_{seed, "pace"}, limit_{swing()} {}

double Pace::swing() { return random_.uniform(kLeastSwing, kMostSwing) * kStepsPerSecond; }

bool Pace::moves(bool moved) {
    ahead_ += (moved ? 1.0 : 0.0) - share_;
    if (moves_ ? ahead_ >= limit_ : ahead_ <= limit_) {
        moves_ = !moves_;
        limit_ = moves_ ? swing() : -swing();
    }
    return moves_;
}

}  // namespace fray::panzer
