#include "core/overdue_events.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {
bool is_join(const Event& event) {
    return std::holds_alternative<Joined>(event) || std::holds_alternative<Refused>(event);
}
}  // namespace

std::optional<OverdueEvents::Subject> OverdueEvents::appearing(const Event& event) {
    if (const auto* e = std::get_if<EntityAppeared>(&event))
        return Subject{e->entity.owner, e->entity.number, true};
    if (const auto* p = std::get_if<PeerJoined>(&event))
        return Subject{p->peer, static_cast<std::uint32_t>(p->incarnation), false};
    return std::nullopt;
}

std::optional<OverdueEvents::Subject> OverdueEvents::vanishing(const Event& event) {
    if (const auto* e = std::get_if<EntityGone>(&event))
        return Subject{e->entity.owner, e->entity.number, true};
    if (const auto* p = std::get_if<PeerLeft>(&event))
        return Subject{p->peer, static_cast<std::uint32_t>(p->incarnation), false};
    return std::nullopt;
}

void OverdueEvents::add(Event event) {
    if (const auto gone = vanishing(event)) {
        const auto appeared = appeared_.find(*gone);
        if (appeared != appeared_.end()) {
            cancel(appeared->second);
            appeared_.erase(appeared);
            return drop_cancelled();
        }
    }
    const std::uint64_t position = first_ + events_.size();
    if (const auto subject = appearing(event)) appeared_[*subject] = position;
    if (is_join(event)) {  // only the newest outcome counts
        if (join_) cancel(*join_);
        if (completed_) cancel(*completed_);
        join_ = position;
        completed_.reset();
    }
    if (std::holds_alternative<JoinCompleted>(event)) completed_ = position;  // one at most after each Joined
    events_.emplace_back(std::move(event));
    drop_cancelled();
}

void OverdueEvents::cancel(std::uint64_t position) {
    events_[static_cast<std::size_t>(position - first_)].reset();
    ++cancelled_;
}

void OverdueEvents::drop_cancelled() {
    while (!events_.empty() && !events_.front()) {
        events_.pop_front();
        ++first_;
        --cancelled_;
    }
    if (cancelled_ <= events_.size() / 2) return;
    std::erase_if(events_, [](const auto& event) { return !event; });
    cancelled_ = 0;
    for (std::uint64_t position = first_; const auto& event : events_) {
        if (const auto subject = appearing(*event)) appeared_[*subject] = position;
        if (is_join(*event)) join_ = position;
        if (std::holds_alternative<JoinCompleted>(*event)) completed_ = position;
        ++position;
    }
}

Event OverdueEvents::take() {
    Event event = std::move(*events_.front());
    if (const auto subject = appearing(event)) appeared_.erase(*subject);
    if (is_join(event)) join_.reset();
    if (std::holds_alternative<JoinCompleted>(event)) completed_.reset();
    events_.pop_front();
    ++first_;
    drop_cancelled();
    return event;
}

std::size_t OverdueEvents::memory_bytes() const {
    constexpr std::size_t kNode = 4 * sizeof(void*) + sizeof(Subject) + sizeof(std::uint64_t);
    return events_.size() * sizeof(std::optional<Event>) + appeared_.size() * kNode;
}

}  // namespace fray
