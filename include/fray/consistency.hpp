#pragma once
// What players feel of an entity: which moment of it is on whose screen, and by which way its updates come.
//
// No algorithm fits every entity (C. Savery, T.C.N. Graham, C. Gutwin: The human factors of consistency
// maintenance in multiplayer computer games, 2010). So the owner chooses one per entity, everybody is told,
// and it may choose anew while playing: Peer::set_consistency(). A game always simulates its own entities at
// once, calls Peer::update() with them, and draws Peer::local_view() and Peer::replicas(): what the algorithm
// delays, it delays there.
//
//     fray::PeerOptions options{.consistency = {.algorithm = fray::LocalLag{.lag = 80ms}}};   // of all, or
//     peer.set_consistency(now, door, {.algorithm = fray::HalfLife{}, .interval = 100ms});    // of this one

#include <fray/ids.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace fray {

/// Updates go to one peer, which passes them on to everybody, the owner included, in one order; screens show
/// the last one that came. The baseline: every screen waits for the way there and back.
struct CentralizedSerialization {
    PeerId serializer{};
    friend bool operator==(const CentralizedSerialization&, const CentralizedSerialization&) = default;
};

/// The owner's screen shows its own doing at once; the others go on from the last update, as the type's
/// motion model says or straight on. The default.
struct EverQuest {
    bool motion_model = true;  ///< false: always straight on, with the velocity of the update, as published
    /// Updates go through this peer, which passes on what EntityType::valid accepts and overrules the rest.
    std::optional<PeerId> validator{};
    friend bool operator==(const EverQuest&, const EverQuest&) = default;
};

/// Every screen, the owner's too, shows the entity as it was `lag` ago; what is not there in time is
/// predicted, and repaired when it comes.
struct LocalLag {
    Duration lag{100ms};
    friend bool operator==(const LocalLag&, const LocalLag&) = default;
};

/// Time is cut into buckets. What a player does in one bucket is collected and done from the beginning of the
/// bucket `depth` later on, on every screen. The game asks InputBuckets what to do now.
struct BucketSync {
    Duration bucket{50ms};
    std::uint8_t depth = 2;
    friend bool operator==(const BucketSync&, const BucketSync&) = default;
};

/// The owner's screen shows its own doing at once; the others show the entity as it was `remote_lag` ago,
/// between two updates: as it truly was, only later. Hits are decided in the shooter's view (Peer::interact).
struct HalfLife {
    Duration remote_lag{100ms};
    friend bool operator==(const HalfLife&, const HalfLife&) = default;
};

/// Fray's own: updates carry what the player does, and the others go on from there by the motion model, as
/// far as going on like this has proven right before; corrections are blended in. Where the network is slow
/// the owner's screen waits a little, too. Parameters follow the measured network: docs/concepts/consistency.
struct Adaptive {
    Duration most_lag{50ms};  ///< the owner's screen never waits longer
    Duration least_lag{};     ///< nor shorter; the same as most_lag: does not follow the network
    Duration blend{200ms};    ///< in which a correction fades to a third
    Duration lag{};           ///< of all screens; kept up to date by the owner's peer
    friend bool operator==(const Adaptive&, const Adaptive&) = default;
};

using ConsistencyAlgorithmOptions =
    std::variant<EverQuest, CentralizedSerialization, LocalLag, BucketSync, HalfLife, Adaptive>;

/// How one entity is kept consistent.
struct Consistency {
    ConsistencyAlgorithmOptions algorithm{EverQuest{}};
    Duration interval{};   ///< between two updates; 0: every frame in which it changes
    Duration horizon{1s};  ///< going on without word is pointless after this: it stands still

    /// Says the first value that cannot be.
    [[nodiscard]] Result<void> check() const;
    friend bool operator==(const Consistency&, const Consistency&) = default;
};

/// Lags are never longer, nor the time between two updates.
inline constexpr Duration kMostLag{2s};
inline constexpr Duration kMostHorizon{10s};
inline constexpr std::uint8_t kMostBuckets = 15;

/// As results and command lines call it: everquest, local_lag, ...
[[nodiscard]] std::string_view name_of(const ConsistencyAlgorithmOptions& algorithm);

/// Shown positions had to be repaired so often, by so much: before any blending, for every algorithm alike.
struct Corrections {
    std::uint64_t count = 0;
    double sum = 0;   ///< units
    double most = 0;  ///< units
};

/// When the player's own input is applied. Give it what the player does, frame by frame; it answers what the
/// entity does now: the same, but for BucketSync, where it is what the player did in the bucket before. There
/// a key that was down at any time is down throughout, so that a tap shorter than a bucket is not lost.
///
///     const std::array<std::uint8_t, 1> keys{0x0f};   // four keys in the first byte; the second is a stick
///     fray::InputBuckets buckets{consistency, keys};
///     ship = advance(ship, buckets.apply(peer.session_time(now), what_the_player_does));
class InputBuckets {
public:
    /// Fray cannot know what the bytes of an input mean, so the game says which of its bits are keys. All
    /// others, also those of bytes behind the last of `keys`, may be parts of numbers, which cannot be
    /// collected bit by bit: of these the last value of the bucket counts.
    InputBuckets(const Consistency& consistency, std::span<const std::uint8_t> keys);
    [[nodiscard]] std::span<const std::uint8_t> apply(SessionInstant now,
                                                      std::span<const std::uint8_t> input);

private:
    void collect(std::span<const std::uint8_t> input);

    Duration bucket_{};  // zero: no buckets
    std::vector<std::uint8_t> keys_;
    std::int64_t collecting_ = 0;
    std::vector<std::uint8_t> collected_;  // in the bucket that is being collected
    std::vector<std::uint8_t> current_;    // from the bucket before
};

}  // namespace fray
