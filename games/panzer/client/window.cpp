#include "games/panzer/client/window.hpp"

#include "games/panzer/client/look.hpp"

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <epoxy/gl.h>
#include <imgui.h>
#include <stb_image_write.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace fray::panzer::client {

namespace {

constexpr float kUnit = 16;           // pixels at a height of kDesignHeight
constexpr float kDesignHeight = 720;  // pixels

ImFont* load_font(std::initializer_list<const char*> files, float pixels) {
    std::error_code ignored;
    for (const char* file : files) {
        if (std::filesystem::exists(file, ignored))
            return ImGui::GetIO().Fonts->AddFontFromFileTTF(file, pixels);
    }
    ImFontConfig config;
    config.SizePixels = pixels;
    return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

ImVec4 shade(std::uint32_t hex, float alpha) {
    const glm::vec3 c = rgb(hex);
    return {c.r, c.g, c.b, alpha};
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(Kind kind, int width, int height, int shadow_size,
                                             const char* title) {
    std::unique_ptr<Window> window{new Window};
    window->kind_ = kind;
    window->width_ = width;
    window->height_ = height;
    if (const auto opened = window->open_window(kind, title); !opened) return opened.error();
    if (const auto opened = window->open_ui(shadow_size); !opened) return opened.error();
    return window;
}

Result<void> Window::open_window(Kind kind, const char* title) {
    if (kind == Kind::offscreen) SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return Error{std::string{"no window can be opened here: "} + SDL_GetError() +
                     " (--headless plays without one)"};
    // Without a display, SDL falls back to a driver that shows nothing.
    const std::string_view driver = SDL_GetCurrentVideoDriver();
    if (kind == Kind::shown && (driver == "offscreen" || driver == "dummy" || driver == "evdev"))
        return Error{"no window can be opened here: no display answers (--headless plays without one)"};
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    unsigned flags = SDL_WINDOW_OPENGL;
    if (kind == Kind::shown) flags |= SDL_WINDOW_RESIZABLE;
    window_ = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width_, height_, flags);
    if (window_ != nullptr) context_ = SDL_GL_CreateContext(window_);
    if (context_ == nullptr)
        return Error{std::string{"the window needs OpenGL 3.3, which this machine does not offer: "} +
                     SDL_GetError() + " (--headless plays without a window)"};
    constexpr int kLeast = 33;
    if (epoxy_gl_version() < kLeast)
        return Error{
            "the window needs OpenGL 3.3; the graphics driver has an older version ("
            "--headless plays without a window)"};
    SDL_GL_SetSwapInterval(kind == Kind::shown ? 1 : 0);
    SDL_SetWindowMinimumSize(window_, 480, 270);
    return {};
}

Result<void> Window::open_ui(int shadow_size) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    ImGui_ImplSDL2_InitForOpenGL(window_, context_);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    has_ui_ = true;
    load_fonts();
    auto gpu = GlGpu::create(shadow_size);
    if (!gpu) return gpu.error();
    gpu_ = std::move(*gpu);
    return {};
}

Window::~Window() {
    gpu_.reset();
    if (has_ui_) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplSDL2_Shutdown();
        ImGui::DestroyContext();
    }
    if (context_ != nullptr) SDL_GL_DeleteContext(context_);
    if (window_ != nullptr) SDL_DestroyWindow(window_);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

/// The fonts are made larger than they are shown, so that they scale with the window.
void Window::load_fonts() {
    constexpr const char* kInter = "/usr/share/fonts/opentype/inter/Inter-";
    const std::string regular = std::string{kInter} + "Medium.otf";
    const std::string strong = std::string{kInter} + "SemiBold.otf";
    const std::string bold = std::string{kInter} + "ExtraBold.otf";
    constexpr const char* kSpare = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
    constexpr const char* kSpareBold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";
    constexpr const char* kMono = "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Medium.ttf";
    constexpr const char* kMonoBold = "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Bold.ttf";
    constexpr const char* kSpareMono = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf";
    fonts_.words = load_font({regular.c_str(), kSpare}, 20);
    fonts_.strong = load_font({strong.c_str(), kSpareBold}, 20);
    fonts_.title = load_font({bold.c_str(), kSpareBold}, 56);
    fonts_.figures = load_font({kMono, kMonoBold, kSpareMono}, 22);
}

/// Everything scales with the window, as the letters do.
void Window::set_style() {
    ImGuiStyle& style = ImGui::GetStyle();
    style = {};
    style.WindowRounding = style.FrameRounding = style.GrabRounding = style.PopupRounding = 5;
    style.WindowBorderSize = 0;
    style.FramePadding = {10, 6};
    style.ItemSpacing = {8, 7};
    style.WindowPadding = {14, 12};
    ImVec4* c = style.Colors;
    c[ImGuiCol_WindowBg] = c[ImGuiCol_PopupBg] = shade(look::kPanel, 0.86F);
    c[ImGuiCol_Text] = shade(look::kText, 1);
    c[ImGuiCol_TextDisabled] = shade(0xA9A69F, 1);
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = shade(0x14171B, 0.95F);
    for (const int i : {ImGuiCol_Button, ImGuiCol_FrameBg, ImGuiCol_Header, ImGuiCol_Tab})
        c[i] = shade(0x3A4048, 0.9F);
    for (const int i :
         {ImGuiCol_ButtonHovered, ImGuiCol_FrameBgHovered, ImGuiCol_HeaderHovered, ImGuiCol_TabHovered})
        c[i] = shade(0x59616B, 1);
    for (const int i : {ImGuiCol_ButtonActive, ImGuiCol_HeaderActive, ImGuiCol_TabActive})
        c[i] = shade(0xB37C00, 1);
    for (const int i : {ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_CheckMark,
                        ImGuiCol_PlotLines, ImGuiCol_PlotHistogram, ImGuiCol_NavHighlight})
        c[i] = shade(look::kAccent, 1);
    style.ScaleAllSizes(fonts_.unit / kUnit);
    c[ImGuiCol_FrameBgActive] = shade(0x4A525C, 1);
    c[ImGuiCol_Separator] = shade(0x4A525C, 1);
}

bool Window::is_minimised() const { return (SDL_GetWindowFlags(window_) & SDL_WINDOW_MINIMIZED) != 0; }

void Window::handle(const SDL_Event& event) { ImGui_ImplSDL2_ProcessEvent(&event); }

bool Window::has_popup() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); }
bool Window::wants_mouse() { return ImGui::GetIO().WantCaptureMouse; }

