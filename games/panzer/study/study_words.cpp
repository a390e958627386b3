#include "games/panzer/study/study_words.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

namespace fray::panzer {

namespace {

/// The numbers after this word; nothing if the text is not the word and so many numbers.
std::optional<std::vector<double>> numbers_after(std::string_view text, std::string_view word,
                                                 std::size_t count) {
    if (!text.starts_with(word)) return std::nullopt;
    const char* at = text.data() + word.size();
    const char* const end = text.data() + text.size();
    std::vector<double> numbers(count);
    for (double& number : numbers) {
        if (at == end || *at != ' ') return std::nullopt;
        const auto [next, error] = std::from_chars(at + 1, end, number);
        if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
        at = next;
    }
    return at == end ? std::optional{numbers} : std::nullopt;
}

/// A whole number from 0 to `most`.
std::optional<std::uint8_t> whole(double number, int most) {
    if (!(number >= 0 && number <= most) || number != std::floor(number)) return std::nullopt;
    return static_cast<std::uint8_t>(number);
}

}  // namespace

StudyState state_of(const Study& study) {
    return {.phase = study.phase(),
            .letter = study.letter(),
            .version = study.version(),
            .seconds_left = study.seconds_left(),
            .votes = {study.has_voted(0), study.has_voted(1)}};
}

std::string to_text(const StudyState& state) {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "state %d %d %d %.1f %d %d", static_cast<int>(state.phase),
                  state.letter, static_cast<int>(state.version), state.seconds_left, state.votes[0] ? 1 : 0,
                  state.votes[1] ? 1 : 0);
    return text.data();
}

std::string vote_text(bool wants) { return wants ? "vote 1" : "vote 0"; }

std::string to_text(const StudyAnswers& answers) {
    constexpr int kNeither = 2;
    return "answers " + std::to_string(answers.scores[0]) + " " + std::to_string(answers.scores[1]) + " " +
           std::to_string(answers.prefers ? *answers.prefers : kNeither);
}

std::optional<StudyState> parse_study_state(std::string_view text) {
    const auto n = numbers_after(text, "state", 6);
    if (!n) return std::nullopt;
    const auto phase = whole((*n)[0], static_cast<int>(kStudyPhases) - 1), letter = whole((*n)[1], 1),
               version = whole((*n)[2], 2), first = whole((*n)[4], 1), second = whole((*n)[5], 1);
    if (!phase || !letter || !version || !first || !second || (*n)[3] < 0) return std::nullopt;
    return StudyState{.phase = static_cast<StudyPhase>(*phase),
                      .letter = *letter,
                      .version = static_cast<NetVersion>(*version),
                      .seconds_left = (*n)[3],
                      .votes = {*first == 1, *second == 1}};
}

std::optional<bool> parse_study_vote(std::string_view text) {
    const auto n = numbers_after(text, "vote", 1);
    const auto wants = n ? whole((*n)[0], 1) : std::nullopt;
    return wants ? std::optional{*wants == 1} : std::nullopt;
}

std::optional<StudyAnswers> parse_study_answers(std::string_view text) {
    const auto n = numbers_after(text, "answers", 3);
    if (!n) return std::nullopt;
    const auto a = whole((*n)[0], StudyAnswers::kMostScore), b = whole((*n)[1], StudyAnswers::kMostScore),
               prefers = whole((*n)[2], 2);
    if (!a || !b || !prefers) return std::nullopt;
    StudyAnswers answers{.scores = {*a, *b}, .prefers = std::nullopt};
    if (*prefers < 2) answers.prefers = *prefers;
    return answers.is_valid() ? std::optional{answers} : std::nullopt;
}

}  // namespace fray::panzer
