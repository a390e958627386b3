#include "games/panzer/rules/map_text.hpp"

#include "games/panzer/rules/map_builder.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace fray::panzer {

namespace {

constexpr std::string_view kKnown = ". ^ # B H s 1 2 i D F";
constexpr std::size_t kMostTitle = 80;        // bytes
constexpr std::size_t kMostText = 4U << 20U;  // bytes

class Parser {
public:
    Parser(std::string_view text, std::string_view file) : rest_{text}, file_{file} {}

    Result<Map> run() {
        if (rest_.size() > kMostText)
            return error(0,
                         "expected at most 4 MiB, the file has " + std::to_string(rest_.size()) + " bytes");
        while (next_line()) {
            if (line_.empty() || line_.starts_with("//")) continue;
            if (line_ == "grid") return read_grid();
            if (const auto wrong = read_word()) return *wrong;
        }
        if (number_ == 0) number_ = 1;  // an empty file
        return error(0, "expected a line \"grid\", then the rows of the map and a line \"end\"");
    }

private:
    bool next_line() {
        if (rest_.empty()) return false;
        const std::size_t end = rest_.find('\n');
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (line_.ends_with('\r')) line_.remove_suffix(1);
        ++number_;
        return true;
    }

    [[nodiscard]] Error error(std::size_t column, const std::string& what) const {
        std::string where{file_};
        if (number_ != 0) where += ":" + std::to_string(number_);
        if (column != 0) where += ":" + std::to_string(column);
        return Error{where + ": " + what};
    }

    std::optional<Error> read_word() {
        const std::size_t space = line_.find(' ');
        const std::string_view word = line_.substr(0, space);
        const std::string_view value = space == std::string_view::npos ? "" : line_.substr(space + 1);
        if (word == "title") return read_title(value);
        if (word == "map") return read_name(value);
        if (word == "cell") return read_cell(value);
        return error(1, "unknown word \"" + printable(word) + "\" (known: map, title, cell, grid)");
    }

    std::optional<Error> read_title(std::string_view value) {
        // char is unsigned on some machines; bytes of UTF-8 are no control characters on either.
        const auto is_control = [](char c) {
            const auto byte = static_cast<unsigned char>(c);
            return byte < ' ' || byte == 0x7f;
        };
        const auto bad = std::ranges::find_if(value, is_control);
        if (value.size() > kMostTitle) return error(7 + kMostTitle, "a title has at most 80 bytes");
        if (bad != value.end())
            return error(7 + static_cast<std::size_t>(bad - value.begin()),
                         "a title has no control characters");
        map_.title = value;
        return std::nullopt;
    }

    std::optional<Error> read_name(std::string_view value) {
        const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
        if (value.empty() || value.size() > 32 || !std::ranges::all_of(value, fits))
            return error(5, "a map's name has 1 to 32 lower-case letters, digits or _, not \"" +
                                printable(value) + "\"");
        map_.name = value;
        return std::nullopt;
    }

    std::optional<Error> read_cell(std::string_view value) {
        unsigned metres = 0;
        const auto [end, wrong] = std::from_chars(value.data(), value.data() + value.size(), metres);
        const bool whole = wrong == std::errc{} && end == value.data() + value.size();
        if (!whole || static_cast<float>(metres) < kLeastCell || static_cast<float>(metres) > kMostCell)
            return error(6, "a cell measures 4 to 64 metres, not \"" + printable(value) + "\"");
        map_.cell = static_cast<float>(metres);
        return std::nullopt;
    }

    Result<Map> read_grid() {
        if (map_.name.empty()) return error(1, "expected a line \"map NAME\" before the grid");
        const std::size_t first = number_ + 1;
        bool ended = false;
        while (!ended && next_line()) {
            ended = line_ == "end";
            if (ended) break;
            if (const auto wrong = read_row()) return *wrong;
        }
        if (!ended) return error(0, "the grid does not end: expected a line \"end\" after its rows");
        while (next_line()) {
            if (!line_.empty() && !line_.starts_with("//"))
                return error(1, "nothing may follow the line \"end\"");
        }
        number_ = first;
        if (rows_.empty()) return error(0, "the grid has no rows");
        auto built = build_map(std::move(map_), rows_);
        if (!built) return error(0, built.error().message);
        return built;
    }

    std::optional<Error> read_row() {
        const std::size_t bad = line_.find_first_not_of(".^#BHs12iDF");
        if (bad != std::string_view::npos)
            return error(bad + 1, "unknown character '" + printable(line_.substr(bad, 1)) +
                                      "' (known: " + std::string{kKnown} + ")");
        if (!rows_.empty() && line_.size() != rows_.front().size())
            return error(0, "this row has " + std::to_string(line_.size()) + " cells, the first one " +
                                std::to_string(rows_.front().size()));
        if (line_.empty()) return error(0, "a row needs at least one cell");
        if (line_.size() > kMostSide || rows_.size() >= kMostSide)
            return error(0, "a map has at most 1,024 cells in a row and 1,024 rows");
        rows_.push_back(line_);
        return std::nullopt;
    }

    /// Foreign text in an error: short, and without control characters.
    [[nodiscard]] static std::string printable(std::string_view text) {
        std::string shown{text.substr(0, 40)};
        std::ranges::replace_if(
            shown, [](char c) { return c < ' ' || c > '~'; }, '?');
        return shown;
    }

    std::string_view rest_;
    std::string_view file_;
    std::string_view line_;
    std::size_t number_ = 0;  // of the line, from 1
    Map map_;
    std::vector<std::string_view> rows_;  // from the north
};

}  // namespace

Result<Map> parse_map(std::string_view text, std::string_view file) { return Parser{text, file}.run(); }

std::string to_text(const Map& map) {
    std::string text = "map " + map.name + "\n";
    if (!map.title.empty()) text += "title " + map.title + "\n";
    text += "cell " + std::to_string(static_cast<int>(map.cell)) + "\ngrid\n";
    for (const std::string& row : draw_rows(map)) text += row + "\n";
    return text + "end\n";
}

}  // namespace fray::panzer
