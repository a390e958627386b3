#pragma once
// All links of a peer, by number, by peer, and those that are not up yet.

#include <fray/ids.hpp>

#include "consistency/showing.hpp"
#include "core/candidate.hpp"
#include "link/link.hpp"
#include "replica/baseline_tracker.hpp"
#include "replica/replica_store.hpp"
#include "session/loose_queue.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// How one of the other peer's entities is shown here, where it is not the plain way.
struct RemoteView {
    std::uint32_t number = 0;
    std::optional<std::uint16_t> version{};  ///< of the owner's choice, once it made one
    std::unique_ptr<Showing> showing;
    // Where its updates go through us.
    SessionInstant passed_on{};  ///< when the last one did
    SessionInstant overruled{};  ///< when its owner was last told that something cannot be
    bool settled = true;         ///< everybody has the last one, or will
    // Where they go through another peer.
    std::optional<Instant> held{};  ///< since when a word that its owner told us itself waits for that peer
    bool direct = false;            ///< waited in vain: what its owner tells us counts
};

/// A link, and what the session holds beside it.
struct LinkSlot {
    LinkSlot(const LinkEnds& ends, Instant now) : link{ends, now} {}

    Link link;
    BaselineTracker baselines;
    ReplicaStore replicas;
    std::vector<RemoteView> views;      ///< ordered by number
    std::vector<std::uint16_t> outbox;  ///< primaries to write into the next datagram
    LooseQueue loose;
    std::size_t loose_written = 0;  ///< how many of them the datagram at hand carries

    /// How this entity is shown; nothing where it is the plain way.
    [[nodiscard]] RemoteView* view(std::uint32_t number);
    [[nodiscard]] const RemoteView* view(std::uint32_t number) const;
    void forget_view(std::uint32_t number);

    Instant next_hello{};
    Instant hello_heard{};  ///< the hello that ours answers
    Instant ping_heard{};
    std::uint64_t joined_us = 0;  ///< when the other side joined the session
    std::uint8_t clock_hops = 0;
    std::uint8_t hello_attempts = 0;
    std::uint8_t unheard_hellos = 0;  ///< since the other side was heard: the more, the rarer
    std::uint8_t answered_attempt = 0;
    std::uint8_t answers_left = 0;  ///< to the last hello heard
    std::uint8_t ping_id = 0;
    std::uint8_t next_group = 0;  ///< of fragments
    bool up = false;              ///< the overlay and the game know of it
    bool called = false;          ///< we said hello first
    bool newcomer = false;        ///< asked to be introduced
    bool hello_due = false;
    bool pong_due = false;
    bool ping_due = false;
    bool speak = false;    ///< says something at the next opportunity, whatever there is
    bool urgent = false;   ///< stands in the queue of those who speak first
    bool ready = false;    ///< stands in the queue of this frame's updates
    bool counted = false;  ///< something in this frame pays for its datagram
};

class LinkTable {
public:
    /// A new slot with a number of its own; nullptr where there is no room.
    LinkSlot* create(LinkEnds ends, Instant now, std::size_t most);
    void destroy(LinkNumber number);
    [[nodiscard]] LinkSlot* at(std::uint64_t number) const {
        return number < slots_.size() ? slots_[static_cast<std::size_t>(number)].get() : nullptr;
    }
    /// The working link with this peer, if any.
    [[nodiscard]] LinkSlot* up(const PeerId& peer) const;
    /// A link with it that we called and that is not up yet.
    [[nodiscard]] LinkSlot* pending_call(const PeerId& peer) const;
    /// Numbers of working links, in the order of their peers' ids.
    [[nodiscard]] std::span<const LinkNumber> up_links() const { return up_; }
    /// Numbers of links that are not up yet, oldest first.
    [[nodiscard]] std::span<const LinkNumber> pending() const { return pending_; }
    void set_up(LinkNumber number);
    void clear();
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    std::vector<std::unique_ptr<LinkSlot>> slots_;
    std::vector<LinkNumber> free_;
    std::vector<LinkNumber> up_;
    std::vector<LinkNumber> pending_;
};

}  // namespace fray
