#pragma once
// The user study in the window (games/panzer/study): the first person's program runs it and writes the
// result, the other one's follows. Both tell their peers what the version of the moment wants.

#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/live_battle.hpp"
#include "games/panzer/study/study_csv.hpp"
#include "games/panzer/study/study_words.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace fray::panzer::client {

struct StudySetup {
    Comparison comparison{};
    StudyTimes times{};
    std::uint32_t upload_kbps = kStudyUploadKbps;
    std::string results = "study.csv";  ///< of the person that hosts
};

/// The match of a study, for both people.
[[nodiscard]] LiveOptions study_match(const StudySetup& setup, LiveOptions live);

class StudyDesk {
public:
    /// Returns an error if the file with the results cannot be read. `is_host`: runs the study.
    [[nodiscard]] static Result<std::unique_ptr<StudyDesk>> open(const StudySetup& setup, bool is_host);

    /// Once per frame. `now`: seconds of a steady clock.
    void advance(LiveBattle& battle, double now);
    /// The clock, the votes, and in the end the questions. `vote_key`: as the settings call it.
    void draw(const Fonts& fonts, const glm::vec2& size, const std::string& vote_key);
    /// Votes to switch, or takes the vote back.
    void toggle_vote();

    [[nodiscard]] StudyPhase phase() const { return state_.phase; }
    [[nodiscard]] bool asks() const { return state_.phase == StudyPhase::questions && !has_answered_; }
    /// The tank stands still.
    [[nodiscard]] bool is_over() const { return state_.phase >= StudyPhase::questions; }
    /// Why the study cannot go on; empty: it can.
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    StudyDesk(const StudySetup& setup, bool is_host, const NextTrial& trial);
    void conduct(LiveBattle& battle, double now);
    void take_word(const WatchedGame::StudyWord& word, double now);
    void see_people(LiveBattle& battle, double now);
    void follow(LiveBattle& battle, const StudyState& state);
    void take_points(LiveBattle& battle, std::array<int, kPeople>& points) const;
    void finish();
    void draw_clock(const Fonts& fonts, const glm::vec2& size, const std::string& vote_key) const;
    void draw_questions(const Fonts& fonts, const glm::vec2& size);

    StudySetup setup_;
    bool is_host_;
    std::size_t person_;
    NextTrial trial_;
    std::optional<Study> study_;  // of the host
    StudyState state_;
    std::optional<StudyState> pending_;  // as the host has just told
    std::optional<NetVersion> told_;     // the peers
    StudyPoints points_;
    double said_at_ = -1000;
    std::optional<double> complete_since_, alone_since_;
    bool wants_switch_ = false;
    bool has_new_vote_ = false, has_new_answers_ = false, has_answered_ = false, is_written_ = false;
    StudyAnswers answers_{.scores = {5, 5}, .prefers = std::nullopt};
    std::string failure_;
};

}  // namespace fray::panzer::client
