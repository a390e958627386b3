#include "lab/runner/render.hpp"

#include "lab/runner/progress.hpp"
#include "lab/runner/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fray::lab {
namespace {

constexpr std::string_view kInterval = "_ci95";
constexpr std::size_t kClaimWidth = 44;  ///< characters of a column in a table of claims

/// "1.15 ± 0.02" from a column and its interval.
std::string cell_text(const Table& table, const Row& row, std::size_t column) {
    const auto interval = table.column(table.columns[column] + std::string{kInterval});
    const auto half_width = interval ? as_number(row[*interval].value) : std::nullopt;
    return with_interval(row[column].value, half_width.value_or(0));
}

/// Columns to print: not the intervals, which are printed beside their means.
std::vector<std::size_t> measured_columns(const Table& table, const std::vector<std::string>& show) {
    std::vector<std::size_t> columns;
    for (const std::string& name : show) {
        if (const auto column = table.column(name)) columns.push_back(*column);
    }
    for (std::size_t i = table.parameter_columns; show.empty() && i < table.columns.size(); ++i) {
        if (!table.columns[i].ends_with(kInterval)) columns.push_back(i);
    }
    return columns;
}

std::vector<std::size_t> varied_columns(const Table& table) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table.varied_columns; ++i) columns.push_back(i);
    return columns;
}

std::string side_by_side(const Table& table, const std::vector<std::size_t>& columns, std::size_t width) {
    std::vector<std::string> header;
    header.reserve(columns.size());
    for (const std::size_t column : columns) header.push_back(table.columns[column]);
    TextTable text{std::move(header)};
    for (const Row& row : table.rows) {
        std::vector<std::string> cells;
        cells.reserve(columns.size());
        for (const std::size_t column : columns) cells.push_back(cell_text(table, row, column));
        text.add(std::move(cells));
    }
    return text.width() <= width ? text.text() : std::string{};
}

TextTable turned(const Table& table, const std::vector<std::size_t>& columns, std::size_t first,
                 std::size_t count) {
    TextTable text{std::vector<std::string>(count + 1)};
    for (const std::size_t column : columns) {
        std::vector<std::string> cells{table.columns[column]};
        for (std::size_t i = 0; i < count; ++i)
            cells.push_back(cell_text(table, table.rows[first + i], column));
        text.add(std::move(cells));
    }
    return text;
}

/// One line per column, with as many rows side by side as fit.
std::string one_line_per_column(const Table& table, const std::vector<std::size_t>& columns,
                                std::size_t width) {
    std::string result;
    for (std::size_t first = 0; first < table.rows.size();) {
        std::size_t count = table.rows.size() - first;
        while (count > 1 && turned(table, columns, first, count).width() > width) --count;
        std::string block = turned(table, columns, first, count).text();
        block.erase(0, block.find('\n') + 1);  // the empty header
        result += block + (first + count < table.rows.size() ? "\n" : "");
        first += count;
    }
    return result;
}

std::string verdict(const ClaimResult& claim) {
    if (claim.holds) return "yes";
    return claim.kind == ClaimKind::promise ? "NO (promised)" : "no";
}

struct Tally {
    std::ptrdiff_t held = 0;
    std::ptrdiff_t all = 0;
};

Tally tally(const std::vector<ClaimResult>& claims, ClaimKind kind) {
    const auto counts = [&](const ClaimResult& c) { return c.kind == kind; };
    const auto held = [&](const ClaimResult& c) { return c.kind == kind && c.holds; };
    return {.held = std::count_if(claims.begin(), claims.end(), held),
            .all = std::count_if(claims.begin(), claims.end(), counts)};
}

std::string held_text(const std::vector<ClaimResult>& claims, ClaimKind kind) {
    const Tally counts = tally(claims, kind);
    return counts.all == 0 ? "-" : fmt::format("{} of {}", counts.held, counts.all);
}

std::string plans_text(std::span<const PlanReport> reports) {
    TextTable table{{"plan", "paper", "paper's claims held", "promises kept", "aims reached", "not checked",
                     "runs", "time"}};
    for (const PlanReport& report : reports) {
        if (report.outcome == Outcome::skipped) {
            table.add({report.plan, report.paper, "-", "-", "-", "-", "0", "skipped: needs data"});
            continue;
        }
        const bool reused = report.outcome == Outcome::reused;
        table.add({report.plan, report.paper, held_text(report.claims, ClaimKind::paper),
                   held_text(report.claims, ClaimKind::promise), held_text(report.claims, ClaimKind::aim),
                   report.unchecked.empty() ? "-" : fmt::format("{}", report.unchecked.size()),
                   fmt::format("{}", report.runs), reused ? "reused" : clock_text(report.seconds)});
    }
    return table.text();
}

/// Every claim that does not hold, promises first; empty if all hold.
std::string failures_text(std::span<const PlanReport> reports) {
    TextTable table{{"does not hold", "plan", "claim", "measured", "paper"}, kClaimWidth};
    bool any = false;
    for (const ClaimKind kind : {ClaimKind::promise, ClaimKind::aim, ClaimKind::paper}) {
        for (const PlanReport& report : reports) {
            for (const ClaimResult& claim : report.claims) {
                if (claim.holds || claim.kind != kind) continue;
                table.add(
                    {std::string{to_string(kind)}, report.plan, claim.claim, claim.measured, claim.paper});
                any = true;
            }
        }
    }
    return any ? "\n" + table.text() : std::string{};
}

std::string totals_text(std::span<const PlanReport> reports) {
    Tally kinds[3];
    std::size_t unchecked = 0;
    for (const PlanReport& report : reports) {
        unchecked += report.unchecked.size();
        for (const ClaimKind kind : {ClaimKind::paper, ClaimKind::promise, ClaimKind::aim}) {
            const Tally counts = tally(report.claims, kind);
            kinds[static_cast<std::size_t>(kind)].held += counts.held;
            kinds[static_cast<std::size_t>(kind)].all += counts.all;
        }
    }
    const auto& [paper, promise, aim] = kinds;
    const auto checked = static_cast<std::size_t>(paper.all + promise.all + aim.all);
    return fmt::format(
        "\n{} of {} promises kept, {} of {} paper's claims held, {} of {} aims reached; {} of {} claims not "
        "checked{}\n",
        promise.held, promise.all, paper.held, paper.all, aim.held, aim.all, unchecked, unchecked + checked,
        unchecked == 0 ? "" : " in a quick run");
}

}  // namespace

std::string render_rows(const Table& table, const std::vector<std::string>& show, std::size_t width) {
    std::vector<std::size_t> columns = varied_columns(table);
    for (const std::size_t column : measured_columns(table, show)) {
        if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    }
    const std::string wide = side_by_side(table, columns, width);
    return wide.empty() ? one_line_per_column(table, columns, width) : wide;
}

std::string render_claims(const PlanReport& report) {
    TextTable table{{"claim", "kind", "paper", "measured", "holds"}, kClaimWidth};
    for (const ClaimResult& claim : report.claims)
        table.add(
            {claim.claim, std::string{to_string(claim.kind)}, claim.paper, claim.measured, verdict(claim)});
    for (const std::string& claim : report.unchecked) table.add({claim, "", "", "not in a quick run", "-"});
    return report.claims.empty() && report.unchecked.empty() ? std::string{} : table.text();
}

std::string render_summary(std::span<const PlanReport> reports) {
    return plans_text(reports) + failures_text(reports) + totals_text(reports);
}

}  // namespace fray::lab
