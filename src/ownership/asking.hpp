#pragma once
// The asker's side: our requests about entities with changing owners. A request stays open, and is sent to
// each new owner, until one of them has decided it.

#include <fray/result.hpp>

#include "ownership/known_entities.hpp"
#include "ownership/open_asks.hpp"
#include "ownership/owned_entities.hpp"
#include "ownership/post.hpp"
#include "wire/part_context.hpp"

#include <span>

namespace fray {

class Asking {
public:
    Asking(const PartContext& context, KnownEntities& known, OwnedEntities& owned, Post& post)
        : context_{context}, known_{known}, owned_{owned}, post_{post} {}

    /// Call it for each incarnation, with the number to begin with.
    void start(Incarnation incarnation, std::uint32_t first) {
        incarnation_ = static_cast<std::uint32_t>(incarnation);
        open_.start(first);
    }
    [[nodiscard]] Result<RequestId> interact(Instant now, const EntityId& by, const EntityId& target,
                                             SessionInstant seen, std::span<const std::uint8_t> bytes);
    /// The owner of this entity changed, or is linked again: asks it.
    void ask_again(Instant now, const EntityId& target);
    /// Asks owners for which there was no room before. Gives up requests that no owner could be asked for
    /// ownerless_most().
    void ask_waiting(Instant now);
    /// There will be no decision.
    void fail(const EntityId& target);
    void fail_all();
    void handle_link_down(const PeerId& peer);
    /// A decision of another peer.
    [[nodiscard]] Receipt handle_decided(LinkNumber from, Decided& decided);
    /// A decision of our own, about a request of our own.
    void settle(const Decided& decided);
    [[nodiscard]] std::size_t heap_bytes() const { return open_.heap_bytes(); }

private:
    void send(Instant now, const KnownEntity& known, OpenAsk& ask);
    /// Tells the owner which replies we have.
    void confirm(const KnownEntity& known);
    void give_up(const OpenAsk& ask);

    const PartContext& context_;
    KnownEntities& known_;
    OwnedEntities& owned_;
    Post& post_;
    OpenAsks open_;
    std::uint32_t incarnation_ = 0;
};

}  // namespace fray
