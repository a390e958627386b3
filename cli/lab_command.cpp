#include "cli/command.hpp"
#include "lab/report/write.hpp"
#include "lab/runner/interrupt.hpp"
#include "lab/runner/lab.hpp"
#include "lab/runner/mpi.hpp"
#include "lab/runner/render.hpp"
#include "lab/runner/text_table.hpp"
#include "lab/workloads/registry.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace fray::cli {
namespace {

constexpr std::size_t kPlainWidth = 100;

struct LabRun {
    std::vector<std::string> plans;
    lab::PlanOptions plan;
    lab::LabOptions lab;
    unsigned jobs = 1;
    bool verbose = false;
    lab::MpiExecutor* mpi = nullptr;
};

std::size_t screen_width() {
    winsize size{};
    if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return kPlainWidth;
    return size.ws_col >= 40 ? size.ws_col : kPlainWidth;
}

int list() {
    const auto plans = lab::list_plans(lab::plans_folder());
    if (!plans) return complain(plans.error().message);
    lab::TextTable table{{"plan", "paper", "question"}, 70};
    int code = kDone;
    for (const lab::PlanFile& file : *plans) {
        const auto plan = lab::load_plan(file.file, lab::all_experiments(), {});
        if (plan)
            table.add({plan->name, plan->paper, plan->question});
        else
            code = complain(plan.error().message);
    }
    fmt::print("{}", table.text());
    return code;
}

/// The named plans, each once; `all` stands for every plan.
Result<std::vector<lab::PlanFile>> wanted_files(const std::vector<std::string>& names) {
    const std::string folder = lab::plans_folder();
    std::vector<lab::PlanFile> files;
    for (const std::string& name : names) {
        if (name == "all") {
            auto plans = lab::list_plans(folder);
            if (!plans) return plans.error();
            files.insert(files.end(), plans->begin(), plans->end());
            continue;
        }
        auto plan = lab::find_plan(folder, name);
        if (!plan) return plan.error();
        files.push_back(std::move(*plan));
    }
    std::set<std::string> seen;
    std::erase_if(files, [&](const lab::PlanFile& file) { return !seen.insert(file.name).second; });
    return files;
}

/// Reads every plan before the first one runs, so that an error in the last one is reported at once.
Result<std::vector<lab::Plan>> wanted_plans(const LabRun& options) {
    const auto files = wanted_files(options.plans);
    if (!files) return files.error();
    std::vector<lab::Plan> plans;
    for (const lab::PlanFile& file : *files) {
        auto plan = lab::load_plan(file.file, lab::all_experiments(), options.plan);
        if (!plan) return plan.error();
        plans.push_back(std::move(*plan));
    }
    return plans;
}

/// Of several plans, only the claims that do not hold are listed.
void print_report(const lab::Plan& plan, const lab::PlanReport& report, bool verbose,
                  bool is_one_of_several) {
    const std::size_t width = screen_width();
    fmt::print("\n");
    for (const std::string& line :
         lab::wrapped(fmt::format("{} ({}): {}", plan.name, plan.paper, plan.question), width))
        fmt::print("{}\n", line);
    fmt::print("\n{}\n", verbose ? lab::render_all_rows(report.table, width)
                                 : lab::render_rows(report.table, plan.show, width));
    const std::string claims = verbose ? lab::render_all_claims(report)
                                       : lab::render_claims(report, width, is_one_of_several ? 0 : 12);
    if (!claims.empty()) fmt::print("{}\n", claims);
    if (report.outcome == lab::Outcome::reused)
        fmt::print(
            "{}\n  finished before with the same plan, seed and build; reused (--force runs it again)\n",
            report.folder.string());
    else
        fmt::print("{}\n  {} runs, {} of them from before, in {:.1f} s ({:.1f} s of processor time)\n",
                   report.folder.string(), report.runs, report.resumed, report.seconds, report.cpu_seconds);
    if (report.recordings && *report.recordings == 0)
        fmt::print("{}: this experiment makes no recordings\n", report.plan);
    else if (report.recordings)
        fmt::print("{}: recorded for fray replay: {}\n", (report.folder / "recordings").string(),
                   *report.recordings);
    std::fflush(stdout);
}

int stopped(const lab::PlanReport& report, const lab::Plan& plan) {
    fmt::print(stderr,
               "fray: stopped; {} of {} runs of {} are kept in {}. The same command resumes the run.\n",
               report.runs, plan.run_count(), plan.name, report.folder.string());
    return lab::InterruptGuard::exit_code();
}

/// The plans that need absent measurements, in one line; empty: none.
std::string skipped_line(const std::vector<lab::PlanReport>& reports) {
    std::string plans;
    for (const lab::PlanReport& report : reports) {
        if (report.outcome != lab::Outcome::skipped) continue;
        plans += fmt::format("{}{} needs {}", plans.empty() ? "" : ", ", report.plan, report.missing);
    }
    if (plans.empty()) return plans;
    return plans + ", which does not exist (FRAY_DATA names the folder above it)";
}

/// The page of everything that stands in the folder of results; its path is the last line.
void write_page(const std::filesystem::path& out) {
    const std::vector<std::filesystem::path> folders{out};
    const std::filesystem::path page = out / "report.html";
    const auto left_out = lab::write_report(folders, page);
    if (!left_out) {
        complain(left_out.error().message);
        return;
    }
    for (const std::string& problem : *left_out) fmt::print(stderr, "fray: left out: {}\n", problem);
    fmt::print("\n{}\n", page.string());
}

int run_all(const std::vector<lab::Plan>& plans, const LabRun& options, lab::Executor& executor) {
    const lab::InterruptGuard guard;
    std::vector<lab::PlanReport> reports;
    bool kept = true;
    for (const lab::Plan& plan : plans) {
        auto report = lab::run_plan(plan, options.lab, executor, lab::InterruptGuard::stop());
        if (!report) return complain(report.error().message);
        if (report->outcome == lab::Outcome::interrupted) return stopped(*report, plan);
        if (report->outcome != lab::Outcome::skipped)
            print_report(plan, *report, options.verbose, plans.size() > 1);
        kept = kept && report->promises_kept();
        reports.push_back(std::move(*report));
    }
    const std::string skipped = skipped_line(reports);
    const auto ran = [](const lab::PlanReport& report) { return report.outcome != lab::Outcome::skipped; };
    if (std::none_of(reports.begin(), reports.end(), ran)) return complain("nothing was run: " + skipped);
    if (!skipped.empty()) fmt::print("\nskipped: {}\n", skipped);
    if (reports.size() > 1) fmt::print("\n{}", lab::render_summary(reports, screen_width()));
    write_page(options.lab.out);
    return kept ? kDone : kPromiseBroken;
}

int run(LabRun& options) {
    const auto plans = wanted_plans(options);
    if (!plans) return complain(plans.error().message);
    if (plans->empty()) return complain(fmt::format("{} holds no plans", lab::plans_folder()));
    options.lab.build = lab::this_build();
    if (options.mpi != nullptr) return run_all(*plans, options, *options.mpi);
    lab::ThreadExecutor executor{options.jobs};
    return run_all(*plans, options, executor);
}

void add_run(CLI::App& app, Action& action, lab::MpiExecutor* mpi) {
    auto options = std::make_shared<LabRun>();
    options->mpi = mpi;
    options->jobs = std::clamp(std::thread::hardware_concurrency(), 1U, kMostJobs);
    CLI::App* command = app.add_subcommand("run", "Run plans, write their results and check their claims");
    command
        ->add_option("PLAN", options->plans, "Names of plans (fray lab list), paths of .toml files, or all")
        ->required();
    command->add_flag("--quick", options->plan.quick, "Small versions: each plan's [quick] table");
    command->add_flag("--long", options->plan.with_long,
                      "Also the cases marked `long`, which take hours; into PLAN.long");
    command
        ->add_option("--out", options->lab.out,
                     "Folder for results; each plan makes one in it, PLAN or PLAN.quick")
        ->capture_default_str();
    command->add_option("--jobs", options->jobs, "Runs at a time (under mpirun: one per rank)")
        ->check(CLI::Range(1U, kMostJobs))
        ->capture_default_str();
    command->add_option("--replications", options->plan.replications, "Runs per case, instead of the plan's")
        ->check(CLI::Range(std::int64_t{1}, lab::kMostReplications));
    command->add_option("--seed", options->plan.seed, "Instead of the plan's")->check(not_negative, "");
    command->add_flag("--record", options->lab.record,
                      "Also record the first run of every case, for fray replay; of a finished plan too");
    command->add_flag("--force", options->lab.force,
                      "Run everything again; existing results are moved aside to PLAN.1, PLAN.2, ...");
    command->add_flag("--renew", options->lab.renew,
                      "The same, but only if they are of another plan, seed or build");
    command->add_flag("--verbose", options->verbose,
                      "Print every column, row and claim; without it, what fits 100 columns");
    command->footer(
        "The same command resumes an interrupted run. A claim of a paper or an aim of Fray that does not\n"
        "hold is reported, and is no failure (exit code 0); a broken promise of Fray is one (exit code "
        "1).\n\n"
        "Plans may run over measured latencies: profile = \"ping:FILE\" (or starlink:, regions:, "
        "planetlab:,\n"
        "seattle:), with a path that begins in the folder FRAY_DATA. lab/plans/README.md lists every key.");
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace

void add_lab(CLI::App& app, Action& action, lab::MpiExecutor* mpi) {
    CLI::App* lab = app.add_subcommand("lab", "Experiments: run plans and check their claims");
    lab->add_subcommand("list", "Show every plan with its figure and question")->callback([&action] {
        action = list;
    });
    add_run(*lab, action, mpi);
}

}  // namespace fray::cli
