#include "cli/replay_screen.hpp"

#include <fray/time.hpp>

#include "cli/command.hpp"
#include "games/panzer/match/screen_recording.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace fray::cli {
namespace {

using panzer::ScreenFrame;
using panzer::ScreenTank;

/// What differs from one frame to the next.
class ScreenChanges {
public:
    ScreenChanges(const ScreenFrame& before, const ScreenFrame& after) {
        for (std::size_t i = 0; i < after.tanks.size(); ++i) {
            const ScreenTank* old = i < before.tanks.size() ? &before.tanks[i] : nullptr;
            compare(i, old != nullptr ? *old : ScreenTank{}, after.tanks[i]);
        }
        for (std::size_t i = after.tanks.size(); i < before.tanks.size(); ++i) {
            if (before.tanks[i].alive()) name(gone_, i, before.tanks[i]);
        }
        for (std::size_t i = 0; i < std::min(before.items.size(), after.items.size()); ++i) {
            if (before.items[i] > after.items[i]) taken_ += fmt::format(" {}", i);
        }
        if (before.doors != after.doors) doors_ = "; doors move";
        shells_ = after.shells.size();
        has_any_ = moved_ > 0 || before.shells != after.shells || !text().empty();
    }

    [[nodiscard]] bool any() const { return has_any_; }
    [[nodiscard]] std::uint64_t kills() const { return kills_; }
    void print(const ScreenFrame& frame) const {
        fmt::print("{:12.3f} s  {} moved, {} shells{}\n", frame.at / 1000.0, moved_, shells_, text());
    }

private:
    void compare(std::size_t slot, const ScreenTank& before, const ScreenTank& after) {
        // The scoreboard of another player's death may come later than its tank goes.
        const bool is_same_player = before.name == after.name;
        if (!before.alive() && after.alive()) name(entered_, slot, after);
        if (is_same_player && after.deaths > before.deaths)
            name(destroyed_, slot, after);
        else if (before.alive() && !after.alive())
            name(gone_, slot, after);
        if (before.alive() && after.alive() && before.place != after.place) ++moved_;
        if (is_same_player && after.kills > before.kills) kills_ += after.kills - before.kills;
    }
    static void name(std::string& list, std::size_t slot, const ScreenTank& tank) {
        list += fmt::format("{}{} {}", list.empty() ? " " : ", ", slot, tank.name);
    }
    [[nodiscard]] std::string text() const {
        std::string text;
        const auto add = [&](std::string_view what, const std::string& list) {
            if (!list.empty()) text += fmt::format("; {}:{}", what, list);
        };
        add("entered", entered_);
        add("destroyed", destroyed_);
        add("gone", gone_);
        add("items taken", taken_);
        return text + doors_;
    }

    std::size_t moved_ = 0;
    std::size_t shells_ = 0;
    std::uint64_t kills_ = 0;
    bool has_any_ = false;
    std::string entered_;
    std::string destroyed_;
    std::string gone_;  // destroyed, out of sight, or disconnected
    std::string taken_;
    std::string doors_;
};

struct ScreenSummary {
    std::size_t tanks = 0;  ///< most at a time
    std::uint64_t kills = 0;
};

/// Prints the frames of the requested time span in which something changed, up to the requested number.
ScreenSummary walk(const ReplayRun& run, const panzer::ScreenRecording& recording) {
    const Duration from = from_seconds(run.from.value_or(0));
    const Duration to = run.to ? from_seconds(*run.to) : Duration::max();
    ScreenSummary summary;
    std::uint64_t found = 0;
    ScreenFrame last;
    for (auto reader = recording.reader(); const ScreenFrame* frame = reader.next(); last = *frame) {
        const ScreenChanges changes{last, *frame};
        summary.tanks = std::max<std::size_t>(
            summary.tanks, static_cast<std::size_t>(std::ranges::count_if(frame->tanks, &ScreenTank::alive)));
        summary.kills += changes.kills();
        const Duration at = std::chrono::milliseconds{frame->at};
        if (!run.prints_steps() || at < from || at > to || !changes.any()) continue;
        if (++found <= run.limit) changes.print(*frame);
    }
    if (found > run.limit) fmt::print("... {} more (--limit)\n", found - run.limit);
    return summary;
}

/// The error, if a map of this name is shipped and the match was played on another one.
std::string map_problem(const panzer::ScreenRecording& recording) {
    const auto map = panzer::shipped_map(recording.header().map);
    if (!map) return {};
    const auto checked = recording.check(*map);
    return checked ? std::string{} : checked.error().message;
}

}  // namespace

int replay_screen(const ReplayRun& run, std::span<const std::uint8_t> bytes) {
    const auto recording = panzer::ScreenRecording::parse(bytes, run.file);
    if (!recording) return complain(recording.error().message);
    const ScreenSummary summary = walk(run, *recording);
    const panzer::ScreenHeader& header = recording->header();
    fmt::print("{}: map {}, {}, screen of player {} ({}), {:.3f} s, {} frames, {} tanks, {} kills\n",
               run.file, header.map, to_string(header.mode), header.player, header.player_name,
               seconds(recording->length()), recording->frame_count(), summary.tanks, summary.kills);
    if (recording->left_out() > 0)
        fmt::print("the last {} frames of the match are not in it: it was too long\n", recording->left_out());
    if (const std::string problem = map_problem(*recording); !problem.empty()) {
        complain(problem);
        return kPromiseBroken;
    }
    fmt::print("complete, with its hash {:016x}\n", recording->hash());
    return kDone;
}

}  // namespace fray::cli
