#pragma once
// A recording of what one screen showed during a match, the same from a swarm and over UDP:
//
//     ScreenRecorder recorder{screen_header(map, mode, seed, player, name)};
//     recorder.add(since_start, battle, names);                 // once per tick
//     auto saved = recorder.save(path, sim::Overwrite::no);
//
//     auto recording = ScreenRecording::load(path);
//     for (auto reader = recording->reader(); const ScreenFrame* frame = reader.next();) ...
//
// File: "FRAYSCR" and a version byte; the header; the frames, each coded against the one before
// (screen_codec.hpp); "FRAYEND" and a zero byte; u64 number of frames; u64 number of frames that were left
// out at the end, because the recording had reached its largest size; u64 hash of everything before it.
// Header and frames are padded to a byte, numbers are little-endian.
//
// 16 bots that fight for 60 s take 53 KB (55 bytes per tank and second); 16 tanks that stand still, 5 KB.

#include <fray/result.hpp>

#include "games/panzer/match/screen_codec.hpp"
#include "games/panzer/match/screen_frame.hpp"
#include "sim/file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::panzer {

inline constexpr std::string_view kScreenMagic = "FRAYSCR";
inline constexpr std::uint8_t kScreenVersion = 1;
inline constexpr std::size_t kMostScreenBytes = std::size_t{1} << 28U;

class ScreenRecorder {
public:
    /// Names are made valid (screen_name()); everything else of the header must be within its range.
    explicit ScreenRecorder(ScreenHeader header);

    /// Adds what the screen shows; times are rounded down to milliseconds. A frame that is not later than the
    /// last one is ignored, and so is one after a week.
    void add(Duration since_start, const Battle& battle, std::span<const std::string> names);

    [[nodiscard]] const ScreenHeader& header() const { return header_; }
    [[nodiscard]] std::uint64_t frame_count() const { return frames_; }
    /// The bytes of a file.
    [[nodiscard]] std::vector<std::uint8_t> to_bytes() const;
    /// The file appears under its name when it is complete. Overwrite::no: an existing file is an error, and
    /// is left unchanged.
    [[nodiscard]] Result<void> save(const std::string& path, sim::Overwrite overwrite) const;

private:
    ScreenHeader header_;
    ScreenCodec codec_;
    std::vector<std::uint8_t> bytes_;  // of the file, without its end
    std::uint64_t frames_ = 0;
    std::uint64_t left_out_ = 0;
};

/// Gives the frames of a recording one by one.
class ScreenReader {
public:
    /// The bytes must outlive the reader.
    ScreenReader(const ScreenHeader& header, std::span<const std::uint8_t> frames)
        : codec_{header}, in_{frames} {}

    /// Valid until the next call; nullptr behind the last frame, and from the first invalid one on.
    [[nodiscard]] const ScreenFrame* next();
    /// False after an invalid frame.
    [[nodiscard]] bool ok() const { return in_.ok(); }

private:
    ScreenCodec codec_;
    BitReader in_;
};

/// A complete recording, all of whose frames are valid.
class ScreenRecording {
public:
    /// Returns an error of one line, beginning with the file's name, if the file is unreadable, cut off,
    /// damaged, of another version, or no recording of a screen.
    [[nodiscard]] static Result<ScreenRecording> load(const std::string& path);
    /// `name` is used in errors.
    [[nodiscard]] static Result<ScreenRecording> parse(std::span<const std::uint8_t> bytes,
                                                       const std::string& name);
    /// The same for header and frames alone, without magic and end.
    [[nodiscard]] static Result<ScreenRecording> from_body(std::span<const std::uint8_t> body,
                                                           const std::string& name);
    /// Whether bytes begin as those of a recording of a screen, of any version.
    [[nodiscard]] static bool has_magic(std::span<const std::uint8_t> bytes);

    /// Returns an error if this is not the map, as it was, that the match was played on.
    [[nodiscard]] Result<void> check(const Map& map) const;

    [[nodiscard]] const ScreenHeader& header() const { return header_; }
    [[nodiscard]] std::uint64_t frame_count() const { return frames_; }
    /// Frames of the match after the last one in the recording, which were too many.
    [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
    /// Of the last frame.
    [[nodiscard]] Duration length() const { return length_; }
    /// Of everything that was shown. The same match gives the same hash.
    [[nodiscard]] std::uint64_t hash() const { return hash_; }
    /// The recording must outlive the reader.
    [[nodiscard]] ScreenReader reader() const { return {header_, frame_bytes_}; }

private:
    ScreenRecording() = default;

    std::string name_;
    ScreenHeader header_;
    std::vector<std::uint8_t> frame_bytes_;
    std::uint64_t frames_ = 0;
    std::uint64_t left_out_ = 0;
    Duration length_{};
    std::uint64_t hash_ = 0;
};

}  // namespace fray::panzer
