#include <fray/peer.hpp>

#include "cli/command.hpp"
#include "lab/advise/cells.hpp"
#include "lab/runner/build_identity.hpp"
#include "lab/runner/mpi.hpp"
#include "lab/workloads/registry.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

namespace fray::cli {

std::string not_negative(const std::string& text) {
    if (text.starts_with('-')) return "must not be negative";
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc::result_out_of_range ? "is too large: it must be below 2^64" : std::string{};
}

std::string time_in_seconds(const std::string& text) {
    constexpr double kMostSeconds = 1e9;
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    // NaN fails both comparisons.
    const bool fits = read.ec == std::errc{} && read.ptr == end && value >= 0 && value <= kMostSeconds;
    return fits ? std::string{} : "must be a number of seconds between 0 and 1e9, not " + text;
}

int complain(std::string_view what) {
    fmt::print(stderr, "fray: {}\n", what);
    return kBadInput;
}

namespace {

std::string version_text() {
    const auto build = lab::this_build();
    return fmt::format("fray {} (protocol {}, commit {})", build.version, kProtocolVersion, build.commit);
}

/// CLI11 writes some messages on several lines; joins them into one.
std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (char& c : text) {
        if (c == '\n') c = ' ';
    }
    return text;
}

/// The deepest subcommand that was parsed.
const CLI::App& reached(const CLI::App& app) {
    const auto next = app.get_subcommands();
    return next.empty() ? app : reached(*next.front());
}

std::string hint(const CLI::App& command) {
    std::string words = command.get_name();
    for (const CLI::App* at = command.get_parent(); at != nullptr; at = at->get_parent()) {
        words.insert(0, at->get_name() + " ");
    }
    return fmt::format(" ({} --help lists the options)", words);
}

int run(int argc, const char* const* argv, lab::MpiExecutor* mpi) {
    CLI::App app{"Peer-to-peer netcode for big games on small uploads: a tank game and the lab."};
    app.name("fray");
    app.set_version_flag("--version", version_text, "Version, protocol version and commit");
    app.set_help_flag("-h,--help", "This text");
    app.footer(
        "Exit codes: 0 done, 1 a promise of Fray is broken, 2 invalid usage or input, 130 stopped by "
        "Ctrl-C.");
    Action action;
    add_lab(app, action, mpi);
    add_report(app, action);
    add_playground(app, action);
    add_replay(app, action);
    add_map(app, action);
    add_play(app, action);
    add_play_peer(app, action);
    add_snag(app, action);
    add_advise(app, action, lab::advise::make_cell_runner);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wish) {
        return app.exit(wish);  // --help, --version
    } catch (const CLI::ParseError& error) {
        return complain(one_line(error.what()) + hint(reached(app)));
    }
    if (!action) return complain("a command is missing" + hint(reached(app)));
    return action();
}

}  // namespace
}  // namespace fray::cli

int main(int argc, char** argv) {
    try {
        const auto mpi = fray::lab::MpiExecutor::join();
        if (mpi && mpi->rank() != 0) {
            mpi->serve(fray::lab::all_experiments());
            return 0;
        }
        return fray::cli::run(argc, argv, mpi.get());
    } catch (const std::exception& error) {
        return fray::cli::complain(error.what());
    }
}
