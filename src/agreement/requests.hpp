#pragma once
// Requests to the owner of an entity, and replies. A request names the asker's entity, the target, and the
// moment of the target that the asker saw. The owner decides by that moment, and replies.

#include <fray/event.hpp>
#include <fray/serialize.hpp>

#include "wire/session_time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

struct Request {
    std::uint32_t number = 0;  ///< the asker counts its requests
    std::uint32_t by = 0;      ///< entity of the asker
    std::uint32_t target = 0;  ///< entity of the owner
    std::uint64_t seen = 0;    ///< wire_time() of the moment that the asker saw
    std::vector<std::uint8_t> bytes{};
};

struct Reply {
    std::uint32_t number = 0;
    bool answered = false;  ///< false: there is no such entity
    std::vector<std::uint8_t> bytes{};
};

/// The request was applied as its asker expected.
struct Settled {
    std::uint32_t number = 0;
};

template <class Stream>
void serialize(Stream& stream, Settled& settled) {
    stream.varint(settled.number);
}
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

/// Our requests that are not answered yet.
class OpenRequests {
public:
    static constexpr std::size_t kMost = 256;
    /// To one peer, so that a silent one leaves room for others.
    static constexpr std::size_t kMostOfOne = 64;

    /// A number for a new request; nothing if too many are open, or too many with this owner.
    [[nodiscard]] std::optional<std::uint32_t> open(const EntityId& target);
    /// The peer `from` answered: returns the target. Nothing if no such request to this peer is open.
    [[nodiscard]] std::optional<EntityId> close(std::uint32_t number, const PeerId& from);
    /// Some open request to this peer.
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

/// Requests of other peers that our game has not answered.
class AskedRequests {
public:
    static constexpr std::size_t kMostOfOne = OpenRequests::kMostOfOne;
    static constexpr std::size_t kMostAnswered = 256;  ///< remembered, to tell repeated answers apart

    /// False if the asker has asked this already, or has asked too much.
    [[nodiscard]] bool may_add(const RequestId& request) const;
    void add(const RequestId& request, std::uint32_t target) { asked_.push_back({request, target}); }
    /// The target of a request that waits for an answer.
    [[nodiscard]] std::optional<std::uint32_t> target(const RequestId& request) const;
    [[nodiscard]] bool was_answered(const RequestId& request) const;
    [[nodiscard]] std::vector<RequestId> about(std::uint32_t target) const;
    void close(const RequestId& request);
    void forget(const PeerId& asker);
    [[nodiscard]] std::size_t memory_bytes() const {
        return asked_.capacity() * sizeof(Asked) + answered_.capacity() * sizeof(RequestId);
    }

private:
    struct Asked {
        RequestId request;
        std::uint32_t target = 0;
    };
    std::vector<Asked> asked_;         // oldest first
    std::vector<RequestId> answered_;  // the most recent ones, oldest first
};

}  // namespace fray
