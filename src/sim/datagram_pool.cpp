#include "sim/datagram_pool.hpp"

#include <fray/assert.hpp>

#include <bit>
#include <cstring>
#include <new>

namespace fray::sim {

namespace {

constexpr std::size_t kStep = 32;  // slot sizes are multiples of this

}  // namespace

constexpr auto DatagramPool::make_class_table() {
    std::array<std::uint8_t, kSizes.back() / kStep + 1> table{};
    std::uint8_t which = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (kSizes[which] < i * kStep) ++which;
        table[i] = which;
    }
    return table;
}

std::uint32_t DatagramPool::class_for(std::size_t size) {
    static constexpr auto kClassOf = make_class_table();
    return kClassOf[(size + kStep - 1) / kStep];
}

DatagramPool::Handle DatagramPool::add(const DatagramHeader& header, std::span<const std::uint8_t> bytes) {
    FRAY_ASSERT(bytes.size() <= kSizes.back());
    const std::uint32_t which = class_for(bytes.size());
    SizeClass& pool = classes_[which];
    std::uint32_t index = pool.used;
    if (!pool.free.empty()) {
        index = pool.free.back();
        pool.free.pop_back();
    } else if (pool.used++ % kSlotsPerChunk == 0) {
        const std::size_t stride = sizeof(DatagramHeader) + kSizes[which];
        pool.chunks.push_back(std::make_unique<std::byte[]>(stride * kSlotsPerChunk));
        pool.free.reserve(pool.chunks.size() * kSlotsPerChunk);  // so that remove() never allocates
    }
    ++in_use_;
    const Handle handle = (which << kIndexBits) | index;
    std::byte* const memory = slot(handle);
    auto* stored = new (memory) DatagramHeader{header};
    stored->size = static_cast<std::uint32_t>(bytes.size());
    if (!bytes.empty()) std::memcpy(memory + sizeof(DatagramHeader), bytes.data(), bytes.size());
    return handle;
}

void DatagramPool::remove(Handle handle) {
    classes_[handle >> kIndexBits].free.push_back(handle & ((1U << kIndexBits) - 1));
    --in_use_;
}

std::size_t DatagramPool::memory_bytes() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
        sum += classes_[i].chunks.size() * kSlotsPerChunk * (sizeof(DatagramHeader) + kSizes[i]);
        sum += classes_[i].free.capacity() * sizeof(std::uint32_t);
    }
    return sum;
}

std::uint64_t digest(std::span<const std::uint8_t> bytes) {
    static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");
    __extension__ using Wide = unsigned __int128;
    constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15ULL;
    constexpr std::uint64_t kSecond = 0xBF58476D1CE4E5B9ULL;
    std::uint64_t state = (bytes.size() + 1) * kFirst;
    // One product of two words per 16 bytes, both its halves, so that high bits reach low ones.
    const auto mix_in = [&state](const std::uint8_t* block) {
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        std::memcpy(&low, block, 8);
        std::memcpy(&high, block + 8, 8);
        const Wide product = static_cast<Wide>(state ^ low) * (high ^ kSecond);
        state = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
    };
    std::size_t at = 0;
    for (; at + 16 <= bytes.size(); at += 16) mix_in(bytes.data() + at);
    if (at < bytes.size()) {
        std::array<std::uint8_t, 16> rest{};
        std::memcpy(rest.data(), bytes.data() + at, bytes.size() - at);
        mix_in(rest.data());
    }
    return state * kFirst;
}

}  // namespace fray::sim
