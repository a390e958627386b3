#include "games/panzer/client/gl_gpu.hpp"

#include "games/panzer/client/shaders.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace fray::panzer::client {

namespace {

Result<unsigned> compiled(unsigned kind, const char* body) {
    const unsigned shader = glCreateShader(kind);
    const char* parts[]{shaders::kHeader, body};
    glShaderSource(shader, 2, parts, nullptr);
    glCompileShader(shader);
    int ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok != 0) return shader;
    std::array<char, 1024> log{};
    glGetShaderInfoLog(shader, static_cast<int>(log.size()), nullptr, log.data());
    return Error{std::string{"the graphics driver refuses a shader of the game: "} + log.data()};
}

Result<unsigned> linked(const char* vertex, const char* fragment) {
    const auto a = compiled(GL_VERTEX_SHADER, vertex);
    if (!a) return a.error();
    const auto b = compiled(GL_FRAGMENT_SHADER, fragment);
    if (!b) return b.error();
    const unsigned program = glCreateProgram();
    glAttachShader(program, *a);
    glAttachShader(program, *b);
    glLinkProgram(program);
    glDeleteShader(*a);
    glDeleteShader(*b);
    int ok = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok == 0) return Error{"the graphics driver cannot link a shader of the game"};
    const unsigned block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, 0);
    return program;
}

const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

void set_attribute(unsigned place, int size, std::size_t stride, std::size_t at, unsigned divisor) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, size, GL_FLOAT, GL_FALSE, static_cast<int>(stride), offset(at));
    glVertexAttribDivisor(place, divisor);
}

}  // namespace

Result<std::unique_ptr<GlGpu>> GlGpu::create(int shadow_size) {
    std::unique_ptr<GlGpu> gpu{new GlGpu};
    const auto mesh = linked(shaders::kMeshVertex, shaders::kMeshFragment);
    if (!mesh) return mesh.error();
    const auto sky = linked(shaders::kSkyVertex, shaders::kSkyFragment);
    if (!sky) return sky.error();
    const auto sprite = linked(shaders::kSpriteVertex, shaders::kSpriteFragment);
    if (!sprite) return sprite.error();
    const auto beam = linked(shaders::kBeamVertex, shaders::kBeamFragment);
    if (!beam) return beam.error();
    const auto present = linked(shaders::kPresentVertex, shaders::kPresentFragment);
    if (!present) return present.error();
    gpu->present_program_ = *present;
    gpu->mesh_program_ = *mesh;
    gpu->sky_program_ = *sky;
    gpu->sprite_program_ = *sprite;
    gpu->beam_program_ = *beam;
    gpu->pass_place_ = glGetUniformLocation(*mesh, "pass");
    glGenBuffers(1, &gpu->constants_);
    glGenVertexArrays(1, &gpu->empty_array_);
    gpu->make_shadow_map(shadow_size);
    gpu->make_quads();
    return gpu;
}

GlGpu::~GlGpu() {
    drop_meshes();
    for (const unsigned program :
         {mesh_program_, sky_program_, sprite_program_, beam_program_, present_program_})
        glDeleteProgram(program);
    glDeleteFramebuffers(1, &shadow_target_);
    glDeleteTextures(1, &shadow_map_);
    glDeleteFramebuffers(1, &scene_target_);
    glDeleteTextures(1, &scene_colour_);
    glDeleteRenderbuffers(1, &scene_depth_);
    for (const unsigned buffer : {constants_, sprite_buffer_, beam_buffer_}) glDeleteBuffers(1, &buffer);
    for (const unsigned array : {empty_array_, sprite_array_, beam_array_}) glDeleteVertexArrays(1, &array);
    for (const unsigned slot : slots_) glDeleteBuffers(1, &slot);
}

