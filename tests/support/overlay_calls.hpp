#pragma once
// Hands one overlay message to an overlay, as the session does.

#include "overlay/overlay.hpp"

namespace fray::test {

/// Whether the overlay could read it.
inline bool hear(Overlay& overlay, Instant now, LinkNumber link, BitReader& in) {
    const Arrival arrival{.now = now, .link = link, .delivery = Delivery::unreliable};
    return overlay.handle_message(arrival, MessageKind::overlay, in).verdict == Receipt::Verdict::taken;
}

}  // namespace fray::test
