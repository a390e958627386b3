#pragma once
// What the two people's programs say to each other in a study, as short texts: the first person's program
// tells where the study is, the other one votes and answers.

#include "games/panzer/study/study.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fray::panzer {

/// Everything that a window shows of a study.
struct StudyState {
    StudyPhase phase{};
    std::uint8_t letter = 0;  ///< 0: A, 1: B
    NetVersion version = NetVersion::high;
    double seconds_left = 0;
    std::array<bool, kPeople> votes{};
    friend constexpr bool operator==(const StudyState&, const StudyState&) = default;
};
[[nodiscard]] StudyState state_of(const Study& study);

/// "state 2 1 0 311.5 1 0"
[[nodiscard]] std::string to_text(const StudyState& state);
[[nodiscard]] std::string vote_text(bool wants);
/// "answers 7 3 0"; 2 for neither.
[[nodiscard]] std::string to_text(const StudyAnswers& answers);

// Nothing if the text says something else.
[[nodiscard]] std::optional<StudyState> parse_study_state(std::string_view text);
[[nodiscard]] std::optional<bool> parse_study_vote(std::string_view text);
[[nodiscard]] std::optional<StudyAnswers> parse_study_answers(std::string_view text);

}  // namespace fray::panzer
