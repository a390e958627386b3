#include "lab/runner/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace fray::lab {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
    std::optional<std::string> best;
    // A third of the letters may be wrong. A matching prefix always counts as near.
    std::size_t best_distance = word.size() / 3 + 2;
    for (const std::string& candidate : candidates) {
        const bool begins = word.size() >= 3 && candidate.starts_with(word);
        const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
        if (distance >= best_distance) continue;
        best = candidate;
        best_distance = distance;
    }
    return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
    const auto best = nearest(word, candidates);
    return best ? "; did you mean " + *best + "?" : std::string{};
}

}  // namespace fray::lab
