#include "games/panzer/match/screen_recording.hpp"

#include <fray/fingerprint.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace fray::panzer {

namespace {

constexpr std::string_view kScreenEnd{"FRAYEND\0", 8};
constexpr std::size_t kScreenBegin = kScreenMagic.size() + 1;
constexpr std::size_t kScreenEndSize = kScreenEnd.size() + 3 * sizeof(std::uint64_t);

void append_number(std::vector<std::uint8_t>& out, std::uint64_t number) {
    for (unsigned i = 0; i < 8; ++i) out.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

std::uint64_t number_at(std::span<const std::uint8_t> bytes, std::size_t at) {
    std::uint64_t number = 0;
    std::memcpy(&number, &bytes[at], sizeof number);
    return number;
}

std::string in_hex(std::uint64_t number) {
    std::string text(16, '0');
    for (std::size_t i = 0; i < 16; ++i) text[15 - i] = "0123456789abcdef"[(number >> (4 * i)) & 15U];
    return text;
}

std::uint64_t hash_of(std::span<const std::uint8_t> bytes) { return Fingerprint{}.add(bytes).value(); }

bool is_valid(const ScreenHeader& header) {
    return is_map_name(header.map) && is_screen_name(header.player_name);
}

/// Number of the bytes that the header took; nothing if it is invalid.
std::optional<std::size_t> read_screen_header(std::span<const std::uint8_t> body, ScreenHeader& header) {
    BitReader in{body};
    if (!read(in, header) || !is_valid(header)) return std::nullopt;
    const auto padding = static_cast<unsigned>((8 - in.position() % 8) % 8);
    if (in.bits(padding) != 0 || !in.ok()) return std::nullopt;
    return in.position() / 8;
}

/// A file beside `path` that did not exist, with these bytes.
Result<std::string> write_beside(const std::string& path, std::span<const std::uint8_t> bytes) {
    constexpr int kTries = 16;  // another program may be writing, or may have been killed while it did
    for (int i = 0;; ++i) {
        std::string part = path + (i == 0 ? ".part" : ".part" + std::to_string(i));
        std::error_code error;
        if (i + 1 < kTries && std::filesystem::exists(part, error)) continue;
        const auto written = sim::write_file(part, bytes, sim::Overwrite::no);
        if (written) return part;
        return written.error();
    }
}

}  // namespace

ScreenRecorder::ScreenRecorder(ScreenHeader header) : header_{std::move(header)}, codec_{header_} {
    header_.player_name = screen_name(header_.player_name);
    bytes_.assign(kScreenMagic.begin(), kScreenMagic.end());
    bytes_.push_back(kScreenVersion);
    std::vector<std::uint8_t> memory(256);
    BitWriter out{memory};
    write(out, header_);
    const auto written = out.finish();
    bytes_.insert(bytes_.end(), written.begin(), written.end());
}

void ScreenRecorder::add(Duration since_start, const Battle& battle, std::span<const std::string> names) {
    if (since_start < Duration{} || micros(since_start) / 1000 > kMostScreenMillis) return;
    ScreenFrame frame = screen_frame(header_, since_start, battle, names);
    if (codec_.has_frame() && frame.at <= codec_.frame().at) return;
    const std::size_t before = bytes_.size();
    // After one frame that did not fit, the next would be coded against one that is not in the file.
    if (left_out_ == 0) codec_.write(std::move(frame), bytes_);
    if (left_out_ == 0 && bytes_.size() + kScreenEndSize <= kMostScreenBytes) {
        ++frames_;
    } else {
        bytes_.resize(before);
        ++left_out_;
    }
}

std::vector<std::uint8_t> ScreenRecorder::to_bytes() const {
    std::vector<std::uint8_t> bytes = bytes_;
    bytes.insert(bytes.end(), kScreenEnd.begin(), kScreenEnd.end());
    append_number(bytes, frames_);
    append_number(bytes, left_out_);
    append_number(bytes, hash_of(bytes));
    return bytes;
}

Result<void> ScreenRecorder::save(const std::string& path, sim::Overwrite overwrite) const {
    // An empty file reserves the name: no other program can create it between test and rename.
    const bool reserve = overwrite == sim::Overwrite::no;
    std::error_code error;
    // A rename would replace a device, such as /dev/null.
    if (!reserve && std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
        return Error{path + ": is not a file, and is not replaced by one"};
    if (reserve) {
        if (const auto reserved = sim::write_file(path, {}, overwrite); !reserved) return reserved;
    }
    error.clear();
    const auto part = write_beside(path, to_bytes());
    if (part) std::filesystem::rename(*part, path, error);
    if (part && !error) return {};
    std::error_code ignored;
    if (part) std::filesystem::remove(*part, ignored);
    if (reserve) std::filesystem::remove(path, ignored);
    if (!part) return part.error();
    return Error{path + ": cannot be written: " + error.message()};
}

const ScreenFrame* ScreenReader::next() {
    if (!in_.ok() || in_.bits_left() == 0) return nullptr;
    if (codec_.read(in_)) return &codec_.frame();
    in_.fail();
    return nullptr;
}

bool ScreenRecording::has_magic(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= kScreenMagic.size() &&
           std::equal(kScreenMagic.begin(), kScreenMagic.end(), bytes.begin());
}

Result<ScreenRecording> ScreenRecording::from_body(std::span<const std::uint8_t> body,
                                                   const std::string& name) {
    ScreenRecording recording;
    recording.name_ = name;
    const auto header_size = read_screen_header(body, recording.header_);
    if (!header_size) return Error{name + ": damaged: invalid header"};
    const auto frames = body.subspan(*header_size);
    recording.frame_bytes_.assign(frames.begin(), frames.end());
    ScreenReader reader = recording.reader();
    while (const ScreenFrame* frame = reader.next()) {
        ++recording.frames_;
        recording.length_ = std::chrono::milliseconds{frame->at};
    }
    if (reader.ok()) return recording;
    return Error{name + ": damaged: frame " + std::to_string(recording.frames_) +
                 " is invalid (frames count from 0)"};
}

Result<ScreenRecording> ScreenRecording::parse(std::span<const std::uint8_t> bytes, const std::string& name) {
    if (!has_magic(bytes))
        return Error{name + ": not a recording of a screen: it does not begin with " +
                     std::string{kScreenMagic}};
    if (bytes.size() > kMostScreenBytes)
        return Error{name + ": longer than " + std::to_string(kMostScreenBytes) + " bytes"};
    const std::string cut_off = name + ": cut off after " + std::to_string(bytes.size()) + " bytes";
    if (bytes.size() < kScreenBegin) return Error{cut_off};
    if (bytes[kScreenMagic.size()] != kScreenVersion)
        return Error{name + ": recorded with format version " + std::to_string(bytes[kScreenMagic.size()]) +
                     ", this program reads version " + std::to_string(kScreenVersion)};
    if (bytes.size() < kScreenBegin + kScreenEndSize) return Error{cut_off};
    const std::size_t end = bytes.size() - kScreenEndSize;
    if (!std::equal(kScreenEnd.begin(), kScreenEnd.end(), bytes.begin() + static_cast<std::ptrdiff_t>(end)))
        return Error{cut_off + ", or damaged: its end is missing"};
    const std::uint64_t hash = number_at(bytes, bytes.size() - 8);
    if (hash_of(bytes.first(bytes.size() - 8)) != hash) return Error{name + ": damaged: hash mismatch"};

    auto recording = from_body(bytes.subspan(kScreenBegin, end - kScreenBegin), name);
    if (!recording) return recording;
    const std::uint64_t frames = number_at(bytes, end + kScreenEnd.size());
    if (recording->frames_ != frames)
        return Error{name + ": damaged: holds " + std::to_string(recording->frames_) + " frames, expected " +
                     std::to_string(frames)};
    recording->left_out_ = number_at(bytes, end + kScreenEnd.size() + 8);
    recording->hash_ = hash;
    return recording;
}

Result<ScreenRecording> ScreenRecording::load(const std::string& path) {
    const auto bytes = sim::read_file(path, kMostScreenBytes);
    if (!bytes) return bytes.error();
    return parse(*bytes, path);
}

Result<void> ScreenRecording::check(const Map& map) const {
    if (map.fingerprint() != header_.map_fingerprint)
        return Error{name_ + ": recorded on another version of the map \"" + header_.map +
                     "\": fingerprint " + in_hex(header_.map_fingerprint) + ", expected " +
                     in_hex(map.fingerprint())};
    const ScreenHeader expected = screen_header(map, header_.mode, header_.seed, 0, "");
    if (expected.corner() != header_.corner())
        return Error{name_ + ": damaged: the size of the map is another one"};
    ScreenReader frames = reader();
    while (const ScreenFrame* frame = frames.next()) {
        const bool fits = (frame->items.empty() || frame->items.size() == map.items.size()) &&
                          (frame->doors.empty() || frame->doors.size() == map.doors.size());
        if (!fits)
            return Error{name_ + ": damaged: at " + std::to_string(frame->at) +
                         " ms the screen shows items or doors that the map does not have"};
    }
    return {};
}

}  // namespace fray::panzer
