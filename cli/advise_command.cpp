#include "cli/command.hpp"
#include "lab/advise/advice_text.hpp"
#include "lab/advise/cell_cache.hpp"
#include "lab/runner/file_io.hpp"
#include "lab/runner/interrupt.hpp"
#include "lab/runner/progress.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace fray::cli {
namespace {

namespace advise = lab::advise;

struct AdviseRun {
    std::string file;
    std::string network = "same-continent";
    std::string cache = "out/advise";
    std::string json;
    unsigned jobs = 1;
    RunnerFactory factory;
};

void warn(std::string_view what) { fmt::print(stderr, "fray: {}\n", what); }

Result<advise::Measured> measure(const AdviseRun& options, const advise::Description& description,
                                 const advise::Network& network, const advise::CellCache& cache) {
    const auto cells = advise::cells_needed(description, network);
    const auto runner = options.factory();
    std::optional<lab::Progress> progress;
    const advise::MeasureOptions how{.jobs = options.jobs,
                                     .stop = lab::InterruptGuard::stop(),
                                     .progress =
                                         [&](std::size_t finished, std::size_t total, std::size_t known) {
                                             if (!progress) progress.emplace("advise", total, known);
                                             progress->show(finished, 0);
                                         },
                                     .warn = warn};
    return advise::measure_cells(cells, network, *runner, cache, how);
}

int run(const AdviseRun& options) {
    const auto description = advise::load_description(options.file);
    if (!description) return complain(description.error().message);
    const auto network = advise::load_network(options.network);
    if (!network) return complain(fmt::format("--network: {}", network.error().message));
    const advise::CellCache cache{options.cache, lab::this_build(), warn};
    if (const auto opened = cache.open(); !opened)
        return complain(fmt::format("--cache: {}", opened.error().message));
    if (const auto writable = options.json.empty() ? Result<void>{} : lab::check_writable(options.json);
        !writable)
        return complain(fmt::format("--json: {}", writable.error().message));
    const lab::InterruptGuard guard;
    const auto measured = measure(options, *description, *network, cache);
    if (!measured) return complain(measured.error().message);
    if (lab::InterruptGuard::stop().load()) {
        warn(fmt::format("stopped; finished measurements are kept in {}. The same command resumes the run.",
                         options.cache));
        return lab::InterruptGuard::exit_code();
    }
    const auto advice = advise::advise(*description, *network, *measured);
    fmt::print("{}", advise::advice_text(*description, *network, advice));
    if (!options.json.empty()) {
        const auto written =
            lab::write_whole(options.json, advise::advice_json(*description, *network, advice));
        if (!written) return complain(fmt::format("--json: {}", written.error().message));
    }
    return advise::all_met(advice) ? kDone : kPromiseBroken;
}

}  // namespace

void add_advise(CLI::App& app, Action& action, RunnerFactory factory) {
    auto options = std::make_shared<AdviseRun>();
    options->factory = std::move(factory);
    options->jobs = std::clamp(std::thread::hardware_concurrency(), 1U, kMostJobs);
    CLI::App* command = app.add_subcommand(
        "advise",
        "Recommend a consistency algorithm for each entity of a game, with its cost and the reasons");
    command->add_option("FILE", options->file, "The game's entities as TOML; examples/shooter.toml is one")
        ->required();
    command
        ->add_option(
            "--network", options->network,
            "lan, same-continent, other-continent, starlink, 5g, world, or a measurement: ping:FILE, "
            "starlink:FILE, regions:FILE, planetlab:FOLDER, seattle:FOLDER; each direction takes half of a "
            "measured round trip")
        ->capture_default_str();
    command->add_option("--cache", options->cache, "Folder for measured cells")->capture_default_str();
    command->add_option("--json", options->json, "Also write the advice into this file");
    command->add_option("--jobs", options->jobs, "Measurements at a time")
        ->check(CLI::Range(1U, kMostJobs))
        ->capture_default_str();
    command->footer(
        "Exit codes: 0 every requirement is met, 1 some cannot be met (the nearest candidate is shown,\n"
        "with the tolerances to relax), 2 invalid usage or input. Relative paths of measurements begin in\n"
        "the folder FRAY_DATA. docs/concepts/advise.md describes the file's keys and the decision.");
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace fray::cli
