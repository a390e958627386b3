#include "link/loose_queue.hpp"

#include <fray/assert.hpp>

#include <algorithm>

namespace fray {

namespace {

constexpr std::size_t kMostMessages = 128;
constexpr std::size_t kKeptBytes = 512;  // capacity kept while the queue is empty

}  // namespace

void LooseQueue::push(MessageKind kind, Purpose purpose, std::span<const std::uint8_t> bytes,
                      std::size_t bits, bool this_frame_only) {
    FRAY_ASSERT(bits <= 0xFFFF && bits <= bytes.size() * 8);
    if (messages_.size() >= kMostMessages) pop(1);
    const auto begin = static_cast<std::uint32_t>(bytes_.size());
    messages_.push_back({begin, static_cast<std::uint16_t>(bits), kind, purpose, this_frame_only});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>((bits + 7) / 8));
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
