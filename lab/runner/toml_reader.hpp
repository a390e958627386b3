#pragma once
// Reads a TOML table strictly: an unknown key is an error with its line. Includes toml++: only for the files
// that load plans.

#include <fray/result.hpp>

#include "lab/runner/value.hpp"

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

/// The first error in a file, as "file:line:column: what".
class Complaint {
public:
    explicit Complaint(std::string file) : file_{std::move(file)} {}

    void about(const toml::source_region& where, std::string_view what);
    void about(const toml::node& where, std::string_view what) { about(where.source(), what); }
    /// Without a position in the file.
    void about_file(std::string_view what);

    [[nodiscard]] bool none() const { return !error_; }
    [[nodiscard]] const Error& error() const { return *error_; }

private:
    std::string file_;
    std::optional<Error> error_;
};

/// A value of a plan; nothing (and a complaint) if it is a date, a table or a list.
[[nodiscard]] Value read_value(const toml::node& node, std::string_view key, Complaint& complaint);

class TableReader {
public:
    /// what: the table's name in messages, "[[expected]]". Reports the first key that is not in `keys` before
    /// anything else, so that a mistyped key is not reported as a missing one.
    TableReader(const toml::table& table, std::string what, const std::vector<std::string>& keys,
                Complaint& complaint);

    [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
    /// The node under a key, or nullptr.
    [[nodiscard]] const toml::node* find(std::string_view key) const { return table_.get(key); }

    /// A required text that must not be empty.
    std::string text(std::string_view key);
    std::string text_or(std::string_view key, std::string fallback);
    bool flag_or(std::string_view key, bool fallback);
    std::optional<double> number(std::string_view key);
    double number_or(std::string_view key, double fallback) { return number(key).value_or(fallback); }
    std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high);
    /// One of a few words; `fallback` if the key is absent.
    std::string choice(std::string_view key, const std::vector<std::string>& words, std::string fallback);
    std::vector<std::string> texts(std::string_view key);
    const toml::table* table(std::string_view key);
    /// [[key]]: empty if there is none.
    std::vector<const toml::table*> tables(std::string_view key);

    void complain(std::string_view key, std::string_view what);

private:
    const toml::table& table_;
    std::string what_;
    Complaint& complaint_;
};

}  // namespace fray::lab
