// Pictures rendered without a screen show what the rules say.
#include "games/panzer/client/backdrop.hpp"
#include "games/panzer/client/look.hpp"
#include "games/panzer/client/menu.hpp"
#include "games/panzer/client/pictures.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <vector>

namespace fray::panzer::client {
namespace {

constexpr int kWidth = 640, kHeight = 360;

struct Hue {
    float degrees = 0;
    float saturation = 0;
};
Hue hue_of(const glm::vec3& c) {
    const float most = std::max({c.r, c.g, c.b}), least = std::min({c.r, c.g, c.b}), span = most - least;
    if (span <= 0) return {};
    const float sixth = most == c.r   ? (c.g - c.b) / span
                        : most == c.g ? 2 + (c.b - c.r) / span
                                      : 4 + (c.r - c.g) / span;
    return {std::fmod(sixth * 60 + 360, 360.0F), span / most};
}

class Shot {
public:
    explicit Shot(std::vector<std::uint8_t> pixels) : pixels_{std::move(pixels)} {}
    [[nodiscard]] glm::vec3 at(int x, int y) const {
        const auto i = static_cast<std::size_t>(y * kWidth + x) * 3;
        return glm::vec3{pixels_[i], pixels_[i + 1], pixels_[i + 2]} / 255.0F;
    }
    [[nodiscard]] std::size_t colours() const {
        std::set<std::uint32_t> seen;
        for (std::size_t i = 0; i + 2 < pixels_.size(); i += 3)
            seen.insert(pixels_[i] / 8U << 16U | pixels_[i + 1] / 8U << 8U | pixels_[i + 2] / 8U);
        return seen.size();
    }
    /// Pixels of about this hue in a square.
    [[nodiscard]] int count_hue(float x, float y, float half, std::uint32_t hex) const {
        const Hue wanted = hue_of(rgb(hex));
        int count = 0;
        for (int py = std::max(0, static_cast<int>(y - half));
             py < std::min(kHeight, static_cast<int>(y + half)); ++py) {
            for (int px = std::max(0, static_cast<int>(x - half));
                 px < std::min(kWidth, static_cast<int>(x + half)); ++px) {
                const Hue seen = hue_of(at(px, py));
                const float off = std::abs(std::remainder(seen.degrees - wanted.degrees, 360.0F));
                count += off < 18 && seen.saturation > 0.3F ? 1 : 0;
            }
        }
        return count;
    }
    [[nodiscard]] const std::vector<std::uint8_t>& pixels() const { return pixels_; }

private:
    std::vector<std::uint8_t> pixels_;
};

class Pictures : public testing::Test {
protected:
    static void SetUpTestSuite() {
        auto opened = Window::open(Window::Kind::offscreen, kWidth, kHeight, 1024);
        ASSERT_TRUE(opened) << opened.error().message;
        window_ = std::move(*opened).release();
    }
    static void TearDownTestSuite() { delete window_; }

    Pictures() : map_{*shipped_map("arena")}, field_{map_}, mesh_{NavMesh::build(map_).value()} {}

    [[nodiscard]] TheatreOptions battle(std::uint32_t bots, double at) const {
        TheatreOptions options;
        options.match.players = bots;
        options.match.length = 40s;
        options.match.seed = Seed{3};
        options.network = *network_profile("same-continent");
        options.at = at;
        for (std::uint32_t i = 0; i < bots; ++i) options.players.push_back(bot_player(i));
        return options;
    }
    static Shot draw(Stage& stage, const Scenery& scenery, const Shown& shown, Renderer& renderer) {
        Detail detail = picture_detail();
        detail.scale = 1;
        draw_battle(*window_, renderer, stage, scenery, shown, detail, 30);
        return Shot{GlGpu::read_pixels(kWidth, kHeight)};
    }

