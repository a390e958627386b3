#include "games/panzer/client/study_desk.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/paint.hpp"
#include "games/panzer/client/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace fray::panzer::client {

namespace {

constexpr double kSayEvery = 0.5;      // seconds: where the study is
constexpr double kMostWait = 20;       // seconds, for the last bots
constexpr double kMostAlone = 15;      // seconds without the other person
constexpr double kForQuestions = 900;  // seconds that the match goes on for them

PeerId person_id(std::size_t person) { return PeerId::from_number(person + std::uint64_t{1}); }

std::string clock_text(double seconds) {
    const int whole = static_cast<int>(std::ceil(seconds));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%d:%02d", whole / 60, whole % 60);
    return text.data();
}

std::string title_of(const StudyState& state) {
    const char letter = static_cast<char>('A' + state.letter);
    switch (state.phase) {
        case StudyPhase::waiting:
            return "Waiting for the other person";
        case StudyPhase::practice:
            return "Practice";
        case StudyPhase::trial:
            return std::string{"Version "} + letter;
        case StudyPhase::last:
            return std::string{"New game on version "} + letter;
        case StudyPhase::questions:
            return "The questions";
        case StudyPhase::done:
            return "Thank you!";
    }
    return {};
}

}  // namespace

LiveOptions study_match(const StudySetup& setup, LiveOptions live) {
    const bool is_host = live.join.empty();
    live.match.interest = InterestName::focus;
    live.match.guidance = true;
    live.match.upload_kbps = setup.upload_kbps;
    live.match.people = kPeople;
    live.match.length = from_seconds(setup.times.sum() + kMostWait + kForQuestions);
    live.conditions = {.lag = kStudyDelayPerSocket};
    live.seat = is_host ? 0U : 1U;
    return live;
}

StudyDesk::StudyDesk(const StudySetup& setup, bool is_host, const NextTrial& trial)
    : setup_{setup}, is_host_{is_host}, person_{is_host ? 0U : 1U}, trial_{trial} {
    if (is_host) study_.emplace(setup.comparison, setup.times, trial.first);
}

Result<std::unique_ptr<StudyDesk>> StudyDesk::open(const StudySetup& setup, bool is_host) {
    NextTrial trial;
    if (is_host) {
        auto next = next_trial_of_file(setup.results, setup.comparison);
        if (!next) return next.error();
        trial = *next;
    }
    return std::unique_ptr<StudyDesk>{new StudyDesk{setup, is_host, trial}};
}

void StudyDesk::advance(LiveBattle& battle, double now) {
    if (!failure_.empty()) return;
    for (const auto& word : battle.game().take_study_words()) take_word(word, now);
    if (std::exchange(has_new_vote_, false)) {
        if (is_host_)
            study_->vote(person_, wants_switch_, now);
        else
            battle.game().say_study(vote_text(wants_switch_));
    }
    if (std::exchange(has_new_answers_, false)) {
        if (is_host_)
            study_->answer(person_, answers_);
        else
            battle.game().say_study(to_text(answers_));
    }
    see_people(battle, now);
    if (is_host_) conduct(battle, now);
    if (told_ != state_.version) {
        told_ = state_.version;
        battle.tune(tuning_of(state_.version, setup_.upload_kbps));
    }
}

/// The other person's program, or the host.
void StudyDesk::take_word(const WatchedGame::StudyWord& word, double now) {
    if (word.from != person_id(1 - person_)) return;
    if (!is_host_) {
        if (const auto state = parse_study_state(word.text)) pending_ = *state;
        return;
    }
    if (const auto wants = parse_study_vote(word.text)) study_->vote(1, *wants, now);
    if (const auto answers = parse_study_answers(word.text)) study_->answer(1, *answers);
}

void StudyDesk::see_people(LiveBattle& battle, double now) {
    if (pending_) follow(battle, *std::exchange(pending_, std::nullopt));
    const bool is_together = battle.game().is_present(person_id(1 - person_));
    if (is_together) {
        alone_since_.reset();
        if (!complete_since_) complete_since_ = now;
        return;
    }
    if (!complete_since_ || state_.phase == StudyPhase::done) return;
    if (!alone_since_) alone_since_ = now;
    if (now - *alone_since_ > kMostAlone)
        failure_ = "The other person is gone: the study ends without a result.";
}

void StudyDesk::conduct(LiveBattle& battle, double now) {
    const std::size_t everybody = kPeople + battle.bots();
    const bool are_all_here = battle.game().latest().tanks.size() >= everybody;
    if (complete_since_ && (are_all_here || now - *complete_since_ > kMostWait)) study_->begin(now);
    study_->advance(now);
    follow(battle, panzer::state_of(*study_));
    if (study_->phase() == StudyPhase::done) finish();
    const bool is_due = now - said_at_ >= kSayEvery;
    if (!is_due) return;
    said_at_ = now;
    battle.game().say_study(to_text(state_));
}

