#include "lab/runner/claim.hpp"

#include <fray/assert.hpp>

#include "lab/metrics/significance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fray::lab {
namespace {

/// One tested value: a row's cell, or the combination of several rows.
struct Subject {
    Cell cell;
    const Row* row = nullptr;
    std::string label;
};

struct Verdict {
    bool holds = false;
    std::string text{};  ///< the measured value
    Evidence evidence{};
};

std::vector<const Row*> selected(const Selection& selection, const Table& table) {
    std::vector<const Row*> rows;
    for (const Row& row : table.rows) {
        if (matches(selection, table, row)) rows.push_back(&row);
    }
    return rows;
}

const Cell& cell_of(const Table& table, const Row& row, std::string_view column) {
    const auto at = table.column(column);
    FRAY_ASSERT(at.has_value());  // the plan's loader knows every column
    return row[*at];
}

std::vector<double> numbers_of(const Table& table, const std::vector<const Row*>& rows,
                               std::string_view column) {
    std::vector<double> numbers;
    for (const Row* row : rows) {
        if (const auto number = as_number(cell_of(table, *row, column).value)) numbers.push_back(*number);
    }
    return numbers;
}

/// Combines all selected rows into one number; nothing if one of them has none.
Value taken(const Claim& claim, const Table& table, const std::vector<const Row*>& rows) {
    const auto numbers = numbers_of(table, rows, claim.column);
    if (numbers.empty() || numbers.size() != rows.size()) return {};
    if (claim.take == Take::min) return *std::min_element(numbers.begin(), numbers.end());
    if (claim.take == Take::max) return *std::max_element(numbers.begin(), numbers.end());
    if (claim.take == Take::mean) return summarize(numbers).mean;
    const auto x = numbers_of(table, rows, claim.along);
    if (x.size() != numbers.size() || x.size() < 2) return {};
    return growth_exponent(x, numbers);
}

std::vector<Subject> subjects(const Claim& claim, const Table& table, const std::vector<const Row*>& rows) {
    std::vector<Subject> found;
    if (claim.take != Take::each) {
        found.push_back({.cell = {.value = taken(claim, table, rows)}, .row = rows.front(), .label = {}});
        return found;
    }
    for (const Row* row : rows)
        found.push_back(
            {.cell = cell_of(table, *row, claim.column), .row = row, .label = row_label(table, *row)});
    return found;
}

Verdict judge(const Bound& bound, const Subject& subject) {
    Verdict verdict{.text = to_short_text(subject.cell), .evidence = {.value = subject.cell.value}};
    if (std::isfinite(bound.at_least)) verdict.evidence.at_least = bound.at_least;
    if (std::isfinite(bound.at_most)) verdict.evidence.at_most = bound.at_most;
    if (!bound.text.empty()) {
        verdict.holds = to_text(subject.cell.value) == bound.text;
    } else if (const auto number = as_number(subject.cell.value)) {
        verdict.holds = *number >= bound.at_least && *number <= bound.at_most;
    }
    return verdict;
}

bool named_in(const Selection& selection, std::string_view column) {
    return std::any_of(selection.begin(), selection.end(),
                       [&](const Condition& c) { return c.column == column; });
}

/// Rows of the other selection that agree with this one in every parameter that neither selection names.
std::vector<const Row*> counterparts(const Claim& claim, const Comparison& test, const Table& table,
                                     const Row& row) {
    if (test.where.empty()) return {&row};
    std::vector<const Row*> rows = selected(test.where, table);
    std::erase_if(rows, [&](const Row* other) {
        for (std::size_t i = 0; i < table.parameter_columns; ++i) {
            const bool free =
                named_in(claim.where, table.columns[i]) || named_in(test.where, table.columns[i]);
            if (!free && !same(row[i].value, (*other)[i].value)) return true;
        }
        return false;
    });
    return rows;
}

Cell scaled(const Cell& cell, double factor) {
    const auto number = as_number(cell.value);
    if (factor == 1 || !number) return cell;
    Cell result{.value = *number * factor, .summary = cell.summary};
    result.summary.mean *= factor;
    result.summary.deviation *= std::abs(factor);
    for (const double run : cell.runs) result.runs.push_back(run * factor);
    return result;
}

/// The probability that the two means differ by chance alone.
double p_value(const Claim& claim, const Cell& a, const Cell& b) {
    if (!claim.paired) return welch_p_value(a.summary, b.summary);
    return a.runs.size() == b.runs.size() ? paired_p_value(a.runs, b.runs) : 1;
}

double slack_around(const Claim& claim, double value) {
    return std::max(claim.tolerance, claim.tolerance_pct / 100 * std::abs(value));
}

bool related(const Claim& claim, Relation relation, const Cell& a, const Cell& b) {
    const auto x = as_number(a.value);
    const auto y = as_number(b.value);
    if (!x || !y)
        return relation == Relation::equal_to && to_text(a.value) == to_text(b.value) && a.value.index() != 0;
    const bool clear = claim.significance == 0 || p_value(claim, a, b) < claim.significance;
    switch (relation) {
        case Relation::below:
            return *x < *y && clear;
        case Relation::above:
            return *x > *y && clear;
        // "Not significantly": it may lie on the wrong side, as long as that is not significant.
        case Relation::not_below:
            return *x >= *y || (claim.significance > 0 && !clear);
        case Relation::not_above:
            return *x <= *y || (claim.significance > 0 && !clear);
        case Relation::equal_to:
            if (claim.significance > 0) return !clear;
            break;
    }
    return std::abs(*x - *y) <= slack_around(claim, *y);
}

Evidence evidence_of(const Claim& claim, Relation relation, const Cell& a, const Cell& b) {
    Evidence evidence{.value = a.value};
    const auto limit = as_number(b.value);
    if (!limit) return evidence;
    const double slack =
        relation == Relation::equal_to && claim.significance == 0 ? slack_around(claim, *limit) : 0;
    if (relation != Relation::below && relation != Relation::not_above) evidence.at_least = *limit - slack;
    if (relation != Relation::above && relation != Relation::not_below) evidence.at_most = *limit + slack;
    return evidence;
}

/// The value to compare with; nothing if one of its rows has no number.
std::vector<Cell> compared_with(const Claim& claim, const Comparison& test, const Table& table,
                                const Row& row) {
    const auto rows = counterparts(claim, test, table, row);
    std::vector<Cell> cells;
    if (test.mean) {
        const auto numbers = numbers_of(table, rows, test.column);
        if (numbers.size() == rows.size() && !rows.empty())
            cells.push_back({.value = summarize(numbers).mean});
    } else {
        for (const Row* other : rows) cells.push_back(cell_of(table, *other, test.column));
    }
    return cells;
}

Verdict judge(const Claim& claim, const Comparison& test, const Table& table, const Subject& subject) {
    const auto others = compared_with(claim, test, table, *subject.row);
    if (others.empty())
        return {.text = to_short_text(subject.cell) + " with nothing to compare",
                .evidence = {.value = subject.cell.value}};
    Verdict verdict{.holds = true};
    for (const Cell& other : others) {
        const Cell cell = scaled(other, test.factor);
        const bool holds = related(claim, test.relation, subject.cell, cell);
        if (verdict.text.empty() || (verdict.holds && !holds)) {
            verdict.text = fmt::format("{} against {}", to_short_text(subject.cell), to_short_text(cell));
            verdict.evidence = evidence_of(claim, test.relation, subject.cell, cell);
        }
        verdict.holds = verdict.holds && holds;
    }
    return verdict;
}

/// "0.98 to 1.52 (6 rows)", and the first row that fails.
std::string describe(const std::vector<Subject>& all, const std::vector<Verdict>& verdicts, bool holds) {
    if (all.size() == 1) return verdicts.front().text;
    const auto failing =
        std::find_if(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return !v.holds; });
    const auto at = static_cast<std::size_t>(failing - verdicts.begin());
    if (!holds && failing != verdicts.end())
        return fmt::format(
            "{} at {} ({} of {} rows hold)", failing->text, all[at].label,
            std::count_if(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return v.holds; }),
            all.size());
    const auto less = [](const Subject& a, const Subject& b) {
        return as_number(a.cell.value).value_or(0) < as_number(b.cell.value).value_or(0);
    };
    const auto [low, high] = std::minmax_element(all.begin(), all.end(), less);
    return fmt::format("{} to {} ({} rows)", to_short_text(low->cell.value), to_short_text(high->cell.value),
                       all.size());
}

