#pragma once
// Tells the guidance part how often this peer sends its updates on a link, and whom this peer aims at
// (Donnybrook, section III-A).

#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <cstdint>
#include <optional>

namespace fray {

/// How often a link gets our updates.
enum class Rate : std::uint8_t {
    every_frame,  ///< its peer is in our focus set
    best_effort,  ///< in turns, with the bytes that the focus set leaves
};

/// The peer that this peer most likely aims at.
struct AimTarget {
    LinkNumber link = 0;
    float deviation = 0;  ///< radians, averaged over time; 0: straight at the peer
};

class FocusState {
public:
    [[nodiscard]] virtual Rate rate(LinkNumber link) const = 0;
    /// Expected time between two best-effort updates to the same link (the paper's t).
    [[nodiscard]] virtual Duration best_effort_gap() const = 0;
    /// The linked peer with the smallest averaged aim deviation; nothing if none is within 45 degrees.
    [[nodiscard]] virtual std::optional<AimTarget> aim_target() const = 0;

protected:
    ~FocusState() = default;
};

}  // namespace fray
