#include "support/files.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>

namespace fray::test {

TempFolder::TempFolder() {
    std::random_device random;
    folder_ = std::filesystem::temp_directory_path() /
              ("fray_test_" + std::to_string(random()) + "_" + std::to_string(random()));
    std::filesystem::create_directories(folder_);
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string TempFolder::write(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path, std::ios::binary}.write(content.data(), static_cast<std::streamsize>(content.size()));
    return path.string();
}

std::string TempFolder::write(const std::string& name, std::span<const std::uint8_t> content) const {
    return write(name, std::string_view{reinterpret_cast<const char*>(content.data()), content.size()});
}

std::filesystem::path source_tree() { return FRAY_SOURCE_DIR; }

std::optional<std::string> find_data(const std::string& name) {
    const char* set = std::getenv("FRAY_DATA");
    const std::filesystem::path folder =
        set != nullptr ? set : source_tree().parent_path() / "shared" / "data";
    const std::filesystem::path path = folder / name;
    if (!std::filesystem::exists(path)) return std::nullopt;
    return path.string();
}

}  // namespace fray::test
