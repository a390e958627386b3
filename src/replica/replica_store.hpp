#pragma once
// The entities of one other peer. Each keeps the states that its owner may still use as a baseline: as many
// as one round trip needs.

#include <fray/state.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "core/sighting.hpp"
#include "wire/limits.hpp"
#include "wire/relayed_state.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace fray {

inline constexpr std::size_t kMaxBaselines = 32;  ///< states kept per replica
inline constexpr unsigned kBackBits = 5;          ///< baseline reference: datagrams back, 0 none
inline constexpr std::uint32_t kMostBack = (1U << kBackBits) - 1;

/// The datagram that carried an update.
struct UpdateOrigin {
    std::uint16_t sequence = 0;
    std::uint16_t stamp = 0;
    SessionInstant when;  ///< the stamp, completed
};

/// An update as it was read last. All stores of a peer use the same one: it is scratch memory.
struct ReadUpdate {
    WholeState state;  ///< also of a stale update
    Rejection why{};   ///< if it could not be applied
    std::vector<std::uint64_t> fields;

    [[nodiscard]] std::size_t heap_bytes() const {
        return state.payload.capacity() + state.input.capacity() + fields.capacity() * sizeof(std::uint64_t);
    }
};

class ReplicaStore {
public:
    enum class Outcome : std::uint8_t { fresh, appeared, stale };
    struct Applied {
        Outcome outcome{};
        std::uint32_t number = 0;
    };

    /// Reads one update (number, baseline reference, body). Nothing if it cannot be applied; `read` says why.
    [[nodiscard]] std::optional<Applied> apply(BitReader& in, const World& world, const PoseCodec& codec,
                                               const UpdateOrigin& origin, ReadUpdate& read);
    /// Writes the newest state of the i-th replica, exactly as its owner would write it whole.
    void write_newest(BitWriter& out, std::size_t i, const World& world, const PoseCodec& codec) const;
    /// Takes over a relayed state if it is newer; it is never a baseline. Once the owner has sent us entities
    /// directly, relayed states of its other entities are ignored.
    Outcome relay(const RelayedState& relayed);
    /// Once the owner has sent us entities directly: removes one that only other peers sent, last before
    /// `until`, and returns its number.
    [[nodiscard]] std::optional<std::uint32_t> take_unconfirmed(SessionInstant until);
    /// Of the newest state of the i-th replica.
    [[nodiscard]] const QuantisedPose& pose_at(std::size_t i) const { return entities_[i].shown().pose; }
    [[nodiscard]] std::uint16_t stamp_at(std::size_t i) const { return entities_[i].shown().stamp; }
    [[nodiscard]] SessionInstant when_at(std::size_t i) const { return entities_[i].when; }

    /// Removes an entity. Updates of it that are still on their way do not add it again.
    bool withdraw(std::uint32_t number);
    [[nodiscard]] bool withdrew(std::uint32_t number) const;
    /// The link ended, or another one begins: keeps only the newest state of each entity, as a relayed one.
    void forget_baselines();
    /// After a clock step: completes the 16-bit stamps again.
    void restamp(SessionInstant now);

    [[nodiscard]] std::size_t size() const { return entities_.size(); }
    [[nodiscard]] EntityTypeId type_at(std::size_t i) const { return entities_[i].type; }
    [[nodiscard]] std::uint32_t number_at(std::size_t i) const { return entities_[i].number; }
    [[nodiscard]] std::optional<std::size_t> find(std::uint32_t number) const {
        const auto place = std::ranges::lower_bound(entities_, number, {}, &Entity::number);
        if (place == entities_.end() || place->number != number) return std::nullopt;
        return static_cast<std::size_t>(place - entities_.begin());
    }
    /// The newest state of the i-th replica. The spans live until the store changes.
    [[nodiscard]] HeardState newest(std::size_t i, const PoseCodec& codec) const;
    [[nodiscard]] std::size_t heap_bytes() const;

private:
    struct Held {
        QuantisedPose pose;
        std::uint16_t sequence = 0;
        std::uint16_t stamp = 0;
        bool used = false;
        std::uint8_t input_size = 0;
        std::vector<std::uint8_t> bytes;  // payload and input: a second vector would take as much as a pose
        [[nodiscard]] std::span<const std::uint8_t> payload() const {
            return std::span{bytes}.first(bytes.size() - input_size);
        }
        [[nodiscard]] std::span<const std::uint8_t> input() const {
            return std::span{bytes}.last(input_size);
        }
        void set_bytes(const WholeState& state);
        [[nodiscard]] std::size_t heap_bytes() const { return bytes.capacity(); }
    };
    struct Entity {
        std::uint32_t number = 0;
        EntityTypeId type{};
        std::uint16_t newest = 0;         // sequence
        std::uint16_t last_baseline = 0;  // sequence; older states are no longer needed
        SessionInstant when{};
        Duration gap = HeardState::kNoGap;  // from the newest state before this one
        std::vector<Held> held;             // ring, a power of two, by sequence
        std::unique_ptr<Held> relayed;      // a state newer than all of these, from another peer
        [[nodiscard]] bool confirmed() const { return !held.empty(); }  // by its owner
        [[nodiscard]] const Held& shown() const { return relayed ? *relayed : *find(newest); }
        [[nodiscard]] const Held* find(std::uint16_t sequence) const {
            if (held.empty()) return nullptr;
            const Held& slot = held[sequence & (held.size() - 1)];
            return slot.used && slot.sequence == sequence ? &slot : nullptr;
        }
        [[nodiscard]] Held& place(std::uint16_t sequence, std::size_t room);
        void widen();
        [[nodiscard]] std::size_t heap_bytes() const;
    };

    [[nodiscard]] std::optional<Applied> apply_full(BitReader& in, const World& world, const PoseCodec& codec,
                                                    const UpdateOrigin& origin, std::uint32_t number,
                                                    ReadUpdate& read);
    [[nodiscard]] std::optional<Applied> apply_delta(BitReader& in, const World& world,
                                                     const PoseCodec& codec, const UpdateOrigin& origin,
                                                     Entity& entity, std::uint32_t back, ReadUpdate& read);
    /// The owner has sent us entities directly.
    [[nodiscard]] bool heard_owner() const { return std::ranges::any_of(entities_, &Entity::confirmed); }
    /// Keeps the update that was read. Nothing if there is no room.
    [[nodiscard]] std::optional<Applied> keep(Entity& entity, const UpdateOrigin& origin, bool is_new,
                                              const WholeState& read);

    std::size_t held_bytes_ = 0;            // of all states, at most kMaxReplicaBytes
    std::vector<Entity> entities_;          // ordered by number
    std::vector<std::uint32_t> withdrawn_;  // the most recent ones, oldest first
};

}  // namespace fray
