#include "lab/runner/run_record.hpp"

#include "lab/metrics/resources.hpp"
#include "lab/runner/json_value.hpp"

#include <fmt/format.h>

#include <exception>

namespace fray::lab {
namespace {

Json values_to_json(const RunOutput& output) {
    Json values = Json::object();
    for (const auto& [name, value] : output.values) values[name] = to_json(value);
    return values;
}

Json curves_to_json(const RunOutput& output) {
    Json curves = Json::array();
    for (const Curve& curve : output.curves)
        curves.push_back({{"name", curve.name}, {"columns", curve.columns}, {"rows", curve.rows}});
    return curves;
}

RunOutput output_from(const Json& json) {
    RunOutput output;
    for (const auto& [name, value] : json.at("values").items()) output.values[name] = value_from(value);
    const Json& work = json.at("work");
    output.work = {.peers = work.at(0), .rounds = work.at(1), .messages = work.at(2)};
    for (const Json& curve : json.at("curves"))
        output.curves.push_back(
            {.name = curve.at("name"), .columns = curve.at("columns"), .rows = curve.at("rows")});
    return output;
}

}  // namespace

std::vector<RunTask> tasks_of(const Plan& plan) {
    std::vector<RunTask> tasks;
    tasks.reserve(plan.run_count());
    for (std::size_t i = 0; i < plan.cases.size(); ++i) {
        for (std::uint32_t k = 0; k < plan.replications; ++k)
            tasks.push_back({.case_index = i,
                             .replication = k,
                             .experiment = plan.experiment,
                             .parameters = plan.cases[i].all,
                             .seed = plan.run_seed(plan.cases[i], k)});
    }
    return tasks;
}

std::string encode(const RunTask& task) {
    Json parameters = Json::object();
    for (const auto& [name, value] : task.parameters.entries()) parameters[name] = to_json(value);
    return Json{{"case", task.case_index},
                {"replication", task.replication},
                {"experiment", task.experiment->name()},
                {"parameters", std::move(parameters)},
                {"seed", task.seed.value},
                {"recording", task.recording}}
        .dump();
}

Result<RunTask> decode_task(std::string_view line, Registry registry) try {
    const Json json = Json::parse(line);
    RunTask task{
        .case_index = json.at("case"), .replication = json.at("replication"), .seed = {json.at("seed")}};
    const std::string name = json.at("experiment");
    task.experiment = find_experiment(registry, name);
    if (task.experiment == nullptr) return Error{fmt::format("no experiment {}", name)};
    task.recording = json.at("recording");
    for (const auto& [key, value] : json.at("parameters").items())
        task.parameters.set(key, value_from(value));
    return task;
} catch (const Json::exception& error) {
    return Error{fmt::format("no task: {}", error.what())};
}

std::string encode(const RunRecord& record) {
    const Work& work = record.output.work;
    return Json{{"case", record.case_index},
                {"replication", record.replication},
                {"seed", record.seed.value},
                {"values", values_to_json(record.output)},
                {"work", {work.peers, work.rounds, work.messages}},
                {"curves", curves_to_json(record.output)},
                {"cpu_seconds", record.cpu_seconds}}
        .dump();
}

Result<RunRecord> decode_record(std::string_view line) try {
    const Json json = Json::parse(line);
    return RunRecord{.case_index = json.at("case"),
                     .replication = json.at("replication"),
                     .seed = {json.at("seed")},
                     .output = output_from(json),
                     .cpu_seconds = json.at("cpu_seconds")};
} catch (const Json::exception& error) {
    return Error{fmt::format("no run: {}", error.what())};
}

Result<RunRecord> perform(const RunTask& task, RunContext& context) try {
    const double start = thread_cpu_seconds();
    auto output = task.experiment->run(task.parameters, task.seed, context);
    if (!output) return output.error();
    return RunRecord{.case_index = task.case_index,
                     .replication = task.replication,
                     .seed = task.seed,
                     .output = std::move(*output),
                     .cpu_seconds = thread_cpu_seconds() - start};
} catch (const std::exception& error) {
    // Mostly out of memory: the results of the other runs must not be lost.
    return Error{fmt::format("{}: {}", task.experiment->name(), error.what())};
}

}  // namespace fray::lab
