#include "lab/runner/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace fray::lab {
namespace {

constexpr std::chrono::seconds kQuietAtFirst{1};
constexpr std::chrono::milliseconds kTerminalPause{200};
constexpr std::chrono::seconds kPlainPause{5};
constexpr double kBarWidth = 30;

}  // namespace

std::string clock_text(double seconds) {
    const auto whole = static_cast<long>(std::ceil(std::min(seconds, 3.6e8)));
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

Progress::Progress(std::string name, std::size_t total, std::size_t resumed, std::FILE* out,
                   Clock::time_point now)
    : name_{std::move(name)},
      total_{total},
      resumed_{resumed},
      out_{out},
      terminal_{::isatty(fileno(out)) == 1},
      start_{now},
      last_{start_} {}

Progress::~Progress() {
    if (drawn_ && terminal_) fmt::print(out_, "\r\x1b[K");
}

double Progress::elapsed_seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string progress_line(const std::string& name, const ProgressState& state, bool terminal) {
    const double share = state.share;
    const auto runs = fmt::format("{}/{} runs", state.finished, state.total);
    // Before the first progress there is no pace to estimate the remaining time from.
    const std::string left =
        share > 0 ? clock_text(state.elapsed_seconds * (1 - share) / share) + " left" : "time left unknown";
    if (!terminal) return fmt::format("{}: {:.0f} %, {}, {}", name, share * 100, runs, left);
    const auto filled = static_cast<std::size_t>(kBarWidth * share);
    return fmt::format("{}  [{:.<30}]  {}  {}", name, std::string(filled, '#'), runs, left);
}

void Progress::draw(std::size_t finished, double share, double elapsed_seconds) {
    const std::string line = progress_line(name_,
                                           {.finished = finished + resumed_,
                                            .total = total_ + resumed_,
                                            .share = share,
                                            .elapsed_seconds = elapsed_seconds},
                                           terminal_);
    if (terminal_)
        fmt::print(out_, "\r{}\x1b[K", line);
    else
        fmt::print(out_, "{}\n", line);
    std::fflush(out_);
    drawn_ = true;
}

void Progress::show(std::size_t finished, double under_way, Clock::time_point now) {
    const auto pause = terminal_ ? Clock::duration{kTerminalPause} : Clock::duration{kPlainPause};
    if (now - start_ < kQuietAtFirst || now - last_ < pause) return;
    last_ = now;
    draw(finished,
         std::clamp((static_cast<double>(finished) + under_way) / static_cast<double>(total_), 0.0, 1.0),
         std::chrono::duration<double>(now - start_).count());
}

}  // namespace fray::lab
