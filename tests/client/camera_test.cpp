// The camera behind a tank: beside walls and in the open.

#include "games/panzer/client/follow_camera.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace fray::panzer::client {
namespace {

constexpr glm::vec2 kSize{1280, 720};
constexpr float kTurretHeight = 1.6F;

/// Degrees below the horizon.
float dip(const Camera& camera) {
    const glm::vec3 way = camera.target - camera.eye;
    return std::atan2(-way.z, std::hypot(way.x, way.y)) * 180 / std::numbers::pi_v<float>;
}

class CameraBesideWalls : public testing::TestWithParam<const char*> {
protected:
    CameraBesideWalls()
        : map_{*shipped_map(GetParam())}, heights_{map_}, doors_(map_.doors.size()), ground_{map_, doors_} {}

    /// As it looks after it has stood here for a while.
    [[nodiscard]] Camera settled(const Vec2& place, float yaw, float pitch = 0) const {
        FollowCamera camera;
        camera.jump_to(place, yaw);
        for (int i = 0; i < 120; ++i) camera.advance(ground_, heights_, place, yaw, pitch, 0, 1.0F / 60);
        return camera.camera();
    }
    /// Calls with places where a tank can stand, and all directions of view.
    template <class Look>
    int look_around(const Look& look) const {
        int count = 0;
        for (std::int32_t row = 0; row < map_.rows; row += 3) {
            for (std::int32_t column = 0; column < map_.columns; column += 3) {
                const Vec2 place{(static_cast<float>(column) + 0.5F) * map_.cell,
                                 (static_cast<float>(row) + 0.5F) * map_.cell};
                if (ground_.is_solid({column, row})) continue;
                for (int way = 0; way < 8; ++way, ++count)
                    look(place, static_cast<float>(way) * std::numbers::pi_v<float> / 4);
            }
        }
        return count;
    }

    Map map_;
    Heights heights_;
    std::vector<Door> doors_;
    Ground ground_;
};

TEST_P(CameraBesideWalls, NeverLooksSteeplyDown) {
    const int looked = look_around([&](const Vec2& place, float yaw) {
        EXPECT_LT(dip(settled(place, yaw)), 32) << place.x << ", " << place.y << " yaw " << yaw;
    });
    EXPECT_GT(looked, 200);
}

TEST_P(CameraBesideWalls, IsNeverInsideAWall) {
    int over = 0;
    const int looked = look_around([&](const Vec2& place, float yaw) {
        for (const float pitch : {-0.35F, 0.0F, 0.35F}) {
            const glm::vec3 eye = settled(place, yaw, pitch).eye;
            const bool is_over_wall = ground_.is_solid(map_.place_of({eye.x, eye.y}));
            over += is_over_wall ? 1 : 0;
            if (is_over_wall) {
                EXPECT_GT(eye.z, kWallHeight) << place.x << ", " << place.y << " yaw " << yaw;
            }
        }
    });
    EXPECT_GT(looked, 200);
    EXPECT_GT(over, 20) << "some places are beside walls";
}

TEST_P(CameraBesideWalls, ShowsTheTurretOfTheOwnTank) {
    const int looked = look_around([&](const Vec2& place, float yaw) {
        const glm::vec3 at =
            project(settled(place, yaw), kSize, {place.x, place.y, heights_.at(place) + kTurretHeight});
        EXPECT_GT(at.z, 0);
        EXPECT_NEAR(at.x, kSize.x / 2, 30);
        EXPECT_GT(at.y, kSize.y * 0.4F);
        EXPECT_LT(at.y, kSize.y * 0.97F) << place.x << ", " << place.y << " yaw " << yaw;
    });
    EXPECT_GT(looked, 200);
}

INSTANTIATE_TEST_SUITE_P(Maps, CameraBesideWalls, testing::Values("arena", "ruins"));

}  // namespace
}  // namespace fray::panzer::client
