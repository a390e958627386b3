#pragma once
// Sends messages about entities that may change their owner, and knows the links in the order of their age.

#include "core/part.hpp"
#include "ownership/messages.hpp"
#include "wire/part_context.hpp"

#include <algorithm>
#include <vector>

namespace fray {

class Post {
public:
    explicit Post(const PartContext& context) : context_{context} {}

    struct Neighbour {
        LinkNumber link = 0;
        PeerId peer;
        std::uint32_t incarnation = 0;
    };
    void add(const LinkUp& up) {
        const std::size_t size = neighbours_.size();
        if (size == neighbours_.capacity()) neighbours_.reserve(size + size / 8 + 2);  // doubling wastes
        neighbours_.push_back({up.link, up.contact.id, static_cast<std::uint32_t>(up.contact.incarnation)});
    }
    void remove(LinkNumber link) {
        std::erase_if(neighbours_, [&](const Neighbour& n) { return n.link == link; });
    }
    /// Linked peers, the one that was linked first at the front.
    [[nodiscard]] const std::vector<Neighbour>& neighbours() const { return neighbours_; }
    [[nodiscard]] const Neighbour* find(const PeerId& peer) const {
        const auto found = std::ranges::find(neighbours_, peer, &Neighbour::peer);
        return found == neighbours_.end() ? nullptr : &*found;
    }
    [[nodiscard]] const Neighbour* at(LinkNumber link) const {
        const auto found = std::ranges::find(neighbours_, link, &Neighbour::link);
        return found == neighbours_.end() ? nullptr : &*found;
    }

    /// Queues a message. If the queue is full, the link is dropped: none of these messages may be lost.
    template <class T>
    void send(LinkNumber link, OwnerMessage what, const T& message) {
        send(link, what, message, what != OwnerMessage::claim && what != OwnerMessage::withdrawn);
    }
    /// A claim goes to every peer, and is in no hurry, unless a peer waits for it.
    enum class Wait : std::uint8_t { none, for_claim };
    void tell(LinkNumber link, const Claim& claim, Wait wait = Wait::none) {
        const ToldClaim told{claim, claim.owner != context_.self && !is_linked_with_owner(claim)};
        send(link, OwnerMessage::claim, told, wait == Wait::for_claim);
    }
    /// Linked with the owner in the stay in which it claims the entity.
    [[nodiscard]] bool is_linked_with_owner(const Claim& claim) const {
        const Neighbour* owner = find(claim.owner);
        return owner != nullptr && owner->incarnation == claim.incarnation;
    }
    [[nodiscard]] bool has_room(LinkNumber link, std::size_t bytes) const {
        return context_.out.has_room(link, bytes);
    }
    [[nodiscard]] std::size_t heap_bytes() const { return neighbours_.capacity() * sizeof(Neighbour); }

private:
    /// prompt: a player waits for the reply, and the owner for its deputy.
    template <class T>
    void send(LinkNumber link, OwnerMessage what, const T& message, bool prompt) {
        const Enveloped<T> enveloped{what, &message};
        const Sending how{.delivery = Delivery::ordered, .purpose = Purpose::agreement, .prompt = prompt};
        if (!context_.out.send(link, MessageKind::ownership, enveloped, how)) context_.out.give_up(link);
    }

    const PartContext& context_;
    std::vector<Neighbour> neighbours_;
};

}  // namespace fray
