#include "overlay/make_overlay.hpp"

#include "overlay/crowd.hpp"
#include "overlay/full_mesh.hpp"
#include "overlay/psense.hpp"

namespace fray {

std::unique_ptr<Overlay> make_overlay(const OverlayOptions& options, const World& world, PeerId self,
                                      Seed seed) {
    if (const auto* psense = std::get_if<PSense>(&options))
        return std::make_unique<PSenseOverlay>(*psense, world, self, seed);
    if (const auto* crowd = std::get_if<Crowd>(&options))
        return std::make_unique<CrowdOverlay>(*crowd, world, self, seed);
    return std::make_unique<FullMeshOverlay>(std::get<FullMesh>(options), world, self, seed);
}

}  // namespace fray
