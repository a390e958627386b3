#pragma once
// The owner's side: entities with changing owners that this peer owns now, and the requests about them.

#include <fray/result.hpp>
#include <fray/stats.hpp>

#include "core/lasting.hpp"
#include "core/sighting.hpp"
#include "ownership/known_entities.hpp"
#include "ownership/owned_entity.hpp"
#include "ownership/post.hpp"
#include "wire/part_context.hpp"

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fray {

class OwnedEntities {
public:
    static constexpr std::size_t kMost = 1024;       ///< that the game may publish, or get by hand-overs
    static constexpr std::size_t kMaxOfGiver = 256;  ///< that one peer may hand over
    /// With those that a deputy takes over. The game may publish as many others as this peer may have
    /// besides.
    static constexpr std::size_t kMostInAll = 3 * kMost;
    static constexpr std::size_t kMaxAsked = 4096;  ///< requests that wait for the game's answer

    struct Reply {
        Asker to;
        Decided decided;
    };

    OwnedEntities(const PartContext& context, const OwnEntities& own, KnownEntities& known, Post& post,
                  OwnershipStats& counts)
        : context_{context}, own_{own}, known_{known}, post_{post}, counts_{counts} {}

    [[nodiscard]] OwnedEntity* find(const EntityId& id);
    [[nodiscard]] const OwnedEntity* find(const EntityId& id) const;
    [[nodiscard]] std::size_t size() const { return owned_.size(); }
    /// Whether this peer takes another entity that `giver` hands over.
    [[nodiscard]] bool may_take(const PeerId& giver) const;
    /// The body exists. Tells all linked peers, and chooses a deputy, unless the peer that handed it over
    /// holds the record already.
    void add(Instant now, const Claim& claim, Decisions&& decisions, const std::optional<PeerId>& giver);
    /// This peer does not own it any more: its requests are forgotten.
    void remove(const EntityId& id);
    /// The encoded state, for records.
    [[nodiscard]] std::vector<std::uint8_t> encoded_state(const OwnedEntity& owned) const;

    // --- requests ---
    [[nodiscard]] Receipt ask(Instant now, const Asker& asker, Ask& ask);
    Result<void> answer(const RequestId& request, std::span<const std::uint8_t> bytes);
    /// The asker received its replies up to here.
    void close(const Asker& asker, const Closed& closed);
    /// Adds the decisions of a peer that owned the entity as well. Returns those that only it had made.
    [[nodiscard]] Decisions::Merged merge(OwnedEntity& owned, const Decisions& other);
    /// An entity that was being handed to a peer that did not take it: we own it again.
    struct Returned {
        EntityId id;
        PeerId from;
    };
    [[nodiscard]] std::vector<Returned> take_returned() { return std::exchange(returned_, {}); }

    // --- deputies ---
    void handle_link_up(Instant now, const Post::Neighbour& neighbour);
    void handle_link_down(Instant now, const PeerId& peer);
    void handle_recorded(Instant now, const PeerId& from, const Recorded& recorded);
    /// Raises our claim above this one, whose owner is lost.
    void outbid(Instant now, OwnedEntity& owned, std::uint64_t term);
    /// Sends records that are due. `in_frame`: also replaces deputies that do not acknowledge.
    void send_records(Instant now, bool in_frame);
    /// Replies that may leave now.
    [[nodiscard]] std::vector<Reply> take_replies();
    /// Closes the decisions of askers that have been gone for so long that they ask no more.
    void close_gone(Instant now, std::uint32_t own_incarnation);
    [[nodiscard]] bool has_work() const { return has_work_; }
    void note_update(OwnedEntity& owned) {
        owned.note_update();
        has_work_ = true;
    }
    void begin_hand_over(Instant now, OwnedEntity& owned, const PeerId& to);
    [[nodiscard]] std::vector<EntityId> ids() const;
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    /// A request that the game has not answered.
    struct Waiting {
        EntityId target;
        std::uint32_t incarnation = 0;
        std::uint32_t previous = 0;
        EntityId by;
        std::vector<std::uint8_t> bytes;
    };
    enum class Ending : std::uint8_t { answered, not_owned };
    struct Ended {
        RequestId request;
        Ending how{};
    };
    static constexpr std::size_t kMaxEnded = 256;

    void end(const RequestId& request, Ending how);
    [[nodiscard]] Error no_request(const RequestId& request) const;
    /// False if too many of its requests wait for an answer, or are answered and not closed.
    [[nodiscard]] bool may_ask(const OwnedEntity& owned, const Asker& asker) const;
    [[nodiscard]] Receipt repeat(const OwnedEntity& owned, const Asker& asker, const Ask& ask);
    void take_back(Instant now, OwnedEntity& owned, const PeerId& from);
    /// Raises the claim and appoints another deputy than this peer.
    void start_over(Instant now, OwnedEntity& owned, const PeerId& except);
    void appoint_any(Instant now, OwnedEntity& owned, const std::optional<PeerId>& except);
    void announce(OwnedEntity& owned);
    void serve(Instant now, OwnedEntity& owned);

    const PartContext& context_;
    const OwnEntities& own_;
    KnownEntities& known_;
    Post& post_;
    OwnershipStats& counts_;
    std::map<EntityId, OwnedEntity> owned_;
    std::map<RequestId, Waiting> waiting_;
    std::vector<Ended> ended_;  // the most recent ones, oldest first
    std::vector<Reply> replies_;
    std::vector<Returned> returned_;
    bool has_work_ = false;
};

}  // namespace fray
