#pragma once
// The graphics card by way of OpenGL 3.3 core. A context must be current.

#include <fray/result.hpp>

#include "games/panzer/client/gpu.hpp"

#include <array>
#include <memory>
#include <vector>

namespace fray::panzer::client {

class GlGpu final : public Gpu {
public:
    /// Returns an error that a player understands if a shader does not compile.
    [[nodiscard]] static Result<std::unique_ptr<GlGpu>> create(int shadow_size);
    ~GlGpu() override;

    [[nodiscard]] MeshId add_mesh(const Mesh& mesh) override;
    void drop_meshes() override;
    void begin_frame(int width, int height, float scale, const FrameConstants& constants) override;
    void begin_pass(Pass pass) override;
    void draw(MeshId mesh) override;
    void upload(std::size_t slot, std::span<const Instance> instances) override;
    void draw(MeshId mesh, std::size_t slot, std::size_t count) override;
    void draw_sky() override;
    void draw_sprites(std::span<const Sprite> sprites) override;
    void draw_beams(std::span<const Beam> beams) override;
    void end_scene() override;
    void draw_ui(ImDrawData* data) override;

    /// The window's pixels, upper row first, three bytes each.
    [[nodiscard]] static std::vector<std::uint8_t> read_pixels(int width, int height);

private:
    GlGpu() = default;
    void make_targets(int width, int height);
    void make_shadow_map(int size);
    void make_quads();
    void draw_quads(unsigned program, unsigned buffer, unsigned array, std::size_t bytes, const void* data,
                    std::size_t count);

    struct Uploaded {
        unsigned array = 0;
        unsigned vertices = 0;
        unsigned indices = 0;
        int count = 0;
    };
    std::vector<Uploaded> meshes_;
    std::vector<unsigned> slots_;  // instance buffers
    unsigned mesh_program_ = 0, sky_program_ = 0, sprite_program_ = 0, beam_program_ = 0,
             present_program_ = 0;
    int pass_place_ = -1;
    unsigned constants_ = 0;
    unsigned empty_array_ = 0;
    unsigned sprite_array_ = 0, sprite_buffer_ = 0, beam_array_ = 0, beam_buffer_ = 0;
    unsigned shadow_target_ = 0, shadow_map_ = 0;
    int shadow_size_ = 0;
    unsigned scene_target_ = 0, scene_colour_ = 0, scene_depth_ = 0;
    int scene_width_ = 0, scene_height_ = 0, width_ = 0, height_ = 0;
};

}  // namespace fray::panzer::client
