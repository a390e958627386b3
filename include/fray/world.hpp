#pragma once
// The world is configuration that every peer of a session must share. Its fingerprint travels in the hello;
// a mismatch is refused (Reason::world_mismatch).

#include <fray/geometry.hpp>
#include <fray/guide.hpp>
#include <fray/pure_function.hpp>
#include <fray/result.hpp>
#include <fray/serialize.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fray {

/// Largest payload of an entity, in serialised bytes.
inline constexpr std::size_t kMaxPayloadBytes = 4096;
/// Largest input of an entity, in bytes.
inline constexpr std::size_t kMaxInputBytes = 64;

/// Motion model: the pose `ticks` world ticks later under this input. Must be pure and deterministic. A model
/// that needs more than the entity (a map) gets it as context: AdvanceFunction::with<&function>(map).
using AdvanceFunction = PureFunction<Pose(const Pose& pose, std::span<const std::uint8_t> payload,
                                          std::span<const std::uint8_t> input, std::uint32_t ticks)>;

/// Whether an entity can get from one state to the other in this time. Must be pure and deterministic. Called
/// by a validator (EverQuest::validator), and for states that another peer than the owner passes on. May have
/// a context, as the motion model.
using ValidFunction =
    PureFunction<bool(const Pose& before, std::span<const std::uint8_t> payload_before, const Pose& after,
                      std::span<const std::uint8_t> payload_after, Duration elapsed)>;

/// How the bytes of one kind of entity are interpreted. Peer handles bytes only; everything typed is behind
/// these functions. Make one with EntityType::of<T>().
struct EntityType {
    std::string name;
    /// Appends the fields of a canonical payload to `fields`; false if the bytes do not decode.
    bool (*fields)(std::span<const std::uint8_t> payload, std::vector<std::uint64_t>& fields) = nullptr;
    /// Writes the payload as a delta against the fields of a baseline.
    bool (*write_delta)(BitWriter& out, std::span<const std::uint64_t> baseline,
                        std::span<const std::uint8_t> payload) = nullptr;
    /// Reads the output of write_delta and appends the canonical payload to `payload`.
    bool (*read_delta)(BitReader& in, std::span<const std::uint64_t> baseline,
                       std::vector<std::uint8_t>& payload) = nullptr;
    /// Reads one payload as write() wrote it and appends its canonical bytes.
    bool (*read_full)(BitReader& in, std::vector<std::uint8_t>& payload) = nullptr;
    /// Writes a canonical payload bit by bit, without padding.
    bool (*write_full)(BitWriter& out, std::span<const std::uint8_t> payload) = nullptr;
    /// Motion between two updates; nullptr: constant velocity.
    AdvanceFunction advance = nullptr;
    /// Which updates a validator accepts; nullptr: all.
    ValidFunction valid = nullptr;
    /// Moves replicas that are updated seldom; nullptr: steered within a speed and a turn limit.
    GuideFunction guide = nullptr;
    /// Where an entity looks; nullptr: yaw and pitch of its pose.
    FacingFunction facing = nullptr;
    /// Fingerprint of the fields: their order, kinds, ranges and precisions. Names are not part of it: if two
    /// fields with the same range change places, or a field changes its meaning, change World::version.
    /// Fields that exist only for certain values of other fields are found if these are flags, or among the
    /// 16 lowest values of a number or enumeration.
    std::uint64_t layout = 0;

    /// T needs a serialize() and a default constructor.
    template <class T>
    [[nodiscard]] static EntityType of(const std::string& name, AdvanceFunction advance = nullptr);
    /// An entity with a pose and an empty payload.
    [[nodiscard]] static EntityType bare(const std::string& name, AdvanceFunction advance = nullptr);
};

struct World {
    std::string name = "world";
    /// The game's own version. Change it with everything that peers must agree on and Fray does not see:
    /// motion models, the meaning of a field, messages.
    std::uint32_t version = 0;
    Vec3 low{-1024, -1024, -1024};  ///< bounds in units; with low.z == high.z, z takes no bits
    Vec3 high{1024, 1024, 1024};
    float position_precision = 0.125F;  ///< units; above 0
    float velocity_limit = 1024;        ///< units per second and axis; higher ones are clamped
    float velocity_precision = 1;       ///< units per second; above 0
    unsigned angle_bits = 10;           ///< 0 to 16; yaw and pitch in steps of 360/2^bits degrees; 0: none
    bool wrap_x = false;                ///< the right edge adjoins the left one
    bool wrap_y = false;
    Duration tick = 50ms;  ///< length of a frame, 1 ms to 150 s; an entity is updated at most once in it
    std::vector<EntityType> types{EntityType::bare("entity")};

    /// A hash of everything that peers must share, except motion models, validity functions and guides.
    [[nodiscard]] std::uint64_t fingerprint() const;
    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
};

}  // namespace fray

#include <fray/detail/entity_type.hpp>
