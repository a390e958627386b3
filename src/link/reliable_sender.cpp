#include "link/reliable_sender.hpp"

#include <fray/assert.hpp>

#include <algorithm>

namespace fray {

bool ReliableSender::has_room(std::size_t bytes) const {
    return pending_.size() + bytes / kFragmentBytes + 1 <= kMaxReliableBacklog;
}

bool ReliableSender::queue(std::span<const std::uint8_t> bytes, bool ordered, Purpose purpose) {
    if (bytes.size() > kMaxFragments * kFragmentBytes || !has_room(bytes.size())) return false;
    append(bytes, ordered, purpose);
    return true;
}

bool ReliableSender::queue_latest(std::uint64_t about, std::span<const std::uint8_t> bytes, Purpose purpose) {
    FRAY_ASSERT(bytes.size() <= kFragmentBytes);
    const auto unsent = pending_.begin() + static_cast<std::uint16_t>(unsent_ - oldest_);
    const auto former =
        std::find_if(unsent, pending_.end(), [&](const Pending& p) { return p.about == about; });
    if (former == pending_.end()) {
        if (pending_.size() >= 2 * kMaxReliableBacklog) return false;
        append(bytes, false, purpose);
        pending_.back().about = about;
        return true;
    }
    former->bytes.assign(bytes.begin(), bytes.end());
    former->header.length = static_cast<std::uint32_t>(bytes.size());
    former->purpose = purpose;
    return true;
}

void ReliableSender::append(std::span<const std::uint8_t> bytes, bool ordered, Purpose purpose) {
    const std::size_t pieces = std::max<std::size_t>(1, (bytes.size() + kFragmentBytes - 1) / kFragmentBytes);
    for (std::size_t i = 0; i < pieces; ++i) {
        const auto piece =
            bytes.subspan(i * kFragmentBytes, std::min(kFragmentBytes, bytes.size() - i * kFragmentBytes));
        ReliableHeader header{
            .id = next_++, .ordered = ordered, .order = next_order_, .in_pieces = pieces > 1};
        header.place = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(pieces - 1)};
        header.length = static_cast<std::uint32_t>(piece.size());
        pending_.push_back({.bytes = {piece.begin(), piece.end()}, .header = header, .purpose = purpose});
    }
    if (ordered) ++next_order_;
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
                                   SentRecord& record) {
    if (static_cast<std::uint16_t>(cursor_ - oldest_) >= sendable()) cursor_ = oldest_;
    record.reliable_from = cursor_;
    std::size_t at = static_cast<std::uint16_t>(cursor_ - oldest_);
    for (; at < sendable(); ++at) {
        if (!pending_[at].acked && !write_one(datagram, type, type_bits, pending_[at])) break;
        ++record.reliable_count;
    }
}

void ReliableSender::advance(const SentRecord& record) {
    const auto past = static_cast<std::uint16_t>(record.reliable_from + record.reliable_count);
    const bool reached_end = static_cast<std::uint16_t>(past - oldest_) >= sendable();
    cursor_ = reached_end ? oldest_ : past;
    if (static_cast<std::int16_t>(past - unsent_) > 0) unsent_ = past;
}

void ReliableSender::delivered(const SentRecord& record) {
    any_acked_ = any_acked_ || record.reliable_count != 0;
    for (std::uint16_t i = 0; i < record.reliable_count; ++i) {
        const auto at = static_cast<std::uint16_t>(record.reliable_from + i - oldest_);
        if (at < pending_.size()) pending_[at].acked = true;
    }
    std::size_t done = 0;
    while (done < pending_.size() && pending_[done].acked) ++done;
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
    oldest_ = static_cast<std::uint16_t>(oldest_ + done);
    if (static_cast<std::int16_t>(cursor_ - oldest_) < 0) cursor_ = oldest_;
    if (static_cast<std::int16_t>(unsent_ - oldest_) < 0) unsent_ = oldest_;
}

std::size_t ReliableSender::heap_bytes() const {
    std::size_t sum = pending_.capacity() * sizeof(Pending);
    for (const Pending& p : pending_) sum += p.bytes.capacity();
    return sum;
}

}  // namespace fray
