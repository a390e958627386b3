#include "games/panzer/rules/map_picture.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace fray::panzer {

namespace {

// One unit of the picture is a third of a cell, so that every coordinate is a whole number.
constexpr std::int32_t kUnits = 3;

struct Style {
    Cell cell;
    std::string_view colour;
    std::string_view label;
};
constexpr Style kStyles[]{{Cell::hill, "#c9d89a", "hill"},
                          {Cell::concrete, "#6b6f76", "concrete wall"},
                          {Cell::brick, "#a4553a", "brick wall"},
                          {Cell::hedge, "#3f7d3a", "hedge"},
                          {Cell::door, "#d9a441", "door"}};
constexpr std::string_view kGround = "#e6ead2";

std::string number(std::int32_t value) { return std::to_string(value); }

/// Rectangles of one kind of cell: runs of each row, joined with equal runs of the rows below.
std::string rectangles(const Map& map, Cell kind) {
    std::string path;
    std::vector<bool> is_drawn(map.cells.size());
    const auto is_open = [&](CellPlace at) {
        return map.contains(at) && map.cells[map.index(at)] == kind && !is_drawn[map.index(at)];
    };
    for (std::int32_t row = map.rows - 1; row >= 0; --row) {
        for (std::int32_t column = 0; column < map.columns; ++column) {
            if (!is_open({column, row})) continue;
            std::int32_t width = 1;
            while (is_open({column + width, row})) ++width;
            const auto is_row_open = [&](std::int32_t r) {
                for (std::int32_t x = 0; x < width; ++x) {
                    if (!is_open({column + x, r})) return false;
                }
                return true;
            };
            std::int32_t height = 1;
            while (is_row_open(row - height)) ++height;
            for (std::int32_t y = 0; y < height; ++y) {
                for (std::int32_t x = 0; x < width; ++x) is_drawn[map.index({column + x, row - y})] = true;
            }
            path += "M" + number(column * kUnits) + " " + number((map.rows - 1 - row) * kUnits) + "h" +
                    number(width * kUnits) + "v" + number(height * kUnits) + "h-" + number(width * kUnits) +
                    "z";
        }
    }
    return path;
}

/// Dots, as lines of no length.
class Dots {
public:
    explicit Dots(const Map& map) : map_{map} {}
    void add(const Vec2& at) {
        const CellPlace place = map_.place_of(at);
        if (place == last_) return;  // several tanks enter in one cell
        last_ = place;
        path_ += "M" + number(place.column * kUnits + 1) + ".5 " +
                 number((map_.rows - 1 - place.row) * kUnits + 1) + ".5h0";
    }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    const Map& map_;
    CellPlace last_{-1, -1};
    std::string path_;
};

struct Marks {
    std::string_view colour;
    std::string_view label;
    bool is_round;
    std::string path;
    std::size_t count;
};

std::vector<Marks> all_marks(const Map& map) {
    constexpr std::string_view kTeams[]{"#3b3b3b", "#1f5fbf", "#c0392b"};
    constexpr std::string_view kNames[]{"spawn point", "spawn point of team 1", "spawn point of team 2"};
    std::vector<Marks> all;
    for (std::uint8_t team = 0; team < 3; ++team) {
        Dots dots{map};
        std::size_t tanks = 0;
        for (const Spawn& spawn : map.spawns) {
            if (spawn.team != team) continue;
            dots.add(spawn.position);
            ++tanks;
        }
        all.push_back({kTeams[team], kNames[team], true, dots.path(), tanks});
    }
    Dots items{map};
    for (const Vec2& item : map.items) items.add(item);
    all.push_back({"#b8860b", "item", false, items.path(), map.items.size()});
    Dots flags{map};
    for (const Vec2& flag : map.flags) flags.add(flag);
    all.push_back({"#8e2fbf", "flag", false, flags.path(), map.flags.size()});
    std::erase_if(all, [](const Marks& marks) { return marks.count == 0; });
    return all;
}

/// Text that is safe inside XML.
std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        const bool is_plain = c >= ' ' && c <= '~' && c != '<' && c != '>' && c != '&' && c != '"';
        safe += is_plain ? c : ' ';
    }
    return safe;
}

