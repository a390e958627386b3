#pragma once

#include <fray/options.hpp>
#include <fray/random.hpp>

#include "overlay/overlay.hpp"

#include <memory>

namespace fray {

/// The overlay that these options name. A new overlay needs one line here.
[[nodiscard]] std::unique_ptr<Overlay> make_overlay(const OverlayOptions& options, const World& world,
                                                    PeerId self, Seed seed);

}  // namespace fray
