#pragma once
// Pairwise rapid agreement (Donnybrook, section III-B): a peer that wants to change another peer's entity
// asks its owner, and only the owner decides. Handles both sides: our own open requests, and requests of
// other peers, which the game answers.

#include <fray/result.hpp>

#include "agreement/requests.hpp"
#include "core/interaction_observer.hpp"
#include "core/lasting.hpp"
#include "core/part.hpp"
#include "core/sighting.hpp"
#include "wire/part_context.hpp"

#include <optional>
#include <span>

namespace fray {

class PairwiseAgreement final : public Part {
public:
    PairwiseAgreement(const PartContext& context, const OwnEntities& own, const EntityNames& names)
        : context_{context}, own_{own}, names_{names} {}
    /// Call once, before the first request.
    void connect(InteractionObserver& interactions) { interactions_ = &interactions; }

    /// Our entity `by` acts on another peer's. `seen`: the moment of the target that is on our screen;
    /// nothing if there is no such entity.
    [[nodiscard]] Result<RequestId> interact(Instant now, const EntityId& by, const EntityId& target,
                                             const std::optional<SessionInstant>& seen,
                                             std::span<const std::uint8_t> bytes);
    /// Returns an error if this request does not wait for an answer.
    Result<void> answer(const RequestId& request, std::span<const std::uint8_t> bytes);
    /// This entity of ours was withdrawn: requests about it get no answer.
    void refuse(std::uint32_t target);

    [[nodiscard]] std::span<const MessageKind> kinds() const override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    /// Closes open requests to this peer as unanswered, and forgets its own.
    void handle_link_down(Instant now, const LinkDown& link) override;
    void reset() override { asked_ = {}; }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return sizeof(*this) + open_.memory_bytes() + asked_.memory_bytes();
    }

private:
    [[nodiscard]] Receipt read_request(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_reply(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt read_settled(const Arrival& arrival, BitReader& in);
    [[nodiscard]] Receipt conclude(const Arrival& arrival, Reply reply);
    bool reply(LinkNumber link, const Reply& reply);

    const PartContext& context_;
    const OwnEntities& own_;
    const EntityNames& names_;
    InteractionObserver* interactions_ = nullptr;
    OpenRequests open_;
    AskedRequests asked_;
};

}  // namespace fray
