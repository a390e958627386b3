#pragma once
// Measured cells on disk: one file each, written whole, and believed only where it is ours and unharmed.

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
    /// warn: called with one line about each file that is there and cannot be used.
    CellCache(std::filesystem::path folder, const BuildIdentity& build,
              std::function<void(std::string_view)> warn);

    /// Makes the folder; fails where nothing could be kept in it.
    [[nodiscard]] Result<void> open() const;
    /// key: cell_key(). Nothing if it was not measured by this build, or the file is broken.
    [[nodiscard]] std::optional<CellResult> find(const std::string& key) const;
    /// May be called for different keys from several threads.
    [[nodiscard]] Result<void> store(const std::string& key, const CellResult& result) const;

    /// Where a cell is kept.
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

private:
    [[nodiscard]] std::string full_key(const std::string& key) const;

    std::filesystem::path folder_;
    std::string build_;
    std::function<void(std::string_view)> warn_;
};

}  // namespace fray::lab::advise
