#include "lab/runner/process_identity.hpp"

#include "lab/runner/file_io.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <string_view>
#include <thread>

namespace fray::lab {
namespace {

/// The pieces of a text, each ended by the separator; a last one without it counts too.
std::vector<std::string> pieces(std::string_view text, char separator) {
    std::vector<std::string> found;
    while (!text.empty()) {
        const auto end = text.find(separator);
        found.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return found;
}

/// What follows the key and the separator in the first line that starts with the key; empty if none does.
std::string value_of(const char* file, std::string_view key, char separator) {
    const auto text = read_whole(file);
    if (!text) return {};
    for (const std::string& line : pieces(*text, '\n')) {
        const auto at = line.find(separator);
        if (!line.starts_with(key) || at == std::string::npos) continue;
        const auto first = line.find_first_not_of(" \t\"", at + 1);
        const auto last = line.find_last_not_of(" \t\"");
        return first == std::string::npos ? std::string{} : line.substr(first, last + 1 - first);
    }
    return {};
}

std::string operating_system() {
    utsname kernel{};
    const bool known = ::uname(&kernel) == 0;
    std::string name = value_of("/etc/os-release", "PRETTY_NAME", '=');
    if (!known) return name;
    return fmt::format("{}{}{} {} {}", name, name.empty() ? "" : ", ", kernel.sysname, kernel.release,
                       kernel.machine);
}

}  // namespace

ProcessIdentity this_process() {
    const auto command = read_whole("/proc/self/cmdline");
    return {.command = command ? pieces(*command, '\0') : std::vector<std::string>{},
            .cpu = value_of("/proc/cpuinfo", "model name", ':'),
            .os = operating_system(),
            .cores = std::thread::hardware_concurrency()};
}

}  // namespace fray::lab
