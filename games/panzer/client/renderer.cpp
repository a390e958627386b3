#include "games/panzer/client/renderer.hpp"

#include <glm/gtc/matrix_transform.hpp>

#include <cmath>

namespace fray::panzer::client {

namespace {

constexpr float kShadowHalf = 46;  // metres: half the side of the square with shadows
constexpr std::size_t kGhostSlot = kModels;

const glm::vec3 kToSun = glm::normalize(glm::vec3{-0.58F, -0.42F, 0.52F});

/// Things that get a dark rim: tanks and items.
bool is_outlined(std::size_t model) {
    return model != static_cast<std::size_t>(Model::chevron) &&
           model != static_cast<std::size_t>(Model::spark) &&
           model != static_cast<std::size_t>(Model::door) && model != static_cast<std::size_t>(Model::wheel);
}

/// Moves in steps of whole texels, so that edges of shadows do not crawl.
glm::mat4 sun_matrix(const Camera& camera) {
    const glm::vec3 ahead = glm::normalize(camera.target - camera.eye);
    glm::vec3 focus = camera.eye + glm::normalize(glm::vec3{ahead.x, ahead.y, 0}) * (kShadowHalf * 0.72F);
    focus.z = 0;
    constexpr float kTexel = 2 * kShadowHalf / 1024;
    focus.x = std::floor(focus.x / kTexel) * kTexel;
    focus.y = std::floor(focus.y / kTexel) * kTexel;
    const glm::mat4 view = glm::lookAt(focus + kToSun * 80.0F, focus, {0, 0, 1});
    return glm::ortho(-kShadowHalf, kShadowHalf, -kShadowHalf, kShadowHalf, 10.0F, 160.0F) * view;
}

}  // namespace

void Renderer::load(const Map& map, const Heights& heights) {
    gpu_->drop_meshes();
    for (std::size_t i = 0; i < kModels; ++i) models_[i] = gpu_->add_mesh(make_model(static_cast<Model>(i)));
    land_.clear();
    for (const Chunk& chunk : make_terrain(map, heights))
        land_.push_back({gpu_->add_mesh(chunk.mesh), chunk.middle, chunk.radius});
    surroundings_ = gpu_->add_mesh(make_surroundings(map));
}

FrameConstants Renderer::constants(const Picture& picture, float aspect, const Detail& detail) const {
    const Camera& camera = picture.camera;
    const glm::mat4 view = camera.view();
    FrameConstants all;
    all.view_projection = camera.projection(aspect) * view;
    all.from_clip = glm::inverse(all.view_projection);
    all.sun = sun_matrix(camera);
    all.eye = glm::vec4{camera.eye, 1};
    all.sun_direction = glm::vec4{kToSun, 0};
    all.right = {view[0][0], view[1][0], view[2][0], 0};
    all.up = {view[0][1], view[1][1], view[2][1], 0};
    all.fog = {detail.sight * 0.1F, detail.sight, static_cast<float>(picture.time),
               detail.soft_shadows ? 1.0F : 0.0F};
    return all;
}

void Renderer::draw_models(const Picture& picture, bool only_outlined) {
    for (std::size_t i = 0; i < kModels; ++i) {
        if (only_outlined && !is_outlined(i)) continue;
        if (!picture.models[i].empty()) gpu_->draw(models_[i], i, picture.models[i].size());
    }
}

void Renderer::draw_land(const Picture& picture, float sight, bool is_shadow) {
    const Camera& camera = picture.camera;
    const glm::vec3 ahead = glm::normalize(camera.target - camera.eye);
    for (const Land& land : land_) {
        const glm::vec3 way = land.middle - camera.eye;
        const float reach = is_shadow ? kShadowHalf * 2.2F : sight;
        if (glm::length(way) - land.radius > reach || glm::dot(way, ahead) < -land.radius) continue;
        gpu_->draw(land.mesh);
    }
}

void Renderer::draw(const Picture& picture, int width, int height, const Detail& detail) {
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    gpu_->begin_frame(width, height, detail.scale, constants(picture, aspect, detail));
    for (std::size_t i = 0; i < kModels; ++i) {
        if (!picture.models[i].empty()) gpu_->upload(i, picture.models[i]);
    }
    gpu_->begin_pass(Pass::shadow);  // it also clears the shadow map
    if (detail.shadows) {
        draw_models(picture, false);
        draw_land(picture, detail.sight, true);
    }
    gpu_->begin_pass(Pass::solid);
    draw_models(picture, false);
    draw_land(picture, detail.sight, false);
    gpu_->draw(surroundings_);
    if (detail.outlines) {
        gpu_->begin_pass(Pass::outline);
        draw_models(picture, true);
    }
    gpu_->draw_sky();
    gpu_->draw_sprites(picture.marks);
    if (!picture.ghosts.empty()) {
        gpu_->upload(kGhostSlot, picture.ghosts);
        gpu_->begin_pass(Pass::ghost);
        gpu_->draw(models_[static_cast<std::size_t>(Model::bubble)], kGhostSlot, picture.ghosts.size());
    }
    gpu_->draw_beams(picture.beams);
    gpu_->draw_sprites(picture.sprites);
    gpu_->end_scene();
}

}  // namespace fray::panzer::client
