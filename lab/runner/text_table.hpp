#pragma once
// Tables for a terminal: columns as wide as needed, long cells wrapped.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

class TextTable {
public:
    /// most_width: of each column; longer cells are wrapped between words, and longer words are broken.
    explicit TextTable(std::vector<std::string> header, std::size_t most_width = 60);
    /// most_widths: of each column, in order.
    TextTable(std::vector<std::string> header, std::vector<std::size_t> most_widths);

    void add(std::vector<std::string> row);
    /// Every line ends in \n and starts with two spaces.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::size_t width() const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;

    std::vector<std::vector<std::string>> rows_;
    std::vector<std::size_t> most_widths_;
};

/// Characters as a terminal shows them (UTF-8, no wide ones).
[[nodiscard]] std::size_t shown_width(std::string_view text);
/// Lines of at most this width, broken between words; words that are longer are broken after '_' if possible.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace fray::lab
