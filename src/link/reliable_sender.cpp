#include "link/reliable_sender.hpp"

#include <fray/assert.hpp>

#include <algorithm>

namespace fray {

bool ReliableSender::has_room(std::size_t bytes) const {
    return pending_.size() + bytes / kFragmentBytes + 1 <= kMaxReliableBacklog;
}

bool ReliableSender::queue(std::span<const std::uint8_t> bytes, bool ordered, Purpose purpose, Haste haste) {
    if (bytes.size() > kMaxFragments * kFragmentBytes || !has_room(bytes.size())) return false;
    append(bytes, ordered, purpose, haste);
    return true;
}

bool ReliableSender::queue_latest(std::uint64_t about, std::span<const std::uint8_t> bytes, Purpose purpose) {
    FRAY_ASSERT(bytes.size() <= kFragmentBytes);
    const auto unsent = pending_.begin() + static_cast<std::uint16_t>(unsent_ - oldest_);
    const auto former =
        std::find_if(unsent, pending_.end(), [&](const Pending& p) { return p.about == about; });
    if (former == pending_.end()) {
        if (pending_.size() >= 2 * kMaxReliableBacklog) return false;
        append(bytes, false, purpose, Haste::usual);
        pending_.back().about = about;
        return true;
    }
    former->bytes.assign(bytes.begin(), bytes.end());
    former->header.length = static_cast<std::uint32_t>(bytes.size());
    former->purpose = purpose;
    return true;
}

void ReliableSender::append(std::span<const std::uint8_t> bytes, bool ordered, Purpose purpose, Haste haste) {
    if (haste == Haste::prompt && ordered) {
        // It is delivered after its predecessors: they are as urgent.
        for (Pending& before : pending_) {
            const bool is_named = static_cast<std::int16_t>(before.header.id - prompt_end_) < 0;
            if (!before.header.ordered || before.acked || is_named) continue;
            if (before.haste == Haste::rides) ++driving_;
            before.haste = Haste::prompt;
        }
    }
    const std::size_t pieces = std::max<std::size_t>(1, (bytes.size() + kFragmentBytes - 1) / kFragmentBytes);
    for (std::size_t i = 0; i < pieces; ++i) {
        const auto piece =
            bytes.subspan(i * kFragmentBytes, std::min(kFragmentBytes, bytes.size() - i * kFragmentBytes));
        ReliableHeader header{
            .id = next_++, .ordered = ordered, .order = next_order_, .in_pieces = pieces > 1};
        header.place = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(pieces - 1)};
        header.length = static_cast<std::uint32_t>(piece.size());
        pending_.push_back(
            {.bytes = {piece.begin(), piece.end()}, .header = header, .purpose = purpose, .haste = haste});
        if (haste != Haste::rides) ++driving_;
    }
    if (ordered) ++next_order_;
}

bool ReliableSender::has_unsent_of(Haste haste) const {
    const auto end = pending_.begin() + static_cast<std::ptrdiff_t>(sendable());
    const auto is_unsent = [&](const Pending& p) { return p.haste >= haste && !p.sent && !p.acked; };
    // Prompt messages overtake others.
    const auto from =
        haste == Haste::prompt ? std::uint16_t{0} : static_cast<std::uint16_t>(unsent_ - oldest_);
    return from < sendable() && std::find_if(pending_.begin() + from, end, is_unsent) != end;
}

std::size_t ReliableSender::sendable() const { return std::min(pending_.size(), kReliableSpan); }

bool ReliableSender::write_one(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits,
                               const Pending& message) {
    const std::size_t bits = type_bits + measure(message.header) + message.bytes.size() * 8;
    if (bits > datagram.bits_left()) return false;
    datagram.out().bits(type, type_bits);
    fray::write(datagram.out(), message.header);
    datagram.out().copy(message.bytes, message.bytes.size() * 8);
    datagram.book(message.purpose);
    return true;
}

void ReliableSender::write_pending(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits,
                                   SentRecord& record, const Share& share) {
    if (!share.repeats) cursor_ = unsent_;
    if (share.repeats && static_cast<std::uint16_t>(cursor_ - oldest_) >= sendable()) cursor_ = oldest_;
    record.reliable_from = cursor_;
    const std::size_t before = datagram.out().bit_count();
    std::size_t at = static_cast<std::uint16_t>(cursor_ - oldest_);
    for (; at < sendable(); ++at) {
        if (datagram.out().bit_count() - before > share.most_bits) break;
        const Pending& message = pending_[at];
        const bool is_carried =
            message.haste == Haste::prompt &&
            static_cast<std::uint16_t>(oldest_ + at - record.prompt_from) < record.prompt_span;
        if (!message.acked && !is_carried && !write_one(datagram, type, type_bits, message)) break;
        ++record.reliable_count;
    }
}

