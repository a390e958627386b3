#pragma once
// Files for tests: a temporary folder, and the measurements if they exist.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fray::test {

class TempFolder {
public:
    TempFolder();
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    /// The path of a file with this content; creates the folders in its name.
    std::string write(const std::string& name, std::string_view content) const;
    std::string write(const std::string& name, std::span<const std::uint8_t> content) const;
    [[nodiscard]] std::string path() const { return folder_.string(); }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

private:
    std::filesystem::path folder_;
};

/// The root of the source tree that the tests were built from. __FILE__ does not tell it: a compiler cache
/// may make that path relative.
[[nodiscard]] std::filesystem::path source_tree();

/// The folder or file with this name under FRAY_DATA (default: ../shared/data beside the source tree);
/// nothing if it does not exist. Then call GTEST_SKIP() << kNoData.
[[nodiscard]] std::optional<std::string> find_data(const std::string& name);
inline constexpr std::string_view kNoData =
    "no measurements here: set FRAY_DATA to the folder that holds them";

}  // namespace fray::test