void GlGpu::make_shadow_map(int size) {
    shadow_size_ = size;
    glGenTextures(1, &shadow_map_);
    glBindTexture(GL_TEXTURE_2D, shadow_map_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                 nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glGenFramebuffers(1, &shadow_target_);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_map_, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void GlGpu::make_quads() {
    glGenVertexArrays(1, &sprite_array_);
    glGenBuffers(1, &sprite_buffer_);
    glBindVertexArray(sprite_array_);
    glBindBuffer(GL_ARRAY_BUFFER, sprite_buffer_);
    for (unsigned i = 0; i < 3; ++i) set_attribute(i, 4, sizeof(Sprite), i * 16, 1);
    glGenVertexArrays(1, &beam_array_);
    glGenBuffers(1, &beam_buffer_);
    glBindVertexArray(beam_array_);
    glBindBuffer(GL_ARRAY_BUFFER, beam_buffer_);
    for (unsigned i = 0; i < 3; ++i) set_attribute(i, 4, sizeof(Beam), i * 16, 1);
    static_assert(sizeof(Sprite) == 48 && sizeof(Beam) == 48 && sizeof(Instance) == 64);
    glBindVertexArray(0);
}

MeshId GlGpu::add_mesh(const Mesh& mesh) {
    Uploaded up;
    glGenVertexArrays(1, &up.array);
    glGenBuffers(1, &up.vertices);
    glGenBuffers(1, &up.indices);
    glBindVertexArray(up.array);
    glBindBuffer(GL_ARRAY_BUFFER, up.vertices);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.vertices.size() * sizeof(Vertex)),
                 mesh.vertices.data(), GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, up.indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.indices.size() * 4),
                 mesh.indices.data(), GL_STATIC_DRAW);
    set_attribute(0, 3, sizeof(Vertex), offsetof(Vertex, position), 0);
    set_attribute(1, 3, sizeof(Vertex), offsetof(Vertex, normal), 0);
    set_attribute(2, 3, sizeof(Vertex), offsetof(Vertex, smooth), 0);
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), offset(offsetof(Vertex, colour)));
    glBindVertexArray(0);
    up.count = static_cast<int>(mesh.indices.size());
    meshes_.push_back(up);
    return static_cast<MeshId>(meshes_.size() - 1);
}

void GlGpu::drop_meshes() {
    for (const Uploaded& up : meshes_) {
        glDeleteVertexArrays(1, &up.array);
        glDeleteBuffers(1, &up.vertices);
        glDeleteBuffers(1, &up.indices);
    }
    meshes_.clear();
}

void GlGpu::make_targets(int width, int height) {
    if (width == scene_width_ && height == scene_height_) return;
    if (scene_target_ == 0) {
        glGenFramebuffers(1, &scene_target_);
        glGenTextures(1, &scene_colour_);
        glGenRenderbuffers(1, &scene_depth_);
    }
    scene_width_ = width;
    scene_height_ = height;
    glBindTexture(GL_TEXTURE_2D, scene_colour_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindRenderbuffer(GL_RENDERBUFFER, scene_depth_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, scene_target_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, scene_colour_, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, scene_depth_);
}

void GlGpu::begin_frame(int width, int height, float scale, const FrameConstants& constants) {
    width_ = width;
    height_ = height;
    const auto scaled = [scale](int side) {
        return std::max(1, static_cast<int>(static_cast<float>(side) * scale));
    };
    make_targets(scaled(width), scaled(height));
    glBindBuffer(GL_UNIFORM_BUFFER, constants_);
    glBufferData(GL_UNIFORM_BUFFER, sizeof(constants), &constants, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, constants_);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
}

void GlGpu::begin_pass(Pass pass) {
    glUseProgram(mesh_program_);
    glUniform1i(pass_place_, static_cast<int>(pass));
    glDepthMask(pass == Pass::ghost ? GL_FALSE : GL_TRUE);
    glEnable(GL_CULL_FACE);
    glCullFace(pass == Pass::outline ? GL_FRONT : GL_BACK);
    if (pass == Pass::shadow) {
        glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_);
        glViewport(0, 0, shadow_size_, shadow_size_);
        glClear(GL_DEPTH_BUFFER_BIT);
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(1.5F, 3);
        return;
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
    if (pass == Pass::ghost) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        return;
    }
    if (pass != Pass::solid) return;
    glBindFramebuffer(GL_FRAMEBUFFER, scene_target_);
    glViewport(0, 0, scene_width_, scene_height_);
    glClear(GL_DEPTH_BUFFER_BIT);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, shadow_map_);
}

