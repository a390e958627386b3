#pragma once
// Detail follows the time that frames take: less when they are slow, more when there is time left.

#include "games/panzer/client/renderer.hpp"
#include "games/panzer/client/settings.hpp"

#include <algorithm>
#include <array>

namespace fray::panzer::client {

class PaceKeeper {
public:
    static constexpr float kSlow = 1.0F / 35;  ///< seconds of a frame
    static constexpr float kQuick = 1.0F / 52;
    static constexpr float kPatience = 0.7F;  ///< seconds between two changes
    static constexpr std::size_t kLevels = 6;

    void frame(float seconds, DetailChoice choice) {
        mean_ += (seconds - mean_) * 0.08F;
        since_ += seconds;
        if (choice != DetailChoice::automatic) {
            level_ = choice == DetailChoice::low ? 1 : choice == DetailChoice::medium ? 3 : 5;
            return;
        }
        if (since_ < kPatience) return;
        if (mean_ > kSlow && level_ > 0) change(level_ - 1);
        // Going up again takes longer each time it did not last.
        if (mean_ < kQuick && level_ + 1 < kLevels && since_ > kPatience * static_cast<float>(1 + 2 * drops_))
            change(level_ + 1);
    }
    [[nodiscard]] const Detail& detail() const { return kDetail[level_]; }
    [[nodiscard]] std::size_t level() const { return level_; }

private:
    void change(std::size_t level) {
        if (level < level_) drops_ = std::min(drops_ + 1, 20);
        level_ = level;
        since_ = 0;
    }
    static constexpr std::array<Detail, kLevels> kDetail{{{0.4F, false, false, false, 220},
                                                          {0.5F, false, true, false, 250},
                                                          {0.6F, false, true, true, 300},
                                                          {0.75F, false, true, true, 350},
                                                          {1.0F, false, true, true, 400},
                                                          {1.0F, true, true, true, 420}}};
    std::size_t level_ = 3;
    int drops_ = 0;
    float mean_ = 1.0F / 45;
    float since_ = 0;
};

}  // namespace fray::panzer::client
