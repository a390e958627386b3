#include "lab/runner/aggregate.hpp"

#include <fray/assert.hpp>
#include <fray/fingerprint.hpp>

#include <algorithm>

namespace fray::lab {
namespace {

std::vector<double> numbers_in(std::span<const Value> values) {
    std::vector<double> numbers;
    for (const Value& value : values) {
        if (const auto number = as_number(value)) numbers.push_back(*number);
    }
    return numbers;
}

Value extreme(std::span<const Value> values, bool largest) {
    Value best;
    for (const Value& value : values) {
        const auto number = as_number(value);
        const auto held = as_number(best);
        if (number && (!held || (largest ? *number > *held : *number < *held))) best = value;
    }
    return best;
}

/// The largest value. A text such as "never" counts as larger than any number.
Value largest(std::span<const Value> values) {
    const auto text = std::find_if(values.begin(), values.end(), [](const Value& value) {
        return std::holds_alternative<std::string>(value);
    });
    return text == values.end() ? extreme(values, true) : *text;
}

/// A whole number if every run's value is one.
Value sum(std::span<const Value> values) {
    std::int64_t whole = 0;
    double total = 0;
    bool all_whole = true;
    for (const Value& value : values) {
        const auto* count = std::get_if<std::int64_t>(&value);
        if (count != nullptr) whole += *count;
        all_whole = all_whole && (count != nullptr || value.index() == 0);
        total += as_number(value).value_or(0);
    }
    if (numbers_in(values).empty()) return {};
    return all_whole ? Value{whole} : Value{total};
}

Value hash(std::span<const Value> values) {
    Fingerprint fingerprint;
    for (const Value& value : values) fingerprint.add(std::string_view{to_text(value)});
    return fingerprint.hex();
}

Row row_of(const Plan& plan, const Case& one, std::span<const RunRecord> runs) {
    Row row;
    for (const std::string& name : plan.parameter_names()) row.push_back({.value = *one.all.find(name)});
    for (const ColumnSpec& spec : plan.experiment->columns()) {
        std::vector<Value> values;
        for (const RunRecord& run : runs) {
            const auto found = run.output.values.find(spec.name);
            values.push_back(found == run.output.values.end() ? Value{} : found->second);
        }
        const Cell cell = aggregate(spec.aggregate, values);
        row.push_back(cell);
        if (spec.aggregate != Aggregate::mean) continue;
        // One run has no interval; 0 would claim certainty.
        row.push_back({.value = cell.summary.count < 2 ? Value{} : Value{cell.summary.ci95()}});
    }
    return row;
}

}  // namespace

Cell aggregate(Aggregate how, std::span<const Value> values) {
    switch (how) {
        case Aggregate::max:
            return {.value = largest(values)};
        case Aggregate::min:
            return {.value = extreme(values, false)};
        case Aggregate::sum:
            return {.value = sum(values)};
        case Aggregate::hash:
            return {.value = hash(values)};
        case Aggregate::mean:
            break;
    }
    std::vector<double> numbers = numbers_in(values);
    const Summary summary = summarize(numbers);
    if (summary.count == 0) return {};
    return {.value = summary.mean, .summary = summary, .runs = std::move(numbers)};
}

Table aggregate(const Plan& plan, std::span<const RunRecord> runs) {
    FRAY_ASSERT(runs.size() == plan.run_count());
    Table table{.columns = plan.columns(),
                .varied_columns = plan.varied.size(),
                .parameter_columns = plan.parameter_names().size()};
    for (std::size_t i = 0; i < plan.cases.size(); ++i)
        table.rows.push_back(
            row_of(plan, plan.cases[i], runs.subspan(i * plan.replications, plan.replications)));
    return table;
}

}  // namespace fray::lab
