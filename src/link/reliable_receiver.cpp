#include "link/reliable_receiver.hpp"

#include <algorithm>

namespace fray {

ReliableReceiver::Novelty ReliableReceiver::judge(std::uint16_t id) const {
    const auto ahead = static_cast<std::int16_t>(id - newest_);
    if (!any_ && id < kReliableSpan) return Novelty::fresh;
    if (ahead > static_cast<int>(kReliableSpan)) return Novelty::impossible;
    if (ahead > 0) return Novelty::fresh;
    if (-ahead >= static_cast<int>(kReceiveSpan)) return Novelty::seen;
    const std::size_t slot = id % kReceiveSpan;
    return (seen_[slot / 64] >> (slot % 64) & 1U) != 0 ? Novelty::seen : Novelty::fresh;
}

void ReliableReceiver::mark(std::uint16_t id) {
    // The slots between the former newest id and this one belong to ids one span older: clear them.
    while (static_cast<std::int16_t>(id - newest_) > 0) {
        const std::size_t slot = ++newest_ % kReceiveSpan;
        seen_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    }
    any_ = true;
    const std::size_t slot = id % kReceiveSpan;
    seen_[slot / 64] |= std::uint64_t{1} << (slot % 64);
}

std::optional<Rejection> ReliableReceiver::accept(const ReliableHeader& header,
                                                  std::span<const std::uint8_t> bytes, MessageSink& sink) {
    const Novelty novelty = judge(header.id);
    if (novelty == Novelty::impossible) return Rejection::impossible;
    if (novelty == Novelty::seen) return std::nullopt;  // a retransmit of a message that arrived already
    if (!header.in_pieces) {
        if (const auto refused = hand_up(header, bytes, sink)) return refused;
        mark(header.id);
        return std::nullopt;
    }
    const auto first_id = static_cast<std::uint16_t>(header.id - header.place.index);
    const auto outcome = pieces_.add(first_id, header.place, bytes);
    if (outcome == Reassembly::Outcome::impossible) return Rejection::impossible;
    if (outcome == Reassembly::Outcome::complete) {
        const auto refused = hand_up(header, pieces_.bytes(), sink);
        if (refused) {
            pieces_.put_back(first_id, header.place);
            return refused;
        }
        pieces_.release();
    }
    mark(header.id);
    return std::nullopt;
}

std::optional<Rejection> ReliableReceiver::hand_up(const ReliableHeader& header,
                                                   std::span<const std::uint8_t> bytes, MessageSink& sink) {
    const auto taken = [](bool yes) { return yes ? std::nullopt : std::optional{Rejection::no_room}; };
    if (!header.ordered) return taken(sink.handle_reliable(Delivery::reliable, bytes));
    const auto ahead = static_cast<std::int16_t>(header.order - next_order_);
    if (ahead < 0) return Rejection::impossible;
    if (ahead > 0) {
        if (held_.size() >= kMaxHeldOrdered || held_bytes() + bytes.size() > kMaxHeldOrderedBytes)
            return Rejection::no_room;
        held_.push_back({header.order, {bytes.begin(), bytes.end()}});
        return std::nullopt;
    }
    if (!sink.handle_reliable(Delivery::ordered, bytes)) return Rejection::no_room;
    ++next_order_;
    release_held(sink);
    return std::nullopt;
}

void ReliableReceiver::release_held(MessageSink& sink) {
    for (;;) {
        const auto due = std::ranges::find(held_, next_order_, &Held::order);
        stuck_ = due != held_.end();
        if (!stuck_ || !sink.handle_reliable(Delivery::ordered, due->bytes)) return;
        held_.erase(due);
        ++next_order_;
    }
}

std::size_t ReliableReceiver::heap_bytes() const {
    return pieces_.heap_bytes() + held_.capacity() * sizeof(Held) + held_bytes();
}

std::size_t ReliableReceiver::held_bytes() const {
    std::size_t sum = 0;
    for (const Held& held : held_) sum += held.bytes.capacity();
    return sum;
}

}  // namespace fray
