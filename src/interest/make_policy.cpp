#include "interest/make_policy.hpp"

#include "interest/broadcast.hpp"
#include "interest/focus_set.hpp"
#include "interest/nearest.hpp"
#include "interest/random_choice.hpp"

namespace fray {

std::unique_ptr<UpdatePolicy> make_policy(const PartContext& context, Seed seed) {
    const InterestOptions& options = context.options.interest;
    if (const auto* random = std::get_if<RandomChoice>(&options))
        return std::make_unique<RandomChoicePolicy>(*random, seed);
    if (std::holds_alternative<Nearest>(options)) return std::make_unique<NearestPolicy>();
    if (const auto* focus = std::get_if<FocusSet>(&options))
        return std::make_unique<FocusSetPolicy>(context, *focus);
    return std::make_unique<BroadcastPolicy>();
}

}  // namespace fray
