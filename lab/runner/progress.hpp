#pragma once
// The progress of a plan: a bar with the remaining time on a terminal, otherwise a plain line every few
// seconds. On stderr, and only if it takes longer than a second.

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace fray::lab {

class Progress {
public:
    using Clock = std::chrono::steady_clock;

    /// total: runs to do now; resumed: runs done before.
    Progress(std::string name, std::size_t total, std::size_t resumed, std::FILE* out = stderr,
             Clock::time_point now = Clock::now());
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// finished: runs done; under_way: the sum of the shares of those still running.
    void show(std::size_t finished, double under_way, Clock::time_point now = Clock::now());
    [[nodiscard]] double elapsed_seconds() const;

private:
    void draw(std::size_t finished, double share, double elapsed_seconds);

    std::string name_;
    std::size_t total_;
    std::size_t resumed_;
    std::FILE* out_;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point start_;
    Clock::time_point last_;
};

/// Progress at one moment.
struct ProgressState {
    std::size_t finished = 0;  ///< runs, including resumed ones
    std::size_t total = 0;     ///< likewise
    double share = 0;          ///< of the work to do now, 0 to 1
    double elapsed_seconds = 0;
};
/// The progress as one line; the remaining time follows from the pace so far. terminal: with a bar.
[[nodiscard]] std::string progress_line(const std::string& name, const ProgressState& state, bool terminal);

/// "0:42", "1:02:03".
[[nodiscard]] std::string clock_text(double seconds);

}  // namespace fray::lab
