#include "agreement/requests.hpp"

#include <algorithm>

namespace fray {

std::optional<std::uint32_t> OpenRequests::open(const EntityId& target) {
    const auto same_owner = [&](const Open& open) { return open.target.owner == target.owner; };
    const auto of_one = static_cast<std::size_t>(std::ranges::count_if(open_, same_owner));
    if (open_.size() >= kMost || of_one >= kMostOfOne) return std::nullopt;
    open_.push_back({next_, target});
    return next_++;
}

std::optional<EntityId> OpenRequests::close(std::uint32_t number, const PeerId& from) {
    const auto found = std::ranges::find(open_, number, &Open::number);
    if (found == open_.end() || found->target.owner != from) return std::nullopt;
    const EntityId target = found->target;
    open_.erase(found);
    return target;
}

std::optional<std::uint32_t> OpenRequests::next_of(const PeerId& peer) const {
    const auto found =
        std::ranges::find_if(open_, [&](const Open& open) { return open.target.owner == peer; });
    if (found == open_.end()) return std::nullopt;
    return found->number;
}

}  // namespace fray
