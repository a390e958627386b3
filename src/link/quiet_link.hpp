#pragma once
// When a link needs a sign of life.

#include <fray/options.hpp>

#include "link/link.hpp"

namespace fray {

inline constexpr int kDoubtShare = 2;  // a link is in doubt after timeout / 2 without an acknowledgement, ...
inline constexpr int kProbeShare = 20;  // ... and then sends a probe every timeout / 20

/// The other side has acknowledged nothing for long: it may be gone, or losses come in a burst. With early
/// data links come and go all the time, and the overlay itself watches for silence: probes would take the
/// upload of peers that have little.
[[nodiscard]] inline bool is_in_doubt(Instant now, const Link& link, const LinkOptions& options) {
    return !options.early_data && now - link.last_acked >= options.timeout / kDoubtShare &&
           link.last_sent > link.last_acked && now - link.last_sent >= options.timeout / kProbeShare;
}

/// Nothing was sent or acknowledged for too long.
[[nodiscard]] inline bool is_quiet(Instant now, const Link& link, const LinkOptions& options) {
    return now - link.last_sent >= options.keep_alive || is_in_doubt(now, link, options);
}

}  // namespace fray
