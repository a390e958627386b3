#include "lab/report/write.hpp"

#include "lab/report/collect.hpp"
#include "lab/report/markdown.hpp"
#include "lab/report/page.hpp"
#include "lab/runner/build_identity.hpp"
#include "lab/runner/file_io.hpp"

#include <fmt/format.h>

namespace fray::lab {
namespace {

namespace fs = std::filesystem;

template <class Render>
Result<std::vector<std::string>> write_rendered(std::span<const fs::path> folders, const fs::path& page,
                                                Render render) {
    auto collected = collect_results(folders);
    if (!collected) return collected.error();
    if (auto written = write_whole(page, render(*collected)); !written) return written.error();
    return std::move(collected->problems);
}

}  // namespace

Result<std::vector<std::string>> write_report(std::span<const fs::path> folders, const fs::path& page) {
    const BuildIdentity build = this_build();
    const std::string program = fmt::format("fray {}, commit {}", build.version, build.commit);
    return write_rendered(folders, page,
                          [&](const Collected& collected) { return report_page(collected, program); });
}

Result<std::vector<std::string>> write_results_page(std::span<const fs::path> folders, const fs::path& page) {
    return write_rendered(folders, page, results_markdown);
}

}  // namespace fray::lab
