#pragma once
// Sequence numbers of sent datagrams, and which of them were delivered or lost.

#include <fray/time.hpp>

#include "link/rtt.hpp"
#include "wire/limits.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

/// One datagram in flight: what is needed when it is acknowledged or lost.
struct SentRecord {
    std::uint32_t sent_us = 0;        ///< low 32 bits of the local clock, in microseconds
    std::uint32_t frame = 0;          ///< the sender's frame whose states it carries
    std::uint16_t reliable_from = 0;  ///< it carries the reliable ids [from, from + count)
    std::uint16_t reliable_count = 0;
    std::uint16_t prompt_from = 0;  ///< of the reliable ids [from, from + span), it carries the prompt ones
    std::uint16_t prompt_span = 0;
};

/// The acknowledging part of a data datagram's header.
struct AckHeader {
    std::uint16_t newest = 0;
    std::uint32_t earlier = 0;  ///< bit i: newest - 1 - i arrived
    Duration delay{};           ///< between the arrival of `newest` and this acknowledgement
    bool delay_known = false;
};

/// Datagrams that one acknowledgement shows to be delivered or lost.
struct Fates {
    std::uint64_t delivered = 0;  ///< bit i: the datagram newest - i
    std::uint64_t lost = 0;
    std::uint16_t newest = 0;
};

class SendWindow {
public:
    [[nodiscard]] std::uint16_t next_sequence() const { return next_; }
    /// Takes the next sequence number for a datagram that leaves now.
    void sent(Instant now, const SentRecord& record);
    /// Returns what is new in this acknowledgement; nothing if it names a datagram that was never sent.
    [[nodiscard]] std::optional<Fates> acknowledge(Instant now, const AckHeader& ack);
    /// The record of a sequence number; nullptr if it is no longer held.
    [[nodiscard]] const SentRecord* record(std::uint16_t sequence) const {
        const auto age = static_cast<std::uint16_t>(next_ - sequence);
        if (age == 0 || age > held_) return nullptr;
        if (!wrapped_ && sequence >= next_) return nullptr;
        return &ring_[sequence & (ring_.size() - 1)];
    }

    /// Whether this datagram or a later one is acknowledged. `sequence`: of the last 2^15.
    [[nodiscard]] bool acked_since(std::uint16_t sequence) const {
        return any_acked_ && static_cast<std::int16_t>(newest_acked_ - sequence) >= 0;
    }

    [[nodiscard]] const RttEstimator& rtt() const { return rtt_; }
    /// Share of recent datagrams that were lost, 0 to 1.
    [[nodiscard]] double loss() const { return loss_; }
    [[nodiscard]] std::uint64_t delivered() const { return delivered_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] std::size_t heap_bytes() const { return ring_.capacity() * sizeof(SentRecord); }

private:
    void grow();
    void count_fates(const Fates& fates);

    std::vector<SentRecord> ring_;  // size is a power of two; indexed by sequence number
    std::size_t held_ = 0;          // number of newest records that are valid
    RttEstimator rtt_;
    std::uint64_t acked_ = 0;  // bit i: newest_acked_ - i is acknowledged
    std::uint64_t given_up_ = 0;
    std::uint64_t delivered_ = 0;
    std::uint64_t lost_ = 0;
    double loss_ = 0;
    std::uint16_t next_ = 0;
    std::uint16_t newest_acked_ = 0xFFFF;
    bool any_acked_ = false;
    bool wrapped_ = false;  // the 16-bit sequence number has wrapped around
};

}  // namespace fray
