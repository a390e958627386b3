#pragma once
// Whose write counts? The owner's alone; others ask. A request names the asker's entity, the one it is about,
// and the moment of that one which the asker saw: the owner judges by it, and replies.

#include <fray/event.hpp>
#include <fray/serialize.hpp>

#include "wire/session_time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

struct Request {
    std::uint32_t number = 0;  ///< the asker's own
    std::uint32_t by = 0;      ///< entity of the asker
    std::uint32_t target = 0;  ///< entity of the asked
    std::uint64_t seen = 0;    ///< wire_time() of the moment that the asker saw
    std::vector<std::uint8_t> bytes{};
};

struct Reply {
    std::uint32_t number = 0;
    bool answered = false;  ///< false: there is no such entity
    std::vector<std::uint8_t> bytes{};
};

template <class Stream>
void serialize(Stream& stream, Request& request) {
    stream.varint(request.number);
    stream.varint(request.by);
    stream.varint(request.target);
    stream.integer(request.seen, 0, kMaxWireTime);
    stream.bytes(request.bytes, kMaxRequestBytes);
}

template <class Stream>
void serialize(Stream& stream, Reply& reply) {
    stream.varint(reply.number);
    stream.boolean(reply.answered);
    stream.bytes(reply.bytes, kMaxRequestBytes);
}

/// What we asked others and what they have not yet answered.
class OpenRequests {
public:
    static constexpr std::size_t kMost = 256;
    static constexpr std::size_t kMostOfOne = 64;  ///< who never answers leaves room for the others

    /// A number for a new one; nothing where too many are open, or too many with this owner.
    [[nodiscard]] std::optional<std::uint32_t> open(const EntityId& target);
    /// Who was asked answers: what it was about. Nothing where it was not asked this, or answered before.
    [[nodiscard]] std::optional<EntityId> close(std::uint32_t number, const PeerId& from);
    /// One of those this peer was asked, and will not answer any more.
    [[nodiscard]] std::optional<std::uint32_t> next_of(const PeerId& peer) const;
    [[nodiscard]] std::size_t memory_bytes() const { return open_.capacity() * sizeof(Open); }

private:
    struct Open {
        std::uint32_t number = 0;
        EntityId target;
    };
    std::vector<Open> open_;  // ordered by number
    std::uint32_t next_ = 0;
};

}  // namespace fray
