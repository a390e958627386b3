#pragma once
// The parts of a peer and how they are connected. The session runs them.

#include <fray/options.hpp>

#include "agreement/pairwise_agreement.hpp"
#include "clock/clock_exchange.hpp"
#include "consistency/views.hpp"
#include "core/mailbox.hpp"
#include "guidance/guidance_part.hpp"
#include "interest/update_policy.hpp"
#include "link/datagram_reader.hpp"
#include "link/game_messages.hpp"
#include "link/handshake.hpp"
#include "link/outbound.hpp"
#include "link/parked_channels.hpp"
#include "overlay/overlay.hpp"
#include "ownership/shared_entities.hpp"
#include "relay/relay.hpp"
#include "replica/primaries.hpp"
#include "replica/replicas.hpp"
#include "session/places.hpp"
#include "wire/part_context.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace fray {

/// Parts to add to the usual ones, or to replace one. Created after the peer's context.
struct Additions {
    using MakePolicy = std::function<std::unique_ptr<UpdatePolicy>(const PartContext&)>;
    using MakePart = std::function<std::unique_ptr<Part>(const PartContext&)>;
    MakePolicy policy{};  ///< replaces the one that PeerOptions::interest names
    std::vector<MakePart> parts{};
};

struct Composition {
    Composition(PeerOptions given, const RandomRoot& root, const Additions& additions, LinkOwner& owner,
                ClockListener& clock_listener);
    Composition(const Composition&) = delete;
    Composition& operator=(const Composition&) = delete;
    ~Composition() = default;

    PeerOptions options;
    PoseCodec codec;
    Mailbox mailbox;
    RejectionCounts rejections;
    LinkTable links;
    Outbound out;
    ClockExchange clock;
    PartContext context;
    ParkedChannels parked;
    Handshake handshake;
    DatagramReader reader;
    std::unique_ptr<Overlay> overlay;
    std::unique_ptr<UpdatePolicy> policy;
    Primaries primaries;
    Replicas replicas;
    Places places;
    SharedEntities shared;
    Relay relay;
    Views views;
    GuidancePart guidance;
    PairwiseAgreement agreement;
    GameMessages messages;
    std::vector<std::unique_ptr<Part>> added;
    std::vector<Part*> parts;  // all parts, in the order of their calls

    /// Bytes of all members and of what they allocated.
    [[nodiscard]] std::size_t memory_bytes() const;
};

}  // namespace fray
