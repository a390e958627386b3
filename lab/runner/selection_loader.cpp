#include "lab/runner/selection_loader.hpp"

#include "lab/runner/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fray::lab {
namespace {

Condition condition(std::string_view name, const toml::node& node, Complaint& complaint) {
    Condition result{.column = std::string{name}};
    if (const auto* range = node.as_table()) {
        TableReader reader{*range, fmt::format("where {}", name), {"at_least", "at_most"}, complaint};
        result.at_least = reader.number_or("at_least", result.at_least);
        result.at_most = reader.number_or("at_most", result.at_most);
    } else if (const auto* list = node.as_array()) {
        for (const toml::node& element : *list) result.any_of.push_back(read_value(element, name, complaint));
        if (list->empty()) complaint.about(node, fmt::format("where {}: the list is empty", name));
    } else {
        result.any_of.push_back(read_value(node, name, complaint));
    }
    return result;
}

}  // namespace

void check_column(const toml::source_region& where, std::string_view name,
                  const std::vector<std::string>& columns, Complaint& complaint) {
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) return;
    complaint.about(where, fmt::format("the result has no column {}{}", name, suggestion(name, columns)));
}

Selection load_selection(const toml::table* table, const std::vector<std::string>& columns,
                         Complaint& complaint) {
    Selection result;
    if (table == nullptr) return result;
    for (const auto& [key, node] : *table) {
        check_column(key.source(), key.str(), columns, complaint);
        result.push_back(condition(key.str(), node, complaint));
    }
    return result;
}

}  // namespace fray::lab
