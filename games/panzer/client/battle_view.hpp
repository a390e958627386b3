#pragma once
// A battle in the window: the live match, its stage, and the panels over it.

#include "games/panzer/client/controls.hpp"
#include "games/panzer/client/live_battle.hpp"
#include "games/panzer/client/renderer.hpp"
#include "games/panzer/client/sound.hpp"
#include "games/panzer/client/stage.hpp"
#include "games/panzer/client/study_desk.hpp"
#include "games/panzer/client/switchboard.hpp"
#include "games/panzer/client/window.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fray::panzer::client {

class BattleView {
public:
    [[nodiscard]] static Result<std::unique_ptr<BattleView>> open(const Battlefield& field,
                                                                  const NavMesh& mesh,
                                                                  const LiveOptions& options,
                                                                  std::unique_ptr<StudyDesk> study = nullptr);

    /// Network and keys.
    void pump(Controls& controls, double now);
    void draw(Window& window, Renderer& renderer, const Detail& detail, const Settings& settings,
              float seconds, double now);
    Result<void> leave() { return battle_->leave(); }

    /// A chat line is being written: keys are letters.
    [[nodiscard]] bool is_writing() const { return is_writing_; }
    /// Sends the line, or drops it. ImGui would miss a key that is pressed and released within one frame.
    void end_line(bool sends);
    /// A panel with sliders is open.
    [[nodiscard]] bool wants_mouse() const { return shows_network_ || (study_ && study_->asks()); }
    [[nodiscard]] const std::string& failure() const {
        return study_ && !study_->failure().empty() ? study_->failure() : battle_->failure();
    }
    [[nodiscard]] bool has_joined() const { return battle_->has_joined(); }
    [[nodiscard]] MatchReport report() const { return battle_->game().report(); }
    [[nodiscard]] Stage& stage() { return stage_; }
    [[nodiscard]] std::vector<Noise> take_noises() { return stage_.effects().take_noises(); }
    [[nodiscard]] Ear ear() const;

private:
    BattleView(const Map& map, std::unique_ptr<LiveBattle> battle, const LiveOptions& options,
               std::unique_ptr<StudyDesk> study);
    void take_keys(Controls& controls);
    void draw_chat(const Fonts& fonts, const glm::vec2& size);
    void set_banner(HudModel& hud, const Settings& settings) const;

    std::unique_ptr<LiveBattle> battle_;
    LiveOptions options_;
    Stage stage_;
    Moment shown_;
    std::uint64_t seen_ = 0;
    bool shows_scores_ = false, shows_network_ = false, shows_overlay_ = false, shows_graph_ = false;
    bool is_writing_ = false, begins_writing_ = false;
    bool bot_drives_ = false;
    float yaw_ = 0, pitch_ = 0;
    bool has_yaw_ = false;
    std::string line_;
    Switchboard switches_;
    std::unique_ptr<StudyDesk> study_;
};

}  // namespace fray::panzer::client
