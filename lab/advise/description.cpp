#include "lab/advise/description.hpp"

#include <fray/consistency.hpp>

#include "lab/runner/nearest.hpp"
#include "lab/runner/toml_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

namespace fray::lab::advise {
namespace {

constexpr double kLeastIntervalMs = 10;
constexpr double kMostIntervalMs = std::chrono::duration<double, std::milli>{kMostLag}.count();
constexpr double kMostTimescaleMs = 3'600'000;
constexpr double kMostKbps = 1'000'000;
constexpr double kMostSpeed = 10'000;
constexpr std::string_view kAny = "any";

const std::vector<std::string> kRootKeys{"game", "entity"};
const std::vector<std::string> kEntityKeys{
    "name",         "type",        "situation",   "same_as", "interactive", "by_several", "critical",
    "timescale_ms", "probability", "interval_ms", "kbps",    "speed",       "tolerance"};

struct Range {
    double low;
    double high;
    std::string_view hint{};  ///< after "must be between ..."
};

/// As TableReader, but if no key is similar, it lists all keys.
void check_keys(const toml::table& table, std::string_view what, const std::vector<std::string>& keys,
                Complaint& complaint) {
    for (const auto& [key, node] : table) {
        if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
        std::string fix = suggestion(key.str(), keys);
        if (fix.empty()) fix = fmt::format("; there are {}", fmt::join(keys, ", "));
        complaint.about(key.source(), fmt::format("{}: unknown key {}{}", what, key.str(), fix));
    }
}

bool is_printable(std::string_view text) {
    return std::none_of(text.begin(), text.end(),
                        [](unsigned char c) { return c < 0x20 || c == 0x7F; });  // NOLINT(*-magic-*)
}

/// Reads one [[entity]].
class EntityReader {
public:
    EntityReader(const toml::table& table, std::size_t number, Complaint& complaint)
        : what_{label(table, number)}, complaint_{complaint} {
        check_keys(table, what_, kEntityKeys, complaint_);
        reader_.emplace(table, what_, kEntityKeys, complaint_);
    }

    Entity read();
    /// The name given under same_as; empty: none.
    [[nodiscard]] std::string same_as() { return reader_->text_or("same_as", {}); }
    [[nodiscard]] bool has(std::string_view key) const { return reader_->has(key); }
    void complain(std::string_view key, std::string_view what) { reader_->complain(key, what); }

private:
    static std::string label(const toml::table& table, std::size_t number) {
        const auto* name = table.get_as<std::string>("name");
        const bool fits = name != nullptr && !name->get().empty() && name->get().size() <= kMostNameLength;
        return fmt::format("[[entity]] {}", fits ? name->get() : std::to_string(number));
    }

    template <class Lookup>
    auto named(std::string_view key, const std::vector<std::string>& names, Lookup lookup);
    std::optional<double> number(TableReader& reader, std::string_view key, const Range& range);
    void read_name(Entity& entity);
    void read_kind(Entity& entity);
    void read_factors(Entity& entity);
    void read_limits(Entity& entity);
    void read_tolerances(Entity& entity);
    void read_tolerance(TableReader& reader, const Metric& metric, Tolerances& tolerances);
    void check_uninteractive(const Entity& entity);
    void check_unmeasured(const Entity& entity);
    void check_interval(const Entity& entity);

