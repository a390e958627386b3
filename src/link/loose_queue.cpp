#include "link/loose_queue.hpp"

#include <fray/assert.hpp>

#include "wire/limits.hpp"

#include <algorithm>
#include <array>

namespace fray {

namespace {

constexpr std::size_t kMostMessages = 128;
constexpr std::size_t kKeptBytes = 512;  // capacity kept while the queue is empty

}  // namespace

bool LooseQueue::queue(MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t bits,
                       const Sending& how, std::size_t largest_datagram) {
    const std::size_t size = (bits + 7) / 8;
    if (is_framed(kind)) return queue_framed(kind, bytes.first(size), how, largest_datagram);
    if (size > kFragmentBytes) return queue_fragments(kind, bytes, bits, how, largest_datagram);
    return push(kind, bytes, bits, how, largest_datagram);
}

bool LooseQueue::queue_framed(MessageKind kind, std::span<const std::uint8_t> body, const Sending& how,
                              std::size_t largest_datagram) {
    std::array<std::uint8_t, kMaxDatagram + 16> framed;  // NOLINT(*-member-init): written below
    BitWriter out{framed};
    write_varint(out, body.size());
    out.copy(body, body.size() * 8);
    const std::size_t bits = out.bit_count();
    const auto written = out.finish();
    return !out.overflowed() && push(kind, written, bits, how, largest_datagram);
}

bool LooseQueue::queue_fragments(MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t bits,
                                 const Sending& how, std::size_t largest_datagram) {
    std::vector<std::uint8_t> whole((kind_bits(kind) + bits + 7) / 8);
    BitWriter message{whole};
    write_kind(message, kind);
    message.copy(bytes, bits);
    message.finish();
    const std::size_t pieces = (whole.size() + kFragmentBytes - 1) / kFragmentBytes;
    const std::uint8_t group = next_group_++;
    std::array<std::uint8_t, kFragmentBytes + 8> framed;  // NOLINT(*-member-init): written below
    bool queued = true;  // all but the last have the same size: if one does not fit, the first does not
    for (std::size_t i = 0; i < pieces && queued; ++i) {
        const std::size_t begin = i * kFragmentBytes;
        const auto piece = std::span{whole}.subspan(begin, std::min(kFragmentBytes, whole.size() - begin));
        BitWriter out{framed};
        out.bits(group, 8);
        out.bits(i, 6);
        out.bits(pieces - 1, 6);
        write_varint(out, piece.size());
        out.copy(piece, piece.size() * 8);
        const std::size_t framed_bits = out.bit_count();
        queued = push(MessageKind::fragment, out.finish(), framed_bits, how, largest_datagram);
    }
    return queued;
}

bool LooseQueue::push(MessageKind kind, std::span<const std::uint8_t> bytes, std::size_t bits,
                      const Sending& how, std::size_t largest_datagram) {
    FRAY_ASSERT(bits <= 0xFFFF && bits <= bytes.size() * 8);
    if (bits / 8 + kDatagramOverhead > std::min(largest_datagram, kMaxDatagram)) return false;
    if (messages_.size() >= kMostMessages) pop(1);
    const auto begin = static_cast<std::uint32_t>(bytes_.size());
    messages_.push_back({begin, static_cast<std::uint16_t>(bits), kind, how.purpose, how.this_frame_only});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>((bits + 7) / 8));
    return true;
}

void LooseQueue::pop(std::size_t count) {
    messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(count));
    close_gaps();
}

void LooseQueue::drop_frame_messages() {
    std::erase_if(messages_, [](const Message& m) { return m.this_frame_only; });
    close_gaps();
}

void LooseQueue::close_gaps() {
    std::size_t end = 0;
    for (Message& m : messages_) {
        const std::size_t size = (m.bits + 7U) / 8;
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(m.begin), size,
                    bytes_.begin() + static_cast<std::ptrdiff_t>(end));
        m.begin = static_cast<std::uint32_t>(end);
        end += size;
    }
    bytes_.resize(end);
    if (end == 0 && bytes_.capacity() > kKeptBytes) bytes_ = {};  // return the memory after a burst
}

}  // namespace fray
