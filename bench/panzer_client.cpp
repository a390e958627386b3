// What a frame of Panzer's window costs besides the graphics driver, under valgrind: bench_panzer_client
// TANKS FRAMES. Effects, scene, draw calls and the heads-up display of a battle of bots in the arena; the
// graphics card is replaced by one that counts. Count only that:
//   valgrind --tool=callgrind --toggle-collect='client_frame*' bench_panzer_client 64 300
#ifdef FRAY_HAS_CLIENT
#include "games/panzer/bots/bot_battle.hpp"
#include "games/panzer/client/renderer.hpp"
#include "games/panzer/client/stage.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <imgui.h>

#include <cstdio>
#include <cstdlib>

using namespace fray::panzer;
using namespace fray::panzer::client;

namespace {

class CountingGpu final : public Gpu {
public:
    MeshId add_mesh(const Mesh&) override { return meshes_++; }
    void drop_meshes() override { meshes_ = 0; }
    void begin_frame(int, int, float, const FrameConstants&) override {}
    void begin_pass(Pass) override {}
    void draw(MeshId) override { ++calls; }
    void upload(std::size_t, std::span<const Instance> all) override { instances += all.size(); }
    void draw(MeshId, std::size_t, std::size_t) override { ++calls; }
    void draw_sky() override { ++calls; }
    void draw_sprites(std::span<const Sprite> all) override { ++calls, sprites += all.size(); }
    void draw_beams(std::span<const Beam>) override { ++calls; }
    void end_scene() override {}
    void draw_ui(ImDrawData* data) override { vertices += static_cast<std::size_t>(data->TotalVtxCount); }
    std::size_t calls = 0, instances = 0, sprites = 0, vertices = 0;

private:
    MeshId meshes_ = 0;
};

void print(const CountingGpu& gpu, int frames) {
    const auto each = static_cast<std::size_t>(frames);
    std::printf("frames %d\ndraw_calls %zu\ninstances %zu\nsprites %zu\nui_vertices %zu\n", frames,
                gpu.calls / each, gpu.instances / each, gpu.sprites / each, gpu.vertices / each);
}

struct Screen {
    Stage& stage;
    Renderer& renderer;
    CountingGpu& gpu;
    const Fonts& fonts;
};

}  // namespace

extern "C" __attribute__((noinline)) void client_frame(Screen& screen, const Moment& from, const Moment& to,
                                                       Moment& shown, float share, bool is_news) {
    constexpr float kFrame = 1.0F / 60;
    const glm::vec2 size{1280, 720};
    if (is_news) screen.stage.see(to);
    mix(from, to, share, shown);
    screen.stage.advance(shown, {}, kFrame);
    ImGui::NewFrame();
    screen.renderer.draw(screen.stage.paint(shown, 420), 1280, 720, Detail{});
    HudModel& hud = screen.stage.fill(shown, {}, size);
    hud.seconds_left = 100;
    draw_hud(hud, screen.stage.map(), screen.fonts, size);
    ImGui::Render();
    screen.gpu.draw_ui(ImGui::GetDrawData());
}

int main(int argc, char** argv) {
    if (argc != 3) return std::fputs("usage: bench_panzer_client TANKS FRAMES\n", stderr), 2;
    const auto map = shipped_map("arena");
    const auto mesh = NavMesh::build(*map);
    const std::vector<BotOptions> bots(static_cast<std::size_t>(std::atoi(argv[1])));
    auto battle = BotBattle::start(*map, *mesh, bots, Mode::free_for_all, fray::Seed{1});
    if (!battle) return std::fprintf(stderr, "%s\n", battle.error().message.c_str()), 2;
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 720};
    io.DeltaTime = 1.0F / 60;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ImFont* font = io.Fonts->Fonts[0];
    const Fonts fonts{font, font, font, font, 16};
    CountingGpu gpu;
    Renderer renderer{gpu};
    Stage stage{*map};
    renderer.load(*map, stage.heights());
    Screen screen{stage, renderer, gpu, fonts};
    Moment before, now, shown;
    const int frames = std::atoi(argv[2]);
    for (int i = 0; i < frames; ++i) {
        battle->step();
        if (i % 3 == 0) {  // the network ticks 20 times a second
            before = now;
            show(battle->battle(), 0, i / 60.0, now);
            for (std::size_t tank = 0; tank < now.scores.size(); ++tank)
                now.scores[tank].name = "soldier-" + std::to_string(tank);
            if (i == 0) before = now;
        }
        client_frame(screen, before, now, shown, static_cast<float>(i % 3) / 3, i % 3 == 0);
    }
    print(gpu, frames);
    ImGui::DestroyContext();
}
#else
#include <cstdio>
int main() { return std::fputs("this build has no window\n", stderr), 2; }
#endif
