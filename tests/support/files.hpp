#pragma once
// Files for tests: a folder of their own that goes away, and the measurements where they are at hand.

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

    /// The path of a file with this content; folders in the name are made.
    std::string write(const std::string& name, std::string_view content) const;
    std::string write(const std::string& name, std::span<const std::uint8_t> content) const;
    [[nodiscard]] std::string path() const { return folder_.string(); }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

private:
    std::filesystem::path folder_;
};

/// The folder or file of this name under FRAY_DATA (default ../shared/data beside the source tree); nothing
/// where it is not there. Say so with GTEST_SKIP() << kNoData.
[[nodiscard]] std::optional<std::string> find_data(const std::string& name);
inline constexpr std::string_view kNoData =
    "no measurements here: set FRAY_DATA to the folder that holds them";

}  // namespace fray::test
