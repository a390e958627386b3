#include "guidance/advisor.hpp"

#include "core/motion.hpp"
#include "core/space.hpp"
#include "guidance/steer.hpp"

#include <algorithm>

namespace fray {

void Advisor::advise(LinkNumber link, std::vector<Advice>& advice) {
    if (focus_ == nullptr) return;
    const bool seldom = focus_->rate(link) == Rate::best_effort;
    std::vector<std::uint32_t>* converged = converged_.find(link);
    if (seldom && converged != nullptr) converged->clear();
    for (std::size_t i = 0; i < carried_.carried() && advice.size() < kMaxAdvice; ++i) {
        const HeardState told = carried_.carried_at(i);
        if (converged != nullptr && std::ranges::find(*converged, told.number) != converged->end()) continue;
        advice.push_back(predict(link, told));
    }
}

Advice Advisor::predict(LinkNumber link, const HeardState& told) const {
    const World& world = context_.world();
    const Duration longest = context_.options.guidance.longest_prediction;
    const Duration ahead = std::clamp(focus_->best_effort_gap(), std::min(world.tick, longest), longest);
    Advice advice{.number = told.number, .when = advice_time(told.when + ahead)};
    const Duration exactly = complete_advice_time(advice.when, told.when + ahead) - told.when;
    const auto predicted = [&](const Pose& pose) {
        return go_on(world, told.type, pose, told.payload, told.input, exactly).position;
    };
    const State* precise = own_.own_state(told.number);
    if (precise != nullptr && own_.own_set_at(told.number) == told.when) {
        const Vec3 position = predicted(precise->pose);
        const float error = length(way(world, predicted(told.pose), position));
        if (error > 2 * kCoarse * world.position_precision) advice.position = position;
    }
    add_aim(link, told, advice);
    return advice;
}

void Advisor::add_aim(LinkNumber link, const HeardState& told, Advice& advice) const {
    const auto target = focus_->aim_target();
    if (!target || carried_.first_number() != told.number) return;  // this peer aims by its first entity
    const auto there = replicas_.first(target->link);
    if (!there) return;
    const World& world = context_.world();
    const Vec3 at = go_on(world, there->type, there->pose, there->payload, there->input,
                          std::clamp(told.when - there->when, Duration{0}, kMaxExtrapolation))
                        .position;
    const EntityType& type = world.types[static_cast<std::size_t>(told.type)];
    const Facing looks = type.facing == nullptr ? Facing{told.pose.yaw, told.pose.pitch}
                                                : type.facing(told.pose, told.payload);
    const Facing straight = bearing(way(world, told.pose.position, at));
    advice.target = target->link == link ? Advice::Target::receiver : Advice::Target::other;
    advice.peer = advice.target == Advice::Target::other ? short_name(context_.links.peer(target->link)) : 0;
    advice.deviation = {looks.yaw - straight.yaw, looks.pitch - straight.pitch};
}

void Advisor::handle_converged(LinkNumber link, std::span<const std::uint32_t> numbers) {
    if (focus_ == nullptr || focus_->rate(link) == Rate::best_effort) return;  // it came too late
    std::vector<std::uint32_t>& converged = converged_[link];
    for (const std::uint32_t number : numbers) {
        if (own_.own_state(number) == nullptr) {
            context_.rejections.count(Rejection::unknown_entity);
        } else if (std::ranges::find(converged, number) == converged.end()) {
            converged.push_back(number);
        }
    }
}

std::size_t Advisor::heap_bytes() const {
    std::size_t sum = converged_.heap_bytes();
    for (const auto& numbers : converged_) sum += numbers.capacity() * sizeof(std::uint32_t);
    return sum;
}

}  // namespace fray
