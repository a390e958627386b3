#pragma once
// What players see of an entity: which moment of it each screen shows, and which route its updates take.
//
// No algorithm fits every entity (C. Savery, T.C.N. Graham, C. Gutwin: The human factors of consistency
// maintenance in multiplayer computer games, 2010). The owner chooses one per entity with
// Peer::set_consistency(), and may change it at any time; Fray sends the choice to every linked peer. A game
// always simulates its own entities without delay, calls Peer::update(), and draws Peer::local_view() and
// Peer::replicas(). Algorithms that add delay add it in these two views.
//
//     // for all entities of a peer, or for one
//     fray::PeerOptions options{.consistency = {.algorithm = fray::LocalLag{.lag = 80ms}}};
//     peer.set_consistency(now, door, {.algorithm = fray::HalfLife{}, .interval = 100ms});

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

/// Updates go to one peer, which relays them to all peers, including the owner, in one order. Every screen
/// shows the latest relayed update. The baseline: every screen waits for the way through the serializer.
struct CentralizedSerialization {
    PeerId serializer{};  ///< must not be zero
    friend bool operator==(const CentralizedSerialization&, const CentralizedSerialization&) = default;
};

/// The owner's screen shows its own actions at once. Other screens extrapolate from the latest update, with
/// the type's motion model or at constant velocity. The default.
struct EverQuest {
    bool motion_model = true;  ///< false: always constant velocity, as published
    /// If set, updates go through this peer. It relays what EntityType::valid accepts and overrules the rest.
    std::optional<PeerId> validator{};
    friend bool operator==(const EverQuest&, const EverQuest&) = default;
};

/// Every screen, including the owner's, shows the entity as it was `lag` ago. An update that arrives too late
/// is predicted first and repaired on arrival.
struct LocalLag {
    Duration lag{100ms};  ///< 0 to kMostLag
    friend bool operator==(const LocalLag&, const LocalLag&) = default;
};

/// Time is divided into buckets. Input of one bucket takes effect at the start of the bucket `depth` later,
/// on every screen. The game asks InputBuckets which input to apply now.
struct BucketSync {
    Duration bucket{50ms};   ///< at least 1 ms; depth * bucket is at most kMostLag
    std::uint8_t depth = 2;  ///< 1 to kMostBuckets
    friend bool operator==(const BucketSync&, const BucketSync&) = default;
};

/// The owner's screen shows its own actions at once. Other screens show the entity as it was `remote_lag`
/// ago, interpolated between two updates. Hits are decided in the shooter's view (Peer::interact).
struct HalfLife {
    Duration remote_lag{100ms};  ///< 0 to kMostLag
    friend bool operator==(const HalfLife&, const HalfLife&) = default;
};

/// Fray's own algorithm. Updates carry the player's input. Other screens extrapolate from it with the motion
/// model and with statistics about how long keys are held, and blend corrections in. On a slow network all
/// screens lag a little, including the owner's. The lag follows the measured network; see
/// docs/concepts/consistency.md.
struct Adaptive {
    Duration most_lag{50ms};  ///< upper bound of `lag`, at most kMostLag
    Duration least_lag{};     ///< lower bound of `lag`; if equal to most_lag, the lag is fixed
    Duration blend{200ms};    ///< time in which a correction decays to a third; at most kMostLag
    Duration lag{};           ///< of all screens; the owner's peer updates it
    friend bool operator==(const Adaptive&, const Adaptive&) = default;
};

using ConsistencyAlgorithmOptions =
    std::variant<EverQuest, CentralizedSerialization, LocalLag, BucketSync, HalfLife, Adaptive>;

/// How one entity is kept consistent. All durations are whole milliseconds.
struct Consistency {
    ConsistencyAlgorithmOptions algorithm{EverQuest{}};
    Duration interval{};   ///< between two updates, at most kMostLag; 0: every frame in which it changes
    Duration horizon{1s};  ///< longest extrapolation, at most kMostHorizon; after it the entity stands still

    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
    friend bool operator==(const Consistency&, const Consistency&) = default;
};

/// Upper bound of every lag and of the update interval.
inline constexpr Duration kMostLag{2s};
inline constexpr Duration kMostHorizon{10s};
inline constexpr std::uint8_t kMostBuckets = 15;

/// The name in results and on command lines: "everquest", "local_lag", ...
[[nodiscard]] std::string_view name_of(const ConsistencyAlgorithmOptions& algorithm);

/// How often and by how much shown positions had to be repaired, before any blending, for every algorithm.
struct Corrections {
    std::uint64_t count = 0;
    double sum = 0;   ///< units
    double most = 0;  ///< units; the largest single correction
};

/// Decides when the player's own input takes effect. Call apply() in every frame with the current input; it
/// returns the input to simulate now. With BucketSync that is the input collected in the previous bucket;
/// with any other algorithm it is the same input. A key that was down at any time in a bucket is down
/// throughout the next one, so a tap shorter than a bucket is not lost.
///
///     const std::array<std::uint8_t, 1> keys{0x0f};   // four keys in the first byte; the second is a stick
///     fray::InputBuckets buckets{consistency, keys};
///     ship = advance(ship, buckets.apply(peer.session_time(now), what_the_player_does));
class InputBuckets {
public:
    /// `keys` is a bit mask over the input: Fray does not know what the bytes mean, so the game marks which
    /// bits are keys. Unmarked bits, and bytes behind the last of `keys`, may be parts of numbers; of those
    /// the last value in the bucket counts.
    InputBuckets(const Consistency& consistency, std::span<const std::uint8_t> keys);
    /// The returned span is valid until the next call.
    [[nodiscard]] std::span<const std::uint8_t> apply(SessionInstant now,
                                                      std::span<const std::uint8_t> input);

private:
    void collect(std::span<const std::uint8_t> input);

    Duration bucket_{};  // zero: no buckets
    std::vector<std::uint8_t> keys_;
    std::int64_t collecting_ = 0;
    std::vector<std::uint8_t> collected_;  // in the current bucket
    std::vector<std::uint8_t> current_;    // of the previous bucket
};

}  // namespace fray
