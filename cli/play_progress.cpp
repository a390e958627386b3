#include "cli/play_progress.hpp"

#include "lab/runner/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace fray::cli {
namespace {

constexpr std::chrono::milliseconds kBarPause{200};
constexpr std::chrono::seconds kLinePause{10};
constexpr double kBarCells = 30;

}  // namespace

PlayProgress::PlayProgress(double match_seconds)
    : match_seconds_{match_seconds},
      is_terminal_{::isatty(STDERR_FILENO) == 1},
      start_{Clock::now()},
      last_{start_} {}

PlayProgress::~PlayProgress() {
    if (is_drawn_ && is_terminal_) fmt::print(stderr, "\r\x1b[K");
}

std::string PlayProgress::time_left(double share) const {
    if (share <= first_share_) return "time left unknown";
    const double elapsed = std::chrono::duration<double>(last_ - first_).count();
    return lab::clock_text(elapsed * (1 - share) / (share - first_share_)) + " left";
}

void PlayProgress::show(double share) {
    const auto now = Clock::now();
    if (share > 0 && first_share_ == 0) {
        first_share_ = share;
        first_ = now;
    }
    const auto pause = is_terminal_ ? Clock::duration{kBarPause} : Clock::duration{kLinePause};
    if (now - start_ < std::chrono::seconds{1} || now - last_ < pause) return;
    last_ = now;
    is_drawn_ = true;
    share = std::clamp(share, 0.0, 1.0);
    const std::string left = time_left(share);
    const std::string played = fmt::format("{} of {} played", lab::clock_text(share * match_seconds_),
                                           lab::clock_text(match_seconds_));
    if (is_terminal_)
        fmt::print(stderr, "\rplay  [{:.<30}]  {}  {}\x1b[K",
                   std::string(static_cast<std::size_t>(kBarCells * share), '#'), played, left);
    else
        fmt::print(stderr, "play: {}, {}\n", played, left);
    std::fflush(stderr);
}

}  // namespace fray::cli
