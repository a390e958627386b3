#include "cli/command.hpp"
#include "cli/match_tables.hpp"
#include "cli/replay_screen.hpp"
#include "games/panzer/match/input_recording.hpp"
#include "games/panzer/match/match_options.hpp"
#include "games/panzer/match/screen_recording.hpp"
#include "sim/file.hpp"
#include "sim/recording.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace fray::cli {
namespace {

/// Prints the steps of the requested time span, up to the requested number; then the replay continues
/// silently.
class StepPrinter : public sim::ReplayListener {
public:
    explicit StepPrinter(const ReplayRun& run)
        : from_{from_seconds(run.from.value_or(0))},
          to_{run.to ? from_seconds(*run.to) : Duration::max()},
          left_{run.limit} {}

    bool on_step(const Step& step, const Swarm&) override {
        if (step.at < from_ || step.at > to_ || step.kind == StepKind::idle) return true;
        ++there_;
        if (left_ == 0) return true;
        --left_;
        print(step);
        return true;
    }
    [[nodiscard]] std::uint64_t there() const { return there_; }

private:
    static void print(const Step& step) {
        if (step.kind == StepKind::deliver)
            fmt::print("{:12.6f} s  {:<8} peer {:<5} from {:<5} {} bytes\n", seconds(step.at),
                       to_string(step.kind), step.peer, step.from, step.bytes);
        else
            fmt::print("{:12.6f} s  {:<8} peer {}\n", seconds(step.at), to_string(step.kind), step.peer);
    }

    Duration from_;
    Duration to_;
    std::uint64_t left_;
    std::uint64_t there_ = 0;
};

int judge(const ReplayRun& run, const sim::Recording& recording, const sim::ReplayOutcome& outcome) {
    fmt::print("{}: {:.3f} s, {} inputs, {} datagrams sent, {} delivered\n", run.file, seconds(recording.end),
               recording.input_count, outcome.counts.sent, outcome.counts.delivered);
    if (outcome.same) {
        fmt::print("replays to its hash {:016x}\n", outcome.trace_hash);
        return kDone;
    }
    fmt::print(
        stderr,
        "fray: {}: replays to {:016x}, but {:016x} was recorded: another build, or not deterministic\n",
        run.file, outcome.trace_hash, recording.trace_hash);
    return kPromiseBroken;
}

int replay_swarm(const ReplayRun& run, std::span<const std::uint8_t> bytes) {
    const auto recording = sim::Recording::from_bytes(bytes, run.file);
    if (!recording) return complain(recording.error().message);
    StepPrinter printer{run};
    const auto outcome = sim::replay(*recording, {}, run.prints_steps() ? &printer : nullptr);
    if (!outcome) return complain(fmt::format("{}: {}", run.file, outcome.error().message));
    if (printer.there() > run.limit) fmt::print("... {} more (--limit)\n", printer.there() - run.limit);
    return judge(run, *recording, *outcome);
}

/// One report per player, all with this scoreboard.
std::vector<panzer::MatchReport> reports_of(const panzer::InputRecording::Outcome& outcome) {
    std::vector<panzer::MatchReport> reports;
    for (const auto& [player, card] : outcome.standings.cards()) {
        reports.emplace_back();
        reports.back().player = player;
        reports.back().standings = outcome.standings;
    }
    return reports;
}

int replay_inputs(const ReplayRun& run, std::span<const std::uint8_t> bytes) {
    if (run.prints_steps())
        return complain(
            fmt::format("{}: --step, --from and --to do not apply to a recording of inputs", run.file));
    const auto recording = panzer::InputRecording::parse(bytes, run.file);
    if (!recording) return complain(recording.error().message);
    const auto outcome = recording->execute();
    if (!outcome) return complain(fmt::format("{}: {}", run.file, outcome.error().message));
    fmt::print("{}: map {}, {}, {} tanks, {:.3f} s, {} lines\n", run.file, outcome->map,
               to_string(recording->mode), recording->tanks,
               seconds(recording->said.end * panzer::kWarpFrame), recording->said.lines.size());
    if (const auto reports = reports_of(*outcome); !reports.empty()) fmt::print("{}", scoreboard(reports));
    fmt::print("last state: {:016x}\n", outcome->state_hash);
    if (outcome->state_hash == recording->state_hash) return kDone;
    fmt::print(stderr, "fray: {}: {:016x} was recorded: another build, or not deterministic\n", run.file,
               recording->state_hash);
    return kPromiseBroken;
}

int replay(const ReplayRun& run) {
    if (run.from && run.to && *run.to < *run.from) return complain("--to must not be before --from");
    const auto bytes = sim::read_file(run.file);
    if (!bytes) return complain(bytes.error().message);
    if (panzer::ScreenRecording::has_magic(*bytes)) return replay_screen(run, *bytes);
    if (panzer::InputRecording::has_magic(*bytes)) return replay_inputs(run, *bytes);
    return replay_swarm(run, *bytes);
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
    auto run = std::make_shared<ReplayRun>();
    CLI::App* command = app.add_subcommand("replay", "Check a recording of a swarm, a screen or inputs");
    command
        ->add_option("FILE", run->file,
                     "A recording (fray lab run --record and fray play --record make some)")
        ->required();
    command->add_flag("--step", run->step, "Print what happens");
    command->add_option("--from", run->from, "Print from this time on, seconds")->check(time_in_seconds, "");
    command->add_option("--to", run->to, "Print up to this time, seconds")->check(time_in_seconds, "");
    command->add_option("--limit", run->limit, "Print at most this many lines")
        ->check(not_negative, "")
        ->capture_default_str();
    command->footer(
        "Exit codes: 0 the same run, 1 another one (of a screen: on another map), 2 the file is no complete "
        "recording.");
    command->callback([&action, run] { action = [run] { return replay(*run); }; });
}

}  // namespace fray::cli
