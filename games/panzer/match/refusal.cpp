#include "games/panzer/match/refusal.hpp"

#include <array>

namespace fray::panzer {

std::string_view to_string(Refusal refusal) {
    constexpr std::array<std::string_view, kRefusals> kNames{"granted",
                                                             "not a claim",
                                                             "made at another time",
                                                             "after the end of the match",
                                                             "no tank of the claimant is known",
                                                             "the shooter was destroyed before",
                                                             "the target was destroyed before",
                                                             "the target is of the same team",
                                                             "the tank cannot have been there",
                                                             "fired too fast",
                                                             "the tank moved as no tank can",
                                                             "the shot does not hit",
                                                             "too far away",
                                                             "another player was first"};
    return kNames[static_cast<std::size_t>(refusal)];
}

}  // namespace fray::panzer
