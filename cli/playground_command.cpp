#include "cli/command.hpp"
#include "cli/open_page.hpp"
#include "lab/runner/file_io.hpp"
#include "playground/run.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

extern "C" {
// web/dist/playground.html, see playground/page.S.
extern const char fray_playground_page_begin[];
extern const char fray_playground_page_end[];
}

namespace fray::cli {
namespace {

struct PlaygroundRun {
    std::filesystem::path out = "playground.html";
    std::string settings;
    double seconds = 10;
    bool trace = false;
    bool open = false;
};

/// The same run as in the page, natively.
int print_trace(const PlaygroundRun& options) {
    const auto settings = playground::parse_settings(options.settings);
    if (!settings) return complain("--settings: " + settings.error().message);
    auto run = playground::Run::create(*settings);
    if (!run) return complain(run.error().message);
    (*run)->run_until(Duration{static_cast<std::int64_t>(options.seconds * 1e6)});
    fmt::print("{:016x}\n", (*run)->trace_hash());
    return kDone;
}

int run(const PlaygroundRun& options) {
    if (options.trace) return print_trace(options);
    const std::string_view page{fray_playground_page_begin, fray_playground_page_end};
    if (auto written = lab::write_whole(options.out, page); !written)
        return complain(written.error().message);
    fmt::print("{}\n", options.out.string());
    std::fflush(stdout);
    if (!options.open) return kDone;
    const auto opened = open_in_browser(options.out);
    return opened ? kDone : complain(opened.error().message);
}

}  // namespace

void add_playground(CLI::App& app, Action& action) {
    auto options = std::make_shared<PlaygroundRun>();
    CLI::App* command = app.add_subcommand("playground", "Write a page in which a swarm runs live");
    command->add_option("--out", options->out, "The page, one file")->capture_default_str();
    command->add_flag("--open", options->open, "Show the page in a browser");
    command->add_flag("--trace", options->trace,
                      "Write no page: print the trace hash of a run, as the page shows it");
    command->add_option("--settings", options->settings,
                        "With --trace: what stands after # in a link of the page");
    command->add_option("--seconds", options->seconds, "With --trace: length of the run")
        ->check(time_in_seconds, "")
        ->capture_default_str();
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace fray::cli
