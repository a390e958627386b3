#pragma once
// The inner queue of Time Warp (Panzer Battalion, Figure 3): messages in the order of their stamps, with the
// execution point between those that were executed and those that were not. A message that arrives before the
// execution point is a straggler.
//
//     InnerQueue<Move> queue;
//     if (queue.add(stamp, move) == Arrival::late) ...   // roll back to a state saved before `stamp`
//     queue.rewind(saved_at);
//     while (const auto* next = queue.next(now)) execute(*next), queue.pass();

#include <fray/time_warp/stamp.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace fray {

enum class Arrival : std::uint8_t {
    in_time,    ///< after the execution point
    late,       ///< a straggler: before it
    duplicate,  ///< was there already
    voided,     ///< its null-message came before it
    too_old,    ///< before the horizon: the past is final
    no_room,    ///< too many messages are held
};

template <class Body>
class InnerQueue {
public:
    struct Entry {
        Stamp stamp;
        Body body;
    };
    /// most: messages held, and null-messages without their message.
    explicit InnerQueue(std::size_t most = 65'536) : most_{most} {}

    Arrival add(const Stamp& stamp, Body body) {
        if (stamp.at < horizon_) return Arrival::too_old;
        if (messages_.contains(stamp)) return Arrival::duplicate;
        if (const auto void_of = voided_.find(stamp.name); void_of != voided_.end()) return Arrival::voided;
        if (messages_.size() >= most_) return Arrival::no_room;
        messages_.emplace(stamp, std::move(body));
        return stamp < point_ ? Arrival::late : Arrival::in_time;
    }

    /// A null-message: this message should not have been sent. Whether it comes before or after its message
    /// makes no difference. Arrival::late: the message was executed, so a rollback is needed.
    Arrival annul(const Stamp& stamp) {
        if (stamp.at < horizon_) return Arrival::too_old;
        if (voided_.contains(stamp.name)) return Arrival::duplicate;
        if (voided_.size() >= most_) return Arrival::no_room;
        voided_.emplace(stamp.name, stamp.at);
        const auto found = messages_.find(stamp);
        if (found == messages_.end()) return Arrival::voided;
        messages_.erase(found);
        return stamp < point_ ? Arrival::late : Arrival::in_time;
    }

    /// The message at the execution point, if it takes effect before `until`.
    [[nodiscard]] std::optional<Entry> next(SessionInstant until) const {
        const auto at = messages_.lower_bound(point_);
        if (at == messages_.end() || at->first.at >= until) return std::nullopt;
        return Entry{at->first, at->second};
    }
    /// Moves the execution point behind this stamp: its message is executed.
    void pass(const Stamp& stamp) {
        point_ = stamp;
        ++point_.name.number;
    }
    /// Moves the execution point forward to this time: everything before it is executed.
    void pass(SessionInstant at) {
        if (point_ < first_at(at)) point_ = first_at(at);
    }
    /// Moves the execution point back, to a saved state.
    void rewind(SessionInstant at) { point_ = first_at(at); }
    /// Everything before this time is final: its messages are forgotten, and stragglers refused.
    void set_horizon(SessionInstant at) {
        if (at <= horizon_) return;
        horizon_ = at;
        messages_.erase(messages_.begin(), messages_.lower_bound(first_at(at)));
        std::erase_if(voided_, [&](const auto& entry) { return entry.second < at; });
    }

    [[nodiscard]] SessionInstant horizon() const { return horizon_; }
    [[nodiscard]] std::size_t size() const { return messages_.size(); }
    [[nodiscard]] std::size_t voids() const { return voided_.size(); }

private:
    std::size_t most_;
    std::map<Stamp, Body> messages_;
    std::map<MessageName, SessionInstant> voided_;  // when their messages take effect
    Stamp point_ = first_at(SessionInstant::min());
    SessionInstant horizon_ = SessionInstant::min();
};

}  // namespace fray
