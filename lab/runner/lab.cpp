#include "lab/runner/lab.hpp"

#include <fray/fingerprint.hpp>

#include "lab/runner/aggregate.hpp"
#include "lab/runner/data_folder.hpp"
#include "lab/runner/file_io.hpp"
#include "lab/runner/result_files.hpp"
#include "lab/runner/run_store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <optional>

namespace fray::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecordingsFolder = "recordings";

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

bool has_files(const fs::path& folder) {
    std::error_code error;
    const fs::directory_iterator at{folder, error};
    return !error && at != fs::directory_iterator{};
}

enum class Found : std::uint8_t { nothing, finished, started, something_else };

Found look(const fs::path& folder, const std::string& fingerprint) {
    if (!has_files(folder)) return Found::nothing;
    if (finished_fingerprint(folder) == fingerprint) return Found::finished;
    if (partial_fingerprint(folder) == fingerprint) return Found::started;
    return Found::something_else;
}

Error in_the_way(const fs::path& folder) {
    return Error{
        fmt::format("{} holds results of another configuration (plan, seed, replications or build); choose "
                    "another --out, or give --renew to move them aside and run again",
                    folder.string())};
}

/// One slot per run; results of an earlier run are filled in.
class Collection {
public:
    explicit Collection(const Plan& plan) : plan_{plan}, slots_(plan.run_count()) {}

    /// False for a run that does not belong to this plan.
    bool put(RunRecord run) {
        if (run.case_index >= plan_.cases.size() || run.replication >= plan_.replications) return false;
        if (run.seed != plan_.run_seed(plan_.cases[run.case_index], run.replication)) return false;
        auto& slot = slots_[run.case_index * plan_.replications + run.replication];
        if (!slot) ++count_;
        slot = std::move(run);
        return true;
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] bool complete() const { return count_ == slots_.size(); }
    [[nodiscard]] std::vector<RunTask> missing() const {
        std::vector<RunTask> tasks = tasks_of(plan_);
        std::erase_if(tasks, [this](const RunTask& task) {
            return slots_[task.case_index * plan_.replications + task.replication].has_value();
        });
        return tasks;
    }
    [[nodiscard]] std::vector<RunRecord> take() {
        std::vector<RunRecord> runs;
        runs.reserve(slots_.size());
        for (auto& slot : slots_) runs.push_back(std::move(*slot));
        return runs;
    }

private:
    const Plan& plan_;
    std::vector<std::optional<RunRecord>> slots_;
    std::size_t count_ = 0;
};

bool is_recorded(const RunTask& task) {
    return task.replication == 0 && task.experiment->records(task.parameters);
}

void name_recordings(std::vector<RunTask>& tasks, const fs::path& folder) {
    for (RunTask& task : tasks) {
        if (is_recorded(task))
            task.recording = folder / kRecordingsFolder / fmt::format("case_{}.frayrec", task.case_index);
    }
}

Result<void> run_missing(Collection& runs, RunStore& store, PlanReport& report, Executor& executor,
                         std::atomic<bool>& stop, bool record) {
    std::vector<RunTask> tasks = runs.missing();
    if (tasks.empty()) return {};
    if (record) {
        name_recordings(tasks, report.folder);
        if (auto made = make_writable_folder(report.folder / kRecordingsFolder); !made) return made;
    }
    Progress progress{report.plan, tasks.size(), runs.count()};
    RunMonitor monitor{.stop = stop, .progress = progress, .finished = [&](RunRecord run) -> Result<void> {
                           auto stored = store.append(run);
                           if (stored && !runs.put(std::move(run)))
                               return Error{"a worker returned a run that was not requested"};
                           return stored;
                       }};
    auto done = executor.execute(tasks, monitor);
    report.seconds = progress.elapsed_seconds();
    return done;
}

/// Records the cases whose first run was made without --record, by running it again.
Result<void> record_missing(const Plan& plan, PlanReport& report, Executor& executor,
                            std::atomic<bool>& stop) {
    std::vector<RunTask> tasks = tasks_of(plan);
    std::erase_if(tasks, [](const RunTask& task) { return !is_recorded(task); });
    name_recordings(tasks, report.folder);
    report.recordings = tasks.size();
    std::erase_if(tasks, [](const RunTask& task) {
        std::error_code error;
        return fs::exists(task.recording, error);
    });
    if (tasks.empty()) return {};
    if (auto made = make_writable_folder(report.folder / kRecordingsFolder); !made) return made;
    std::size_t missing = tasks.size();
    Progress progress{report.plan + " recordings", tasks.size(), 0};
    RunMonitor monitor{.stop = stop, .progress = progress, .finished = [&](const RunRecord&) -> Result<void> {
                           --missing;
                           return {};
                       }};
    auto done = executor.execute(tasks, monitor);
    *report.recordings -= missing;
    if (done && missing > 0) report.outcome = Outcome::interrupted;
    return done;
}

