#pragma once
// The progress of a match: a bar on a terminal, otherwise a line every ten seconds. On stderr, and only if it
// takes longer than a second.

#include <chrono>
#include <string>

namespace fray::cli {

class PlayProgress {
public:
    explicit PlayProgress(double match_seconds);
    /// Clears the bar.
    ~PlayProgress();
    PlayProgress(const PlayProgress&) = delete;
    PlayProgress& operator=(const PlayProgress&) = delete;

    /// share: of the match, 0 to 1.
    void show(double share);

private:
    [[nodiscard]] std::string time_left(double share) const;

    using Clock = std::chrono::steady_clock;
    double match_seconds_;
    bool is_terminal_;
    bool is_drawn_ = false;
    Clock::time_point start_;
    Clock::time_point last_;
    // The first progress: what came before, loading maps and starting processes, is not the pace of the
    // match.
    double first_share_ = 0;
    Clock::time_point first_{};
};

}  // namespace fray::cli
