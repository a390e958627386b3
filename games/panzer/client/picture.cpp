#include "games/panzer/client/picture.hpp"

#include <glm/gtc/matrix_transform.hpp>

namespace fray::panzer::client {

glm::mat4 Camera::view() const { return glm::lookAt(eye, target, {0, 0, 1}); }

glm::mat4 Camera::projection(float aspect) const {
    return glm::perspective(glm::radians(field_of_view), aspect, 0.3F, 900.0F);
}

void Picture::clear() {
    for (auto& instances : models) instances.clear();
    ghosts.clear();
    marks.clear();
    sprites.clear();
    beams.clear();
}

glm::vec3 project(const Camera& camera, const glm::vec2& size, const glm::vec3& point) {
    const glm::vec4 clip = camera.projection(size.x / size.y) * camera.view() * glm::vec4{point, 1};
    if (clip.w <= 0.01F) return {0, 0, -1};
    const glm::vec2 device = glm::vec2{clip} / clip.w;
    return {(device.x + 1) / 2 * size.x, (1 - device.y) / 2 * size.y, clip.w};
}

}  // namespace fray::panzer::client
