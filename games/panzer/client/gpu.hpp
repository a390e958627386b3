#pragma once
// What the renderer asks of a graphics card: a dozen calls, so that a benchmark can count the work of a frame
// without one.

#include "games/panzer/client/mesh.hpp"
#include "games/panzer/client/picture.hpp"

#include <cstdint>
#include <span>

struct ImDrawData;

namespace fray::panzer::client {

using MeshId = std::uint32_t;

enum class Pass : std::uint8_t {
    shadow,   ///< depth as the sun sees it
    solid,    ///< lit meshes
    outline,  ///< their dark rims
    ghost     ///< half-transparent meshes
};

/// The same for everything in a frame; laid out as the shaders read it.
struct FrameConstants {
    glm::mat4 view_projection{1};
    glm::mat4 from_clip{1};  ///< its inverse
    glm::mat4 sun{1};        ///< from the world to the shadow map
    glm::vec4 eye{};
    glm::vec4 sun_direction{};  ///< towards the sun
    glm::vec4 right{};          ///< of the camera
    glm::vec4 up{};
    glm::vec4 fog{};  ///< metres: where it begins, and ends; time; detail of shadows
};

class Gpu {
public:
    virtual ~Gpu() = default;
    [[nodiscard]] virtual MeshId add_mesh(const Mesh& mesh) = 0;
    virtual void drop_meshes() = 0;
    /// The scene is drawn at width x height times `scale`, then stretched.
    virtual void begin_frame(int width, int height, float scale, const FrameConstants& constants) = 0;
    virtual void begin_pass(Pass pass) = 0;
    /// One mesh as it is.
    virtual void draw(MeshId mesh) = 0;
    /// Many of it. Instances of one `slot` are uploaded once per frame.
    virtual void upload(std::size_t slot, std::span<const Instance> instances) = 0;
    virtual void draw(MeshId mesh, std::size_t slot, std::size_t count) = 0;
    virtual void draw_sky() = 0;
    virtual void draw_sprites(std::span<const Sprite> sprites) = 0;
    virtual void draw_beams(std::span<const Beam> beams) = 0;
    /// The scene is complete: it goes to the window.
    virtual void end_scene() = 0;
    virtual void draw_ui(ImDrawData* data) = 0;
};

}  // namespace fray::panzer::client
