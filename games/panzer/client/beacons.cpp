#include "games/panzer/client/beacons.hpp"

#include "games/panzer/client/look.hpp"

#include <algorithm>

namespace fray::panzer::client {

void add_beacons(const Moment& moment, const std::vector<SeatNote>& seats, const Heights& heights,
                 Picture& picture) {
    constexpr float kFoot = 3.4F, kTop = 12;  // metres above the ground
    constexpr int kParts = 4;                 // fainter towards the top
    for (std::size_t i = 0; i < std::min(moment.tanks.size(), seats.size()); ++i) {
        const ShownTank& tank = moment.tanks[i];
        if (!seats[i].is_person || i == moment.own || !tank.alive()) continue;
        const float ground = heights.at(tank.position);
        for (int part = 0; part < kParts; ++part) {
            const auto at = [&](int step) {
                const float up = kFoot + (kTop - kFoot) * static_cast<float>(step) / kParts;
                return glm::vec3{tank.position.x, tank.position.y, ground + up};
            };
            const float alpha = 0.9F * (1 - static_cast<float>(part) / kParts);
            picture.beams.push_back(
                {at(part), 0.3F, at(part + 1), 0, glm::vec4{rgb(look::kAccent) * alpha, alpha}});
        }
    }
}

}  // namespace fray::panzer::client
