#include "games/panzer/study/study.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace fray::panzer {

namespace {

constexpr std::array<std::pair<std::string_view, Comparison>, 2> kComparisons{
    {{"donnybrook-low", {NetVersion::low}}, {"donnybrook-high", {NetVersion::high}}}};

}  // namespace

std::string_view to_string(NetVersion version) {
    constexpr std::array<std::string_view, 3> kNames{"donnybrook", "low", "high"};
    return kNames[static_cast<std::size_t>(version)];
}

Tuning tuning_of(NetVersion version, std::uint32_t upload_kbps) {
    switch (version) {
        case NetVersion::donnybrook:
            return {.upload_kbps = upload_kbps};
        case NetVersion::low:
            return {.upload_kbps = upload_kbps, .focus_sets = false, .guidance = false};
        case NetVersion::high:
            return {};
    }
    return {};
}

Result<Comparison> parse_comparison(std::string_view name) {
    const auto found = std::ranges::find(kComparisons, name, &decltype(kComparisons)::value_type::first);
    if (found != kComparisons.end()) return found->second;
    return Error{"unknown study \"" + std::string{name} + "\" (known: donnybrook-low, donnybrook-high)"};
}

std::string_view to_string(const Comparison& comparison) {
    return std::ranges::find(kComparisons, comparison, &decltype(kComparisons)::value_type::second)->first;
}

Result<void> StudyTimes::check() const {
    constexpr double kLeast = 1, kMost = 7200;
    for (const double one : {practice, trial, last}) {
        if (!(one >= kLeast && one <= kMost))
            return Error{"each part of a study takes 1 to 7200 seconds, not " + std::to_string(one)};
    }
    return {};
}

Result<StudyTimes> parse_study_times(std::string_view text) {
    StudyTimes times;
    std::array<double, 3> read{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < read.size(); ++i) {
        const auto [next, error] = std::from_chars(at, end, read[i]);
        const bool is_last = i + 1 == read.size();
        if (error != std::errc{} || (is_last ? next != end : next == end || *next != ','))
            return Error{"\"" + std::string{text} +
                         "\" is not three times in seconds: practice,trial,last game, such as 480,900,300"};
        at = is_last ? next : next + 1;
    }
    times = {read[0], read[1], read[2]};
    if (auto checked = times.check(); !checked) return checked.error();
    return times;
}

bool StudyAnswers::is_valid() const {
    const auto fits = [](int score) { return score >= kLeastScore && score <= kMostScore; };
    return std::ranges::all_of(scores, fits) && (!prefers || *prefers < 2);
}

Study::Study(const Comparison& comparison, const StudyTimes& times, NetVersion first)
    : comparison_{comparison}, times_{times}, versions_{comparison.versions()} {
    if (versions_[0] != first) std::swap(versions_[0], versions_[1]);
}

double Study::length_of(StudyPhase phase) const {
    switch (phase) {
        case StudyPhase::practice:
            return times_.practice;
        case StudyPhase::trial:
            return times_.trial;
        case StudyPhase::last:
            return times_.last;
        default:
            return 0;
    }
}

double Study::seconds_left() const { return std::max(0.0, length_of(phase_) - (now_ - began_)); }

NetVersion Study::version() const {
    return phase_ == StudyPhase::waiting || phase_ == StudyPhase::practice ? NetVersion::high
                                                                           : versions_[letter_];
}

void Study::begin(double now) {
    if (phase_ != StudyPhase::waiting) return;
    enter(StudyPhase::practice, now);
    now_ = now;
}

void Study::enter(StudyPhase phase, double at) {
    phase_ = phase;
    began_ = at;
    votes_ = {};
    if (phase == StudyPhase::trial) letter_ = 0;
    const auto& used = figures_.seconds_on;
    if (phase == StudyPhase::last) letter_ = used[0] <= used[1] ? 0 : 1;
}

/// Time in the trial belongs to the version that was played.
void Study::count(double until) {
    if (phase_ == StudyPhase::trial && until > now_) figures_.seconds_on[letter_] += until - now_;
    now_ = std::max(now_, until);
}

void Study::advance(double now) {
    if (phase_ == StudyPhase::waiting) return;
    while (length_of(phase_) > 0 && now >= began_ + length_of(phase_)) {
        const double end = began_ + length_of(phase_);
        count(end);
        enter(static_cast<StudyPhase>(static_cast<int>(phase_) + 1), end);
    }
    count(now);
    const auto has_answered = [](const auto& answers) { return answers.has_value(); };
    if (phase_ == StudyPhase::questions && std::ranges::all_of(figures_.answers, has_answered))
        enter(StudyPhase::done, now);
}

void Study::vote(std::size_t person, bool wants, double now) {
    advance(now);
    if (phase_ != StudyPhase::trial || person >= kPeople) return;
    votes_[person] = wants;
    const double at = now_ - began_;
    if (wants && !figures_.first_vote) figures_.first_vote = at;
    if (!votes_[0] || !votes_[1]) return;
    if (!figures_.both_votes) figures_.both_votes = at;
    ++figures_.switches;
    letter_ = static_cast<std::uint8_t>(1 - letter_);
    votes_ = {};
}

void Study::answer(std::size_t person, const StudyAnswers& answers) {
    if (phase_ != StudyPhase::questions || person >= kPeople || !answers.is_valid()) return;
    auto& kept = figures_.answers[person];
    if (!kept) kept = answers;
}

}  // namespace fray::panzer
