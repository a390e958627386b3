#pragma once
// One frame, ready to be drawn: instances of models, sprites and beams. Made by the scene from what the game
// shows; drawn by the renderer. Plain values: tests read them without a graphics card.

#include "games/panzer/client/models.hpp"

#include <glm/glm.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace fray::panzer::client {

struct Instance {
    std::array<glm::vec4, 3> rows{};  ///< of the matrix from model to world
    glm::vec4 tint{1, 1, 1, 0};       ///< colour; .a: metres that treads have moved
};

enum class SpriteShape : std::uint8_t {
    puff,  ///< a disc of smoke, lighter above
    glow,  ///< a soft light that adds to what is behind
    mark,  ///< a rectangle on the ground
    ring   ///< a circle on the ground
};
struct Sprite {
    glm::vec3 position{};
    float size = 1;  ///< half of its width
    glm::vec4 colour{1};
    float angle = 0;
    float stretch = 1;  ///< of marks: length by width
    float shape = 0;    ///< SpriteShape
    float spare = 0;
};

/// A bright line that faces the camera.
struct Beam {
    glm::vec3 from{};
    float width = 0.1F;
    glm::vec3 to{};
    float fade = 0;  ///< 1: invisible at `from`
    glm::vec4 colour{1};
};

struct Camera {
    glm::vec3 eye{};
    glm::vec3 target{};
    float field_of_view = 60;  ///< degrees, upright
    [[nodiscard]] glm::mat4 view() const;
    [[nodiscard]] glm::mat4 projection(float aspect) const;
};

struct Picture {
    Camera camera;
    std::array<std::vector<Instance>, kModels> models;
    std::vector<Instance> ghosts;  ///< half-transparent shields
    std::vector<Sprite> marks;     ///< on the ground
    std::vector<Sprite> sprites;   ///< far ones first
    std::vector<Beam> beams;
    double time = 0;

    void clear();
    std::vector<Instance>& of(Model model) { return models[static_cast<std::size_t>(model)]; }
    [[nodiscard]] const std::vector<Instance>& of(Model model) const {
        return models[static_cast<std::size_t>(model)];
    }
};

/// Where a point is on a screen of this size, in pixels from its upper left corner, and how far away (.z);
/// behind the camera .z is negative.
[[nodiscard]] glm::vec3 project(const Camera& camera, const glm::vec2& size, const glm::vec3& point);

}  // namespace fray::panzer::client
