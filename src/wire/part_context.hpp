#pragma once
// What every part of a peer may use: options, clock, links, the outbox to other peers and the mailbox to the
// game.

#include <fray/ids.hpp>
#include <fray/options.hpp>
#include <fray/stats.hpp>

#include "core/link_directory.hpp"
#include "core/mailbox.hpp"
#include "core/outbox.hpp"
#include "core/time_source.hpp"
#include "wire/pose_codec.hpp"

namespace fray {

struct PartContext {
    PeerId self;
    const PeerOptions& options;
    const PoseCodec& codec;
    const TimeSource& clock;
    const LinkDirectory& links;
    Outbox& out;
    Mailbox& mailbox;             ///< events for the game
    RejectionCounts& rejections;  ///< of received bytes

    [[nodiscard]] const World& world() const { return options.world; }
    [[nodiscard]] SessionInstant session_time(Instant now) const { return clock.session_time(now); }
    [[nodiscard]] bool is_linked(const PeerId& peer) const { return links.up(peer).has_value(); }
};

}  // namespace fray