Result<void> finish(const Plan& plan, PlanReport& report, Collection& collected,
                    const Provenance& provenance) {
    const auto runs = collected.take();
    report.table = aggregate(plan, runs);
    for (const Claim& claim : plan.claims) report.claims.push_back(evaluate(claim, report.table));
    report.unchecked = plan.unchecked;
    std::vector<CaseCurves> curves;
    for (const RunRecord& run : runs) curves.push_back({.row = run.case_index, .curves = run.output.curves});
    for (const Figure& figure : plan.figures) report.figures.push_back(draw(figure, report.table, curves));
    for (const RunRecord& run : runs) {
        report.work += run.output.work;
        report.cpu_seconds += run.cpu_seconds;
    }
    return write_results(plan, report, runs, provenance);
}

/// Before anything is written: a damaged file leaves no partial result.
Result<void> check_files(const Plan& plan) {
    for (const Case& one : plan.cases) {
        if (auto checked = plan.experiment->check_files(one.all); !checked) return checked;
    }
    return {};
}

/// Decides by the content of the folder: reuse, refuse, move aside, or resume.
Result<std::optional<PlanReport>> prepare(const Plan& plan, const LabOptions& options, const fs::path& folder,
                                          const std::string& fingerprint) {
    const Found found = look(folder, fingerprint);
    const bool outdated = options.renew && found == Found::something_else;
    const bool aside = outdated || (options.force && found != Found::nothing);
    if (!aside && found == Found::something_else) return in_the_way(folder);
    if (!aside && found == Found::finished) {
        auto report = read_results(plan, folder);
        if (!report) return report.error();
        return std::optional{std::move(*report)};
    }
    if (auto checked = check_files(plan); !checked) return checked.error();
    if (aside) {
        if (auto moved = move_aside(folder); !moved) return moved.error();
    }
    if (auto made = make_writable_folder(folder); !made) return made.error();
    return std::optional<PlanReport>{};
}

/// No run was made: removes what this plan created, and nothing else.
void leave_nothing(RunStore& store, const fs::path& folder) {
    store.remove();
    std::error_code ignored;
    fs::remove(folder / kRecordingsFolder, ignored);  // only if it is empty, like the next one
    fs::remove(folder, ignored);
}

/// The first folder of measurements that the plan needs and that is absent; empty: all exist.
std::string missing_data(const Plan& plan) {
    for (const std::string& name : plan.needs) {
        const fs::path folder = fs::path{data_folder()} / name;
        std::error_code error;
        if (!fs::is_directory(folder, error)) return folder.string();
    }
    return {};
}

/// The results of a quick run, and of one with long cases, do not replace those of the full one, nor refuse
/// them their folder.
fs::path folder_of(const Plan& plan, const LabOptions& options) {
    const bool is_long = plan.with_long && plan.has_long_cases;
    return options.out / (plan.name + (plan.quick ? ".quick" : is_long ? ".long" : ""));
}

/// Runs what is missing of a plan whose folder is prepared, and writes the files.
Result<PlanReport> run_prepared(const Plan& plan, const LabOptions& options, const Provenance& provenance,
                                Executor& executor, std::atomic<bool>& stop) {
    const fs::path folder = folder_of(plan, options);
    auto store = RunStore::open(folder, provenance.fingerprint);
    if (!store) return store.error();
    Collection runs{plan};
    for (RunRecord& run : store->take_found()) runs.put(std::move(run));
    PlanReport report{.plan = plan.name, .paper = plan.paper, .folder = folder, .resumed = runs.count()};
    if (auto done = run_missing(runs, *store, report, executor, stop, options.record); !done) {
        if (runs.count() == 0) leave_nothing(*store, folder);
        return done.error();
    }
    report.runs = runs.count();
    if (!runs.complete()) {
        report.outcome = Outcome::interrupted;
        return report;
    }
    if (auto written = finish(plan, report, runs, provenance); !written) return written.error();
    store->remove();
    return report;
}

}  // namespace

std::string configuration_fingerprint(const Plan& plan, const BuildIdentity& build) {
    return Fingerprint{}
        .add(std::string_view{plan.text})
        .add(plan.seed.value)
        .add(std::uint64_t{plan.replications})
        .add(std::uint64_t{plan.quick})
        .add(std::uint64_t{plan.with_long && plan.has_long_cases})
        .add(std::string_view{build.version})
        .add(std::string_view{build.commit})
        .add(std::string_view{build.program})
        .hex();
}

Result<PlanReport> run_plan(const Plan& plan, const LabOptions& options, Executor& executor,
                            std::atomic<bool>& stop) {
    const fs::path folder = folder_of(plan, options);
    if (std::string missing = missing_data(plan); !missing.empty())
        return PlanReport{.plan = plan.name,
                          .paper = plan.paper,
                          .outcome = Outcome::skipped,
                          .folder = folder,
                          .missing = std::move(missing)};
    const Provenance provenance{.build = options.build,
                                .fingerprint = configuration_fingerprint(plan, options.build),
                                .started = utc_now()};
    auto prepared = prepare(plan, options, folder, provenance.fingerprint);
    if (!prepared) return prepared.error();
    Result<PlanReport> report = *prepared ? Result<PlanReport>{std::move(**prepared)}
                                          : run_prepared(plan, options, provenance, executor, stop);
    if (!report || !options.record || report->outcome == Outcome::interrupted) return report;
    if (auto recorded = record_missing(plan, *report, executor, stop); !recorded) return recorded.error();
    return report;
}

}  // namespace fray::lab
