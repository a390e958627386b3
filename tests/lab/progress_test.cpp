#include "lab/runner/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): posix_openpt
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

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

/// A terminal that remembers what was written to it.
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
        std::fputs("|", out_);  // so that there is something to read
        std::fflush(out_);
        std::array<char, 4096> bytes{};
        const ssize_t size = ::read(master_, bytes.data(), bytes.size());
        return {bytes.data(), static_cast<std::size_t>(size < 0 ? 0 : size)};
    }

private:
    int master_;
    std::FILE* out_ = nullptr;
};

TEST(Progress, IsQuietForASecondThenDrawsAndAtLastWipesItsLine) {
    const Screen screen;
    if (screen.out() == nullptr) GTEST_SKIP() << "no pseudo-terminal here";
    {
        Progress progress{"mesh", 4, 6, screen.out()};
        progress.show(1, 0);
        EXPECT_EQ(screen.text(), "|");
        std::this_thread::sleep_for(1050ms);
        progress.show(1, 1);
        const std::string drawn = screen.text();
        EXPECT_TRUE(drawn.starts_with("\rmesh  [###############...............]  7/10 runs  0:0")) << drawn;
        EXPECT_TRUE(drawn.ends_with(" left\x1b[K|")) << drawn;
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
