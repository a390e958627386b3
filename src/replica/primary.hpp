#pragma once
// An entity of ours: its latest state, its states in recent frames, and the encoding against one of these as
// a baseline. An update is encoded once per baseline, however many peers get it.

#include <fray/ids.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include "core/sighting.hpp"
#include "wire/pose_codec.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// A frame of this peer, counted from its start.
using Frame = std::uint32_t;
inline constexpr Frame kNoFrame = 0xFFFFFFFF;

/// States that a primary remembers; a baseline is never older.
inline constexpr std::size_t kPrimaryHistory = 32;

/// An encoded update body, valid until the primary changes.
struct EncodedBody {
    std::span<const std::uint8_t> bytes;
    std::size_t bits = 0;
    bool whole = false;  ///< not a delta
};

class Primary {
public:
    Primary(std::uint32_t number, EntityTypeId type) : number_{number}, type_{type} {}

    /// Sets the game's new state; the next commit() takes it over.
    void set(const State& state, SessionInstant stamp);
    /// What was set since the last commit becomes the state of this frame. False if nothing was set.
    bool commit(Frame frame, const PoseCodec& codec);
    /// Restamps the unchanged state: 16 bits on the wire cannot express an old stamp.
    void refresh(Frame frame, SessionInstant now);
    /// After a clock step: former stamps are invalid.
    void restamp(SessionInstant now);

    /// The body of an update: whole, or against the state that the receiver holds from `baseline`.
    /// A baseline that is no longer remembered gives the whole state.
    [[nodiscard]] EncodedBody encode(const World& world, const PoseCodec& codec,
                                     std::optional<Frame> baseline);
    /// The frame of the state that a datagram sent in frame `sent` carried; nothing if it is forgotten.
    [[nodiscard]] std::optional<Frame> state_frame(Frame sent) const {
        const Past* state = state_at(sent);
        return state == nullptr ? std::nullopt : std::optional{state->frame};
    }

    /// The pose at this moment, at most kMostRewind ago: interpolated between the states that were sent, and
    /// from the last of them to the latest one.
    [[nodiscard]] Pose pose_at(SessionInstant moment, const World& world, const PoseCodec& codec) const;

    /// It has no velocity, and no new state is waiting for commit().
    [[nodiscard]] bool stands_still() const { return !set_ && state_.pose.velocity == Vec3{}; }
    [[nodiscard]] std::uint32_t number() const { return number_; }
    [[nodiscard]] EntityTypeId type() const { return type_; }
    [[nodiscard]] const State& state() const { return state_; }
    /// When it was set.
    [[nodiscard]] SessionInstant set_at() const { return stamp_; }
    /// Stamp of the latest committed state, as it is sent.
    [[nodiscard]] SessionInstant stamp() const { return history_.empty() ? stamp_ : history_[newest_].stamp; }
    /// The latest committed state, as receivers restore it. Requires that there is one.
    [[nodiscard]] HeardState told(const PoseCodec& codec) const;
    /// Frame of the latest committed state.
    [[nodiscard]] Frame frame() const { return frame_; }
    /// Bits of the body that was encoded last.
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
    /// A former pose, for pose_at(): kept longer than baselines, and without payload.
    struct Step {
        SessionInstant stamp;
        QuantisedPose pose;
    };
    struct Cached {
        Frame baseline = kNoFrame;
        std::size_t begin = 0;  // in cache_bytes_
        std::size_t bits = 0;
    };

    /// The state that was current in this frame; nullptr if it is forgotten.
    [[nodiscard]] const Past* state_at(Frame frame) const {
        // An entity that moves has a state in every frame: then the first guess is right.
        const std::size_t back = frame_ - frame;
        if (back <= newest_ && !history_.empty() && history_[newest_ - back].frame == frame)
            return &history_[newest_ - back];
        return search(frame);
    }
    [[nodiscard]] const Past* search(Frame frame) const;
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
    std::vector<Step> trail_;  // oldest first; some at the front may be older than kMostRewind
    std::vector<Cached> cache_;
    std::vector<std::uint8_t> cache_bytes_;
    std::vector<std::uint64_t> fields_;  // scratch
    std::size_t last_bits_ = 0;
};

}  // namespace fray
