#include "cli/open_page.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace fray::cli {

Result<void> open_in_browser(const std::filesystem::path& page) {
    const std::string file = std::filesystem::absolute(page).string();
    const char* const arguments[] = {"xdg-open", file.c_str(), nullptr};
    pid_t child = 0;
    int status = 0;
    const bool started = ::posix_spawnp(&child, "xdg-open", nullptr, nullptr,
                                        const_cast<char* const*>(arguments), environ) == 0;
    if (!started || ::waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return Error{fmt::format("xdg-open could not show {}; open it in a browser", file)};
    return {};
}

}  // namespace fray::cli
