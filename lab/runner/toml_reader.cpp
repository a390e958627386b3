#include "lab/runner/toml_reader.hpp"

#include "lab/runner/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace fray::lab {

void Complaint::about(const toml::source_region& where, std::string_view what) {
    if (error_) return;
    error_ = Error{fmt::format("{}:{}:{}: {}", file_, where.begin.line, where.begin.column, what)};
}

void Complaint::about_file(std::string_view what) {
    if (!error_) error_ = Error{fmt::format("{}: {}", file_, what)};
}

Value read_value(const toml::node& node, std::string_view key, Complaint& complaint) {
    if (const auto* text = node.as_string()) return Value{text->get()};
    if (const auto* flag = node.as_boolean()) return Value{flag->get()};
    if (const auto* whole = node.as_integer()) return Value{whole->get()};
    if (const auto* number = node.as_floating_point()) return Value{number->get()};
    complaint.about(node, fmt::format("{} must be a text, a number, true or false", key));
    return {};
}

TableReader::TableReader(const toml::table& table, std::string what, const std::vector<std::string>& keys,
                         Complaint& complaint)
    : table_{table}, what_{std::move(what)}, complaint_{complaint} {
    for (const auto& [key, node] : table_) {
        if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
        complaint_.about(key.source(),
                         fmt::format("{}: unknown key {}{}", what_, key.str(), suggestion(key.str(), keys)));
    }
}

void TableReader::complain(std::string_view key, std::string_view what) {
    const toml::node* node = table_.get(key);
    const auto message = fmt::format("{}: {} {}", what_, key, what);
    complaint_.about(node != nullptr ? node->source() : table_.source(), message);
}

std::string TableReader::text(std::string_view key) {
    std::string found = text_or(key, {});
    if (found.empty()) complain(key, has(key) ? "must not be empty" : "is missing (a text was expected)");
    return found;
}

std::string TableReader::text_or(std::string_view key, std::string fallback) {
    const toml::node* node = find(key);
    if (node == nullptr) return fallback;
    if (const auto* text = node->as_string()) return text->get();
    complain(key, "must be a text");
    return fallback;
}

bool TableReader::flag_or(std::string_view key, bool fallback) {
    const toml::node* node = find(key);
    if (node == nullptr) return fallback;
    if (const auto* flag = node->as_boolean()) return flag->get();
    complain(key, "must be true or false");
    return fallback;
}

std::optional<double> TableReader::number(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto found = node->is_number() ? node->value<double>() : std::nullopt;
    if (found && std::isfinite(*found)) return found;
    complain(key, found ? "must be a finite number" : "must be a number");
    return std::nullopt;
}

std::optional<std::int64_t> TableReader::integer(std::string_view key, std::int64_t low, std::int64_t high) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto* whole = node->as_integer();
    if (whole != nullptr && whole->get() >= low && whole->get() <= high) return whole->get();
    complain(key, fmt::format("must be a whole number between {} and {}", low, high));
    return std::nullopt;
}

std::string TableReader::choice(std::string_view key, const std::vector<std::string>& words,
                                std::string fallback) {
    std::string found = text_or(key, fallback);
    if (std::find(words.begin(), words.end(), found) != words.end()) return found;
    complain(key, fmt::format("must be one of {}, not \"{}\"", fmt::join(words, ", "), found));
    return fallback;
}

std::vector<std::string> TableReader::texts(std::string_view key) {
    const toml::node* node = find(key);
    std::vector<std::string> found;
    if (node == nullptr) return found;
    if (const auto* list = node->as_array()) {
        for (const toml::node& element : *list) {
            if (const auto* text = element.as_string()) found.push_back(text->get());
        }
        if (found.size() == list->size()) return found;
    }
    complain(key, "must be a list of texts");
    return {};
}

const toml::table* TableReader::table(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return nullptr;
    if (const auto* found = node->as_table()) return found;
    complain(key, "must be a table");
    return nullptr;
}

std::vector<const toml::table*> TableReader::tables(std::string_view key) {
    const toml::node* node = find(key);
    std::vector<const toml::table*> found;
    if (node == nullptr) return found;
    if (const auto* list = node->as_array()) {
        for (const toml::node& element : *list) {
            if (const auto* table = element.as_table()) found.push_back(table);
        }
        if (found.size() == list->size()) return found;
    }
    complain(key, fmt::format("must be written as [[{}]]", key));
    return {};
}

}  // namespace fray::lab
