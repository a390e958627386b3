#pragma once
// What we sent and what became of it: sequence numbers out, acknowledgements in.

#include <fray/time.hpp>

#include "link/rtt.hpp"
#include "wire/limits.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

/// One datagram in flight: as much as is needed when its fate is known.
struct SentRecord {
    std::uint32_t sent_us = 0;        ///< low bits of the local clock
    std::uint32_t frame = 0;          ///< the sender's frame whose states it carried
    std::uint16_t reliable_from = 0;  ///< reliable ids [from, from + count) rode along
    std::uint16_t reliable_count = 0;
};

/// The part of a data datagram's header that acknowledges.
struct AckHeader {
    std::uint16_t newest = 0;
    std::uint32_t earlier = 0;  ///< bit i: newest - 1 - i arrived
    Duration delay{};           ///< between its arrival and this acknowledgement
    bool delay_known = false;
};

/// Fates learnt from one acknowledgement, newest first.
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
    /// What an acknowledgement tells that we did not know. Nothing where it speaks of what was never sent.
    [[nodiscard]] std::optional<Fates> acknowledge(Instant now, const AckHeader& ack);
    /// The record of a sequence number, while remembered.
    [[nodiscard]] const SentRecord* record(std::uint16_t sequence) const {
        const auto age = static_cast<std::uint16_t>(next_ - sequence);
        if (age == 0 || age > held_) return nullptr;
        if (!wrapped_ && sequence >= next_) return nullptr;
        return &ring_[sequence & (ring_.size() - 1)];
    }

    [[nodiscard]] const RttEstimator& rtt() const { return rtt_; }
    /// Share of recent datagrams that got lost.
    [[nodiscard]] double loss() const { return loss_; }
    [[nodiscard]] std::uint64_t delivered() const { return delivered_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] std::size_t heap_bytes() const { return ring_.capacity() * sizeof(SentRecord); }

private:
    void grow();
    void count_fates(const Fates& fates);

    std::vector<SentRecord> ring_;  // a power of two, indexed by sequence
    std::size_t held_ = 0;          // how many of the last ones it remembers
    RttEstimator rtt_;
    std::uint64_t acked_ = 0;  // bit i: newest_acked_ - i is acknowledged
    std::uint64_t given_up_ = 0;
    std::uint64_t delivered_ = 0;
    std::uint64_t lost_ = 0;
    double loss_ = 0;
    std::uint16_t next_ = 0;
    std::uint16_t newest_acked_ = 0xFFFF;
    bool any_acked_ = false;
    bool wrapped_ = false;  // sequence numbers were used more than once
};

}  // namespace fray
