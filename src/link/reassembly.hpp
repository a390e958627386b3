#pragma once
// Reassembles fragments. Bounded: memory grows with the bytes that arrived, not with the length that a
// fragment claims, and another peer can make us hold so many incomplete messages and bytes. The oldest is
// evicted.

#include "wire/limits.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace fray {

struct FragmentPlace {
    std::uint8_t index = 0;
    std::uint8_t last = 0;  ///< index of the last fragment: 0 for a message in one piece
};

class Reassembly {
public:
    /// At most so many incomplete messages, and bytes in them.
    Reassembly(std::uint16_t most, std::uint32_t most_bytes) : most_bytes_{most_bytes}, most_{most} {}

    enum class Outcome : std::uint8_t { incomplete, complete, impossible };

    /// key: the same for all fragments of a message. If complete, bytes() holds the message until the next
    /// call.
    Outcome add(std::uint32_t key, FragmentPlace place, std::span<const std::uint8_t> bytes);
    [[nodiscard]] std::span<const std::uint8_t> bytes() const {
        return held_ ? std::span<const std::uint8_t>{held_->finished} : std::span<const std::uint8_t>{};
    }
    /// The message was read: releases its memory.
    void release();
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
        std::array<std::uint8_t, kMaxFragments> order{};  // indices of the fragments, as in `bytes`
        std::vector<std::uint8_t> bytes{};                // in the order of arrival
    };
    struct Held {
        std::vector<Partial> partials;  // oldest first
        std::vector<std::uint8_t> finished;
    };
    Partial& partial(std::uint32_t key, std::uint8_t last);
    void finish(Partial& whole);
    [[nodiscard]] std::size_t partial_bytes() const;

    std::unique_ptr<Held> held_;  // none: a link rarely has fragments, and a peer has many links
    std::uint32_t most_bytes_;    // in all incomplete messages
    std::uint16_t most_;          // incomplete messages at once
};

}  // namespace fray
