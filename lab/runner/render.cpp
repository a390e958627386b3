#include "lab/runner/render.hpp"

#include "lab/runner/progress.hpp"
#include "lab/runner/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fray::lab {
namespace {

constexpr std::string_view kInterval = "_ci95";
constexpr std::size_t kClaimWidth = 44;      ///< characters of a column of claims that are printed in full
constexpr std::size_t kMostRows = 40;        ///< a longer table is for a program to read
constexpr std::size_t kParameterWidth = 22;  ///< characters of a parameter before it is wrapped
constexpr std::size_t kGap = 2;

/// "1.15 ± 0.02" from a column and its interval.
std::string cell_text(const Table& table, const Row& row, std::size_t column) {
    const auto interval = table.column(table.columns[column] + std::string{kInterval});
    const auto half_width = interval ? as_number(row[*interval].value) : std::nullopt;
    return with_interval(row[column].value, half_width.value_or(0));
}

/// Parameters, then the columns to print: not the intervals, which are printed beside their means.
std::vector<std::size_t> shown_columns(const Table& table, const std::vector<std::string>& show) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table.varied_columns; ++i) columns.push_back(i);
    const auto add = [&](std::size_t column) {
        if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    };
    for (const std::string& name : show) {
        if (const auto column = table.column(name)) add(*column);
    }
    for (std::size_t i = table.parameter_columns; show.empty() && i < table.columns.size(); ++i) {
        if (!table.columns[i].ends_with(kInterval)) add(i);
    }
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

std::size_t widest_part(std::string_view name) {
    std::size_t widest = 0;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('_'), name.size() - 1) + 1;
        widest = std::max(widest, end);
        name.remove_prefix(end);
    }
    return widest;
}

/// The width of a column whose header is broken after underscores.
std::size_t narrow_width(const Table& table, std::size_t rows, std::size_t column) {
    std::size_t width = widest_part(table.columns[column]);
    for (std::size_t i = 0; i < rows; ++i)
        width = std::max(width, shown_width(cell_text(table, table.rows[i], column)));
    return column < table.varied_columns ? std::min(width, kParameterWidth) : width;
}

struct Fitted {
    std::vector<std::size_t> columns{};
    std::vector<std::size_t> widths{};
    std::string left_out{};  ///< names
};

/// Parameters are always printed; of the rest what fits, in order.
Fitted fit(const Table& table, const std::vector<std::size_t>& columns, std::size_t rows, std::size_t width) {
    Fitted fitted;
    std::size_t used = 0;
    for (const std::size_t column : columns) {
        const std::size_t wanted = narrow_width(table, rows, column);
        const bool fits = used + kGap + wanted <= width || column < table.varied_columns;
        if (!fits) {
            fitted.left_out +=
                fmt::format("{}{}", fitted.left_out.empty() ? "" : ", ", table.columns[column]);
            continue;
        }
        used += kGap + wanted;
        fitted.columns.push_back(column);
        fitted.widths.push_back(wanted);
    }
    return fitted;
}

std::string indented(const std::string& text, std::size_t width) {
    std::string result;
    for (const std::string& line : wrapped(text, width - kGap)) result += fmt::format("  {}\n", line);
    return result;
}

std::string verdict(const ClaimResult& claim) {
    if (claim.holds) return "yes";
    return claim.kind == ClaimKind::promise ? "NO" : "no";
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
    TextTable table{
        {"plan", "paper's claims held", "promises kept", "aims reached", "not checked", "runs", "time"},
        {28, 8, 8, 7, 7, 8, 19}};
    for (const PlanReport& report : reports) {
        if (report.outcome == Outcome::skipped) {
            table.add({report.plan, "-", "-", "-", "-", "0", "skipped: needs data"});
            continue;
        }
        const bool reused = report.outcome == Outcome::reused;
        table.add({report.plan, held_text(report.claims, ClaimKind::paper),
                   held_text(report.claims, ClaimKind::promise), held_text(report.claims, ClaimKind::aim),
                   report.unchecked.empty() ? "-" : fmt::format("{}", report.unchecked.size()),
                   fmt::format("{}", report.runs), reused ? "reused" : clock_text(report.seconds)});
    }
    return table.text();
}

/// Shares the width between the columns of texts; the others take what they need.
std::size_t share(std::size_t width, std::size_t fixed, std::size_t parts, std::size_t of) {
    constexpr std::size_t kLeast = 8;
    const std::size_t left = width > fixed ? width - fixed : 0;
    return std::max(left * parts / of, kLeast);
}

