#include "lab/runner/file_io.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

namespace fray::lab {
namespace fs = std::filesystem;
namespace {

Error failed(const fs::path& path, std::string_view what, int code) {
    return Error{fmt::format("{}: {}: {}", path.string(), what, std::generic_category().message(code))};
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

fs::path temporary_of(const fs::path& file) { return file.string() + ".tmp"; }

int open_anew(const fs::path& file) {
    return ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

}  // namespace

Result<void> check_writable(const fs::path& file) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) return Error{fmt::format("{}: is a folder", file.string())};
    const fs::path temporary = temporary_of(file);
    const int handle = open_anew(temporary);
    if (handle < 0) return failed(file, "cannot be written", errno);
    ::close(handle);
    ::unlink(temporary.c_str());
    return {};
}

Result<void> write_whole(const fs::path& file, std::string_view text) {
    const fs::path temporary = temporary_of(file);
    const int handle = open_anew(temporary);
    if (handle < 0) return failed(temporary, "cannot be written", errno);
    const bool written = write_all(handle, text) && ::fsync(handle) == 0;
    const int code = errno;
    ::close(handle);
    if (written && ::rename(temporary.c_str(), file.c_str()) == 0) return {};
    const Error error = failed(file, "cannot be written", written ? errno : code);
    ::unlink(temporary.c_str());
    return error;
}

Result<std::string> read_whole(const fs::path& file) {
    std::error_code ignored;
    std::ifstream in{file, std::ios::binary};
    if (!in || fs::is_directory(file, ignored))
        return Error{fmt::format("{}: cannot be read", file.string())};
    return std::string{std::istreambuf_iterator<char>{in}, {}};
}

Result<void> make_writable_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return failed(folder, "cannot be made", error.value());
    if (!fs::is_directory(folder, error)) return Error{fmt::format("{}: is no folder", folder.string())};
    if (::access(folder.c_str(), W_OK | X_OK) != 0) return failed(folder, "cannot be written to", errno);
    return {};
}

Result<fs::path> move_aside(const fs::path& folder) {
    std::error_code error;
    for (int number = 1; number < 100'000; ++number) {
        const fs::path aside = fmt::format("{}.{}", folder.string(), number);
        if (fs::exists(fs::symlink_status(aside, error))) continue;
        fs::rename(folder, aside, error);
        if (error) return failed(folder, "cannot be moved aside", error.value());
        return aside;
    }
    return Error{fmt::format("{}: too many old folders beside it", folder.string())};
}

}  // namespace fray::lab
