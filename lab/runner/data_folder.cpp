#include "lab/runner/data_folder.hpp"

#include "build_info.hpp"

#include <cstdlib>
#include <filesystem>

namespace fray::lab {

std::string data_folder() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
    if (const char* chosen = std::getenv("FRAY_DATA"); chosen != nullptr && *chosen != '\0') return chosen;
    return (std::filesystem::path{kBuildSourceDirectory}.parent_path() / "shared" / "data").string();
}

}  // namespace fray::lab