void Window::begin_ui(float seconds) {
    if (kind_ == Kind::shown) SDL_GL_GetDrawableSize(window_, &width_, &height_);
    fonts_.unit = std::max(8.0F, kUnit * static_cast<float>(height_) / kDesignHeight);
    if (fonts_.unit != styled_for_) set_style();
    styled_for_ = fonts_.unit;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    io.DeltaTime = std::max(seconds, 0.0001F);
    io.FontDefault = fonts_.words;
    io.FontGlobalScale = fonts_.unit / 20;
    ImGui::NewFrame();
}

void Window::end_ui() {
    ImGui::Render();
    gpu_->draw_ui(ImGui::GetDrawData());
}

void Window::swap() { SDL_GL_SwapWindow(window_); }

void Window::set_relative_mouse(bool is_relative) {
    if ((SDL_GetRelativeMouseMode() == SDL_TRUE) != is_relative)
        SDL_SetRelativeMouseMode(is_relative ? SDL_TRUE : SDL_FALSE);
}

Result<void> Window::save_picture(const std::string& file) const {
    return write_png(file, width_, height_, GlGpu::read_pixels(width_, height_));
}

Result<void> write_png(const std::string& file, int width, int height,
                       const std::vector<std::uint8_t>& pixels) {
    if (stbi_write_png(file.c_str(), width, height, 3, pixels.data(), width * 3) == 0)
        return Error{file + ": the picture cannot be written (does the folder exist?)"};
    return {};
}

}  // namespace fray::panzer::client