void GlGpu::draw(MeshId mesh) {
    const Uploaded& up = meshes_[mesh];
    glBindVertexArray(up.array);
    for (unsigned row = 0; row < 4; ++row) glDisableVertexAttribArray(4 + row);
    glVertexAttrib4f(4, 1, 0, 0, 0);
    glVertexAttrib4f(5, 0, 1, 0, 0);
    glVertexAttrib4f(6, 0, 0, 1, 0);
    glVertexAttrib4f(7, 1, 1, 1, 0);
    glDrawElements(GL_TRIANGLES, up.count, GL_UNSIGNED_INT, nullptr);
}

void GlGpu::upload(std::size_t slot, std::span<const Instance> instances) {
    while (slots_.size() <= slot) {
        slots_.push_back(0);
        glGenBuffers(1, &slots_.back());
    }
    glBindBuffer(GL_ARRAY_BUFFER, slots_[slot]);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size_bytes()), instances.data(),
                 GL_STREAM_DRAW);
}

void GlGpu::draw(MeshId mesh, std::size_t slot, std::size_t count) {
    const Uploaded& up = meshes_[mesh];
    glBindVertexArray(up.array);
    glBindBuffer(GL_ARRAY_BUFFER, slots_[slot]);
    for (unsigned row = 0; row < 4; ++row) set_attribute(4 + row, 4, sizeof(Instance), row * 16, 1);
    glDrawElementsInstanced(GL_TRIANGLES, up.count, GL_UNSIGNED_INT, nullptr, static_cast<int>(count));
}

void GlGpu::draw_sky() {
    glDepthMask(GL_FALSE);
    glDisable(GL_CULL_FACE);
    glUseProgram(sky_program_);
    glBindVertexArray(empty_array_);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void GlGpu::draw_quads(unsigned program, unsigned buffer, unsigned array, std::size_t bytes, const void* data,
                       std::size_t count) {
    if (count == 0) return;
    glUseProgram(program);
    glDepthMask(GL_FALSE);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), data, GL_STREAM_DRAW);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<int>(count));
}

void GlGpu::draw_sprites(std::span<const Sprite> sprites) {
    draw_quads(sprite_program_, sprite_buffer_, sprite_array_, sprites.size_bytes(), sprites.data(),
               sprites.size());
}

void GlGpu::draw_beams(std::span<const Beam> beams) {
    draw_quads(beam_program_, beam_buffer_, beam_array_, beams.size_bytes(), beams.data(), beams.size());
}

void GlGpu::end_scene() {
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    // Not as a blit: software drivers stretch those without a filter.
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width_, height_);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(present_program_);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, scene_colour_);
    glBindVertexArray(empty_array_);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
}

void GlGpu::draw_ui(ImDrawData* data) { ImGui_ImplOpenGL3_RenderDrawData(data); }

std::vector<std::uint8_t> GlGpu::read_pixels(int width, int height) {
    const std::size_t row = static_cast<std::size_t>(width) * 3;
    std::vector<std::uint8_t> upside(row * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, upside.data());
    std::vector<std::uint8_t> pixels(upside.size());
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
        std::copy_n(upside.begin() + static_cast<std::ptrdiff_t>(y * row), row,
                    pixels.end() - static_cast<std::ptrdiff_t>((y + 1) * row));
    return pixels;
}

}  // namespace fray::panzer::client
