#include "core/mailbox.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {
constexpr std::size_t kMaxEvents = 65536;
constexpr std::size_t kKeptEvents = 16;  // room for so many is kept while there are none
constexpr std::size_t kMaxHeld = 16384;
constexpr std::size_t kMaxHeldOfOne = 1024;
constexpr std::size_t kMaxBytes = 64 * 1024 * 1024;  // of everything in the mailbox
constexpr std::size_t kMaxHeldBytesOfOne = 2 * 1024 * 1024;

std::size_t size_of(const State& state) { return state.payload.size() + state.input.size(); }
/// Bytes of an event that depend on another peer.
std::size_t size_of(const Event& event) {
    if (const auto* message = std::get_if<Message>(&event)) return message->bytes.size();
    if (const auto* asked = std::get_if<Asked>(&event)) return asked->bytes.size() + size_of(asked->then);
    if (const auto* answered = std::get_if<Answered>(&event)) return answered->bytes.size();
    if (const auto* overruled = std::get_if<Overruled>(&event)) return size_of(overruled->state);
    if (const auto* acquired = std::get_if<Acquired>(&event)) return size_of(acquired->state);
    if (const auto* diverged = std::get_if<Diverged>(&event)) {
        std::size_t sum = size_of(diverged->state);
        for (const Interaction& one : diverged->only_there) sum += one.bytes.size() + one.reply.size();
        return sum;
    }
    return 0;
}
}  // namespace

bool Mailbox::has_room(std::size_t bytes) const {
    return overdue_.empty() && events_.size() - next_ < kMaxEvents && bytes_ + bytes <= kMaxBytes;
}

void Mailbox::report(Event event) {
    if (!overdue_.empty() || events_.size() - next_ >= kMaxEvents) return overdue_.add(std::move(event));
    bytes_ += size_of(event);
    events_.push_back(std::move(event));
}

bool Mailbox::put(Event event) {
    const std::size_t size = size_of(event);
    if (!has_room(size)) return false;
    bytes_ += size;
    events_.push_back(std::move(event));
    return true;
}

bool Mailbox::put_timed(Message message, SessionInstant now) {
    release(now);  // what was due before this message arrived goes before it
    SessionInstant due = message.at;
    std::size_t of_sender = 0;
    std::size_t bytes_of_sender = message.bytes.size();
    for (const Held& held : held_) {
        if (held.message.from != message.from) continue;
        ++of_sender;
        bytes_of_sender += held.message.bytes.size();
        const bool both = held.message.delivery == Delivery::ordered && message.delivery == Delivery::ordered;
        if (both) due = std::max(due, held.due);
    }
    if (due <= now) return put(std::move(message));
    const bool its_share = of_sender < kMaxHeldOfOne && bytes_of_sender <= kMaxHeldBytesOfOne;
    if (held_.size() >= kMaxHeld || !its_share || bytes_ + message.bytes.size() > kMaxBytes)
        return false;  // one sender must not fill it for all
    bytes_ += message.bytes.size();
    held_.insert(std::ranges::upper_bound(held_, due, {}, &Held::due), Held{due, std::move(message)});
    return true;
}

void Mailbox::release(SessionInstant now) {
    std::size_t due = 0;
    while (due < held_.size() && held_[due].due <= now && has_room(0)) {
        events_.emplace_back(std::move(held_[due++].message));  // its bytes are counted already
    }
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(due));
}

Event Mailbox::take_first() {
    Event event = std::move(events_[next_++]);
    bytes_ -= size_of(event);
    if (next_ == events_.size() || next_ == kMaxEvents) {  // erases the front in batches
        events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(next_));
        next_ = 0;
        if (events_.empty() && events_.capacity() > kKeptEvents) events_ = {};  // after a burst
    }
    while (!overdue_.empty() && events_.size() - next_ < kMaxEvents) {
        events_.push_back(overdue_.take());
        bytes_ += size_of(events_.back());
    }
    return event;
}

}  // namespace fray
