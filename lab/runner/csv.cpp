#include "lab/runner/csv.hpp"

#include <fmt/format.h>

namespace fray::lab {
namespace {

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\n\r") == std::string::npos) return field;
    std::string result = "\"";
    for (const char c : field) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

std::vector<std::string> run_header(const Plan& plan) {
    std::vector<std::string> fields{"case", "replication", "seed"};
    for (const std::string& name : plan.parameter_names()) fields.push_back(name);
    for (const ColumnSpec& spec : plan.experiment->columns()) fields.push_back(spec.name);
    for (const char* name : {"peers_simulated", "rounds_simulated", "messages_simulated", "cpu_seconds"})
        fields.emplace_back(name);
    return fields;
}

std::vector<std::string> run_fields(const Plan& plan, const RunRecord& run) {
    std::vector<std::string> fields{fmt::format("{}", run.case_index), fmt::format("{}", run.replication),
                                    fmt::format("{}", run.seed.value)};
    for (const std::string& name : plan.parameter_names())
        fields.push_back(to_text(*plan.cases[run.case_index].all.find(name)));
    for (const ColumnSpec& spec : plan.experiment->columns()) {
        const auto found = run.output.values.find(spec.name);
        fields.push_back(found == run.output.values.end() ? std::string{} : to_text(found->second));
    }
    const Work& work = run.output.work;
    for (const std::uint64_t count : {work.peers, work.rounds, work.messages})
        fields.push_back(fmt::format("{}", count));
    fields.push_back(fmt::format("{:.3f}", run.cpu_seconds));
    return fields;
}

void append_curve(std::string& text, const Plan& plan, const RunRecord& run, const Curve& curve) {
    std::vector<std::string> fields;
    if (text.empty()) {
        fields = plan.varied;
        fields.emplace_back("replication");
        fields.insert(fields.end(), curve.columns.begin(), curve.columns.end());
        text += csv_line(fields);
    }
    for (const auto& row : curve.rows) {
        fields.clear();
        for (const std::string& name : plan.varied)
            fields.push_back(to_text(*plan.cases[run.case_index].all.find(name)));
        fields.push_back(fmt::format("{}", run.replication));
        for (const double value : row) fields.push_back(fmt::format("{}", value));
        text += csv_line(fields);
    }
}

}  // namespace

std::string csv_line(std::span<const std::string> fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : ",") + quoted(fields[i]);
    return line + '\n';
}

std::string rows_csv(const Table& table) {
    std::string text = csv_line(table.columns);
    for (const Row& row : table.rows) {
        std::vector<std::string> fields;
        for (const Cell& cell : row) fields.push_back(to_text(cell.value));
        text += csv_line(fields);
    }
    return text;
}

std::string runs_csv(const Plan& plan, std::span<const RunRecord> runs) {
    std::string text = csv_line(run_header(plan));
    for (const RunRecord& run : runs) text += csv_line(run_fields(plan, run));
    return text;
}

std::map<std::string, std::string> curves_csv(const Plan& plan, std::span<const RunRecord> runs) {
    std::map<std::string, std::string> texts;
    for (const RunRecord& run : runs) {
        for (const Curve& curve : run.output.curves) append_curve(texts[curve.name], plan, run, curve);
    }
    return texts;
}

}  // namespace fray::lab
