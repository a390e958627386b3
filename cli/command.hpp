#pragma once
// A subcommand of fray: it adds itself to the command line, and what it does is called after parsing.

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
inline constexpr int kPromiseBroken = 1;  ///< it ran, and the result is not what we promise
inline constexpr int kBadInput = 2;

/// Set by the subcommand that was given; gives the exit code.
using Action = std::function<int()>;

void add_lab(CLI::App& app, Action& action, lab::MpiExecutor* mpi);
void add_replay(CLI::App& app, Action& action);

/// Makes what measures; called once, and only where the command is run.
using RunnerFactory = std::function<std::unique_ptr<lab::advise::CellRunner>()>;
void add_advise(CLI::App& app, Action& action, RunnerFactory factory);

/// A check for options without sign, which CLI11 would wrap around: what is wrong, or nothing.
std::string not_negative(const std::string& text);

/// A check for times in seconds: finite, from 0 to 1e9, so that they fit a Duration.
std::string time_in_seconds(const std::string& text);

/// "fray: ..." on stderr, one line; gives kBadInput.
int complain(std::string_view what);

}  // namespace fray::cli
