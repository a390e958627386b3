#include "cli/command.hpp"
#include "cli/open_page.hpp"
#include "lab/report/write.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace fray::cli {
namespace {

namespace fs = std::filesystem;

struct ReportRun {
    std::vector<fs::path> folders;
    fs::path out;
    fs::path markdown;
    bool open = false;
};

void warn(const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) fmt::print(stderr, "fray: left out: {}\n", problem);
}

int run(const ReportRun& options) {
    if (!options.markdown.empty()) {
        const auto left_out = lab::write_results_page(options.folders, options.markdown);
        if (!left_out) return complain(left_out.error().message);
        warn(*left_out);
        fmt::print("{}\n", options.markdown.string());
        if (options.out.empty()) return kDone;
    }
    const fs::path page = options.out.empty() ? options.folders.front() / "report.html" : options.out;
    const auto left_out = lab::write_report(options.folders, page);
    if (!left_out) return complain(left_out.error().message);
    warn(*left_out);
    fmt::print("{}\n", page.string());
    std::fflush(stdout);
    if (!options.open) return kDone;
    const auto opened = open_in_browser(page);
    return opened ? kDone : complain(opened.error().message);
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
    auto options = std::make_shared<ReportRun>();
    CLI::App* command =
        app.add_subcommand("report", "Write one page with the figures, tables and claims of results");
    command->add_option("DIR", options->folders, "Folders with results of fray lab run, or above them")
        ->required();
    command->add_option("--out", options->out, "The page (default: report.html in the first folder)");
    command->add_option("--markdown", options->markdown,
                        "Write the claims as Markdown into this file; the page only with --out");
    command->add_flag("--open", options->open, "Show the page in a browser");
    command->footer(
        "The page is one file that needs no network. Results may be partial. What cannot be read is left "
        "out\n"
        "and named, on the page and on standard error.");
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace fray::cli
