#pragma once
// A subcommand of fray. It adds itself to the command line; its action runs after parsing.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): theirs
class App;
}
namespace fray::lab {
class MpiExecutor;
namespace advise {
class CellRunner;
}
}  // namespace fray::lab

namespace fray::cli {

inline constexpr int kDone = 0;
inline constexpr int kPromiseBroken = 1;  ///< it ran, and a promise of Fray does not hold
inline constexpr int kBadInput = 2;

inline constexpr unsigned kMostJobs = 1024;  ///< of --jobs

/// The action of the given subcommand; returns the exit code.
using Action = std::function<int()>;

void add_lab(CLI::App& app, Action& action, lab::MpiExecutor* mpi);
void add_report(CLI::App& app, Action& action);
void add_playground(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_map(CLI::App& app, Action& action);
void add_play(CLI::App& app, Action& action);
void add_snag(CLI::App& app, Action& action);
/// For the processes that fray play --udp starts.
void add_play_peer(CLI::App& app, Action& action);

/// Creates the object that measures; called once, and only if the command is run.
using RunnerFactory = std::function<std::unique_ptr<lab::advise::CellRunner>()>;
void add_advise(CLI::App& app, Action& action, RunnerFactory factory);

/// Checks unsigned options, which CLI11 would wrap around. Returns the error, or an empty text.
std::string not_negative(const std::string& text);

/// Checks times in seconds: finite, from 0 to 1e9, so that they fit a Duration.
std::string time_in_seconds(const std::string& text);

/// Prints "fray: ..." on stderr, one line; returns kBadInput.
int complain(std::string_view what);

}  // namespace fray::cli
