#pragma once
// Draws a picture in a dozen calls per pass, whatever the number of tanks.

#include "games/panzer/client/gpu.hpp"
#include "games/panzer/client/terrain.hpp"

#include <array>
#include <vector>

namespace fray::panzer::client {

struct Detail {
    float scale = 1;  ///< of the scene's resolution
    bool soft_shadows = true;
    bool shadows = true;
    bool outlines = true;
    float sight = 400;  ///< metres
};

class Renderer {
public:
    /// The GPU must outlive the renderer.
    explicit Renderer(Gpu& gpu) : gpu_{&gpu} {}

    /// Another map: its land is built and uploaded.
    void load(const Map& map, const Heights& heights);
    /// Everything but the user interface.
    void draw(const Picture& picture, int width, int height, const Detail& detail);

private:
    void draw_models(const Picture& picture, bool only_outlined);
    void draw_land(const Picture& picture, float sight, bool is_shadow);
    [[nodiscard]] FrameConstants constants(const Picture& picture, float aspect, const Detail& detail) const;

    Gpu* gpu_;
    std::array<MeshId, kModels> models_{};
    struct Land {
        MeshId mesh = 0;
        glm::vec3 middle;
        float radius = 0;
    };
    std::vector<Land> land_;
    MeshId surroundings_ = 0;
};

}  // namespace fray::panzer::client
