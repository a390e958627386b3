#pragma once
// The inner queue of Time Warp (Panzer Battalion, Figure 3): messages in the order of their stamps, with the
// execution point between those that were executed and those that were not. A message that arrives before the
// execution point is a straggler.
//
//     InnerQueue<Move> queue;
//     if (queue.add(stamp, move) == Arrival::late) ...   // back to a state that holds no later message
//     queue.rewind(last_message_of_that_state);
//     while (const auto next = queue.next(now)) queue.pass(next->stamp), execute(*next);
//
// The execution point stands between messages: time that has merely passed does not move it.

#include <fray/time_warp/stamp.hpp>

#include <cstddef>
#include <cstdint>
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
    too_far,    ///< too far ahead of the present
    no_part,    ///< acts on a part that the game does not have
};

template <class Body>
class InnerQueue {
public:
    struct Entry {
        Stamp stamp;
        Body body;
    };
    /// most: messages of one author that are held, and likewise its null-messages. An author that sends more
    /// is refused, and takes no room from the others.
    explicit InnerQueue(std::size_t most = 4096) : most_{most} {}

    Arrival add(const Stamp& stamp, Body body) {
        if (stamp <= horizon_) return Arrival::too_old;
        if (messages_.contains(stamp)) return Arrival::duplicate;
        if (voided_.contains(stamp)) return Arrival::voided;
        Held& held = held_[stamp.name.author];
        if (held.messages >= most_) return Arrival::no_room;
        ++held.messages;
        messages_.emplace(stamp, std::move(body));
        return arrival_of(stamp);
    }

    /// A null-message: this message should not have been sent. Whether it comes before or after its message
    /// makes no difference. Arrival::late: the message was executed, so a rollback is needed.
    Arrival annul(const Stamp& stamp) {
        if (stamp <= horizon_) return Arrival::too_old;
        if (voided_.contains(stamp)) return Arrival::duplicate;
        Held& held = held_[stamp.name.author];
        if (held.voids >= most_) return Arrival::no_room;
        ++held.voids;
        voided_.insert(stamp);
        const auto found = messages_.find(stamp);
        if (found == messages_.end()) return Arrival::voided;
        messages_.erase(found);
        --held.messages;
        return arrival_of(stamp);
    }

    /// The message at the execution point, if it takes effect at `now` or before.
    [[nodiscard]] std::optional<Entry> next(SessionInstant now) const {
        const auto at = messages_.upper_bound(last_);
        if (at == messages_.end() || at->first.at > now) return std::nullopt;
        return Entry{at->first, at->second};
    }
    /// Moves the execution point behind this stamp: its message is executed.
    void pass(const Stamp& stamp) { last_ = stamp; }
    /// Moves the execution point back, behind the last message of a saved state.
    void rewind(const Stamp& last) { last_ = last; }
    /// Everything up to this stamp is final: its messages are forgotten, and stragglers refused.
    void set_horizon(const Stamp& last) {
        if (last <= horizon_) return;
        horizon_ = last;
        const auto kept = messages_.upper_bound(last);
        for (auto at = messages_.begin(); at != kept; ++at) --held_[at->first.name.author].messages;
        messages_.erase(messages_.begin(), kept);
        const auto kept_voids = voided_.upper_bound(last);
        for (auto at = voided_.begin(); at != kept_voids; ++at) --held_[at->name.author].voids;
        voided_.erase(voided_.begin(), kept_voids);
        std::erase_if(held_,
                      [](const auto& entry) { return entry.second.messages + entry.second.voids == 0; });
    }

    /// Calls visit(stamp, body) for the messages after `from` and before `to`, in order.
    template <class Visit>
    void for_each_between(const Stamp& from, const Stamp& to, Visit visit) const {
        const auto end = messages_.lower_bound(to);
        for (auto at = messages_.upper_bound(from); at != end; ++at) visit(at->first, at->second);
    }
    /// The stamp of the last executed message; the execution point is right behind it.
    [[nodiscard]] const Stamp& last() const { return last_; }
    [[nodiscard]] std::size_t size() const { return messages_.size(); }
    [[nodiscard]] std::size_t voids() const { return voided_.size(); }

private:
    struct Held {
        std::size_t messages = 0;
        std::size_t voids = 0;
    };
    [[nodiscard]] Arrival arrival_of(const Stamp& stamp) const {
        return stamp <= last_ ? Arrival::late : Arrival::in_time;
    }

    std::size_t most_;
    std::map<Stamp, Body> messages_;
    std::set<Stamp> voided_;  // of messages that should not have been sent
    std::map<PeerId, Held> held_;
    Stamp last_ = first_at(SessionInstant::min());
    Stamp horizon_ = first_at(SessionInstant::min());
};

}  // namespace fray
