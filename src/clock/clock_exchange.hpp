#pragma once
// Pings other peers for session time. One of two pings goes to the reference: a peer that joined earlier,
// with the fewest hops to the peer whose clock is session time, so there are no cycles. The other one goes to
// all linked peers in turn, because the reference may lie (clock_vote.hpp). Once the clock has settled, pings
// and pongs wait for a datagram that leaves anyway.

#include <fray/options.hpp>

#include "clock/clock_sync.hpp"
#include "core/link_directory.hpp"
#include "core/outbox.hpp"
#include "core/part.hpp"
#include "core/time_source.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

/// Called after a clock step.
class ClockListener {
public:
    virtual void handle_clock_set(Instant now) = 0;

protected:
    ~ClockListener() = default;
};

/// Session time in the first answer to a join.
struct JoinedClock {
    std::optional<Instant> asked;  ///< when our hello left; nothing: no longer known
    SessionInstant theirs;
    Duration hold{};              ///< how long our hello waited for the answer
    std::uint64_t joined_us = 0;  ///< when the other side joined
    bool crossing = false;        ///< the other side joins us at the same time
};

class ClockExchange final : public Part, public TimeSource, public DatagramWriter {
public:
    ClockExchange(const ClockOptions& options, PeerId self, const LinkDirectory& links, Outbox& out,
                  ClockListener& listener)
        : options_{options}, self_{self}, links_{links}, out_{out}, listener_{listener} {}

    [[nodiscard]] SessionInstant session_time(Instant now) const override { return sync_.session_time(now); }
    [[nodiscard]] std::uint8_t hops() const override {
        return reference_ ? static_cast<std::uint8_t>(exchanges_.find(*reference_)->hops + 1U)
                          : std::uint8_t{0};
    }
    [[nodiscard]] std::uint64_t joined_us() const override { return joined_us_; }
    [[nodiscard]] ClockStats stats() const;

    /// Starts this peer's own session, which lasts until it joins another one.
    void start(Instant now);
    /// What a hello says of the other side's clock.
    struct Met {
        std::uint64_t joined_us = 0;
        std::uint8_t hops = 0;
        bool crossing = false;  ///< both peers join through each other
    };
    void meet(LinkNumber link, const PeerId& peer, const Met& met);
    /// Takes session time from the answer to our join.
    void take_session_time(Instant now, const PeerId& peer, const JoinedClock& clock);
    /// Once per frame: chooses the reference, and pings when it is time.
    void run_frame(Instant now);

    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_link_up(Instant now, const LinkUp& up) override;
    void forget_link(LinkNumber link) override;
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override {
        return sizeof(*this) + exchanges_.heap_bytes() + readings_.capacity() * sizeof(ClockReading);
    }

    [[nodiscard]] bool has_messages(LinkNumber link) const override {
        const Exchange* exchange = exchanges_.find(link);
        return exchange != nullptr && exchange->is_urgent;
    }
    void write_messages(Instant now, LinkNumber link, std::uint16_t sequence, BitWriter& out) override;
    [[nodiscard]] bool handle_sent(Instant now, LinkNumber link) override;

private:
    static constexpr std::size_t kPings = 32;
    struct Exchange {
        PeerClock clock{};            // of the other side
        std::uint64_t joined_us = 0;  // when the other side joined the session
        Instant turn{};               // of its last ping in turn, or when the link came up
        Instant ping_heard{};
        std::uint8_t hops = 0;  // of the other side
        std::uint8_t ping_id = 0;
        bool pong_due = false;
        bool ping_due = false;
        bool is_urgent = false;  // the ping does not wait for another datagram
        bool is_off = false;     // too far from the other clocks to be the reference
    };
    struct Ping {
        LinkNumber link = kNoLink;  // none: answered
        Instant sent{};
    };
    void choose_reference();
    void ping(LinkNumber link);
    [[nodiscard]] bool is_older(LinkNumber link) const;
    [[nodiscard]] LinkNumber next_in_turn() const;
    [[nodiscard]] bool settled() const;
    void correct(Instant now);
    [[nodiscard]] ClockVote ask_all(Instant now);
    [[nodiscard]] Receipt read_ping(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_pong(const Arrival& arrival, BitReader& in);

    const ClockOptions& options_;
    PeerId self_;
    const LinkDirectory& links_;
    Outbox& out_;
    ClockListener& listener_;
    ClockSync sync_;
    std::uint64_t joined_us_ = 0;
    bool founder_ = true;     // took session time from no other peer
    Instant confirmed_at_{};  // when enough peers have confirmed the session time that we joined with
    PerLink<Exchange> exchanges_;
    std::optional<LinkNumber> reference_;  // none: our clock is session time
    std::array<Ping, kPings> pings_{};     // the last ones, by ping id
    std::uint8_t next_ping_ = 0;
    Instant next_ping_at_{};
    bool asked_reference_ = false;        // by the last ping
    std::vector<ClockReading> readings_;  // kept for its capacity
};

}  // namespace fray
