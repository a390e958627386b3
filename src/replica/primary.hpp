#pragma once
// An entity of ours: its latest state, what it was in recent frames, and how it is written for those who
// hold one of these as a baseline. An update is encoded once per baseline, however many peers get it.

#include <fray/ids.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include "wire/pose_codec.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// A frame of this peer, counted from its start.
using Frame = std::uint32_t;
inline constexpr Frame kNoFrame = 0xFFFFFFFF;

/// Frames a primary remembers; a baseline is never older.
inline constexpr std::size_t kPrimaryHistory = 32;

/// Bits of an encoded update body, alive until the primary changes.
struct EncodedBody {
    std::span<const std::uint8_t> bytes;
    std::size_t bits = 0;
    bool whole = false;  ///< not against a baseline
};

class Primary {
public:
    Primary(std::uint32_t number, EntityTypeId type) : number_{number}, type_{type} {}

    /// The game's new state, taken over at the next commit().
    void set(const State& state, SessionInstant stamp);
    /// A frame begins: what was set since the last one becomes its state. Says whether there was anything.
    bool commit(Frame frame, const PoseCodec& codec);
    /// The unchanged state counts as new from this moment: an old stamp could not be told any more.
    void refresh(Frame frame, SessionInstant now);
    /// Session time was set: what was stamped before means nothing any more.
    void restamp(SessionInstant now);

    /// The body of an update: whole, or against the state that the receiver holds from `baseline`.
    /// A baseline that is no longer remembered gives the whole state.
    [[nodiscard]] EncodedBody encode(const World& world, const PoseCodec& codec,
                                     std::optional<Frame> baseline);
    /// The frame of the state that a datagram sent in `sent` carried; nothing when forgotten.
    [[nodiscard]] std::optional<Frame> state_frame(Frame sent) const;

    /// Where it was at this moment, between the states that were sent, and then the latest: what others saw,
    /// where they saw right. kMostRewind back.
    [[nodiscard]] Pose pose_at(SessionInstant moment, const World& world, const PoseCodec& codec) const;

    /// Nobody can tell where it would be by now but where it was: no velocity, nothing new waiting.
    [[nodiscard]] bool stands_still() const { return !set_ && state_.pose.velocity == Vec3{}; }
    [[nodiscard]] std::uint32_t number() const { return number_; }
    [[nodiscard]] EntityTypeId type() const { return type_; }
    [[nodiscard]] const State& state() const { return state_; }
    /// When it was set.
    [[nodiscard]] SessionInstant set_at() const { return stamp_; }
    /// Of the latest committed state: what is sent bears this.
    [[nodiscard]] SessionInstant stamp() const { return history_.empty() ? stamp_ : history_[newest_].stamp; }
    /// Frame of the latest committed state.
    [[nodiscard]] Frame frame() const { return frame_; }
    /// What the last encoded body took.
    [[nodiscard]] std::size_t last_bits() const { return last_bits_; }
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    struct Past {
        Frame frame = kNoFrame;
        QuantisedPose pose;
        SessionInstant stamp;
        std::vector<std::uint8_t> payload;
        std::vector<std::uint8_t> input;
    };
    /// Where it was, for those who ask what they saw: longer than baselines are, and without payloads.
    struct Step {
        SessionInstant stamp;
        QuantisedPose pose;
    };
    struct Cached {
        Frame baseline = kNoFrame;
        std::size_t begin = 0;  // in cache_bytes_
        std::size_t bits = 0;
    };

    [[nodiscard]] const Past* past(Frame frame) const;
    /// Place in the history of the state that held in this frame.
    [[nodiscard]] std::optional<std::size_t> state_at(Frame frame) const;
    Past& place(Frame frame);
    void leave_trail(SessionInstant stamp, const QuantisedPose& pose);
    void write_body(BitWriter& out, const World& world, const PoseCodec& codec, const Past* baseline);

    std::uint32_t number_;
    EntityTypeId type_;
    State state_;
    SessionInstant stamp_;
    Frame frame_ = kNoFrame;
    bool set_ = false;
    std::vector<Past> history_;  // ring, oldest overwritten
    std::size_t newest_ = 0;
    std::vector<Step> trail_;  // the oldest first; some at the front may be too old to count
    std::vector<Cached> cache_;
    std::vector<std::uint8_t> cache_bytes_;
    std::vector<std::uint64_t> fields_;  // scratch
    std::size_t last_bits_ = 0;
};

}  // namespace fray