/// Below the map, in lines; sizes follow the width of the picture.
class Legend {
public:
    Legend(std::int32_t width, std::int32_t top) : em_{std::max(width / 44, 2)}, width_{width}, y_{top} {}
    void heading(const std::string& text) {
        y_ += 2 * em_;
        svg_ += "<text x=\"0\" y=\"" + number(y_) + "\" font-weight=\"bold\">" + text + "</text>\n";
        new_line();
    }
    void entry(std::string_view colour, bool is_round, const std::string& text) {
        const auto length = static_cast<std::int32_t>(text.size()) * em_ * 3 / 5 + 3 * em_;
        if (x_ != 0 && x_ + length > width_) new_line();
        svg_ += "<rect x=\"" + number(x_) + "\" y=\"" + number(y_ - em_) + "\" width=\"" + number(em_) +
                "\" height=\"" + number(em_) + "\" rx=\"" + (is_round ? number(em_) : "0") + "\" fill=\"" +
                std::string{colour} + "\"/><text x=\"" + number(x_ + em_ * 3 / 2) + "\" y=\"" + number(y_) +
                "\">" + text + "</text>\n";
        x_ += length;
    }
    void scale(std::int32_t length, const std::string& text) {
        new_line();
        svg_ += "<path d=\"M0 " + number(y_) + "v-" + number(em_ / 2 + 1) + "v" + number(em_ / 2 + 1) + "h" +
                number(length) + "v-" + number(em_ / 2 + 1) +
                "\" fill=\"none\" stroke=\"#333\" stroke-width=\"" + number(std::max(em_ / 6, 1)) +
                "\"/><text x=\"" + number(length + em_) + "\" y=\"" + number(y_) + "\">" + text + "</text>\n";
        y_ += em_;
    }
    [[nodiscard]] std::string text() const {
        return "<g font-family=\"sans-serif\" font-size=\"" + number(em_) + "\" fill=\"#222\">\n" + svg_ +
               "</g>\n";
    }
    [[nodiscard]] std::int32_t bottom() const { return y_; }

private:
    void new_line() {
        x_ = 0;
        y_ += em_ * 9 / 5;
    }

    std::int32_t em_;
    std::int32_t width_;
    std::int32_t x_ = 0;
    std::int32_t y_;
    std::string svg_;
};

Legend legend_of(const Map& map, const std::vector<Marks>& marks) {
    const std::int32_t width = map.columns * kUnits;
    Legend legend{width, map.rows * kUnits};
    legend.heading(escaped(map.title.empty() ? map.name : map.title) + ": " +
                   number(static_cast<std::int32_t>(map.width())) + " m by " +
                   number(static_cast<std::int32_t>(map.height())) + " m");
    for (const Style& style : kStyles) {
        if (std::ranges::find(map.cells, style.cell) == map.cells.end()) continue;
        legend.entry(style.colour, false, std::string{style.label});
    }
    for (const Marks& mark : marks)
        legend.entry(mark.colour, mark.is_round,
                     std::string{mark.label} + " (" + std::to_string(mark.count) + ")");
    std::int32_t metres = 1;
    for (const std::int32_t next : {5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10'000}) {
        if (static_cast<float>(next) <= map.width() / 4) metres = next;
    }
    const auto units = static_cast<std::int32_t>(static_cast<float>(metres) / map.cell * kUnits);
    legend.scale(units, number(metres) + " m");
    return legend;
}

}  // namespace

std::string to_svg(const Map& map) {
    const std::int32_t width = map.columns * kUnits;
    const std::int32_t height = map.rows * kUnits;
    const std::vector<Marks> marks = all_marks(map);
    const Legend legend = legend_of(map, marks);
    const std::int32_t pad = std::max(width / 60, 2);
    const std::int32_t shown = std::clamp(width + 2 * pad, 720, 1200);
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(shown) +
                      "\" viewBox=\"-" + number(pad) + " -" + number(pad) + " " + number(width + 2 * pad) +
                      " " + number(legend.bottom() + 2 * pad) + "\">\n<rect x=\"-" + number(pad) +
                      "\" y=\"-" + number(pad) +
                      "\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<rect width=\"" + number(width) +
                      "\" height=\"" + number(height) + "\" fill=\"" + std::string{kGround} + "\"/>\n";
    for (const Style& style : kStyles) {
        const std::string path = rectangles(map, style.cell);
        if (!path.empty()) svg += "<path fill=\"" + std::string{style.colour} + "\" d=\"" + path + "\"/>\n";
    }
    const std::string size = number(std::max(width / 180, 2));  // visible on large maps too
    for (const Marks& mark : marks) {
        svg += "<path stroke=\"" + std::string{mark.colour} + "\" stroke-width=\"" + size +
               "\" stroke-linecap=\"" + (mark.is_round ? "round" : "square") + "\" d=\"" + mark.path +
               "\"/>\n";
    }
    return svg + legend.text() + "</svg>\n";
}

}  // namespace fray::panzer
