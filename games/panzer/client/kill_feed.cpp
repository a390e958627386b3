#include "games/panzer/client/kill_feed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fray::panzer::client {

namespace {

/// The living tank that aims best at a place; kNone if none does.
std::uint16_t aims_at(const Moment& moment, std::size_t victim) {
    std::uint16_t best = kNone;
    float best_error = 0.2F;
    for (std::size_t i = 0; i < moment.tanks.size(); ++i) {
        if (i == victim || !moment.tanks[i].alive()) continue;
        const Vec2 way = moment.tanks[victim].position - moment.tanks[i].position;
        const float error = std::abs(
            std::remainder(std::atan2(way.y, way.x) - moment.tanks[i].turret, 2 * std::numbers::pi_v<float>));
        if (error >= best_error) continue;
        best_error = error;
        best = static_cast<std::uint16_t>(i);
    }
    return best;
}

}  // namespace

void KillFeed::see(const Moment& moment) {
    const bool is_jump = moment.at < last_ || moment.at > last_ + 2;
    last_ = moment.at;
    if (is_jump) {
        *this = {};
        last_ = moment.at;
    }
    const std::size_t known = alive_.size();
    alive_.resize(moment.tanks.size());
    kills_.resize(moment.tanks.size());
    for (std::size_t i = 0; i < moment.tanks.size(); ++i) {
        const auto number = static_cast<std::uint16_t>(i);
        if (i < known && alive_[i] && !moment.tanks[i].alive())
            deaths_.push_back({moment.at, number, aims_at(moment, i)});
        for (; i < known && kills_[i] < moment.scores[i].kills; ++kills_[i])
            open_kills_.push_back({moment.at, number});
        alive_[i] = moment.tanks[i].alive();
        kills_[i] = moment.scores[i].kills;
    }
    match(moment.at);
    while (!lines_.empty() && moment.at - lines_.front().at > kShown) lines_.pop_front();
}

void KillFeed::match(double now) {
    std::erase_if(open_kills_, [&](const Kill& kill) {
        const auto fits = [&](const Death& death) { return death.suspect == kill.killer; };
        auto death = std::ranges::find_if(deaths_, fits);
        if (death == deaths_.end())
            death = std::ranges::find_if(deaths_, [&](const Death& d) { return d.victim != kill.killer; });
        if (death == deaths_.end()) return now - kill.at > kPatience;
        add(now, kill.killer, death->victim);
        deaths_.erase(death);
        return true;
    });
    std::erase_if(deaths_, [&](const Death& death) {
        if (now - death.at < kPatience) return false;
        add(now, kNone, death.victim);
        return true;
    });
}

void KillFeed::add(double at, std::uint16_t killer, std::uint16_t victim) {
    lines_.push_back({at, killer, victim});
    if (lines_.size() > kMostLines) lines_.pop_front();
}

}  // namespace fray::panzer::client
