#pragma once
// What a game gives Fray of an entity, and what it gets back of other peers' entities.

#include <fray/consistency.hpp>
#include <fray/geometry.hpp>
#include <fray/ids.hpp>
#include <fray/time.hpp>
#include <fray/world.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// The state of a primary: a pose, and the game's own payload as canonical bytes. Make it with state_of().
struct State {
    Pose pose;
    std::vector<std::uint8_t> payload;
    std::vector<std::uint8_t>
        input;  ///< optional, at most kMaxInputBytes: what the player does (for motion models)
    EntityTypeId type{};

    /// The payload as a T; nothing where the bytes are no T.
    template <class T>
    [[nodiscard]] std::optional<T> as() const {
        T value{};
        if (!detail::parse(payload, value)) return std::nullopt;
        return value;
    }
};

template <class T>
[[nodiscard]] State state_of(const Pose& pose, const T& payload, EntityTypeId type = {}) {
    State state{.pose = pose, .payload = {}, .input = {}, .type = type};
    detail::append_canonical(payload, state.payload);
    return state;
}
[[nodiscard]] inline State state_of(const Pose& pose, EntityTypeId type = {}) {
    return State{.pose = pose, .payload = {}, .input = {}, .type = type};
}

/// One of our own entities as it is to be shown here: its state, at the moment that is on the screen.
struct LocalView : State {
    SessionInstant moment;  ///< the time that the pose stands for
    SessionInstant told;    ///< the newest update() that has a part in it
};

/// Another peer's entity as this peer shows it. The spans live until the next call on the peer.
struct Replica {
    EntityId id;
    EntityTypeId type{};
    Pose pose;              ///< as it stands on the screen
    Pose target;            ///< the same, before corrections are blended in
    Pose received;          ///< as the owner last said
    SessionInstant stamp;   ///< when the owner was there
    Duration age{};         ///< session time asked for, minus stamp; may be slightly negative
    SessionInstant moment;  ///< the owner's time that the pose stands for
    SessionInstant told;    ///< the newest word of the owner that has a part in it
    /// Since it appeared. Of entities shown by the default algorithm only with
    /// PeerOptions::count_corrections.
    Corrections corrections{};
    std::span<const std::uint8_t> payload;
    std::span<const std::uint8_t> input;

    template <class T>
    [[nodiscard]] std::optional<T> as() const {
        T value{};
        if (!detail::parse(payload, value)) return std::nullopt;
        return value;
    }
};

}  // namespace fray
