#pragma once
// Messages of the game to other peers' games (Peer::send). Session-wide ones (Audience::within) are kept for
// peers that get linked later. All links that are up have all kept messages; for a peer whose link was lost,
// a number says which ones it has, because its channel may continue (link/parked_channels.hpp).

#include <fray/peer.hpp>
#include <fray/result.hpp>

#include "core/part.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace fray {

class GameMessages final : public Part {
public:
    explicit GameMessages(const PartContext& context) : context_{context} {}

    Result<void> send(Instant now, const Outgoing& message);
    [[nodiscard]] std::uint64_t delivered() const { return delivered_; }

    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_link_up(Instant now, const LinkUp& up) override;
    void handle_link_down(Instant now, const LinkDown& down) override;
    void handle_clock_set(Instant now) override;
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    struct Kept {
        Outgoing message;
        SessionInstant at{};  // sent with this stamp; the game's own if it set one
        Instant until{};
        std::uint64_t number = 0;
    };
    /// A peer whose link was lost: it has the kept messages below this number.
    struct Departed {
        PeerId peer;
        Incarnation incarnation{};
        std::uint64_t number = 0;
    };
    struct Encoded {
        std::vector<std::uint8_t> bytes;
        std::size_t bits = 0;
        [[nodiscard]] std::size_t queued_bytes() const { return 1 + (bits + 7) / 8; }  // with the kind
    };

    [[nodiscard]] Result<void> check(Instant now, const Outgoing& message) const;
    [[nodiscard]] Result<void> check_kept(Instant now, const Outgoing& message);
    [[nodiscard]] static Encoded encode(const Outgoing& message, SessionInstant at);
    void expire(Instant now);
    [[nodiscard]] bool make_room(std::span<const LinkNumber> to, std::size_t bytes) const;
    [[nodiscard]] Result<std::vector<LinkNumber>> links_to(const Audience& audience) const;

    const PartContext& context_;
    std::uint64_t delivered_ = 0;
    std::deque<Kept> kept_;  // by number
    std::size_t kept_bytes_ = 0;
    std::uint64_t next_number_ = 0;
    std::vector<Departed> departed_;
};

}  // namespace fray
