#include "lab/runner/claim_loader.hpp"
#include "lab/runner/figure_loader.hpp"
#include "lab/runner/nearest.hpp"
#include "lab/runner/plan.hpp"
#include "lab/runner/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

namespace fray::lab {
namespace {

/// One swept parameter with its values.
struct Axis {
    std::string name;
    std::vector<Value> values;
};

/// toml++ sorts keys by name; a plan's columns keep the order of the file.
std::vector<std::pair<const toml::key*, const toml::node*>> as_written(const toml::table& table) {
    std::vector<std::pair<const toml::key*, const toml::node*>> entries;
    for (const auto& [key, node] : table) entries.emplace_back(&key, &node);
    const auto place = [](const toml::key* key) {
        return std::pair{key->source().begin.line, key->source().begin.column};
    };
    std::sort(entries.begin(), entries.end(),
              [&](const auto& a, const auto& b) { return place(a.first) < place(b.first); });
    return entries;
}

const std::vector<std::string> kPlanKeys{"name", "paper",  "question", "experiment", "replications",
                                         "seed", "paired", "show",     "parameters", "sweep",
                                         "case", "quick",  "expected", "needs",      "figure"};

class PlanLoader {
public:
    PlanLoader(const toml::table& root, std::string file, Registry registry, const PlanOptions& options)
        : complaint_{std::move(file)},
          root_{root, "plan", kPlanKeys, complaint_},
          registry_{registry},
          options_{options} {}

    Result<Plan> load(std::string name, std::string text);

private:
    void load_head();
    void load_experiment();
    void load_quick();
    const ParameterSpec* spec_of(const toml::key& key);
    Value accepted(const ParameterSpec& spec, const toml::node& node);
    enum class Places : bool { forget, note };
    Parameters values(const toml::table* table, Places places);
    std::vector<Axis> axes(const toml::table* table);
    void replace_axes(const std::vector<Axis>& quick, const toml::table& where);
    void load_parameters();
    void load_cases();
    void make_cases();
    void expand(Parameters varied, std::size_t axis);
    void add_case(const Parameters& varied);
    void note_varied(const std::string& name);
    void check_overlap();
    void load_claims();
    void load_figures();
    void check_figures_of_claims(const std::vector<const toml::table*>& tables);
    std::vector<Parameters> case_values(const std::vector<const toml::table*>& tables);
    void load_names();
    void check_cases();
    const toml::source_region* place_of(std::string_view message) const;

