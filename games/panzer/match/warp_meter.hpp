#pragma once
// What a peer on Time Warp measures: rollbacks, what they did to the screen, and when deaths became final.

#include <fray/time_warp/warp_match.hpp>

#include "games/panzer/match/match_report.hpp"
#include "games/panzer/match/shown_tanks.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fray::panzer {

class WarpMeter {
public:
    explicit WarpMeter(bool glides) : shown_{glides} {}
    /// Once per frame, after the match's own. Changes the battle to what the screen shows.
    void frame(WarpMatch<WarpBattle>& match, Battle& battle, Duration since_last);
    /// A key was pressed; it takes effect so many ticks later.
    void press(Tick delay);
    /// `records`: those of the last state.
    [[nodiscard]] WarpReport report(const WarpMatch<WarpBattle>& match,
                                    std::span<const Record> records) const;

private:
    ShownTanks shown_;
    JumpMeter jumps_;
    std::uint64_t visible_ = 0;
    std::vector<std::uint32_t> depths_;  // rollbacks, by ticks
    std::vector<std::uint32_t> finals_;  // announced deaths, by ticks since they happened
    std::vector<std::uint32_t> errors_;  // shown tanks, by centimetres
    std::vector<std::uint32_t> deaths_;  // announced, by tank
    std::uint64_t rollbacks_ = 0;
    std::uint64_t presses_ = 0;
    std::uint64_t delays_ = 0;  // ticks
    std::uint64_t desyncs_ = 0;
    std::string last_desync_;
    std::uint64_t frames_ = 0;
    bool is_first_ = true;
    bool was_repairing_ = false;
};

}  // namespace fray::panzer