double margin(const Evidence& evidence) {
    double least = std::numeric_limits<double>::infinity();
    const auto number = as_number(evidence.value);
    for (const auto& limit : {evidence.at_least, evidence.at_most}) {
        if (number && limit) least = std::min(least, std::abs(*number - *limit));
    }
    return least;
}

/// The first row that fails if the claim does; else, of the rows that hold, the nearest to a limit.
const Evidence& decisive(const std::vector<Verdict>& verdicts, bool holds) {
    const Verdict* found = nullptr;
    for (const Verdict& verdict : verdicts) {
        if (verdict.holds != holds) continue;
        if (found == nullptr || (holds && margin(verdict.evidence) < margin(found->evidence)))
            found = &verdict;
    }
    FRAY_ASSERT(found != nullptr);  // no claim holds or fails without a row that does
    return found->evidence;
}

Verdict judge_rows(const Claim& claim, const Table& table, const std::vector<const Row*>& rows) {
    const auto all = subjects(claim, table, rows);
    std::vector<Verdict> verdicts;
    for (const Subject& subject : all) {
        const auto* comparison = std::get_if<Comparison>(&claim.test);
        verdicts.push_back(comparison != nullptr ? judge(claim, *comparison, table, subject)
                                                 : judge(*std::get_if<Bound>(&claim.test), subject));
    }
    const auto held = [](const Verdict& v) { return v.holds; };
    const bool holds = claim.any_row ? std::any_of(verdicts.begin(), verdicts.end(), held)
                                     : std::all_of(verdicts.begin(), verdicts.end(), held);
    return {.holds = holds, .text = describe(all, verdicts, holds), .evidence = decisive(verdicts, holds)};
}

