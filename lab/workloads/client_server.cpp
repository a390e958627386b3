#include "lab/workloads/client_server.hpp"

namespace fray::lab {

Result<void> ClientServer::change(std::uint32_t round, const Change& change) {
    round_ = round;
    for (const PlayerIndex who : change.crashes) population_.disappear(who, round);
    for (std::uint32_t i = 0; i < change.joins; ++i)
        population_.appear(population_.add(round), setup_.round * round);
    return {};
}

void ClientServer::run_until(Duration t) {
    if (t != setup_.round * round_) return;  // nothing happens between two rounds
    told_.resize(population_.size());
    for (PlayerIndex who = 0; who < told_.size(); ++who) {
        if (!population_.present(who)) continue;
        population_.step(who, t);
        const Movement& movement = population_.movement(who);
        told_[who][round_ % told_[who].size()] = {
            .round = round_, .position = movement.position(), .velocity = movement.velocity()};
        ++frames_;
    }
}

std::optional<Sighting> ClientServer::about(PlayerIndex, PlayerIndex whom) {
    if (round_ < kPositionAge) return std::nullopt;
    const std::uint32_t round = round_ - kPositionAge;
    const Told& told = told_[whom][round % told_[whom].size()];
    if (told.round != round) return std::nullopt;
    const Vec3 reckoned = told.position + told.velocity * static_cast<float>(kPositionAge);
    return Sighting{.position_age = kPositionAge,
                    .shown = setup_.movement.area.inside(reckoned),
                    .received = told.position};
}

Result<void> ClientServer::conclude(RunOutput& output) {
    output.work = {.peers = population_.size(), .rounds = frames_, .messages = 0};
    return {};
}

}  // namespace fray::lab
