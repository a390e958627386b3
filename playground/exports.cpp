// The functions that the page calls, in WebAssembly. Numbers go out through one array of doubles, texts in
// and out through one buffer. There is one run at a time.

#include "playground/run.hpp"

#include <algorithm>
#include <array>

#define FRAY_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace {

using fray::playground::Run;

constexpr std::size_t kTextBytes = 4096;
std::array<char, kTextBytes> text{};
std::unique_ptr<Run> run;
std::vector<double> values;

void set_text(std::string_view what) {
    const std::size_t length = std::min(what.size(), kTextBytes - 1);
    std::copy_n(what.begin(), length, text.begin());
    text[length] = '\0';
}

int count() { return static_cast<int>(values.size()); }

}  // namespace

FRAY_EXPORT(text_buffer) char* text_buffer() { return text.data(); }
FRAY_EXPORT(value_buffer) const double* value_buffer() { return values.data(); }

/// Starts the run of the settings in the text buffer. 1 if it runs; otherwise the buffer says why not.
FRAY_EXPORT(start) int start() {
    run.reset();
    const auto settings = fray::playground::parse_settings(std::string_view{text.data()});
    auto created = settings ? Run::create(*settings) : fray::Result<std::unique_ptr<Run>>{settings.error()};
    if (!created) {
        set_text(created.error().message);
        return 0;
    }
    run = std::move(*created);
    return 1;
}

FRAY_EXPORT(run_until) void run_until(double ms) {
    run->run_until(fray::Duration{static_cast<std::int64_t>(ms * 1000)});
}
FRAY_EXPORT(crash_half) void crash_half() { run->crash_half(); }

/// The trace hash into the text buffer, as 16 hexadecimal digits.
FRAY_EXPORT(write_hash) void write_hash() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += kDigits[(run->trace_hash() >> shift) & 15U];
    set_text(digits);
}

// Each of these fills the array and returns how many numbers it holds.

FRAY_EXPORT(overview) int overview() {
    const auto view = run->overview();
    values = {double(view.living), double(view.links), view.age_ms,
              view.error,          view.known_pct,     view.upload_kbps};
    return count();
}

FRAY_EXPORT(peers) int peers() {
    values.clear();
    for (const auto& dot : run->peers())
        values.insert(values.end(), {double{dot.x}, double{dot.y}, dot.is_alive ? 1.0 : 0.0});
    return count();
}

FRAY_EXPORT(links) int links() {
    const auto pairs = run->links();
    values.assign(pairs.begin(), pairs.end());
    return count();
}

FRAY_EXPORT(beliefs) int beliefs(int of) {
    values.clear();
    for (const auto& one : run->beliefs(static_cast<fray::PeerIndex>(of)))
        values.insert(values.end(), {double(one.peer), double{one.x}, double{one.y}, double{one.age_ms},
                                     one.is_guided ? 1.0 : 0.0});
    return count();
}

FRAY_EXPORT(links_of) int links_of(int index) {
    values.clear();
    for (const auto& one : run->links_of(static_cast<fray::PeerIndex>(index)))
        values.insert(values.end(), {double(one.peer), one.in_vision ? 1.0 : 0.0, one.in_focus ? 1.0 : 0.0});
    return count();
}

FRAY_EXPORT(traffic) int traffic(int of) {
    values = run->traffic(static_cast<fray::PeerIndex>(of));
    return count();
}
