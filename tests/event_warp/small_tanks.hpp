#pragma once
// A small game for tests of TimeWarp<Game>, and an instance of it.

#include <fray/time_warp/time_warp.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace fray::small_tanks {

inline constexpr PeerId kA = PeerId::from_number(1);
inline constexpr PeerId kB = PeerId::from_number(2);
inline constexpr PeerId kC = PeerId::from_number(3);

/// Tanks that move and destroy each other. Messages are self-sufficient: they say where, not by how much. The
/// owner of a destroyed tank says so (dead), and then that it wants revenge.
struct Tanks {
    struct Tank {
        int place = 0;
        bool is_destroyed = false;
        int kills = 0;
        int deaths_told = 0;
        PeerId enemy{};
        friend bool operator==(const Tank&, const Tank&) = default;
    };
    using State = std::map<PeerId, Tank>;
    struct Message {
        enum class Kind : std::uint8_t { move, shoot, repair, dead, revenge } kind{};
        int place = 0;
        PeerId target{};
        friend bool operator==(const Message&, const Message&) = default;
    };

    [[nodiscard]] State save() const { return tanks; }
    void restore(const State& state) { tanks = state; }
    [[nodiscard]] std::span<const Message> emitted() const { return caused; }
    /// A destroyed tank neither moves nor shoots: such a message should not have been sent.
    bool execute(const Stamp& stamp, const Message& message) {
        using enum Message::Kind;
        caused.clear();
        Tank& tank = tanks[stamp.name.author];
        if (message.kind == repair) tank.is_destroyed = false;
        if (message.kind == revenge) tank.enemy = message.target;
        if (message.kind == dead) {
            ++tank.deaths_told;
            if (stamp.name.author == self) caused.push_back({revenge, 0, message.target});
        }
        if (message.kind != move && message.kind != shoot) return true;
        if (tank.is_destroyed) return false;
        if (message.kind == move)
            tank.place = message.place;
        else
            hit(stamp.name.author, message);
        return true;
    }
    void hit(const PeerId& shooter, const Message& message) {
        Tank& target = tanks[message.target];
        if (target.is_destroyed || target.place != message.place) return;
        target.is_destroyed = true;
        ++tanks[shooter].kills;
        if (message.target == self) caused.push_back({Message::Kind::dead, 0, shooter});
    }
    State tanks;
    std::optional<PeerId> self;  // the peer that emits
    std::vector<Message> caused;
};

using Kind = Tanks::Message::Kind;
inline constexpr SessionInstant at(int ms) { return SessionInstant{std::chrono::milliseconds{ms}}; }
inline Tanks::Message shot_at(const PeerId& target, int place) { return {Kind::shoot, place, target}; }
inline Tanks::Message move_to(int place) { return {Kind::move, place, {}}; }

struct Instance {
    explicit Instance(const PeerId& self, TimeWarpOptions options = {}) : warp{tanks, self, options, at(0)} {
        tanks.self = self;
    }
    Tanks tanks;
    TimeWarp<Tanks> warp;
};

}  // namespace fray::small_tanks
