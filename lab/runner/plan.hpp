#pragma once
// A plan: which experiment runs with which values, how often, and the expected result. Plans are TOML files;
// lab/plans/README.md describes every key.

#include <fray/random.hpp>
#include <fray/result.hpp>

#include "lab/runner/claim.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/runner/figure.hpp"
#include "lab/runner/parameters.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fray::lab {

/// One row of the result.
struct Case {
    Parameters varied{};  ///< the parameters that distinguish it from the other cases
    Parameters all{};     ///< every parameter of the experiment
    std::string seed_key{};
};

struct Plan {
    std::string name;      ///< name of the file, and of the folder with the results
    std::string paper;     ///< the figure, "pSense Fig. 3b"
    std::string question;  ///< one line
    std::string text;      ///< of the file
    const Experiment* experiment = nullptr;
    std::uint32_t replications = 1;
    Seed seed{};
    bool quick = false;
    bool with_long = false;             ///< its long cases run, too
    std::vector<std::string> varied{};  ///< names of the parameters that differ between cases
    std::vector<std::string> show{};    ///< columns of the printed table; empty: all
    std::vector<std::string> needs{};   ///< folders of measurements (data_folder.hpp)
    std::vector<Case> cases{};
    std::vector<Claim> claims{};           ///< the claims to check
    std::vector<std::string> unchecked{};  ///< claims that a quick run, or one without --long, leaves out
    std::vector<Figure> figures{};
    bool has_long_cases = false;  ///< whether they run or not

    /// Run k of a case has the same seed, however the runs are distributed over threads and machines.
    [[nodiscard]] Seed run_seed(const Case& c, std::uint32_t replication) const;
    [[nodiscard]] std::size_t run_count() const { return cases.size() * replications; }
    /// Some of its cases may be missing.
    [[nodiscard]] bool is_smaller() const { return quick || (has_long_cases && !with_long); }
    /// Varied parameters, then the fixed ones.
    [[nodiscard]] std::vector<std::string> parameter_names() const;
    /// Every column of the result, in order.
    [[nodiscard]] std::vector<std::string> columns() const;
};

/// Values of the command line that override the plan.
struct PlanOptions {
    bool quick = false;
    bool with_long = false;  ///< also the cases marked `long`
    std::optional<std::uint32_t> replications{};
    std::optional<std::uint64_t> seed{};
};

inline constexpr std::int64_t kMostReplications = 100'000;
inline constexpr std::size_t kMostCases = 10'000;

/// Errors name file, line, column, and the expected value.
[[nodiscard]] Result<Plan> load_plan(const std::filesystem::path& file, Registry registry,
                                     const PlanOptions& options);
/// The same, from a text.
[[nodiscard]] Result<Plan> parse_plan(const std::string& text, const std::filesystem::path& file,
                                      Registry registry, const PlanOptions& options);

}  // namespace fray::lab
