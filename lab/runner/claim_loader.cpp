#include "lab/runner/claim_loader.hpp"

#include "lab/runner/selection_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace fray::lab {
namespace {

constexpr std::array<std::pair<std::string_view, Relation>, 5> kRelations{{{"below", Relation::below},
                                                                           {"above", Relation::above},
                                                                           {"not_below", Relation::not_below},
                                                                           {"not_above", Relation::not_above},
                                                                           {"equal_to", Relation::equal_to}}};
constexpr std::string_view kTests =
    "equals, at_least, at_most, between, below, above, not_below, not_above, "
    "equal_to, trend";

const std::vector<std::string> kClaimKeys{
    "claim",        "figure",    "long",      "paper",    "must",    "aim",       "quick",
    "column",       "where",     "take",      "along",    "rows",    "tolerance", "tolerance_pct",
    "significance", "paired",    "equals",    "at_least", "at_most", "between",   "below",
    "above",        "not_below", "not_above", "equal_to", "trend"};

class ClaimLoader {
public:
    ClaimLoader(const toml::table& table, const std::vector<std::string>& columns, Complaint& complaint)
        : table_{table},
          reader_{table, "[[expected]]", kClaimKeys, complaint},
          columns_{columns},
          complaint_{complaint} {}

    Claim load();

private:
    std::string column(TableReader& reader, std::string_view key, std::string fallback);
    ClaimKind kind();
    void load_subject();
    void load_tests();
    void load_bound();
    void load_equals();
    void load_between();
    void load_comparison(std::string_view key, Relation relation);
    void load_trend();
    void check_along();

    const toml::table& table_;
    TableReader reader_;
    const std::vector<std::string>& columns_;
    Complaint& complaint_;
    Claim claim_;
    int tests_ = 0;
};

std::string ClaimLoader::column(TableReader& reader, std::string_view key, std::string fallback) {
    const toml::node* node = reader.find(key);
    std::string name = reader.text_or(key, std::move(fallback));
    if (node != nullptr) check_column(node->source(), name, columns_, complaint_);
    return name;
}

void ClaimLoader::load_equals() {
    ++tests_;
    const toml::node* node = reader_.find("equals");
    Bound bound;
    if (const auto* text = node->as_string()) {
        bound.text = text->get();
    } else if (const auto wanted = reader_.number("equals")) {
        const double slack = std::max(claim_.tolerance, claim_.tolerance_pct / 100 * std::abs(*wanted));
        bound.at_least = *wanted - slack;
        bound.at_most = *wanted + slack;
    }
    claim_.test = bound;
}

void ClaimLoader::load_between() {
    ++tests_;
    const toml::node* node = reader_.find("between");
    const auto* pair = node->as_array();
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const bool two = pair != nullptr && pair->size() == 2;
    const double low = two ? (*pair)[0].value<double>().value_or(kNone) : kNone;
    const double high = two ? (*pair)[1].value<double>().value_or(kNone) : kNone;
    if (!(low <= high)) return reader_.complain("between", "must be [low, high]");
    claim_.test = Bound{.at_least = low, .at_most = high};
}

void ClaimLoader::load_bound() {
    if (reader_.has("equals")) load_equals();
    if (reader_.has("between")) load_between();
    if (!reader_.has("at_least") && !reader_.has("at_most")) return;
    ++tests_;
    Bound bound;
    bound.at_least = reader_.number_or("at_least", bound.at_least);
    bound.at_most = reader_.number_or("at_most", bound.at_most);
    claim_.test = bound;
}

void ClaimLoader::load_comparison(std::string_view key, Relation relation) {
    const toml::table* other = reader_.table(key);
    if (other == nullptr) return;
    ++tests_;
    TableReader reader{*other, std::string{key}, {"column", "where", "factor", "take"}, complaint_};
    Comparison comparison{.relation = relation, .column = column(reader, "column", claim_.column)};
    comparison.where = load_selection(reader.table("where"), columns_, complaint_);
    comparison.factor = reader.number_or("factor", 1);
    comparison.mean = reader.choice("take", {"each", "mean"}, "each") == "mean";
    if (comparison.where.empty() && comparison.column == claim_.column)
        complaint_.about(*other, fmt::format("{} needs another column or a where to compare with", key));
    claim_.test = comparison;
}

void ClaimLoader::load_trend() {
    if (!reader_.has("trend")) return;
    ++tests_;
    claim_.test = Trend{.rising = reader_.choice("trend", {"rising", "falling"}, "rising") == "rising"};
}

void ClaimLoader::load_tests() {
    load_bound();
    for (const auto& [key, relation] : kRelations) load_comparison(key, relation);
    load_trend();
    if (tests_ != 1)
        complaint_.about(table_, fmt::format("[[expected]]: exactly one test was expected ({})", kTests));
}

void ClaimLoader::check_along() {
    const bool wanted = claim_.take == Take::exponent || std::holds_alternative<Trend>(claim_.test);
    if (wanted && claim_.along.empty())
        reader_.complain("along", "is missing (the column on the x axis was expected)");
    if (!wanted && !claim_.along.empty()) reader_.complain("along", "goes with trend or take = \"exponent\"");
    if (claim_.take != Take::each && !std::holds_alternative<Bound>(claim_.test))
        reader_.complain("take", "goes with equals, at_least, at_most or between");
}

ClaimKind ClaimLoader::kind() {
    const bool promise = reader_.flag_or("must", false);
    const bool aim = reader_.flag_or("aim", false);
    if (promise && aim) reader_.complain("aim", "does not go with must: a claim is a promise or an aim");
    if (promise) return ClaimKind::promise;
    return aim ? ClaimKind::aim : ClaimKind::paper;
}

void ClaimLoader::load_subject() {
    const std::vector<std::string> takes{"each", "mean", "min", "max", "exponent"};
    claim_.claim = reader_.text("claim");
    claim_.kind = kind();
    claim_.paper = claim_.kind == ClaimKind::paper ? reader_.text("paper") : reader_.text_or("paper", "");
    claim_.figure = reader_.text_or("figure", "");
    claim_.quick = reader_.flag_or("quick", true);
    claim_.is_long = reader_.flag_or("long", false);
    if (!reader_.has("column"))
        reader_.complain("column", "is missing (the column it is about was expected)");
    claim_.column = column(reader_, "column", {});
    claim_.where = load_selection(reader_.table("where"), columns_, complaint_);
    const auto take = reader_.choice("take", takes, "each");
    claim_.take = static_cast<Take>(std::find(takes.begin(), takes.end(), take) - takes.begin());
    claim_.along = column(reader_, "along", {});
    claim_.any_row = reader_.choice("rows", {"every", "any"}, "every") == "any";
    claim_.tolerance = reader_.number_or("tolerance", 0);
    claim_.tolerance_pct = reader_.number_or("tolerance_pct", 0);
    claim_.significance = reader_.number_or("significance", 0);
    claim_.paired = reader_.flag_or("paired", false);
    if (claim_.significance < 0 || claim_.significance >= 1)
        reader_.complain("significance", "must be in [0, 1)");
    if (claim_.tolerance < 0 || claim_.tolerance_pct < 0)
        reader_.complain("tolerance", "must not be negative");
}

Claim ClaimLoader::load() {
    load_subject();
    load_tests();
    check_along();
    return claim_;
}

}  // namespace

Claim load_claim(const toml::table& table, const std::vector<std::string>& columns, Complaint& complaint) {
    return ClaimLoader{table, columns, complaint}.load();
}

}  // namespace fray::lab
