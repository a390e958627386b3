#pragma once
// The results of studies: one line per trial, appended to a CSV file. The file also decides which version the
// next trial begins with, so that both begin equally often.

#include "games/panzer/study/study.hpp"

#include <string>
#include <string_view>

namespace fray::panzer {

/// Points that the people made in the trial and in the last game.
struct StudyPoints {
    std::array<int, kPeople> trial{}, last{};
};

[[nodiscard]] std::string_view csv_header();
/// Without the end of the line. `trial`: its number, from 1.
[[nodiscard]] std::string csv_line(std::uint32_t trial, const Study& study, const StudyPoints& points);

/// What a file with results says about the next trial.
struct NextTrial {
    std::uint32_t number = 1;
    NetVersion first = NetVersion::donnybrook;
};
/// The version that began fewer trials of this comparison; Donnybrook if both began equally often. Returns an
/// error naming the first line that is no result.
[[nodiscard]] Result<NextTrial> next_trial(std::string_view csv, const Comparison& comparison);
/// The same of a file; one that does not exist has no trials.
[[nodiscard]] Result<NextTrial> next_trial_of_file(const std::string& file, const Comparison& comparison);
/// Appends the line to the file, with the header if it is new.
[[nodiscard]] Result<void> append_result(const std::string& file, const std::string& line);

}  // namespace fray::panzer
