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

bool AskedRequests::may_add(const RequestId& request) const {
    const auto of_one = std::ranges::count_if(
        asked_, [&](const Asked& asked) { return asked.request.asker == request.asker; });
    return static_cast<std::size_t>(of_one) < kMostOfOne && !target(request) && !was_answered(request);
}

std::optional<std::uint32_t> AskedRequests::target(const RequestId& request) const {
    const auto found = std::ranges::find(asked_, request, &Asked::request);
    if (found == asked_.end()) return std::nullopt;
    return found->target;
}

bool AskedRequests::was_answered(const RequestId& request) const {
    return std::ranges::find(answered_, request) != answered_.end();
}

std::vector<RequestId> AskedRequests::about(std::uint32_t target) const {
    std::vector<RequestId> found;
    for (const Asked& asked : asked_) {
        if (asked.target == target) found.push_back(asked.request);
    }
    return found;
}

void AskedRequests::close(const RequestId& request) {
    std::erase_if(asked_, [&](const Asked& asked) { return asked.request == request; });
    if (answered_.size() >= kMostAnswered) answered_.erase(answered_.begin());
    answered_.push_back(request);
}

void AskedRequests::forget(const PeerId& asker) {
    std::erase_if(asked_, [&](const Asked& asked) { return asked.request.asker == asker; });
    std::erase_if(answered_, [&](const RequestId& request) { return request.asker == asker; });
}

}  // namespace fray
