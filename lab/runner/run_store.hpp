#pragma once
// Finished runs on disk while a plan runs: one synced line of JSON each, so that an interrupted run loses
// none.

#include <fray/result.hpp>

#include "lab/runner/run_record.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fray::lab {

inline constexpr const char* kPartialFile = "runs.partial.jsonl";

class RunStore {
public:
    /// Opens folder/runs.partial.jsonl, creates it if it does not exist, and reads the runs it holds. A last
    /// line truncated by a crash is dropped. Fails if another process writes it, or if it belongs to another
    /// configuration.
    [[nodiscard]] static Result<RunStore> open(const std::filesystem::path& folder,
                                               const std::string& fingerprint);

    RunStore(RunStore&& other) noexcept;
    RunStore& operator=(RunStore&&) = delete;
    ~RunStore();

    /// Runs found at opening.
    [[nodiscard]] std::vector<RunRecord> take_found() { return std::move(found_); }
    /// On disk when this returns.
    [[nodiscard]] Result<void> append(const RunRecord& run);
    /// The results are written: removes the file.
    void remove();

private:
    RunStore(std::filesystem::path file, int handle) : file_{std::move(file)}, handle_{handle} {}
    [[nodiscard]] Result<void> load(const std::string& fingerprint);
    [[nodiscard]] Result<void> append_line(std::string line);

    std::filesystem::path file_;
    int handle_ = -1;
    std::vector<RunRecord> found_{};
};

/// The configuration that a partial file belongs to; empty if there is no such file, or it is not one of
/// ours.
[[nodiscard]] std::string partial_fingerprint(const std::filesystem::path& folder);

}  // namespace fray::lab