    std::string what_;
    Complaint& complaint_;
    std::optional<TableReader> reader_;
    std::optional<double> propagation_written_;
};

void EntityReader::read_name(Entity& entity) {
    entity.name = reader_->text("name");
    if (entity.name.size() > kMostNameLength || !is_printable(entity.name))
        reader_->complain("name", fmt::format("must be one line of at most {} characters", kMostNameLength));
}

/// Looks up a name in a list; otherwise an error with the list or the most similar name.
template <class Lookup>
auto EntityReader::named(std::string_view key, const std::vector<std::string>& names, Lookup lookup) {
    const std::string name = reader_->text_or(key, {});
    const auto found = lookup(name);
    if (found || (!reader_->has(key))) return found;
    std::string fix = suggestion(name, names);
    if (fix.empty()) fix = fmt::format("; there are {}", fmt::join(names, ", "));
    reader_->complain(key, fmt::format("\"{}\" does not exist{}", name, fix));
    return found;
}

void EntityReader::read_kind(Entity& entity) {
    const auto type = named("type", entity_kind_names(), entity_kind);
    if (!reader_->has("type"))
        reader_->complain("type",
                          fmt::format("is missing: write one of {}", fmt::join(entity_kind_names(), ", ")));
    entity.type = type.value_or(EntityKind::object);
    entity.situation = named("situation", situation_names(), find_situation);
    if (entity.situation == nullptr) return;
    entity.factors = entity.situation->factors;
    const auto& types = entity.situation->types;
    if (std::find(types.begin(), types.end(), entity.type) != types.end()) return;
    std::vector<std::string_view> fitting;
    fitting.reserve(types.size());
    for (const EntityKind one : types) fitting.push_back(name_of(one));
    reader_->complain("situation",
                      fmt::format("{} does not fit type {}: it is about {}", entity.situation->name,
                                  name_of(entity.type), fmt::join(fitting, ", ")));
}

std::optional<double> EntityReader::number(TableReader& reader, std::string_view key, const Range& range) {
    const auto found = reader.number(key);
    if (!found || (*found >= range.low && *found <= range.high)) return found;
    reader.complain(
        key, fmt::format("must be between {} and {}, not {}{}", range.low, range.high, *found, range.hint));
    return std::nullopt;
}

void EntityReader::read_factors(Entity& entity) {
    Factors& factors = entity.factors;
    factors.interactive = reader_->flag_or("interactive", factors.interactive);
    factors.by_several = reader_->flag_or("by_several", factors.by_several);
    factors.critical = reader_->flag_or("critical", factors.critical);
    factors.timescale_ms =
        number(*reader_, "timescale_ms", {0, kMostTimescaleMs}).value_or(factors.timescale_ms);
    factors.probability =
        number(*reader_, "probability", {0, 1, "; a half is 0.5"}).value_or(factors.probability);
    entity.means = means_for(entity.type, factors, entity.situation);
    check_uninteractive(entity);
}

/// 3.2: if nothing can interact with an entity, the other factors have no meaning.
void EntityReader::check_uninteractive(const Entity& entity) {
    if (entity.factors.interactive) return;
    const auto refuse = [&](std::string_view key) {
        const bool written = reader_->has("interactive");
        reader_->complain(
            key,
            fmt::format("has no meaning if nothing can interact with it ({}); remove it, or {}",
                        written ? "interactive = false" : fmt::format("situation {}", entity.situation->name),
                        written ? "write interactive = true" : "add interactive = true"));
    };
    if (entity.factors.by_several) refuse("by_several");
    if (entity.factors.critical) refuse("critical");
    for (const std::string_view key : {"timescale_ms", "probability"}) {
        if (reader_->has(key)) refuse(key);
    }
}

void EntityReader::read_limits(Entity& entity) {
    const auto interval =
        number(*reader_, "interval_ms", {kLeastIntervalMs, kMostIntervalMs, "; an update every frame is 17"});
    if (interval && *interval != std::floor(*interval))  // intervals are sent in whole ms
        reader_->complain("interval_ms", fmt::format("must be a whole number of ms, not {}: write {:.0f}",
                                                     *interval, std::round(*interval)));
    else if (interval)
        entity.interval = std::chrono::milliseconds{static_cast<std::int64_t>(*interval)};
    entity.most_kbps = number(*reader_, "kbps", {0.1, kMostKbps, "; leave it out for no limit"});
    entity.speed = number(*reader_, "speed", {0.1, kMostSpeed, " (% of the screen per second)"});
}

void EntityReader::read_tolerance(TableReader& reader, const Metric& metric, Tolerances& tolerances) {
    const toml::node* node = reader.find(metric.name);
    if (node == nullptr) return;
    const auto* word = node->as_string();
    if (word != nullptr && word->get() == kAny) {
        tolerances.*metric.allowed = std::nullopt;
        return;
    }
    if (!node->is_number())
        return reader.complain(metric.name,
                               fmt::format("must be a number, or \"{}\" if it does not matter", kAny));
    // Distances may be 0. Times may not: a frame takes some time.
    const double low = metric.unit == "ms" ? 1 : 0;
    const auto hint = fmt::format("; \"{}\" if it does not matter", kAny);
    const auto most = number(reader, metric.name, {low, metric.most, hint});
    if (most) tolerances.*metric.allowed = most;
    if (most && metric.allowed == &Tolerances::propagation_ms) propagation_written_ = most;
}

void EntityReader::read_tolerances(Entity& entity) {
    entity.tolerances = entity.situation != nullptr ? entity.situation->tolerances
                                                    : default_tolerances(entity.type, entity.factors);
    const toml::table* table = reader_->table("tolerance");
    if (table == nullptr) return;
    std::vector<std::string> keys;
    for (const Metric& metric : metrics()) keys.emplace_back(metric.name);
    const std::string what = fmt::format("[entity.tolerance] of {}", entity.name);
    check_keys(*table, what, keys, complaint_);
    TableReader reader{*table, what, keys, complaint_};
    for (const Metric& metric : metrics()) read_tolerance(reader, metric, entity.tolerances);
}

/// A limit needs a measurement.
void EntityReader::check_unmeasured(const Entity& entity) {
    constexpr std::array kKeys{"tolerance", "interval_ms", "kbps", "speed", "same_as"};
    std::string_view why;
    if (entity.means == Means::algorithm) return;
    if (entity.means == Means::chat_room) why = "a chat is kept in order by ChatRoom, whatever the network";
    if (entity.means == Means::trade_desk)
        why = "what several players can own is traded by TradeDesk, whatever the network";
    if (entity.means == Means::nothing)
        why = "nothing can interact with it, so it needs no algorithm: write interactive = true, or";
    for (const std::string_view key : kKeys) {
        if (reader_->has(key))
            reader_->complain(key, fmt::format("has no effect: {}{} remove it", why,
                                               entity.means == Means::nothing ? "" : ";"));
    }
}

/// An input waits for the next update half an interval on average, however fast the network is.
void EntityReader::check_interval(const Entity& entity) {
    if (!entity.interval || !propagation_written_) return;
    const double interval = std::chrono::duration<double, std::milli>{*entity.interval}.count();
    if (interval / 2 <= *propagation_written_) return;
    reader_->complain(
        "interval_ms",
        fmt::format("{} alone delays by {} ms on average, and propagation_ms allows {}: make it "
                    "{} at most, or allow more",
                    interval, interval / 2, *propagation_written_, std::floor(*propagation_written_ * 2)));
}

Entity EntityReader::read() {
    Entity entity;
    read_name(entity);
    read_kind(entity);
    if (!complaint_.none()) return entity;  // what follows depends on the type
    read_factors(entity);
    check_unmeasured(entity);
    read_limits(entity);
    read_tolerances(entity);
    check_interval(entity);
    return entity;
}

/// Reads the file as a whole.
class DescriptionReader {
public:
    DescriptionReader(const toml::table& root, const std::string& file) : complaint_{file} {
        check_keys(root, "description", kRootKeys, complaint_);
        root_.emplace(root, "description", kRootKeys, complaint_);
    }