Verdict judge_trend(const Claim& claim, const Trend& trend, const Table& table,
                    std::vector<const Row*> rows) {
    const auto x = [&](const Row* row) {
        return as_number(cell_of(table, *row, claim.along).value).value_or(0);
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) { return x(a) < x(b); });
    const auto y = numbers_of(table, rows, claim.column);
    Verdict verdict{.holds = y.size() >= 2 && y.size() == rows.size()};
    for (std::size_t i = 0; i < y.size(); ++i) {
        verdict.text += fmt::format("{}{}", i == 0 ? "" : ", ", to_short_text(Value{y[i]}));
        if (i == 0) continue;
        const double slack = slack_around(claim, y[i - 1]);
        const double step = trend.rising ? y[i] - y[i - 1] : y[i - 1] - y[i];
        verdict.holds = verdict.holds && step >= -slack;
        if (i == 1 || step < *as_number(verdict.evidence.value))
            verdict.evidence = {.value = step, .at_least = -slack};
    }
    return verdict;
}

std::string name_of(const Bound& bound) {
    if (!bound.text.empty() || bound.at_least == bound.at_most) return "equals";
    if (!std::isfinite(bound.at_least)) return "at_most";
    return std::isfinite(bound.at_most) ? "between" : "at_least";
}
std::string name_of(const Comparison& comparison) {
    constexpr const char* kNames[] = {"below", "above", "not_below", "not_above", "equal_to"};
    return kNames[static_cast<std::size_t>(comparison.relation)];
}
std::string name_of(const Trend& trend) { return trend.rising ? "rising" : "falling"; }

}  // namespace

std::string_view to_string(ClaimKind kind) {
    constexpr std::string_view kNames[] = {"paper", "promise", "aim"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool matches(const Selection& selection, const Table& table, const Row& row) {
    return std::all_of(selection.begin(), selection.end(), [&](const Condition& condition) {
        const Value& value = cell_of(table, row, condition.column).value;
        const auto number = as_number(value);
        if (condition.any_of.empty())
            return number && *number >= condition.at_least && *number <= condition.at_most;
        return std::any_of(condition.any_of.begin(), condition.any_of.end(),
                           [&](const Value& wanted) { return same(wanted, value); });
    });
}

ClaimResult evaluate(const Claim& claim, const Table& table) {
    ClaimResult result{.claim = claim.claim, .paper = claim.paper, .measured = {}, .kind = claim.kind};
    result.figure = claim.figure;
    result.column = claim.column;
    result.test = std::visit([](const auto& test) { return name_of(test); }, claim.test);
    const auto rows = selected(claim.where, table);
    if (rows.empty()) {
        result.measured = "no row selected";
        return result;
    }
    const auto* trend = std::get_if<Trend>(&claim.test);
    const Verdict verdict =
        trend != nullptr ? judge_trend(claim, *trend, table, rows) : judge_rows(claim, table, rows);
    result.holds = verdict.holds;
    result.measured = verdict.text;
    result.evidence = verdict.evidence;
    return result;
}

}  // namespace fray::lab
