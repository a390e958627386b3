#pragma once
// Measurement files as text: lines, comma-separated values, numbers. Every error is one line:
// file, line, what was expected.

#include <fray/result.hpp>
#include <fray/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::sim {

/// "12", "-0.5", "3.8e-06"; nothing if the text is anything else. The same double on every machine.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_whole(std::string_view text);

/// A text file in memory, line by line, ends of both kinds. A last line without an end means that the file
/// was cut off.
class TextFile {
public:
    [[nodiscard]] static Result<TextFile> load(const std::string& path);
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::size_t line_count() const { return lines_.size(); }
    /// Lines are counted from 1.
    [[nodiscard]] std::string_view line(std::size_t number) const;
    [[nodiscard]] Error error(std::size_t line_number, const std::string& expected) const;

private:
    struct Range {
        std::size_t first;
        std::size_t size;
    };
    std::string path_;
    std::string text_;
    std::vector<Range> lines_;
};

/// A text file of comma-separated values whose first line is exactly `header`. No quoting: our data has none.
class CsvFile {
public:
    /// header: must be a literal, because it is kept.
    [[nodiscard]] static Result<CsvFile> load(const std::string& path, std::string_view header);
    /// Goes to the next row; false at the end, or after an error.
    [[nodiscard]] bool next();
    /// The first error, if any; call it when next() has returned false.
    [[nodiscard]] Result<void> status() const { return error_ ? Result<void>{*error_} : Result<void>{}; }

    // Columns of the present row; an invalid one makes the row an error, and the value zero.
    [[nodiscard]] std::string_view text(std::size_t column) const { return cells_[column]; }
    double number(std::size_t column, double low, double high);
    std::uint32_t whole(std::size_t column, std::uint32_t most);
    /// Nothing if the cell is empty.
    std::optional<double> number_or_nothing(std::size_t column, double low, double high);
    void fail(const std::string& expected);
    /// Of the present row, counted from 1.
    [[nodiscard]] std::size_t line() const { return line_; }

private:
    explicit CsvFile(TextFile file) : file_{std::move(file)} {}
    TextFile file_;
    std::vector<std::string_view> columns_;
    std::vector<std::string_view> cells_;
    std::size_t line_ = 1;
    std::optional<Error> error_;
};

/// Milliseconds as a Duration, rounded to the microsecond.
[[nodiscard]] Duration from_millis(double ms);

}  // namespace fray::sim
