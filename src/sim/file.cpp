#include "sim/file.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace fray::sim {

namespace {

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

Error system_error(const std::string& path, const std::string& what) {
    return Error{path + ": " + what + ": " + std::generic_category().message(errno)};
}

}  // namespace

Result<std::vector<std::uint8_t>> read_file(const std::string& path, std::size_t most) {
    const File file{std::fopen(path.c_str(), "rb")};
    if (!file) return system_error(path, "cannot be read");
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> block(std::size_t{1} << 16U);
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), file.get())) {
        if (bytes.size() + got > most)
            return Error{path + ": longer than " + std::to_string(most) + " bytes"};
        bytes.insert(bytes.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(got));
    }
    if (std::ferror(file.get()) != 0) return system_error(path, "cannot be read");
    return bytes;
}

Result<void> write_file(const std::string& path, std::span<const std::uint8_t> bytes, Overwrite overwrite) {
    // "x" fails if the file exists, without a race between test and open.
    File file{std::fopen(path.c_str(), overwrite == Overwrite::yes ? "wb" : "wbx")};
    if (!file && errno == EEXIST) return Error{path + ": exists already and is not overwritten"};
    if (!file) return system_error(path, "cannot be written");
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    const bool closed = std::fclose(file.release()) == 0;
    return written && closed ? Result<void>{} : system_error(path, "cannot be written");
}

}  // namespace fray::sim
