#pragma once
// A recording of a screen in the window, with a timeline: pause, speed, seek.

#include "games/panzer/client/pace_keeper.hpp"
#include "games/panzer/client/stage.hpp"
#include "games/panzer/client/window.hpp"
#include "games/panzer/match/screen_recording.hpp"

#include <memory>
#include <optional>
#include <string>

namespace fray::panzer::client {

class ReplayView {
public:
    /// Returns an error that names the file, and what is wrong with it.
    [[nodiscard]] static Result<std::unique_ptr<ReplayView>> open(const std::string& file);

    /// Time passes, as fast as the speed says.
    void advance(float seconds);
    /// To a moment of the match, in seconds.
    void seek(double at);
    void toggle_pause() { is_paused_ = !is_paused_; }
    void change_speed(int steps);
    [[nodiscard]] double at() const { return at_; }
    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] const Moment& shown() const { return shown_; }
    [[nodiscard]] Stage& stage() { return *stage_; }
    [[nodiscard]] const Map& map() const { return *map_; }
    /// The scene, what is written over it, and the timeline. Between begin_ui() and end_ui().
    void draw(Window& window, Renderer& renderer, const Detail& detail, bool shows_scores);

private:
    explicit ReplayView(ScreenRecording recording) : recording_{std::move(recording)} {}
    void read_to(double at);
    void draw_timeline(const Fonts& fonts, const glm::vec2& size);

    ScreenRecording recording_;
    std::unique_ptr<const Map> map_;
    std::unique_ptr<Stage> stage_;
    std::optional<ScreenReader> reader_;
    Moment from_, to_, shown_;
    bool is_at_end_ = false;
    double at_ = 0, length_ = 0;
    bool is_paused_ = false;
    int speed_ = 2;  // of kSpeeds
};

}  // namespace fray::panzer::client
