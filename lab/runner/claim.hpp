#pragma once
// The expected result of a plan, as fields that a program can check. Described in lab/plans/README.md.
//
// A claim selects rows and a column, and applies one test. A claim that selects no row, or finds nothing to
// compare with, does not hold.

#include "lab/runner/table.hpp"
#include "lab/runner/value.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fray::lab {

/// A condition on one column: one of these values, or a range.
struct Condition {
    std::string column;
    std::vector<Value> any_of{};  ///< empty: the range applies
    double at_least = -std::numeric_limits<double>::infinity();
    double at_most = std::numeric_limits<double>::infinity();
};
using Selection = std::vector<Condition>;

/// How the column's values of the selected rows are combined before the test.
enum class Take : std::uint8_t { each, mean, min, max, exponent };

/// The value lies in a range, or equals a text.
struct Bound {
    double at_least = -std::numeric_limits<double>::infinity();
    double at_most = std::numeric_limits<double>::infinity();
    std::string text{};  ///< not empty: the value must be this text
};

enum class Relation : std::uint8_t { below, above, not_below, not_above, equal_to };

/// Compares the value with factor times another value: another column of the same row, or the rows that
/// differ only in the columns of the two selections.
struct Comparison {
    Relation relation = Relation::below;
    std::string column;
    Selection where{};
    double factor = 1;
    bool mean = false;  ///< compares with the mean of these rows instead of each of them
};

/// The values rise or fall with the column `along`.
struct Trend {
    bool rising = true;
};

/// Whose claim it is, and so what it means if it does not hold.
enum class ClaimKind : std::uint8_t {
    paper,    ///< published: reported beside the paper's number, no failure
    promise,  ///< of Fray: the exit code is 1
    aim,      ///< of Fray, not promised yet: reported, no failure
};
[[nodiscard]] std::string_view to_string(ClaimKind kind);

struct Claim {
    std::string claim;
    std::string paper;  ///< what the paper says; may be empty for a promise or an aim
    ClaimKind kind = ClaimKind::paper;
    std::string
        figure{};       ///< of the paper, if the plan draws several: a Figure's `paper`; empty: all of them
    bool quick = true;  ///< also checked in a quick run
    bool is_long = false;  ///< about long cases: checked only with --long
    std::string column;
    Selection where{};
    Take take = Take::each;
    std::string along{};   ///< the x of an exponent or a trend
    bool any_row = false;  ///< one row is enough; otherwise every row must hold
    std::variant<Bound, Comparison, Trend> test{};
    double tolerance = 0;      ///< absolute tolerance of equal_to and trends
    double tolerance_pct = 0;  ///< the same, relative to the other value
    /// 0: compares means directly. Otherwise the level of a Welch test; equal_to then means that the two do
    /// not differ significantly.
    double significance = 0;
    bool paired = false;  ///< a paired test instead: runs of one replication have the same input
};

/// The value that decided a test, and the range it was tested against: of the first row that fails, or else
/// of the row nearest to a limit.
struct Evidence {
    Value value{};  ///< of the column; for a trend, the smallest step in its direction
    std::optional<double> at_least{};
    std::optional<double> at_most{};
    friend bool operator==(const Evidence&, const Evidence&) = default;
};

struct ClaimResult {
    std::string claim;
    std::string paper;
    std::string measured;  ///< for a person
    ClaimKind kind = ClaimKind::paper;
    bool holds = false;
    std::string figure{};
    std::string column{};
    std::string test{};  ///< the key in the plan: "at_most", "below", "rising"; "between" for a tolerance
    Evidence evidence{};
};

[[nodiscard]] ClaimResult evaluate(const Claim& claim, const Table& table);
[[nodiscard]] bool matches(const Selection& selection, const Table& table, const Row& row);

}  // namespace fray::lab