    Complaint complaint_;
    TableReader root_;
    Registry registry_;
    PlanOptions options_;
    Plan plan_{};
    const toml::table* quick_ = nullptr;  ///< set only if it applies
    Parameters fixed_{};
    std::vector<Axis> axes_{};
    std::vector<Parameters> explicit_{};  ///< [[case]]
    std::vector<std::string> paired_{};
    /// Positions of values that all cases share; those of [[case]] are identified by their values instead.
    std::map<std::string, toml::source_region, std::less<>> places_{};
};

void PlanLoader::load_head() {
    const std::string name = root_.text("name");
    if (!name.empty() && name != plan_.name)
        root_.complain("name", fmt::format("must be the name of the file, {}", plan_.name));
    plan_.paper = root_.text("paper");
    plan_.question = root_.text("question");
    const auto replications = root_.integer("replications", 1, kMostReplications);
    if (!replications) root_.complain("replications", "is missing (a whole number was expected)");
    plan_.replications = static_cast<std::uint32_t>(replications.value_or(1));
    constexpr auto kMostSeed = std::numeric_limits<std::int64_t>::max();
    plan_.seed = Seed{static_cast<std::uint64_t>(root_.integer("seed", 0, kMostSeed).value_or(1))};
}

void PlanLoader::load_experiment() {
    const std::string name = root_.text("experiment");
    plan_.experiment = find_experiment(registry_, name);
    if (plan_.experiment != nullptr || !complaint_.none()) return;
    std::vector<std::string> names;
    for (const Experiment* experiment : registry_) names.emplace_back(experiment->name());
    root_.complain("experiment", fmt::format("{} does not exist{}", name, suggestion(name, names)));
}

const ParameterSpec* PlanLoader::spec_of(const toml::key& key) {
    std::vector<std::string> names;
    for (const ParameterSpec& spec : plan_.experiment->parameters()) {
        if (spec.name == key.str()) return &spec;
        names.push_back(spec.name);
    }
    complaint_.about(key.source(), fmt::format("{} has no parameter {}{}", plan_.experiment->name(),
                                               key.str(), suggestion(key.str(), names)));
    return nullptr;
}

Value PlanLoader::accepted(const ParameterSpec& spec, const toml::node& node) {
    const Value value = read_value(node, spec.name, complaint_);
    if (!complaint_.none()) return spec.fallback;
    const auto result = spec.accept(value);
    if (result) return *result;
    complaint_.about(node, result.error().message);
    return spec.fallback;
}

Parameters PlanLoader::values(const toml::table* table, Places places) {
    Parameters found;
    if (table == nullptr) return found;
    for (const auto& [key, node] : as_written(*table)) {
        if (places == Places::forget && key->str() == "long") continue;  // of a case, not a parameter
        const ParameterSpec* spec = spec_of(*key);
        if (spec == nullptr) continue;
        found.set(spec->name, accepted(*spec, *node));
        if (places == Places::note) places_.insert_or_assign(spec->name, node->source());
    }
    return found;
}

std::vector<Axis> PlanLoader::axes(const toml::table* table) {
    std::vector<Axis> found;
    if (table == nullptr) return found;
    for (const auto& [key, node] : as_written(*table)) {
        const ParameterSpec* spec = spec_of(*key);
        const toml::array* list = node->as_array();
        if (spec == nullptr) continue;
        if (list == nullptr || list->empty()) {
            complaint_.about(*node, fmt::format("[sweep]: {} must be a list of values", key->str()));
            continue;
        }
        Axis axis{.name = spec->name, .values = {}};
        for (const toml::node& element : *list) axis.values.push_back(accepted(*spec, element));
        places_.insert_or_assign(spec->name, node->source());
        found.push_back(std::move(axis));
    }
    return found;
}

void PlanLoader::replace_axes(const std::vector<Axis>& quick, const toml::table& where) {
    for (const Axis& axis : quick) {
        const auto same_name = [&](const Axis& other) { return other.name == axis.name; };
        const auto found = std::find_if(axes_.begin(), axes_.end(), same_name);
        if (found == axes_.end())
            complaint_.about(where, fmt::format("[quick.sweep]: {} is not in [sweep]", axis.name));
        else
            found->values = axis.values;
    }
}

/// [[case]] tables; those marked `long` are read, and left out unless they are wanted.
std::vector<Parameters> PlanLoader::case_values(const std::vector<const toml::table*>& tables) {
    std::vector<Parameters> cases;
    for (const toml::table* table : tables) {
        const toml::node* mark = table->get("long");
        if (mark != nullptr && !mark->is_boolean())
            complaint_.about(*mark, "[[case]]: long must be true or false");
        const bool is_long = mark != nullptr && mark->value_or(false);
        Parameters found = values(table, Places::forget);
        plan_.has_long_cases = plan_.has_long_cases || is_long;
        if (!is_long || options_.with_long) cases.push_back(std::move(found));
    }
    return cases;
}

void PlanLoader::load_parameters() {
    fixed_ = values(root_.table("parameters"), Places::note);
    axes_ = axes(root_.table("sweep"));
    explicit_ = case_values(root_.tables("case"));
    paired_ = root_.texts("paired");
}

/// The table is always read, so that errors are found in every run; it applies only in a quick one.
void PlanLoader::load_quick() {
    const toml::table* table = root_.table("quick");
    if (table == nullptr) return;
    TableReader reader{*table, "[quick]", {"replications", "parameters", "sweep", "case"}, complaint_};
    const auto replications = reader.integer("replications", 1, kMostReplications);
    const auto places = places_;
    const Parameters parameters = values(reader.table("parameters"), Places::note);
    const toml::table* sweep = reader.table("sweep");
    const std::vector<Axis> replaced = axes(sweep);
    const std::vector<Parameters> cases = case_values(reader.tables("case"));
    const std::vector<Axis> original = axes_;
    if (sweep != nullptr) replace_axes(replaced, *sweep);
    if (!options_.quick) {
        axes_ = original;
        places_ = places;
        return;
    }
    plan_.replications = static_cast<std::uint32_t>(replications.value_or(plan_.replications));
    for (const auto& [name, value] : parameters.entries()) fixed_.set(name, value);
    if (!cases.empty()) explicit_ = cases;
}

void PlanLoader::note_varied(const std::string& name) {
    if (std::find(plan_.varied.begin(), plan_.varied.end(), name) == plan_.varied.end())
        plan_.varied.push_back(name);
}

/// A parameter must be fixed, swept, or given by cases: only one of them.
void PlanLoader::check_overlap() {
    const auto swept = [&](std::string_view name) {
        return std::any_of(axes_.begin(), axes_.end(), [&](const Axis& axis) { return axis.name == name; });
    };
    for (const auto& [name, value] : fixed_.entries()) {
        if (swept(name)) complaint_.about_file(fmt::format("{} is in [parameters] and in [sweep]", name));
    }
    for (const Parameters& one : explicit_) {
        for (const auto& [name, value] : one.entries()) {
            if (swept(name)) complaint_.about_file(fmt::format("{} is in [[case]] and in [sweep]", name));
        }
    }
    for (const std::string& name : paired_) {
        if (std::find(plan_.varied.begin(), plan_.varied.end(), name) == plan_.varied.end())
            root_.complain("paired", fmt::format("names {}, which no case varies", name));
    }
}

void PlanLoader::add_case(const Parameters& varied) {
    if (plan_.cases.size() >= kMostCases) return;
    Case added;
    for (const ParameterSpec& spec : plan_.experiment->parameters()) added.all.set(spec.name, spec.fallback);
    for (const auto& [name, value] : fixed_.entries()) added.all.set(name, value);
    for (const auto& [name, value] : varied.entries()) added.all.set(name, value);
    Parameters key;
    for (const std::string& name : plan_.varied) {
        added.varied.set(name, *added.all.find(name));
        if (std::find(paired_.begin(), paired_.end(), name) == paired_.end())
            key.set(name, *added.all.find(name));
    }
    added.seed_key = to_text(key);
    plan_.cases.push_back(std::move(added));
}

void PlanLoader::expand(Parameters varied, std::size_t axis) {
    if (axis == axes_.size()) return add_case(varied);
    for (const Value& value : axes_[axis].values) {
        varied.set(axes_[axis].name, value);
        expand(varied, axis + 1);
    }
}

void PlanLoader::make_cases() {
    for (const Parameters& one : explicit_) {
        for (const auto& [name, value] : one.entries()) note_varied(name);
    }
    for (const Axis& axis : axes_) note_varied(axis.name);
    check_overlap();
    if (explicit_.empty() && !plan_.has_long_cases) explicit_.emplace_back();
    if (explicit_.empty())
        complaint_.about_file("every case is marked long: at least one must run without --long");
    for (const Parameters& one : explicit_) expand(one, 0);
    if (plan_.cases.size() >= kMostCases)
        complaint_.about_file(fmt::format("more than {} cases", kMostCases));
}

/// The position of the first parameter that a message names and the plan gives; nullptr if the plan gives
/// none.
const toml::source_region* PlanLoader::place_of(std::string_view message) const {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_0123456789";
    while (!message.empty()) {
        const std::size_t length = std::min(message.find_first_not_of(kLetters), message.size());
        const auto found = places_.find(message.substr(0, length));
        if (found != places_.end()) return &found->second;
        message.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return nullptr;
}

void PlanLoader::check_cases() {
    for (const Case& one : plan_.cases) {
        const auto result = plan_.experiment->check(one.all);
        if (result) continue;
        const std::string& message = result.error().message;
        const std::string label = to_text(one.varied);
        const std::string what = label.empty() ? message : fmt::format("case {}: {}", label, message);
        const toml::source_region* place = place_of(message);
        return place != nullptr ? complaint_.about(*place, what) : complaint_.about_file(what);
    }
}

void PlanLoader::load_names() {
    plan_.needs = root_.texts("needs");
    plan_.show = root_.texts("show");
    const auto columns = plan_.columns();
    for (const std::string& name : plan_.show) {
        if (std::find(columns.begin(), columns.end(), name) == columns.end())
            root_.complain("show",
                           fmt::format("names {}, which is no column{}", name, suggestion(name, columns)));
    }
}

void PlanLoader::load_claims() {
    const auto columns = plan_.columns();
    const auto tables = root_.tables("expected");
    for (const toml::table* table : tables) {
        Claim claim = load_claim(*table, columns, complaint_);
        const bool left_out = (options_.quick && !claim.quick) || (claim.is_long && !options_.with_long);
        if (left_out)
            plan_.unchecked.push_back(claim.claim);
        else
            plan_.claims.push_back(std::move(claim));
    }
    check_figures_of_claims(tables);
}

void PlanLoader::load_figures() {
    for (const toml::table* table : root_.tables("figure"))
        plan_.figures.push_back(load_figure(*table, plan_, complaint_));
}

void PlanLoader::check_figures_of_claims(const std::vector<const toml::table*>& tables) {
    std::vector<std::string> papers;
    for (const Figure& figure : plan_.figures) papers.push_back(figure.paper);
    for (const toml::table* table : tables) {
        const auto named =
            table->get("figure") == nullptr ? std::nullopt : table->get("figure")->value<std::string>();
        if (!named || std::find(papers.begin(), papers.end(), *named) != papers.end()) continue;
        complaint_.about(*table->get("figure"),
                         fmt::format("[[expected]]: no [[figure]] of this plan has paper = \"{}\"{}", *named,
                                     suggestion(*named, papers)));
    }
}

Result<Plan> PlanLoader::load(std::string name, std::string text) {
    plan_.name = std::move(name);
    plan_.text = std::move(text);
    plan_.quick = options_.quick;
    plan_.with_long = options_.with_long;
    load_head();
    load_experiment();
    if (plan_.experiment == nullptr) return complaint_.error();
    load_parameters();
    load_quick();
    make_cases();
    load_names();
    load_figures();
    load_claims();
    if (complaint_.none()) check_cases();
    if (!complaint_.none()) return complaint_.error();
    plan_.replications = options_.replications.value_or(plan_.replications);
    plan_.seed = Seed{options_.seed.value_or(plan_.seed.value)};
    return std::move(plan_);
}

}  // namespace

Result<Plan> parse_plan(const std::string& text, const std::filesystem::path& file, Registry registry,
                        const PlanOptions& options) {
    try {
        const toml::table root = toml::parse(text, file.string());
        return PlanLoader{root, file.string(), registry, options}.load(file.stem().string(), text);
    } catch (const toml::parse_error& error) {
        Complaint complaint{file.string()};
        complaint.about(error.source(), fmt::format("malformed TOML: {}", error.description()));
        return complaint.error();
    }
}

Result<Plan> load_plan(const std::filesystem::path& file, Registry registry, const PlanOptions& options) {
    std::error_code ignored;
    std::ifstream in{file, std::ios::binary};
    if (!in || std::filesystem::is_directory(file, ignored))
        return Error{fmt::format("{}: cannot be read", file.string())};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    return parse_plan(text, file, registry, options);
}

}  // namespace fray::lab