/// Every claim that does not hold, promises first; empty if all hold.
std::string failures_text(std::span<const PlanReport> reports, std::size_t width) {
    constexpr std::size_t kFixed = 2 + 8 + 2 + 22 + 2 + 2 + 2;
    TextTable table{
        {"of", "plan", "claim that does not hold", "measured", "paper"},
        {8, 22, share(width, kFixed, 5, 11), share(width, kFixed, 3, 11), share(width, kFixed, 3, 11)}};
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

struct Totals {
    Tally paper{};
    Tally promise{};
    Tally aim{};
    std::size_t unchecked = 0;
};

void add_to(Tally& sum, const Tally& counts) {
    sum.held += counts.held;
    sum.all += counts.all;
}

Totals totals(std::span<const PlanReport> reports) {
    Totals sum;
    for (const PlanReport& report : reports) {
        sum.unchecked += report.unchecked.size();
        add_to(sum.paper, tally(report.claims, ClaimKind::paper));
        add_to(sum.promise, tally(report.claims, ClaimKind::promise));
        add_to(sum.aim, tally(report.claims, ClaimKind::aim));
    }
    return sum;
}

std::string totals_text(std::span<const PlanReport> reports, std::size_t width) {
    const Totals sum = totals(reports);
    const auto checked = static_cast<std::size_t>(sum.paper.all + sum.promise.all + sum.aim.all);
    const std::string text = fmt::format(
        "{} of {} promises kept, {} of {} paper's claims held, {} of {} aims reached; {} of {} claims not "
        "checked{}",
        sum.promise.held, sum.promise.all, sum.paper.held, sum.paper.all, sum.aim.held, sum.aim.all,
        sum.unchecked, sum.unchecked + checked, sum.unchecked == 0 ? "" : " in this version");
    std::string result = "\n";
    for (const std::string& line : wrapped(text, width)) result += line + "\n";
    return result;
}

/// Those that do not hold, then the first ones that do.
std::vector<const ClaimResult*> listed(const PlanReport& report, std::size_t most_held) {
    std::vector<const ClaimResult*> claims;
    for (const ClaimResult& claim : report.claims) {
        if (!claim.holds) claims.push_back(&claim);
    }
    std::size_t held = 0;
    for (const ClaimResult& claim : report.claims) {
        if (claim.holds && held++ < most_held) claims.push_back(&claim);
    }
    return claims;
}

std::string rest_text(const PlanReport& report, std::size_t shown, std::size_t width) {
    std::string text;
    if (shown < report.claims.size())
        text += fmt::format("{} {}", report.claims.size() - shown, shown == 0 ? "hold" : "more hold");
    if (!report.unchecked.empty())
        text += fmt::format("{}{} are not checked in this version", text.empty() ? "" : ", ",
                            report.unchecked.size());
    return text.empty() ? text : indented(text + " (--verbose lists them)", width);
}

}  // namespace

std::string render_rows(const Table& table, const std::vector<std::string>& show, std::size_t width) {
    const std::size_t rows = std::min(table.rows.size(), kMostRows);
    const Fitted fitted = fit(table, shown_columns(table, show), rows, width);
    std::vector<std::string> header;
    for (const std::size_t column : fitted.columns) header.push_back(table.columns[column]);
    if (header.empty()) return {};
    TextTable text{std::move(header), fitted.widths};
    for (std::size_t i = 0; i < rows; ++i) {
        std::vector<std::string> cells;
        for (const std::size_t column : fitted.columns)
            cells.push_back(cell_text(table, table.rows[i], column));
        text.add(std::move(cells));
    }
    std::string result = text.text();
    if (rows < table.rows.size())
        result += indented(fmt::format("and {} more rows (--verbose)", table.rows.size() - rows), width);
    if (!fitted.left_out.empty())
        result += indented(fmt::format("Also measured (--verbose): {}", fitted.left_out), width);
    return result;
}

std::string render_all_rows(const Table& table, std::size_t width) {
    const std::vector<std::size_t> columns = shown_columns(table, {});
    const std::string wide = side_by_side(table, columns, width);
    return wide.empty() ? one_line_per_column(table, columns, width) : wide;
}

std::string render_claims(const PlanReport& report, std::size_t width, std::size_t most_held) {
    if (report.claims.empty() && report.unchecked.empty()) return {};
    constexpr std::size_t kFixed = 2 + 5 + 2 + 7 + 2 + 2 + 2;
    TextTable table{
        {"holds", "of", "claim", "measured", "paper"},
        {5, 7, share(width, kFixed, 5, 11), share(width, kFixed, 3, 11), share(width, kFixed, 3, 11)}};
    const auto claims = listed(report, most_held);
    for (const ClaimResult* claim : claims)
        table.add({verdict(*claim), std::string{to_string(claim->kind)}, claim->claim, claim->measured,
                   claim->paper});
    return (claims.empty() ? std::string{} : table.text()) + rest_text(report, claims.size(), width);
}

std::string render_all_claims(const PlanReport& report) {
    TextTable table{{"claim", "kind", "paper", "measured", "holds"}, kClaimWidth};
    for (const ClaimResult& claim : report.claims)
        table.add(
            {claim.claim, std::string{to_string(claim.kind)}, claim.paper, claim.measured, verdict(claim)});
    for (const std::string& claim : report.unchecked) table.add({claim, "", "", "not checked", "-"});
    return report.claims.empty() && report.unchecked.empty() ? std::string{} : table.text();
}

std::string render_summary(std::span<const PlanReport> reports, std::size_t width) {
    return plans_text(reports) + failures_text(reports, width) + totals_text(reports, width);
}

}  // namespace fray::lab