    Result<Description> read();

private:
    void read_entities();
    void join(std::size_t index);
    [[nodiscard]] std::string no_entity(const std::string& name, std::size_t index) const;
    void check_names();

    Complaint complaint_;
    std::optional<TableReader> root_;
    std::vector<EntityReader> readers_{};
    Description description_{};
};

void DescriptionReader::read_entities() {
    if (!root_->has("entity")) root_->complain("entity", "is missing: describe at least one as [[entity]]");
    const auto tables = root_->tables("entity");
    if (tables.size() > kMostEntities)
        return root_->complain(
            "entity", fmt::format("is there {} times: group them into {} at most, by what they require",
                                  tables.size(), kMostEntities));
    readers_.reserve(tables.size());
    for (const toml::table* table : tables) {
        readers_.emplace_back(*table, readers_.size() + 1, complaint_);
        description_.entities.push_back(readers_.back().read());
    }
}

void DescriptionReader::check_names() {
    const auto& entities = description_.entities;
    for (std::size_t i = 0; i < entities.size(); ++i) {
        for (std::size_t before = 0; before < i; ++before) {
            if (entities[before].name == entities[i].name)
                readers_[i].complain("name", "is there twice: give each entity a name of its own");
        }
    }
}

/// The correction for a name under same_as that no other entity has.
std::string DescriptionReader::no_entity(const std::string& name, std::size_t index) const {
    std::vector<std::string> others;
    for (const Entity& entity : description_.entities) others.push_back(entity.name);
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(index));
    const std::string what =
        name.empty() ? "is empty" : fmt::format("names {}, which is no entity here", name);
    if (others.empty()) return what + ", and there is no other: remove it";
    const std::string fix = suggestion(name, others);
    if (!fix.empty()) return what + fix;
    return fmt::format("{}: remove it, or name one of {}", what, fmt::join(others, ", "));
}

/// Resolves same_as to an index; the two entities must not contradict each other.
void DescriptionReader::join(std::size_t index) {
    auto& entities = description_.entities;
    EntityReader& reader = readers_[index];
    if (!reader.has("same_as")) return;
    const std::string name = reader.same_as();
    const auto named = [&](const Entity& entity) { return entity.name == name; };
    const auto found = std::find_if(entities.begin(), entities.end(), named);
    if (found == entities.end()) return reader.complain("same_as", no_entity(name, index));
    const auto other = static_cast<std::size_t>(found - entities.begin());
    if (other == index) return reader.complain("same_as", "names the entity itself: remove it");
    if (const std::string further = readers_[other].same_as(); !further.empty())
        return reader.complain(
            "same_as", fmt::format("names {}, which is the same as {}: name that one", name, further));
    if (entities[other].means != Means::algorithm)
        return reader.complain("same_as",
                               fmt::format("names {}, which needs no algorithm to share: remove it", name));
    Entity& entity = entities[index];
    if (entity.interval && entities[other].interval && entity.interval != entities[other].interval)
        reader.complain("interval_ms",
                        fmt::format("differs from that of {}, the same thing: keep one", name));
    if (entity.speed && entities[other].speed && *entity.speed != *entities[other].speed)
        reader.complain("speed", fmt::format("differs from that of {}, the same thing: keep one", name));
    entity.same_as = other;
}

Result<Description> DescriptionReader::read() {
    description_.game = root_->text("game");
    if (description_.game.size() > kMostNameLength || !is_printable(description_.game))
        root_->complain("game", fmt::format("must be one line of at most {} characters", kMostNameLength));
    read_entities();
    if (complaint_.none()) check_names();
    for (std::size_t i = 0; complaint_.none() && i < readers_.size(); ++i) join(i);
    if (complaint_.none() && description_.entities.empty())
        root_->complain("entity", "is empty: describe at least one as [[entity]]");
    if (!complaint_.none()) return complaint_.error();
    return std::move(description_);
}

/// Texts from the file appear in messages, which must stay one short line.
Error one_line(Error error) {
    constexpr std::size_t kMostLength = 400;
    for (char& c : error.message) {
        if (!is_printable({&c, 1})) c = ' ';
    }
    if (error.message.size() > kMostLength) error.message = error.message.substr(0, kMostLength) + " ...";
    return error;
}

}  // namespace

Result<Description> parse_description(std::string_view text, const std::string& file) {
    if (text.size() > kMostDescriptionBytes)
        return Error{fmt::format("{}: is longer than {} bytes, so it is no description of a game", file,
                                 kMostDescriptionBytes)};
    try {
        const toml::table root = toml::parse(text, file);
        auto description = DescriptionReader{root, file}.read();
        return description ? std::move(description) : one_line(description.error());
    } catch (const toml::parse_error& error) {
        Complaint complaint{file};
        complaint.about(error.source(), fmt::format("malformed TOML: {}", error.description()));
        return one_line(complaint.error());
    }
}

Result<Description> load_description(const std::filesystem::path& file) {
    std::error_code ignored;
    std::ifstream in{file, std::ios::binary};
    if (!in || std::filesystem::is_directory(file, ignored))
        return Error{fmt::format("{}: cannot be read", file.string())};
    // Reads one byte more than the limit, to detect a file that is too long without reading all of it.
    std::string text(kMostDescriptionBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return parse_description(text, file.string());
}

}  // namespace fray::lab::advise
