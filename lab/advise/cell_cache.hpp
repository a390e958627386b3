#pragma once
// Measured cells on disk: one file each, written atomically, and used only if it is ours and undamaged.

#include <fray/result.hpp>

#include "lab/advise/cells.hpp"
#include "lab/runner/build_identity.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fray::lab::advise {

class CellCache {
public:
    /// warn: called with one line about each file that exists and cannot be used.
    CellCache(std::filesystem::path folder, const BuildIdentity& build,
              std::function<void(std::string_view)> warn);

    /// Creates the folder. Fails if files cannot be written there.
    [[nodiscard]] Result<void> open() const;
    /// key: cell_key(). Nothing if this build has not measured it, or the file is damaged.
    [[nodiscard]] std::optional<CellResult> find(const std::string& key) const;
    /// May be called for different keys from several threads.
    [[nodiscard]] Result<void> store(const std::string& key, const CellResult& result) const;

    /// The file of a cell.
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

private:
    [[nodiscard]] std::string full_key(const std::string& key) const;

    std::filesystem::path folder_;
    std::string build_;
    std::function<void(std::string_view)> warn_;
};

}  // namespace fray::lab::advise
