#pragma once
// What is written over the battle: bars, scoreboard, kill feed, minimap, name tags. The model is plain values
// that tests can read; draw_hud() paints it with ImGui's draw lists.

#include "games/panzer/client/effects.hpp"
#include "games/panzer/client/kill_feed.hpp"
#include "games/panzer/client/moment.hpp"
#include "games/panzer/client/picture.hpp"
#include "games/panzer/client/talk.hpp"

#include <cstdint>
#include <string>
#include <vector>

struct ImFont;

namespace fray::panzer::client {

struct Fonts {
    ImFont* words = nullptr;    ///< Inter
    ImFont* strong = nullptr;   ///< Inter, semi-bold
    ImFont* title = nullptr;    ///< Inter, large
    ImFont* figures = nullptr;  ///< JetBrains Mono
    float unit = 16;            ///< pixels: the height of words; everything scales with it
};

struct HudModel {
    struct Tag {
        float x = 0, y = 0;  ///< pixels
        std::string name;
        std::uint32_t colour = 0;
        float armour = 0;  ///< 0 to 1
        float strength = 1;
        bool is_person = false;
    };
    struct Row {
        std::uint16_t tank = 0;
        int rank = 0;
        std::string name;
        std::uint32_t colour = 0;
        std::int32_t score = 0;
        std::uint32_t kills = 0, deaths = 0;
        int rtt_ms = -1;  ///< -1: not known
        bool is_own = false;
        bool is_person = false;
    };
    struct Blip {
        float x = 0, y = 0;  ///< 0 to 1 of the map; y to the north
        float turn = 0;
        std::uint32_t colour = 0;
        bool is_own = false;
        bool is_item = false;
        bool is_person = false;
    };
    struct FeedLine {
        std::string killer, victim;
        std::uint32_t killer_colour = 0, victim_colour = 0;
        bool concerns_own = false;
        float strength = 1;
    };
    struct Arc {
        float angle = 0;  ///< radians from straight ahead, clockwise
        float strength = 1;
    };
    std::vector<Tag> tags;
    std::vector<Row> rows;
    std::vector<Blip> blips;
    std::vector<FeedLine> feed;
    std::vector<Arc> arcs;
    std::vector<std::string> powers;
    float armour = 0, shield = 0;  ///< points
    float gun = 1, shell = 1;      ///< 0 to 1: loaded
    float hit_marker = 0;
    float respawn = 0;  ///< seconds; 0: alive
    std::string destroyed_by;
    int seconds_left = -1;
    int rank = 0;
    bool has_own = false;
    bool shows_scores = false;
    bool is_over = false;
    std::string banner;          ///< "A bot drives", ...
    float aim_x = 0, aim_y = 0;  ///< pixels: where the gun points
    bool has_aim = false;
    std::string gun_key = "left button", shell_key = "right button";
    float lifted = 0;       ///< units that a panel takes at the bottom
    float right_inset = 0;  ///< units that a panel takes on the right
};

/// Everything but the words that the program sets itself.
void fill_hud(const Moment& moment, const Map& map, const Effects& effects, const KillFeed& feed,
              const std::vector<SeatNote>& seats, const Camera& camera, const glm::vec2& size, HudModel& hud);

void draw_hud(const HudModel& hud, const Map& map, const Fonts& fonts, const glm::vec2& size);
void draw_scoreboard(const HudModel& hud, const Fonts& fonts, const glm::vec2& size);

/// As ImGui wants it.
[[nodiscard]] std::uint32_t ink(std::uint32_t hex, float alpha = 1);

}  // namespace fray::panzer::client
