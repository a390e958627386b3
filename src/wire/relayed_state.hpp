#pragma once
// States that arrive through a peer that does not own the entity, and the interfaces between the parts that
// handle them.

#include <fray/bits.hpp>
#include <fray/ids.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"
#include "core/sighting.hpp"
#include "wire/whole_state.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace fray {

/// A state of another peer's entity that a third peer sent.
struct RelayedState {
    PeerId origin;
    WholeState state;
    std::uint16_t stamp = 0;  ///< as its owner wrote it
    SessionInstant when{};    ///< the stamp, completed
};

/// Forwarded states of one peer as the overlay sees them.
struct PassedOn {
    Sighting where;                       ///< of its first entity
    std::span<const std::uint8_t> state;  ///< stamps and states as the owner wrote them
    std::size_t state_bits = 0;
    bool timely = true;  ///< false: too old, or of the future; only the header is read
};

/// A peer in a bundle, as the overlay names it there.
struct BundledPeer {
    std::uint16_t name = 0;    ///< short, and different for each salt
    std::uint8_t salt = 0;     ///< of the bundle
    std::uint8_t fan_out = 0;  ///< what the overlay says of the peer: at most kMaxFanOut
};
inline constexpr std::uint8_t kMaxFanOut = 15;
/// The same to be sent. All members of a bundle have the same salt.
struct BundleMember {
    LinkNumber link = 0;  ///< the peer's
    BundledPeer peer;
    bool has_news = false;  ///< its newest states follow
};

/// Decides where relayed states go. Implemented by overlays.
class RelayRoute {
public:
    /// Reads the overlay's header, which follows a forwarded state. Returns the originator, or nothing if
    /// this peer does not want the state.
    [[nodiscard]] virtual std::optional<PeerId> handle_forward(Instant now, LinkNumber from,
                                                               BitReader& header, const PassedOn& update) = 0;
    /// The peer that a bundle names; nothing if it is not known, or if its states are not wanted.
    [[nodiscard]] virtual std::optional<PeerId> handle_bundled(Instant now, LinkNumber from,
                                                               const BundledPeer& peer) = 0;

protected:
    ~RelayRoute() = default;
};

/// Takes over relayed states. Implemented by the holder of replicas.
class ReplicaSink {
public:
    /// Takes over a relayed state if it is newer than the one held. Returns whether it is.
    virtual bool take_relayed(LinkNumber owner, const RelayedState& state) = 0;
    /// How many entities of this peer are held. The first one stands for the peer.
    [[nodiscard]] virtual std::size_t entities(LinkNumber owner) const = 0;
    /// When the newest state of one of them was taken.
    [[nodiscard]] virtual SessionInstant taken_at(LinkNumber owner, std::size_t i) const = 0;
    /// Writes that state with its stamp, bit by bit as its owner would.
    virtual void write_stamped(LinkNumber owner, std::size_t i, BitWriter& out) const = 0;

protected:
    ~ReplicaSink() = default;
};

/// Is told about relayed states.
class RelayObserver {
public:
    /// The newest state of this entity was forwarded, and taken over.
    virtual void handle_passed_on(Instant now, LinkNumber owner, std::uint32_t number) = 0;
    /// The peer `from` orders or validates this entity, and relayed this state.
    virtual void handle_ordered(Instant now, LinkNumber from, const RelayedState& state) = 0;

protected:
    ~RelayObserver() = default;
};

/// Relays states of other peers.
class OrderedSender {
public:
    /// To these links. False if some link had no room: it must be sent again.
    virtual bool send_ordered(std::span<const LinkNumber> links, const PeerId& origin, std::uint32_t number,
                              SessionInstant when, const WholeStateView& state, bool reliably) = 0;

protected:
    ~OrderedSender() = default;
};

/// A relayed state is on its way for a few frames, and the clocks agree. Older ones are rejected, because
/// they would show past states; later ones, because they would hide the true states that follow.
inline constexpr Duration kMostRelayAhead{100ms};
[[nodiscard]] inline Duration most_relay_age(Duration tick) { return Duration{1s} + tick * 20; }

}  // namespace fray