    static Window* window_;
    Map map_;
    Battlefield field_;
    NavMesh mesh_;
};
Window* Pictures::window_ = nullptr;

/// Tanks that the camera sees well, with what they should look like.
struct Target {
    glm::vec3 at;
    std::uint32_t colour;
};
std::vector<Target> visible_tanks(Stage& stage, const Moment& moment) {
    std::vector<Target> targets;
    const Camera& camera = stage.camera();
    const std::vector<Door> doors(stage.map().doors.size());
    for (std::size_t i = 0; i < moment.tanks.size(); ++i) {
        const ShownTank& tank = moment.tanks[i];
        const glm::vec3 at = project(camera, {kWidth, kHeight}, {tank.position.x, tank.position.y, 1.3F});
        const bool is_central =
            at.z > 4 && at.z < 55 && at.x > 30 && at.x < kWidth - 30 && at.y > 60 && at.y < kHeight - 60;
        const bool is_free = sees({stage.map(), doors}, {camera.eye.x, camera.eye.y}, tank.position);
        const bool has_hue = hue_of(rgb(tank_colour(moment, i))).saturation > 0.3F;
        const bool flashes = stage.effects().tanks()[i].hit > 0.1F;  // white
        if (tank.alive() && !flashes && is_central && is_free && has_hue)
            targets.push_back({at, tank_colour(moment, i)});
    }
    return targets;
}

TEST_F(Pictures, TanksAreDrawnWhereTheRulesSayTheyAre) {
    std::size_t checked = 0;
    for (const double at : {4.0, 5.0, 8.0, 11.0, 14.0, 17.0, 20.0, 23.0}) {
        Stage stage{map_};
        const auto scenery = play_until(field_, mesh_, battle(16, at), stage);
        ASSERT_TRUE(scenery) << scenery.error().message;
        Renderer renderer{window_->gpu()};
        renderer.load(map_, stage.heights());
        const Shot shot = draw(stage, *scenery, {}, renderer);
        EXPECT_GT(shot.colours(), 300U);  // not empty
        for (const Target& target : visible_tanks(stage, scenery->moment)) {
            const float half = std::clamp(500 / target.at.z, 5.0F, 60.0F);
            EXPECT_GT(shot.count_hue(target.at.x, target.at.y, half, target.colour),
                      static_cast<int>(half * half / 12))
                << "tank at pixel " << target.at.x << ", " << target.at.y << " after " << at << " s";
            ++checked;
        }
    }
    EXPECT_GE(checked, 4U);
}

TEST_F(Pictures, TheSameSeedGivesTheSamePicture) {
    std::vector<std::uint8_t> pictures[2];
    for (auto& picture : pictures) {
        Stage stage{map_};
        const auto scenery = play_until(field_, mesh_, battle(6, 4), stage);
        ASSERT_TRUE(scenery);
        Renderer renderer{window_->gpu()};
        renderer.load(map_, stage.heights());
        picture =
            draw(stage, *scenery, {.scores = true, .network = false, .overlay = true}, renderer).pixels();
    }
    EXPECT_EQ(pictures[0], pictures[1]);
}

TEST_F(Pictures, PanelsAndOverlayAreWrittenOverTheBattle) {
    Stage stage{map_};
    const auto scenery = play_until(field_, mesh_, battle(8, 6), stage);
    ASSERT_TRUE(scenery);
    Renderer renderer{window_->gpu()};
    renderer.load(map_, stage.heights());
    const Shot plain = draw(stage, *scenery, {}, renderer);
    const auto changed = [&](const Shown& shown, int x0, int x1) {
        const Shot shot = draw(stage, *scenery, shown, renderer);
        int count = 0;
        for (int y = 0; y < kHeight; ++y) {
            for (int x = x0; x < x1; ++x)
                count += glm::distance(shot.at(x, y), plain.at(x, y)) > 0.1F ? 1 : 0;
        }
        return count;
    };
    EXPECT_GT(changed({.scores = true, .network = false, .overlay = false}, kWidth / 3, kWidth * 2 / 3),
              8000);
    EXPECT_GT(changed({.scores = false, .network = true, .overlay = false}, kWidth * 3 / 4, kWidth), 8000);
    EXPECT_GT(changed({.scores = false, .network = false, .overlay = true}, 0, kWidth / 2), 2000);
}

TEST_F(Pictures, TextHasStrokesThatStandOutFromItsPanel) {
    Stage stage{map_};
    const auto scenery = play_until(field_, mesh_, battle(8, 6), stage);
    ASSERT_TRUE(scenery);
    Renderer renderer{window_->gpu()};
    renderer.load(map_, stage.heights());
    const Shot shot = draw(stage, *scenery, {.scores = true, .network = false, .overlay = false}, renderer);
    // The column of the names: many pixels as dark as the panel, enough as bright as letters, in every row.
    const float unit = window_->fonts().unit;
    const float pitch = unit * 1.5F, high = unit * 5.2F + pitch * 8;
    const float top = (kHeight - high) / 2 + unit * 4.4F, left = (kWidth - unit * 36) / 2 + unit * 4.7F;
    for (int row = 0; row < 8; ++row) {
        int bright = 0, dark = 0;
        for (int y = 0; y < static_cast<int>(unit * 1.2F); ++y) {
            for (int x = 0; x < static_cast<int>(unit * 6); ++x) {
                const glm::vec3 c = shot.at(static_cast<int>(left) + x,
                                            static_cast<int>(top + pitch * static_cast<float>(row)) + y);
                bright += c.g > 0.6F ? 1 : 0;
                dark += c.g < 0.32F ? 1 : 0;
            }
        }
        EXPECT_GT(bright, 20) << "row " << row;
        EXPECT_GT(dark, bright) << "row " << row;
    }
}

TEST_F(Pictures, TheMenuShowsItsButtonsOverABattle) {
    Backdrop backdrop{map_, mesh_, Seed{5}};
    for (int i = 0; i < 120; ++i) backdrop.advance(1.0F / 60);
    Renderer renderer{window_->gpu()};
    renderer.load(map_, backdrop.heights());
    Menu menu;
    Settings settings;
    for (int frame = 0; frame < 2; ++frame) {
        window_->begin_ui(1.0F / 60);
        renderer.draw(backdrop.paint(400), kWidth, kHeight, Detail{});
        EXPECT_EQ(menu.draw(settings, false, window_->fonts(), {kWidth, kHeight}), Wish::none);
        window_->end_ui();
    }
    const Shot shot{GlGpu::read_pixels(kWidth, kHeight)};
    EXPECT_GT(shot.count_hue(90, 98, 60, look::kAccent), 1500);  // the first button
    EXPECT_GT(shot.colours(), 200U);
}

}  // namespace
}  // namespace fray::panzer::client
