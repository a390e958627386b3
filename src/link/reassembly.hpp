#pragma once
// Reassembles fragments. Bounded: another peer can make us hold `most` incomplete messages.

#include "wire/limits.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

struct FragmentPlace {
    std::uint8_t index = 0;
    std::uint8_t last = 0;  ///< index of the last fragment: 0 for a message in one piece
};

class Reassembly {
public:
    explicit Reassembly(std::size_t most) : most_{most} {}

    enum class Outcome : std::uint8_t { incomplete, complete, impossible };

    /// key: the same for all fragments of a message. If complete, bytes() holds the message until the next
    /// call.
    Outcome add(std::uint32_t key, FragmentPlace place, std::span<const std::uint8_t> bytes);
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return finished_; }
    /// The message was read: releases its memory.
    void release() { finished_ = {}; }
    /// The message could not be handled yet: forgets the fragment that completed it, which is retransmitted.
    void put_back(std::uint32_t key, FragmentPlace place);
    /// Drops messages whose first fragment came more than `distance` keys ago, modulo 256.
    void forget_older(std::uint8_t key, std::uint8_t distance);
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    struct Partial {
        std::uint32_t key = 0;
        std::uint8_t last = 0;
        std::uint64_t arrived = 0;
        std::vector<std::uint8_t> bytes;
    };
    Partial& partial(std::uint32_t key, std::uint8_t last);

    std::size_t most_;               // incomplete messages at once
    std::vector<Partial> partials_;  // oldest first
    std::vector<std::uint8_t> finished_;
};

}  // namespace fray
