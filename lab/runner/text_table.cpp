#include "lab/runner/text_table.hpp"

#include <algorithm>

namespace fray::lab {
namespace {

constexpr std::string_view kGap = "  ";

/// The first part of a word that is too long: up to the last '_' that fits, or as much as fits.
std::string_view first_part(std::string_view word, std::size_t width) {
    std::size_t end = 0;
    while (end < word.size() && shown_width(word.substr(0, end + 1)) <= width) ++end;
    const std::size_t mark = word.substr(0, end).rfind('_');
    if (mark != std::string_view::npos && mark > 0) return word.substr(0, mark + 1);
    return word.substr(0, std::max<std::size_t>(end, 1));
}

void append_word(std::vector<std::string>& lines, std::string_view word, std::size_t width) {
    const bool fits = shown_width(lines.back()) + 1 + shown_width(word) <= width;
    if (!lines.back().empty() && !fits) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    while (shown_width(word) > width) {
        const std::string_view part = first_part(word, width);
        lines.back() += part;
        lines.emplace_back();
        word.remove_prefix(part.size());
    }
    lines.back() += word;
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

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines{""};
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        append_word(lines, word, std::max<std::size_t>(width, 1));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
    }
    return lines;
}

TextTable::TextTable(std::vector<std::string> header, std::size_t most_width)
    : rows_{std::move(header)}, most_widths_(rows_.front().size(), most_width) {}

TextTable::TextTable(std::vector<std::string> header, std::vector<std::size_t> most_widths)
    : rows_{std::move(header)}, most_widths_{std::move(most_widths)} {
    most_widths_.resize(rows_.front().size(), most_widths_.empty() ? 1 : most_widths_.back());
}

void TextTable::add(std::vector<std::string> row) {
    row.resize(rows_.front().size());
    rows_.push_back(std::move(row));
}

std::vector<std::size_t> TextTable::widths() const {
    std::vector<std::size_t> result(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            for (const std::string& line : wrapped(row[i], most_widths_[i]))
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
        for (std::size_t i = 0; i < row.size(); ++i) {
            cells.push_back(wrapped(row[i], most_widths_[i]));
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
