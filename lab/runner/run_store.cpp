#include "lab/runner/run_store.hpp"

#include "lab/runner/file_io.hpp"
#include "lab/runner/json_value.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace fray::lab {
namespace fs = std::filesystem;
namespace {

std::string fingerprint_of(std::string_view header) {
    const Json json = Json::parse(header, nullptr, false);
    if (!json.is_object() || !json.contains("fingerprint") || !json["fingerprint"].is_string()) return {};
    return json["fingerprint"];
}

Error failed(const fs::path& file, std::string_view what) {
    return Error{fmt::format("{}: {}: {}", file.string(), what, std::generic_category().message(errno))};
}

}  // namespace

Result<RunStore> RunStore::open(const fs::path& folder, const std::string& fingerprint) {
    const fs::path file = folder / kPartialFile;
    const int handle = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (handle < 0) return failed(file, "cannot be written");
    RunStore store{file, handle};
    if (::flock(handle, LOCK_EX | LOCK_NB) != 0)
        return Error{
            fmt::format("{}: another fray is running this plan there; choose another --out", file.string())};
    if (auto loaded = store.load(fingerprint); !loaded) return loaded.error();
    return store;
}

RunStore::RunStore(RunStore&& other) noexcept
    : file_{std::move(other.file_)},
      handle_{std::exchange(other.handle_, -1)},
      found_{std::move(other.found_)} {}

RunStore::~RunStore() {
    if (handle_ >= 0) ::close(handle_);
}

Result<void> RunStore::load(const std::string& fingerprint) {
    const auto text = read_whole(file_);
    if (!text) return text.error();
    std::size_t good = 0;
    for (std::size_t end = text->find('\n'); end != std::string::npos; end = text->find('\n', good)) {
        const std::string_view line{text->data() + good, end - good};
        if (good == 0 && fingerprint_of(line) != fingerprint)
            return Error{fmt::format("{}: belongs to another configuration", file_.string())};
        auto record = good == 0 ? Result<RunRecord>{RunRecord{}} : decode_record(line);
        if (!record) break;
        if (good != 0) found_.push_back(std::move(*record));
        good = end + 1;
    }
    if (::ftruncate(handle_, static_cast<off_t>(good)) != 0) return failed(file_, "cannot be written");
    if (good != 0) return {};
    return append_line(Json{{"fray", "finished runs"}, {"fingerprint", fingerprint}}.dump());
}

Result<void> RunStore::append(const RunRecord& run) { return append_line(encode(run)); }

Result<void> RunStore::append_line(std::string line) {
    line += '\n';
    const ssize_t written = ::write(handle_, line.data(), line.size());
    if (written < 0 || ::fdatasync(handle_) != 0) return failed(file_, "cannot be written");
    if (static_cast<std::size_t>(written) != line.size())
        return Error{fmt::format("{}: disk full", file_.string())};
    return {};
}

void RunStore::remove() { ::unlink(file_.c_str()); }

std::string partial_fingerprint(const fs::path& folder) {
    const auto text = read_whole(folder / kPartialFile);
    if (!text) return {};
    return fingerprint_of(std::string_view{*text}.substr(0, text->find('\n')));
}

}  // namespace fray::lab