void ReliableSender::write_prompt(DatagramBuilder& datagram, std::uint64_t type, unsigned type_bits,
                                  SentRecord& record) {
    // New ones first: what waits for its acknowledgement must not keep them out of the datagram.
    const bool any_unsent = has_unsent_prompt();
    const auto is_first = [&](const Pending& p) {
        return p.haste == Haste::prompt && !p.acked && !(any_unsent && p.sent);
    };
    const auto first = static_cast<std::size_t>(std::ranges::find_if(pending_, is_first) - pending_.begin());
    record.prompt_from = static_cast<std::uint16_t>(oldest_ + first);
    for (std::size_t at = first; at < sendable(); ++at) {
        const Pending& message = pending_[at];
        if (message.haste != Haste::prompt || message.acked) continue;
        if (!write_one(datagram, type, type_bits, message)) return;
        record.prompt_span = static_cast<std::uint16_t>(at - first + 1);
    }
}

void ReliableSender::advance(const SentRecord& record) {
    const auto past = static_cast<std::uint16_t>(record.reliable_from + record.reliable_count);
    const bool reached_end = static_cast<std::uint16_t>(past - oldest_) >= sendable();
    cursor_ = reached_end ? oldest_ : past;
    if (static_cast<std::int16_t>(past - unsent_) > 0) unsent_ = past;
    const auto prompt_past = static_cast<std::uint16_t>(record.prompt_from + record.prompt_span);
    if (record.prompt_span != 0 && static_cast<std::int16_t>(prompt_past - prompt_end_) > 0)
        prompt_end_ = prompt_past;
    const auto is_sent = [&](std::uint16_t from, std::uint16_t count, bool prompt_only) {
        for (std::uint16_t i = 0; i < count; ++i) {
            const auto at = static_cast<std::uint16_t>(from + i - oldest_);
            if (at < pending_.size() && (!prompt_only || pending_[at].haste == Haste::prompt))
                pending_[at].sent = true;
        }
    };
    is_sent(record.reliable_from, record.reliable_count, false);
    is_sent(record.prompt_from, record.prompt_span, true);
}

void ReliableSender::acknowledge(Pending& message) {
    if (!message.acked && message.haste != Haste::rides) --driving_;
    message.acked = true;
}

void ReliableSender::delivered(const SentRecord& record) {
    any_acked_ = any_acked_ || record.reliable_count != 0 || record.prompt_span != 0;
    for (std::uint16_t i = 0; i < record.reliable_count; ++i) {
        const auto at = static_cast<std::uint16_t>(record.reliable_from + i - oldest_);
        if (at < pending_.size()) acknowledge(pending_[at]);
    }
    for (std::uint16_t i = 0; i < record.prompt_span; ++i) {
        const auto at = static_cast<std::uint16_t>(record.prompt_from + i - oldest_);
        if (at < pending_.size() && pending_[at].haste == Haste::prompt) acknowledge(pending_[at]);
    }
    std::size_t done = 0;
    while (done < pending_.size() && pending_[done].acked) ++done;
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
    oldest_ = static_cast<std::uint16_t>(oldest_ + done);
    if (static_cast<std::int16_t>(prompt_end_ - oldest_) < 0) prompt_end_ = oldest_;
    if (static_cast<std::int16_t>(cursor_ - oldest_) < 0) cursor_ = oldest_;
    if (static_cast<std::int16_t>(unsent_ - oldest_) < 0) unsent_ = oldest_;
}

void ReliableSender::lost(const SentRecord& record) {
    const auto send_again = [&](std::uint16_t from, std::uint16_t count) {
        for (std::uint16_t i = 0; i < count; ++i) {
            const auto at = static_cast<std::uint16_t>(from + i - oldest_);
            if (at < pending_.size() && pending_[at].haste == Haste::prompt) pending_[at].sent = false;
        }
    };
    send_again(record.reliable_from, record.reliable_count);
    send_again(record.prompt_from, record.prompt_span);
}

void ReliableSender::lost_all() {
    for (Pending& message : pending_) {
        if (message.haste == Haste::prompt) message.sent = false;
    }
}

std::size_t ReliableSender::heap_bytes() const {
    std::size_t sum = pending_.capacity() * sizeof(Pending);
    for (const Pending& p : pending_) sum += p.bytes.capacity();
    return sum;
}

}  // namespace fray
