// Pictures of Snagger, rendered without a screen, show what the games say.
#include "games/snagger/client/snag_picture.hpp"
#include "games/snagger/client/snag_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <vector>

namespace fray::snagger::client {
namespace {

constexpr int kWide = 960, kHigh = 540;

class SnagPictures : public testing::Test {
protected:
    static void SetUpTestSuite() {
        auto opened = panzer::client::Window::open(panzer::client::Window::Kind::offscreen, kWide, kHigh, 16);
        ASSERT_TRUE(opened) << opened.error().message;
        window_ = std::move(*opened).release();
    }
    static void TearDownTestSuite() { delete window_; }

    /// Draws the game at this time; pixels() are of the last picture.
    [[nodiscard]] static std::unique_ptr<SnagSwarm> draw(double at, bool is_alone = false) {
        PictureOptions options;
        options.network.latency = ConstantLatency{80ms};
        options.choice.algorithm = 4;  // half-life: the two screens differ
        options.seed = Seed{2};
        options.at = at;
        options.is_alone = is_alone;
        auto drawn = draw_picture(*window_, options);
        EXPECT_TRUE(drawn) << (drawn ? "" : drawn.error().message);
        pixels_ = panzer::client::GlGpu::read_pixels(kWide, kHigh);
        return std::move(*drawn);
    }
    [[nodiscard]] static glm::vec3 at(int x, int y) {
        const auto i = static_cast<std::size_t>(y * kWide + x) * 3;
        return glm::vec3{pixels_[i], pixels_[i + 1], pixels_[i + 2]} / 255.0F;
    }
    /// Pixels of about this colour within `half` pixels of a place.
    [[nodiscard]] static int count(const ImVec2& place, int half, std::uint32_t hex) {
        int found = 0;
        for (int y = std::max(0, static_cast<int>(place.y) - half);
             y < std::min(kHigh, static_cast<int>(place.y) + half); ++y) {
            for (int x = std::max(0, static_cast<int>(place.x) - half);
                 x < std::min(kWide, static_cast<int>(place.x) + half); ++x)
                found += glm::distance(at(x, y), panzer::client::rgb(hex)) < 0.25F ? 1 : 0;
        }
        return found;
    }
    [[nodiscard]] static std::array<Area, kShips> areas(std::size_t screens) {
        return screens_of(screens, window_->fonts().unit, {kWide, kHigh});
    }

    static panzer::client::Window* window_;
    static std::vector<std::uint8_t> pixels_;
};
panzer::client::Window* SnagPictures::window_ = nullptr;
std::vector<std::uint8_t> SnagPictures::pixels_;

TEST_F(SnagPictures, ShipsAndAliensAreWhereEachScreenSaysTheyAre) {
    int differing = 0;
    for (const double time : {8.0, 14.0, 20.0}) {
        const auto swarm = draw(time);
        for (std::size_t screen = 0; screen < kShips; ++screen) {
            const Area area = areas(kShips)[screen];
            const snagger::Game& game = swarm->game(screen).screen();
            for (std::size_t ship = 0; ship < kShips; ++ship)
                EXPECT_GT(count(area.at(game.ships[ship].pose.position), 8, look::kShip[ship]), 12)
                    << "ship " << ship + 1 << " on screen " << screen + 1 << " after " << time << " s";
            for (const Alien& alien : game.aliens) {
                const ImVec2 place = area.at(alien.position);
                EXPECT_GT(count(place, 8, look::kAlien) + count(place, 8, look::kInside), 12)
                    << "alien on screen " << screen + 1;
            }
        }
        const auto& a = swarm->game(0).screen().ships[1].pose.position;
        differing += a != swarm->game(1).screen().ships[1].pose.position ? 1 : 0;
    }
    EXPECT_GT(differing, 0) << "with a lag the two screens are not the same";
}

TEST_F(SnagPictures, TheNetHangsBetweenTheShips) {
    const auto swarm = draw(8);
    const Area area = areas(kShips)[0];
    int seen = 0;
    for (const Vec3& knot : swarm->game(0).screen().net.knots)
        seen += count(area.at(knot), 3, look::kNet) > 3 ? 1 : 0;
    EXPECT_GE(seen, static_cast<int>(kKnots) - 3) << "ships and aliens may cover a few knots";
}

TEST_F(SnagPictures, OnePlayersWindowHasOneScreenAndTheSamePanel) {
    const auto swarm = draw(8, true);
    const Area area = areas(1)[0];
    EXPECT_GT(area.wide, areas(kShips)[0].wide);
    const auto& game = swarm->game(0).screen();
    for (std::size_t ship = 0; ship < kShips; ++ship)
        EXPECT_GT(count(area.at(game.ships[ship].pose.position), 10, look::kShip[ship]), 20);
    // The sliders beside it.
    const ImVec2 beside{area.x + area.wide + (kWide - area.x - area.wide) / 2, area.y + area.high() / 2};
    EXPECT_GT(count(beside, 120, 0x3A4048), 1500);
}

TEST_F(SnagPictures, TheSameSeedGivesTheSamePicture) {
    (void)draw(8);
    const auto first = pixels_;
    (void)draw(8);
    EXPECT_EQ(first, pixels_);
    std::set<std::uint32_t> colours;
    for (std::size_t i = 0; i + 2 < first.size(); i += 3)
        colours.insert(static_cast<std::uint32_t>(first[i] << 16 | first[i + 1] << 8 | first[i + 2]));
    EXPECT_GT(colours.size(), 300U);
}

}  // namespace
}  // namespace fray::snagger::client
