#include "sim/data_text.hpp"

#include "sim/file.hpp"

#include <utility>

namespace fray::sim {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Removes digits from the front and appends them to `value`. Returns their number.
std::size_t take_digits(std::string_view& text, std::uint64_t& value) {
    std::size_t count = 0;
    for (; count < text.size() && is_digit(text[count]) && count < 18; ++count) {
        value = value * 10 + static_cast<std::uint64_t>(text[count] - '0');
    }
    text.remove_prefix(count);
    return count;
}

bool take(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

/// Powers of ten up to 22 are exact, so one operation rounds once.
double scale(double value, int power) {
    double factor = 1;
    for (int i = 0; i < (power < 0 ? -power : power); ++i) factor *= 10;
    return power < 0 ? value / factor : value * factor;
}

std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return cells;
        line.remove_prefix(comma + 1);
    }
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text) {
    const bool negative = take(text, '-');
    std::uint64_t mantissa = 0;
    std::size_t digits = take_digits(text, mantissa);
    std::size_t behind = 0;
    if (take(text, '.')) behind = take_digits(text, mantissa);
    digits += behind;
    if (digits == 0 || digits > 18) return std::nullopt;
    int power = -static_cast<int>(behind);
    if (take(text, 'e')) {
        const bool down = take(text, '-');
        std::uint64_t exponent = 0;
        const std::size_t count = take_digits(text, exponent);
        if (count == 0 || count > 2) return std::nullopt;
        power += down ? -static_cast<int>(exponent) : static_cast<int>(exponent);
    }
    if (!text.empty() || power < -22 || power > 22) return std::nullopt;
    const double value = scale(static_cast<double>(mantissa), power);
    return negative ? -value : value;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
    std::uint64_t value = 0;
    if (take_digits(text, value) == 0 || !text.empty()) return std::nullopt;
    return value;
}

Result<TextFile> TextFile::load(const std::string& path) {
    Result<std::vector<std::uint8_t>> bytes = read_file(path);
    if (!bytes) return bytes.error();
    TextFile file;
    file.path_ = path;
    file.text_.assign(bytes->begin(), bytes->end());
    std::size_t first = 0;
    for (std::size_t end = file.text_.find('\n'); end != std::string::npos;
         end = file.text_.find('\n', first)) {
        const bool dos = end > first && file.text_[end - 1] == '\r';
        file.lines_.push_back({first, end - first - (dos ? 1 : 0)});
        first = end + 1;
    }
    if (file.text_.empty()) return Error{path + ": empty"};
    if (first == file.text_.size()) return file;
    return file.error(file.lines_.size() + 1, "cut off: the last line has no end");
}

std::string_view TextFile::line(std::size_t number) const {
    const Range& range = lines_[number - 1];
    return std::string_view{text_}.substr(range.first, range.size);
}

Error TextFile::error(std::size_t line_number, const std::string& expected) const {
    return Error{path_ + ":" + std::to_string(line_number) + ": " + expected};
}

Result<CsvFile> CsvFile::load(const std::string& path, std::string_view header) {
    Result<TextFile> file = TextFile::load(path);
    if (!file) return file.error();
    if (file->line(1) != header) {
        return file->error(1, "expected the columns \"" + std::string{header} + "\"");
    }
    CsvFile csv{std::move(*file)};
    csv.columns_ = split(header);
    return csv;
}

bool CsvFile::next() {
    if (error_ || line_ == file_.line_count()) return false;
    cells_ = split(file_.line(++line_));
    if (cells_.size() == columns_.size()) return true;
    fail("expected " + std::to_string(columns_.size()) + " columns, found " + std::to_string(cells_.size()));
    return false;
}

double CsvFile::number(std::size_t column, double low, double high) {
    const std::optional<double> value = parse_decimal(cells_[column]);
    if (value && *value >= low && *value <= high) return *value;
    fail("expected a number as " + std::string{columns_[column]} + ", found \"" +
         std::string{cells_[column]} + "\"");
    return 0;
}

std::uint32_t CsvFile::whole(std::size_t column, std::uint32_t most) {
    const std::optional<std::uint64_t> value = parse_whole(cells_[column]);
    if (value && *value <= most) return static_cast<std::uint32_t>(*value);
    fail("expected a whole number up to " + std::to_string(most) + " as " + std::string{columns_[column]} +
         ", found \"" + std::string{cells_[column]} + "\"");
    return 0;
}

std::optional<double> CsvFile::number_or_nothing(std::size_t column, double low, double high) {
    if (cells_[column].empty()) return std::nullopt;
    return number(column, low, high);
}

void CsvFile::fail(const std::string& expected) {
    if (!error_) error_ = file_.error(line_, expected);
}

Duration from_millis(double ms) {
    return Duration{static_cast<std::int64_t>(ms * 1000 + (ms < 0 ? -0.5 : 0.5))};
}

}  // namespace fray::sim
