#include "games/panzer/study/study_csv.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace fray::panzer {

namespace {

constexpr std::string_view kHeader =
    "trial,study,first,first_vote_s,both_votes_s,donnybrook_s,other_s,switches,last,"
    "person1_donnybrook,person1_other,person1_prefers,person2_donnybrook,person2_other,person2_prefers,"
    "person1_points,person2_points,person1_last_points,person2_last_points";
constexpr std::size_t kColumns = 19;

std::string seconds_text(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", seconds);
    return text.data();
}

/// Empty: it never happened.
std::string seconds_text(const std::optional<double>& seconds) {
    return seconds ? seconds_text(*seconds) : std::string{};
}

/// Versions by name, whatever letter they had.
std::string answer_text(const Study& study, const std::optional<StudyAnswers>& answers) {
    if (!answers) return ",,";
    const std::size_t donnybrook = study.version_of(0) == NetVersion::donnybrook ? 0 : 1;
    return std::to_string(answers->scores[donnybrook]) + "," +
           std::to_string(answers->scores[1 - donnybrook]) + "," +
           (answers->prefers ? std::string{to_string(study.version_of(*answers->prefers))} : "neither");
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return cells;
        line.remove_prefix(comma + 1);
    }
}

}  // namespace

std::string_view csv_header() { return kHeader; }

std::string csv_line(std::uint32_t trial, const Study& study, const StudyPoints& points) {
    const Study::Figures& f = study.figures();
    const std::size_t donnybrook = study.version_of(0) == NetVersion::donnybrook ? 0 : 1;
    std::ostringstream line;
    line << trial << ',' << to_string(study.comparison()) << ',' << to_string(study.version_of(0)) << ','
         << seconds_text(f.first_vote) << ',' << seconds_text(f.both_votes) << ','
         << seconds_text(f.seconds_on[donnybrook]) << ',' << seconds_text(f.seconds_on[1 - donnybrook]) << ','
         << f.switches << ',' << to_string(study.version_of(study.letter()));
    for (const auto& answers : f.answers) line << ',' << answer_text(study, answers);
    for (const int one : points.trial) line << ',' << one;
    for (const int one : points.last) line << ',' << one;
    return line.str();
}

Result<NextTrial> next_trial(std::string_view csv, const Comparison& comparison) {
    NextTrial next;
    std::array<int, 2> began{};  // with Donnybrook, with the other version
    for (std::size_t number = 1; !csv.empty(); ++number) {
        const std::size_t end = std::min(csv.find('\n'), csv.size());
        std::string_view line = csv.substr(0, end);
        csv.remove_prefix(std::min(end + 1, csv.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty() || (number == 1 && line == kHeader)) continue;
        const auto cells = cells_of(line);
        if (number == 1 || cells.size() != kColumns)
            return Error{"line " + std::to_string(number) + " is no result of a study"};
        ++next.number;
        if (cells[1] == to_string(comparison)) ++began[cells[2] == to_string(NetVersion::donnybrook) ? 0 : 1];
    }
    next.first = began[0] <= began[1] ? NetVersion::donnybrook : comparison.other;
    return next;
}

Result<NextTrial> next_trial_of_file(const std::string& file, const Comparison& comparison) {
    std::ifstream in{file, std::ios::binary};
    std::ostringstream text;
    if (in) text << in.rdbuf();
    auto next = next_trial(text.str(), comparison);
    if (!next) return Error{file + ": " + next.error().message};
    return next;
}

Result<void> append_result(const std::string& file, const std::string& line) {
    std::error_code ignored;
    const bool is_new =
        !std::filesystem::exists(file, ignored) || std::filesystem::file_size(file, ignored) == 0;
    std::ofstream out{file, std::ios::binary | std::ios::app};
    if (is_new) out << kHeader << '\n';
    out << line << '\n';
    if (!out.flush()) return Error{file + ": the results cannot be written"};
    return {};
}

}  // namespace fray::panzer
