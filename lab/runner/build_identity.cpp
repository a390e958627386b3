#include "lab/runner/build_identity.hpp"

#include <fray/fingerprint.hpp>

#include "build_info.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace fray::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kThisProgram = "/proc/self/exe";

std::string compiler() {
#if defined(__clang__)
    return std::string{"clang "} + __clang_version__;
#else
    return std::string{"g++ "} + __VERSION__;
#endif
}

/// Part by part: with debug information a program takes more than 100 MB.
std::string program_hash() {
    std::ifstream program{kThisProgram, std::ios::binary};
    if (!program) return {};
    Fingerprint fingerprint;
    std::vector<char> part(std::size_t{1} << 20U);
    while (program.read(part.data(), static_cast<std::streamsize>(part.size())) || program.gcount() > 0)
        fingerprint.add(std::string_view{part.data(), static_cast<std::size_t>(program.gcount())});
    return fingerprint.hex();
}

}  // namespace

BuildIdentity this_build() {
    BuildIdentity build{
        .version = kBuildVersion, .commit = kBuildCommit, .compiler = compiler(), .program = {}};
    if (build.commit == "unknown" || build.commit.ends_with("-dirty")) build.program = program_hash();
    return build;
}

std::string plans_folder() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): read before any thread is started
    if (const char* chosen = std::getenv("FRAY_PLANS"); chosen != nullptr && *chosen != '\0') return chosen;
    const fs::path source = fs::path{kBuildSourceDirectory} / "lab" / "plans";
    std::error_code error;
    if (fs::is_directory(source, error)) return source.string();
    const fs::path program = fs::read_symlink(kThisProgram, error);
    const fs::path installed = program.parent_path().parent_path() / "share" / "fray" / "plans";
    return fs::is_directory(installed, error) ? installed.string() : source.string();
}

}  // namespace fray::lab
