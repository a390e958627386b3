#pragma once
// The world is configuration: every peer of a session must hold the same one. Its fingerprint travels in
// the hello, and a mismatch is refused with a reason.

#include <fray/geometry.hpp>
#include <fray/result.hpp>
#include <fray/serialize.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fray {

/// Largest payload of an entity, in bytes as serialised.
inline constexpr std::size_t kMaxPayloadBytes = 4096;
/// Largest input of an entity, in bytes.
inline constexpr std::size_t kMaxInputBytes = 64;

/// Pure, stateless, deterministic: where the entity is `ticks` world ticks later under this input.
using AdvanceFunction = Pose (*)(const Pose& pose, std::span<const std::uint8_t> payload,
                                 std::span<const std::uint8_t> input, std::uint32_t ticks);

/// Pure, stateless, deterministic: whether an entity can have come from one state to the other in this time.
/// Asked where updates go through a validator (EverQuest::validator).
using ValidFunction = bool (*)(const Pose& before, std::span<const std::uint8_t> payload_before,
                               const Pose& after, std::span<const std::uint8_t> payload_after,
                               Duration elapsed);

/// How the bytes of one kind of entity are understood. Peer itself sees bytes only; everything typed is
/// behind these functions. Make one with EntityType::of<T>().
struct EntityType {
    std::string name;
    /// Fields of the canonical payload, appended to `fields`; false where the bytes are no such payload.
    bool (*fields)(std::span<const std::uint8_t> payload, std::vector<std::uint64_t>& fields) = nullptr;
    /// Writes payload against the fields of a baseline.
    bool (*write_delta)(BitWriter& out, std::span<const std::uint64_t> baseline,
                        std::span<const std::uint8_t> payload) = nullptr;
    /// Reads what write_delta wrote and appends the canonical payload to `payload`.
    bool (*read_delta)(BitReader& in, std::span<const std::uint64_t> baseline,
                       std::vector<std::uint8_t>& payload) = nullptr;
    /// Reads one payload as write() wrote it and appends its canonical bytes.
    bool (*read_full)(BitReader& in, std::vector<std::uint8_t>& payload) = nullptr;
    /// Writes canonical bytes as they are, bit by bit, without padding.
    bool (*write_full)(BitWriter& out, std::span<const std::uint8_t> payload) = nullptr;
    /// Motion between two updates; constant velocity where there is none.
    AdvanceFunction advance = nullptr;
    /// What a validator lets pass; everything, where there is none.
    ValidFunction valid = nullptr;
    /// Fingerprint of the fields of a default value and their widths: two peers with other fields differ in
    /// it.
    std::uint64_t layout = 0;

    /// T has a serialize() and a default constructor.
    template <class T>
    [[nodiscard]] static EntityType of(const std::string& name, AdvanceFunction advance = nullptr);
    /// An entity that is only a pose: its payload is empty.
    [[nodiscard]] static EntityType bare(const std::string& name, AdvanceFunction advance = nullptr);
};

struct World {
    std::string name = "world";
    Vec3 low{-1024, -1024, -1024};  ///< bounds; a flat game gives low.z == high.z and pays no bits for z
    Vec3 high{1024, 1024, 1024};
    float position_precision = 0.125F;  ///< units
    float velocity_limit = 1024;        ///< units per second and axis; faster is clamped
    float velocity_precision = 1;       ///< units per second
    unsigned angle_bits = 10;           ///< yaw and pitch in steps of 360/2^bits degrees; 0: no angles
    bool wrap_x = false;                ///< the right edge touches the left one
    bool wrap_y = false;
    Duration tick = 50ms;  ///< one frame; an update is at most as frequent
    std::vector<EntityType> types{EntityType::bare("entity")};

    /// Everything two peers must agree on, motion models excepted.
    [[nodiscard]] std::uint64_t fingerprint() const;
    /// Says the first value that cannot be.
    [[nodiscard]] Result<void> check() const;
};

}  // namespace fray

#include <fray/detail/entity_type.hpp>
