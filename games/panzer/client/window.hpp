#pragma once
// A window with OpenGL 3.3 and ImGui, or a picture of that size without a screen.

#include <fray/result.hpp>

#include "games/panzer/client/gl_gpu.hpp"
#include "games/panzer/client/hud.hpp"

#include <memory>
#include <string>

struct SDL_Window;
union SDL_Event;

namespace fray::panzer::client {

class Window {
public:
    enum class Kind : std::uint8_t { shown, offscreen };
    /// Returns an error that says what is missing, and what can be done.
    [[nodiscard]] static Result<std::unique_ptr<Window>> open(Kind kind, int width, int height,
                                                              int shadow_size, const char* title = "Panzer");
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] GlGpu& gpu() { return *gpu_; }
    [[nodiscard]] const Fonts& fonts() const { return fonts_; }
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] bool is_minimised() const;

    /// Gives an event to ImGui; afterwards wants_keys() and wants_mouse() are up to date.
    void handle(const SDL_Event& event);
    [[nodiscard]] static bool has_popup();
    [[nodiscard]] static bool wants_mouse();
    /// Begins a frame of the user interface; the size of the window is read anew.
    void begin_ui(float seconds);
    /// Paints the user interface over the scene.
    void end_ui();
    void swap();
    void set_relative_mouse(bool is_relative);
    /// Returns an error if the file cannot be written.
    [[nodiscard]] Result<void> save_picture(const std::string& file) const;

private:
    Window() = default;
    [[nodiscard]] Result<void> open_window(Kind kind, const char* title);
    [[nodiscard]] Result<void> open_ui(int shadow_size);
    void load_fonts();
    void set_style();

    SDL_Window* window_ = nullptr;
    void* context_ = nullptr;
    bool has_ui_ = false;
    Kind kind_{};
    std::unique_ptr<GlGpu> gpu_;
    Fonts fonts_;
    float styled_for_ = 0;  // the unit
    int width_ = 0;
    int height_ = 0;
};

/// Writes three bytes per pixel, upper row first, as PNG.
[[nodiscard]] Result<void> write_png(const std::string& file, int width, int height,
                                     const std::vector<std::uint8_t>& pixels);

}  // namespace fray::panzer::client
