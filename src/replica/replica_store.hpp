#pragma once
// The entities of one other peer as its updates told them. Each keeps the states its owner may still use
// as a baseline: as many as fit one round trip, no more.

#include <fray/state.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "wire/pose_codec.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fray {

inline constexpr std::size_t kMaxRemoteEntities = 4096;  ///< of one peer
inline constexpr std::size_t kMaxBaselines = 32;         ///< states kept per replica
inline constexpr unsigned kBackBits = 5;                 ///< baseline reference: datagrams back, 0 none
inline constexpr std::uint32_t kMostBack = (1U << kBackBits) - 1;

/// The datagram an update came in.
struct UpdateOrigin {
    std::uint16_t sequence = 0;
    std::uint16_t stamp = 0;
    SessionInstant when;  ///< the stamp, completed
};

class ReplicaStore {
public:
    enum class Outcome : std::uint8_t { fresh, appeared, stale };
    struct Applied {
        Outcome outcome{};
        std::uint32_t number = 0;
        QuantisedPose pose{};
    };

    /// Reads one update (number, baseline reference, body). Nothing where it cannot be applied: `why` tells.
    [[nodiscard]] std::optional<Applied> apply(BitReader& in, const World& world, const PoseCodec& codec,
                                               const UpdateOrigin& origin, Rejection& why);
    /// Payload and input of the update that was read last.
    [[nodiscard]] std::span<const std::uint8_t> last_payload() const { return payload_; }
    [[nodiscard]] std::span<const std::uint8_t> last_input() const { return input_; }
    /// A whole state, as it travels through others: it needs no baseline.
    struct Whole {
        std::uint32_t number = 0;
        EntityTypeId type{};
        QuantisedPose pose;
        std::vector<std::uint8_t> payload;
        std::vector<std::uint8_t> input;
    };
    [[nodiscard]] static bool read_whole(BitReader& in, const World& world, const PoseCodec& codec,
                                         Whole& whole);
    /// The newest state of the i-th replica, exactly as its owner would write it whole.
    void write_whole(BitWriter& out, std::size_t i, const World& world, const PoseCodec& codec) const;
    static void write_whole(BitWriter& out, const Whole& whole, const World& world, const PoseCodec& codec);
    /// Takes over what somebody passed on, where it is newer; never a baseline. Of a peer that told us of its
    /// entities itself, only the first is taken: no other is ever passed on.
    Outcome relay(const Whole& whole, std::uint16_t stamp, SessionInstant when);
    /// Once the owner told us of any of its entities: forgets one that others alone told of, and says which.
    [[nodiscard]] std::optional<std::uint32_t> take_unconfirmed();
    /// Of the newest state of the i-th replica.
    [[nodiscard]] const QuantisedPose& pose_at(std::size_t i) const { return entities_[i].shown().pose; }
    [[nodiscard]] std::uint16_t stamp_at(std::size_t i) const { return entities_[i].shown().stamp; }
    [[nodiscard]] SessionInstant when_at(std::size_t i) const { return entities_[i].when; }

    /// The owner withdrew it; updates that are still on their way do not bring it back.
    bool withdraw(std::uint32_t number);
    [[nodiscard]] bool withdrew(std::uint32_t number) const;
    /// Session time was set: what was received before is understood anew.
    void restamp(SessionInstant now);

    [[nodiscard]] std::size_t size() const { return entities_.size(); }
    [[nodiscard]] EntityTypeId type_at(std::size_t i) const { return entities_[i].type; }
    [[nodiscard]] std::uint32_t number_at(std::size_t i) const { return entities_[i].number; }
    [[nodiscard]] std::optional<std::size_t> find(std::uint32_t number) const;
    /// The i-th replica, brought forward to `now`; the id's owner is left to the caller.
    [[nodiscard]] Replica show(std::size_t i, const World& world, const PoseCodec& codec,
                               SessionInstant now) const;
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    struct Held {
        QuantisedPose pose;
        std::uint16_t sequence = 0;
        std::uint16_t stamp = 0;
        bool used = false;
        std::vector<std::uint8_t> payload;
        std::vector<std::uint8_t> input;
    };
    struct Entity {
        std::uint32_t number = 0;
        EntityTypeId type{};
        std::uint16_t newest = 0;         // sequence
        std::uint16_t last_baseline = 0;  // sequence; older states are of no use any more
        SessionInstant when{};
        std::vector<Held> held;         // ring, a power of two, by sequence
        std::unique_ptr<Held> relayed;  // a newer state than all of these, passed on by others
        [[nodiscard]] const Held& shown() const { return relayed ? *relayed : *find(newest); }
        [[nodiscard]] const Held* find(std::uint16_t sequence) const;
        [[nodiscard]] Held& place(std::uint16_t sequence);
    };

    [[nodiscard]] std::optional<Applied> apply_full(BitReader& in, const World& world, const PoseCodec& codec,
                                                    const UpdateOrigin& origin, std::uint32_t number,
                                                    Rejection& why);
    [[nodiscard]] std::optional<Applied> apply_delta(BitReader& in, const World& world,
                                                     const PoseCodec& codec, const UpdateOrigin& origin,
                                                     Entity& entity, std::uint32_t back, Rejection& why);
    Outcome keep(Entity& entity, const UpdateOrigin& origin, const QuantisedPose& pose, bool is_new);

    std::size_t held_bytes_ = 0;            // of payloads
    std::vector<Entity> entities_;          // ordered by number
    std::vector<std::uint32_t> withdrawn_;  // the most recent ones
    std::vector<std::uint8_t> payload_;     // scratch
    std::vector<std::uint8_t> input_;       // scratch
    std::vector<std::uint64_t> fields_;     // scratch
};

}  // namespace fray
