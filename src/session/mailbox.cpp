#include "session/mailbox.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {
constexpr std::size_t kMaxEvents = 65536;
constexpr std::size_t kMaxHeld = 16384;
constexpr std::size_t kMaxHeldOfOne = 1024;
}  // namespace

bool Mailbox::put(Event event) {
    if (events_.size() - next_ >= kMaxEvents) return false;
    events_.push_back(std::move(event));
    return true;
}

bool Mailbox::put_timed(Message message, SessionInstant now) {
    SessionInstant due = message.at;
    std::size_t of_sender = 0;
    for (const Held& held : held_) {
        if (held.message.from != message.from) continue;
        ++of_sender;
        const bool both = held.message.delivery == Delivery::ordered && message.delivery == Delivery::ordered;
        if (both) due = std::max(due, held.due);
    }
    if (due <= now) return put(std::move(message));
    if (held_.size() >= kMaxHeld || of_sender >= kMaxHeldOfOne)
        return false;  // nobody fills it for the others
    held_.insert(std::ranges::upper_bound(held_, due, {}, &Held::due), Held{due, std::move(message)});
    return true;
}

void Mailbox::release(SessionInstant now) {
    std::size_t due = 0;
    while (due < held_.size() && held_[due].due <= now && events_.size() - next_ < kMaxEvents) {
        put(std::move(held_[due++].message));
    }
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(due));
}

std::optional<Event> Mailbox::take() {
    if (empty()) return std::nullopt;
    Event event = std::move(events_[next_++]);
    if (empty() || next_ == kMaxEvents) {  // the front is given back now and then, not with every event
        events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(next_));
        next_ = 0;
    }
    return event;
}

std::optional<SessionInstant> Mailbox::next_due() const {
    if (held_.empty()) return std::nullopt;
    return held_.front().due;
}

}  // namespace fray
