#include "lab/runner/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): posix_openpt
#include <unistd.h>

#include <array>
#include <string>

namespace fray::lab {
namespace {

using namespace std::chrono_literals;

TEST(ProgressLine, TellsTheTimeLeftFromThePaceSoFar) {
    EXPECT_EQ(
        progress_line("mesh", {.finished = 3, .total = 12, .share = 0.25, .elapsed_seconds = 14}, false),
        "mesh: 25 %, 3/12 runs, 0:42 left");
    EXPECT_EQ(progress_line("mesh", {.finished = 0, .total = 8, .share = 0.01, .elapsed_seconds = 60}, false),
              "mesh: 1 %, 0/8 runs, 1:39:00 left");
}

TEST(ProgressLine, OfATerminalHasABar) {
    EXPECT_EQ(progress_line("mesh", {.finished = 1, .total = 2, .share = 0.5, .elapsed_seconds = 7}, true),
              "mesh  [###############...............]  1/2 runs  0:07 left");
    EXPECT_EQ(progress_line("mesh", {.finished = 2, .total = 2, .share = 1, .elapsed_seconds = 7}, true),
              "mesh  [##############################]  2/2 runs  0:00 left");
}

TEST(ProgressLine, KnowsNoTimeLeftBeforeAnythingIsDone) {
    EXPECT_EQ(progress_line("mesh", {.finished = 0, .total = 2, .share = 0, .elapsed_seconds = 7}, false),
              "mesh: 0 %, 0/2 runs, time left unknown");
}

/// A terminal that records what was written to it.
class Screen {
public:
    Screen() : master_{::posix_openpt(O_RDWR | O_NOCTTY)} {
        std::array<char, 128> name{};
        if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0 ||
            ::ptsname_r(master_, name.data(), name.size()) != 0)
            return;
        out_ = std::fopen(name.data(), "w");
    }
    ~Screen() {
        if (out_ != nullptr) std::fclose(out_);
        if (master_ >= 0) ::close(master_);
    }
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    [[nodiscard]] std::FILE* out() const { return out_; }
    [[nodiscard]] std::string text() const {
        std::fputs("|", out_);  // marks the end, because a terminal returns output in pieces
        std::fflush(out_);
        std::string all;
        std::array<char, 256> bytes{};
        while (!all.ends_with('|')) {
            const ssize_t size = ::read(master_, bytes.data(), bytes.size());
            if (size <= 0) break;
            all.append(bytes.data(), static_cast<std::size_t>(size));
        }
        return all;
    }

private:
    int master_;
    std::FILE* out_ = nullptr;
};

TEST(Progress, IsQuietForASecondThenDrawsAndAtLastWipesItsLine) {
    const Screen screen;
    if (screen.out() == nullptr) GTEST_SKIP() << "no pseudo-terminal here";
    {
        const Progress::Clock::time_point start{1h};
        Progress progress{"mesh", 4, 6, screen.out(), start};
        progress.show(1, 0, start + 999ms);
        EXPECT_EQ(screen.text(), "|");
        progress.show(1, 1, start + 1s);
        EXPECT_EQ(screen.text(), "\rmesh  [###############...............]  7/10 runs  0:01 left\x1b[K|");
        progress.show(2, 1, start + 1199ms);
        EXPECT_EQ(screen.text(), "|") << "not more often than one can read";
        progress.show(2, 1, start + 3s);
        EXPECT_EQ(screen.text(), "\rmesh  [######################........]  8/10 runs  0:01 left\x1b[K|");
    }
    EXPECT_EQ(screen.text(), "\r\x1b[K|");
}

TEST(ClockText, IsMinutesAndSecondsAndHoursWhereNeeded) {
    EXPECT_EQ(clock_text(0), "0:00");
    EXPECT_EQ(clock_text(41.2), "0:42");
    EXPECT_EQ(clock_text(3723), "1:02:03");
}

}  // namespace
}  // namespace fray::lab
