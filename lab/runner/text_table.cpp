#include "lab/runner/text_table.hpp"

#include <algorithm>

namespace fray::lab {
namespace {

constexpr std::string_view kGap = "  ";

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines{""};
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        const bool fits = shown_width(lines.back()) + 1 + shown_width(word) <= width;
        if (lines.back().empty())
            lines.back() = word;
        else if (fits)
            lines.back() += " " + word;
        else
            lines.push_back(word);
        at = end + 1;
    }
    return lines;
}

std::string padded(std::string text, std::size_t width) {
    const std::size_t shown = shown_width(text);
    if (shown < width) text.append(width - shown, ' ');
    return text;
}

}  // namespace

std::size_t shown_width(std::string_view text) {
    // Counts every byte except UTF-8 continuation bytes.
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

TextTable::TextTable(std::vector<std::string> header, std::size_t most_width)
    : rows_{std::move(header)}, most_width_{most_width} {}

void TextTable::add(std::vector<std::string> row) {
    row.resize(rows_.front().size());
    rows_.push_back(std::move(row));
}

std::vector<std::size_t> TextTable::widths() const {
    std::vector<std::size_t> result(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            for (const std::string& line : wrapped(row[i], most_width_))
                result[i] = std::max(result[i], shown_width(line));
        }
    }
    return result;
}

std::size_t TextTable::width() const {
    std::size_t sum = 0;
    for (const std::size_t width : widths()) sum += kGap.size() + width;
    return sum;
}

std::string TextTable::text() const {
    const auto columns = widths();
    std::string text;
    for (const auto& row : rows_) {
        std::vector<std::vector<std::string>> cells;
        std::size_t height = 1;
        for (const std::string& cell : row) {
            cells.push_back(wrapped(cell, most_width_));
            height = std::max(height, cells.back().size());
        }
        for (std::size_t line = 0; line < height; ++line) {
            std::string out;
            for (std::size_t i = 0; i < cells.size(); ++i)
                out += std::string{kGap} + padded(line < cells[i].size() ? cells[i][line] : "", columns[i]);
            out.erase(out.find_last_not_of(' ') + 1);
            text += out + '\n';
        }
    }
    return text;
}

}  // namespace fray::lab