void StudyDesk::follow(LiveBattle& battle, const StudyState& state) {
    const StudyState before = std::exchange(state_, state);
    if (before.version != state.version || before.phase != state.phase || before.letter != state.letter)
        wants_switch_ = false;
    if (before.phase == state.phase) return;
    if (before.phase == StudyPhase::trial) take_points(battle, points_.trial);
    if (before.phase == StudyPhase::last) take_points(battle, points_.last);
    // The trial and the last game begin at zero; scores are carried over when the version changes.
    if (state.phase == StudyPhase::trial || state.phase == StudyPhase::last) battle.game().restart_scores();
}

void StudyDesk::take_points(LiveBattle& battle, std::array<int, kPeople>& points) const {
    for (std::size_t person = 0; person < kPeople; ++person)
        points[person] = battle.game().points_of(person_id(person));
}

void StudyDesk::finish() {
    if (std::exchange(is_written_, true)) return;
    const auto kept = append_result(setup_.results, csv_line(trial_.number, *study_, points_));
    if (!kept) failure_ = "The result of the study is lost: " + kept.error().message;
}

void StudyDesk::toggle_vote() {
    if (state_.phase != StudyPhase::trial) return;
    wants_switch_ = !wants_switch_;
    has_new_vote_ = true;
}

// --- what it shows ---

void StudyDesk::draw(const Fonts& fonts, const glm::vec2& size, const std::string& vote_key) {
    draw_clock(fonts, size, vote_key);
    if (asks()) draw_questions(fonts, size);
}

void StudyDesk::draw_clock(const Fonts& fonts, const glm::vec2& size, const std::string& vote_key) const {
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, {size.x, size.y}};
    const float u = fonts.unit;
    const bool has_clock = state_.phase >= StudyPhase::practice && state_.phase <= StudyPhase::last;
    std::string first = title_of(state_);
    if (has_clock) first += "   " + clock_text(state_.seconds_left);
    std::string second;
    if (state_.phase == StudyPhase::trial)
        second = vote_key + (wants_switch_ ? ": take your vote back" : ": vote to switch");
    if (state_.phase == StudyPhase::practice) second = "A person is worth ten times a bot.";
    if (state_.phase == StudyPhase::questions && has_answered_) second = "Waiting for the other answers.";
    if (state_.phase == StudyPhase::done) second = "The study is over.";
    const float wide =
        std::max(p.width(fonts.strong, u * 1.3F, first), p.width(fonts.words, u, second)) + u * 2;
    const ImVec2 at{(size.x - wide) / 2, u * 3.6F};
    p.panel(at, {wide, u * (state_.phase == StudyPhase::trial ? 5.1F : second.empty() ? 2.2F : 3.6F)}, 0.75F);
    p.text(fonts.strong, u * 1.3F, {(size.x - p.width(fonts.strong, u * 1.3F, first)) / 2, at.y + u * 0.3F},
           look::kText, first);
    p.text(fonts.words, u, {(size.x - p.width(fonts.words, u, second)) / 2, at.y + u * 2.0F}, look::kAccent,
           second);
    if (state_.phase != StudyPhase::trial) return;
    const int votes = (state_.votes[0] ? 1 : 0) + (state_.votes[1] ? 1 : 0);
    for (int i = 0; i < static_cast<int>(kPeople); ++i) {
        const ImVec2 middle{size.x / 2 + (static_cast<float>(i) - 0.5F) * u * 1.6F, at.y + u * 4.1F};
        p.list->AddCircle(middle, u * 0.5F, ink(look::kAccent), 20, 2);
        if (i < votes) p.list->AddCircleFilled(middle, u * 0.5F, ink(look::kAccent), 20);
    }
}

void StudyDesk::draw_questions(const Fonts& fonts, const glm::vec2& size) {
    const float u = fonts.unit;
    ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, 0, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({u * 27, 0}, 0);
    ImGui::Begin("##questions", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::TextWrapped("How much did you enjoy each version? 1: not at all, 10: very much.");
    ImGui::PushItemWidth(u * 18);
    for (std::size_t i = 0; i < 2; ++i)
        ImGui::SliderInt(i == 0 ? "Version A" : "Version B", &answers_.scores[i], StudyAnswers::kLeastScore,
                         StudyAnswers::kMostScore, "%d", ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopItemWidth();
    ImGui::TextWrapped("Which version would you rather play?");
    int prefers = answers_.prefers ? *answers_.prefers : 2;
    ImGui::RadioButton("A", &prefers, 0);
    ImGui::SameLine();
    ImGui::RadioButton("B", &prefers, 1);
    ImGui::SameLine();
    ImGui::RadioButton("neither", &prefers, 2);
    answers_.prefers = prefers < 2 ? std::optional{static_cast<std::uint8_t>(prefers)} : std::nullopt;
    if (button(fonts, "Done", true)) has_answered_ = has_new_answers_ = true;
    ImGui::End();
}

}  // namespace fray::panzer::client
