#include "session/loose_queue.hpp"

#include <fray/assert.hpp>

#include <algorithm>

namespace fray {

namespace {

constexpr std::size_t kMostMessages = 128;
constexpr std::size_t kKeptBytes = 512;  // of memory, while there is nothing to hold

}  // namespace

void LooseQueue::push(MessageType type, Purpose purpose, std::span<const std::uint8_t> bytes,
                      std::size_t bits, bool passing) {
    FRAY_ASSERT(bits <= 0xFFFF && bits <= bytes.size() * 8);
    if (messages_.size() >= kMostMessages) pop(1);
    const auto begin = static_cast<std::uint32_t>(bytes_.size());
    messages_.push_back({begin, static_cast<std::uint16_t>(bits), type, purpose, passing});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>((bits + 7) / 8));
}

void LooseQueue::pop(std::size_t count) {
    messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(count));
    close_gaps();
}

void LooseQueue::drop_passing() {
    std::erase_if(messages_, [](const Message& m) { return m.passing; });
    close_gaps();
}

void LooseQueue::close_gaps() {
    std::size_t end = 0;
    for (Message& m : messages_) {
        const std::size_t size = (m.bits + 7U) / 8;
        std::copy_n(bytes_.begin() + m.begin, size, bytes_.begin() + static_cast<std::ptrdiff_t>(end));
        m.begin = static_cast<std::uint32_t>(end);
        end += size;
    }
    bytes_.resize(end);
    if (end == 0 && bytes_.capacity() > kKeptBytes) bytes_ = {};  // there was a burst
}

}  // namespace fray
