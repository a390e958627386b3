#pragma once
// The user study of Donnybrook (section IV-A) as a state machine: two people and many bots play two versions
// of the netcode whose difference they are not told.
//
//     waiting    until both people are there
//     practice   8 minutes on the good network
//     trial      15 minutes in all: the people vote, and the version changes when both have voted
//     last       a new game of 5 minutes on the version that they used less
//     questions  a score from 1 to 10 for each version, and a preference
//     done
//
// Pure: time comes in as seconds of any steady clock. One person's program runs it and tells the other one.

#include <fray/options.hpp>
#include <fray/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fray::panzer {

inline constexpr std::size_t kPeople = 2;
inline constexpr std::uint32_t kStudyPlayers = 32;      ///< with the bots
inline constexpr std::uint32_t kStudyUploadKbps = 108;  ///< of each peer in the two low versions
inline constexpr Duration kStudyDelayPerSocket{5ms};    ///< added in and out: 20 ms per round trip

/// What the study compares.
enum class NetVersion : std::uint8_t {
    donnybrook,  ///< little upload, focus sets, guided replicas
    low,         ///< little upload, all receivers take turns, dead reckoning
    high,        ///< no limit
};
[[nodiscard]] std::string_view to_string(NetVersion version);
/// What every peer is told when this version begins.
[[nodiscard]] Tuning tuning_of(NetVersion version, std::uint32_t upload_kbps);

/// Donnybrook against the other version.
struct Comparison {
    NetVersion other = NetVersion::low;
    [[nodiscard]] std::array<NetVersion, 2> versions() const { return {NetVersion::donnybrook, other}; }
    friend constexpr bool operator==(const Comparison&, const Comparison&) = default;
};
/// "donnybrook-low" or "donnybrook-high". The error lists the known names.
[[nodiscard]] Result<Comparison> parse_comparison(std::string_view name);
[[nodiscard]] std::string_view to_string(const Comparison& comparison);

struct StudyTimes {  ///< seconds
    double practice = 480, trial = 900, last = 300;
    [[nodiscard]] double sum() const { return practice + trial + last; }
    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
    friend constexpr bool operator==(const StudyTimes&, const StudyTimes&) = default;
};
/// "480,900,300".
[[nodiscard]] Result<StudyTimes> parse_study_times(std::string_view text);

enum class StudyPhase : std::uint8_t { waiting, practice, trial, last, questions, done };
inline constexpr std::size_t kStudyPhases = 6;

/// One person's judgement. Versions by their letter: 0 is A, with which the trial began.
struct StudyAnswers {
    static constexpr int kLeastScore = 1, kMostScore = 10;
    std::array<int, 2> scores{};
    std::optional<std::uint8_t> prefers{};  ///< nothing: neither
    [[nodiscard]] bool is_valid() const;
    friend constexpr bool operator==(const StudyAnswers&, const StudyAnswers&) = default;
};

class Study {
public:
    /// first: the version that is called A, with which the trial begins.
    Study(const Comparison& comparison, const StudyTimes& times, NetVersion first);

    /// Both people are there. Later calls change nothing.
    void begin(double now);
    /// Whether this person wants to switch. Counts only in the trial.
    void vote(std::size_t person, bool wants, double now);
    /// Counts only in the phase of the questions; the first valid answers of a person count.
    void answer(std::size_t person, const StudyAnswers& answers);
    void advance(double now);

    [[nodiscard]] StudyPhase phase() const { return phase_; }
    /// 0: A, 1: B. In the practice neither is played.
    [[nodiscard]] std::uint8_t letter() const { return letter_; }
    [[nodiscard]] NetVersion version() const;
    [[nodiscard]] NetVersion version_of(std::uint8_t letter) const { return versions_[letter]; }
    [[nodiscard]] bool has_voted(std::size_t person) const { return votes_[person]; }
    [[nodiscard]] double seconds_left() const;

    /// For the results; seconds since the trial began.
    struct Figures {
        std::optional<double> first_vote{};  ///< of either person, to leave version A
        std::optional<double> both_votes{};  ///< when the version changed for the first time
        std::array<double, 2> seconds_on{};  ///< by letter, in the trial
        std::uint32_t switches = 0;
        std::array<std::optional<StudyAnswers>, kPeople> answers{};
    };
    [[nodiscard]] const Figures& figures() const { return figures_; }
    [[nodiscard]] const Comparison& comparison() const { return comparison_; }

private:
    void enter(StudyPhase phase, double at);
    [[nodiscard]] double length_of(StudyPhase phase) const;
    void count(double until);

    Comparison comparison_;
    StudyTimes times_;
    std::array<NetVersion, 2> versions_;  // by letter
    StudyPhase phase_ = StudyPhase::waiting;
    std::uint8_t letter_ = 0;
    std::array<bool, kPeople> votes_{};
    double began_ = 0;  // the phase
    double now_ = 0;
    Figures figures_;
};

}  // namespace fray::panzer
