#pragma once
// Datagrams on their way. Slots come in a few sizes and are reused: after the peak was reached, nothing is
// allocated per datagram.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace fray::sim {

struct DatagramHeader {
    std::uint64_t digest = 0;  ///< of the bytes; computed once, used at sending and at delivery
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t size = 0;
};

class DatagramPool {
public:
    using Handle = std::uint32_t;

    Handle add(const DatagramHeader& header, std::span<const std::uint8_t> bytes);
    [[nodiscard]] const DatagramHeader& header(Handle handle) const {
        return *std::launder(reinterpret_cast<const DatagramHeader*>(slot(handle)));
    }
    /// Valid until remove().
    [[nodiscard]] std::span<const std::uint8_t> bytes(Handle handle) const {
        return {reinterpret_cast<const std::uint8_t*>(slot(handle) + sizeof(DatagramHeader)),
                header(handle).size};
    }
    void remove(Handle handle);
    [[nodiscard]] std::size_t in_use() const { return in_use_; }
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    static constexpr std::array<std::uint32_t, 8> kSizes{64, 96, 128, 192, 256, 384, 640, 1280};
    static constexpr std::uint32_t kSlotsPerChunk = 256;
    static constexpr unsigned kIndexBits = 29;  // the rest of a handle is the size class
    struct SizeClass {
        std::vector<std::unique_ptr<std::byte[]>> chunks;
        std::vector<std::uint32_t> free;
        std::uint32_t used = 0;  // slots handed out at least once
    };

    [[nodiscard]] std::byte* slot(Handle handle) const {
        const std::uint32_t which = handle >> kIndexBits;
        const std::uint32_t index = handle & ((1U << kIndexBits) - 1);
        const std::size_t stride = sizeof(DatagramHeader) + kSizes[which];
        return classes_[which].chunks[index / kSlotsPerChunk].get() + (index % kSlotsPerChunk) * stride;
    }
    static constexpr auto make_class_table();
    static std::uint32_t class_for(std::size_t size);

    std::array<SizeClass, kSizes.size()> classes_;
    std::size_t in_use_ = 0;
};

/// A 64-bit digest of bytes, eight at a time, the same on every machine.
[[nodiscard]] std::uint64_t digest(std::span<const std::uint8_t> bytes);

}  // namespace fray::sim
