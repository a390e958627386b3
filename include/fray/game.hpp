#pragma once
// A game that runs unchanged over UDP and in a Swarm. Derive from Game, and use only the Commands that it is
// given: UdpPeer::play() (udp_peer.hpp) runs it in real time, GameWorkload (swarm.hpp) in virtual time.
//
//     class Tanks final : public fray::Game {
//         void started(fray::Commands& peer) override { tank_ = peer.publish(...).value(); }
//         void frame(fray::Commands& peer) override { (void)peer.update(tank_, ...); draw(peer.replicas()); }
//         void event(fray::Commands& peer, const fray::Event& event) override { ... }
//     };
//
// A game that takes all time from its Commands, and all randomness from a fray::RandomStream, gives the same
// run for the same seed.

#include <fray/encode.hpp>
#include <fray/event.hpp>
#include <fray/peer.hpp>
#include <fray/result.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fray {

/// What a game may ask of its peer and tell it, at one moment. Valid until the callback returns. The commands
/// are those of Peer, without `now`.
class Commands {
public:
    virtual ~Commands() = default;
    Commands(const Commands&) = delete;
    Commands& operator=(const Commands&) = delete;

    // --- getters ---
    /// The peer's local time.
    [[nodiscard]] Instant now() const { return now_; }
    [[nodiscard]] const Peer& peer() const { return peer_; }
    [[nodiscard]] PeerId id() const { return peer_.id(); }
    [[nodiscard]] SessionInstant session_time() const { return peer_.session_time(now_); }
    [[nodiscard]] std::span<const Replica> replicas() const { return peer_.replicas(now_); }
    [[nodiscard]] std::optional<Replica> replica(const EntityId& entity) const {
        return peer_.replica(now_, entity);
    }
    [[nodiscard]] std::optional<LocalView> local_view(const EntityId& entity) const {
        return peer_.local_view(now_, entity);
    }
    [[nodiscard]] std::vector<PeerId> peers() const { return peer_.peers(); }
    [[nodiscard]] bool owns(const EntityId& entity) const { return peer_.owns(entity); }

    // --- commands ---
    [[nodiscard]] virtual Result<EntityId> publish(const State& state, Tenure tenure) = 0;
    [[nodiscard]] Result<EntityId> publish(const State& state) { return publish(state, Tenure::fixed); }
    virtual Result<void> update(const EntityId& entity, const State& state) = 0;
    virtual Result<void> set_consistency(const EntityId& entity, const Consistency& consistency) = 0;
    virtual Result<void> set_attention(const AttentionWeights& weights) = 0;
    virtual Result<void> hand_over(const EntityId& entity, const PeerId& to) = 0;
    virtual Result<void> withdraw(const EntityId& entity) = 0;
    virtual Result<void> send(const Outgoing& message) = 0;
    virtual Result<RequestId> interact(const EntityId& by, const EntityId& target,
                                       std::span<const std::uint8_t> bytes) = 0;
    virtual Result<void> answer(const RequestId& request, std::span<const std::uint8_t> bytes) = 0;

    // --- the same with values that have a serialize() ---
    template <class T>
        requires(!std::convertible_to<const T&, Outgoing>)
    Result<void> send(const T& value, Audience audience = Audience::everyone(),
                      Delivery delivery = Delivery::reliable) {
        auto bytes = bytes_of(value);
        if (!bytes) return bytes.error();
        return send(Outgoing{std::move(*bytes), std::move(audience), delivery, {}});
    }
    template <detail::GameValue T>
    Result<RequestId> interact(const EntityId& by, const EntityId& target, const T& value) {
        const auto bytes = bytes_of(value);
        if (!bytes) return bytes.error();
        return interact(by, target, std::span<const std::uint8_t>{*bytes});
    }
    template <detail::GameValue T>
    Result<void> answer(const RequestId& request, const T& value) {
        const auto bytes = bytes_of(value);
        if (!bytes) return bytes.error();
        return answer(request, std::span<const std::uint8_t>{*bytes});
    }

protected:
    Commands(Instant now, const Peer& peer) : now_{now}, peer_{peer} {}

private:
    Instant now_;
    const Peer& peer_;
};

/// The commands of a peer that the caller drives itself.
class PeerCommands final : public Commands {
public:
    PeerCommands(Instant now, Peer& peer) : Commands{now, peer}, peer_{peer} {}

    using Commands::answer;
    using Commands::interact;
    using Commands::publish;
    using Commands::send;
    [[nodiscard]] Result<EntityId> publish(const State& state, Tenure tenure) override {
        return peer_.publish(now(), state, tenure);
    }
    Result<void> update(const EntityId& entity, const State& state) override {
        return peer_.update(now(), entity, state);
    }
    Result<void> set_consistency(const EntityId& entity, const Consistency& consistency) override {
        return peer_.set_consistency(now(), entity, consistency);
    }
    Result<void> set_attention(const AttentionWeights& weights) override {
        return peer_.set_attention(now(), weights);
    }
    Result<void> hand_over(const EntityId& entity, const PeerId& to) override {
        return peer_.hand_over(now(), entity, to);
    }
    Result<void> withdraw(const EntityId& entity) override { return peer_.withdraw(now(), entity); }
    Result<void> send(const Outgoing& message) override { return peer_.send(now(), message); }
    Result<RequestId> interact(const EntityId& by, const EntityId& target,
                               std::span<const std::uint8_t> bytes) override {
        return peer_.interact(now(), by, target, bytes);
    }
    Result<void> answer(const RequestId& request, std::span<const std::uint8_t> bytes) override {
        return peer_.answer(now(), request, bytes);
    }

private:
    Peer& peer_;
};

/// The game of one peer.
class Game {
public:
    virtual ~Game() = default;
    /// Once, before the first frame: publish entities here.
    virtual void started(Commands&) {}
    /// Once per World::tick. What is updated here goes out at once.
    virtual void frame(Commands& peer) = 0;
    virtual void event(Commands&, const Event&) {}

private:
    friend class UdpPeer;
    bool has_started_ = false;
};

}  // namespace fray
