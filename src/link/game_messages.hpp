#pragma once
// Messages of the game to other peers' games (Peer::send).

#include <fray/peer.hpp>
#include <fray/result.hpp>

#include "core/part.hpp"
#include "wire/part_context.hpp"

#include <cstdint>

namespace fray {

class GameMessages final : public Part {
public:
    explicit GameMessages(const PartContext& context) : context_{context} {}

    Result<void> send(Instant now, const Outgoing& message);
    [[nodiscard]] std::uint64_t delivered() const { return delivered_; }

    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    [[nodiscard]] std::size_t memory_bytes() const override { return sizeof(*this); }

private:
    [[nodiscard]] Result<void> check(Instant now, const Outgoing& message) const;
    [[nodiscard]] bool make_room(std::span<const LinkNumber> to, std::size_t bytes) const;
    [[nodiscard]] Result<std::vector<LinkNumber>> links_to(const Audience& audience) const;

    const PartContext& context_;
    std::uint64_t delivered_ = 0;
};

}  // namespace fray
