// Replicates a struct of the game: one serialize() writes, reads and measures it, and gives deltas.
//
// A ball is thrown. Fray replicates its pose; the rest of its state is the struct below. The owner updates
// the ball only every half second. In between, the replica follows the game's motion model, so it falls as
// well.

#include <fray/fray.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <span>

using namespace std::chrono_literals;

namespace {

enum class Team : std::uint8_t { red, green, blue };

struct Ball {
    Team team = Team::red;
    bool burning = false;
    std::uint8_t bounces = 0;
    float spin = 0;  // turns per second
};

// The ranges determine the bits. A reader never returns a value outside of them, whatever bytes arrive.
template <class Stream>
void serialize(Stream& stream, Ball& ball) {
    stream.enumeration(ball.team, Team::blue);          // 2 bits
    stream.boolean(ball.burning);                       // 1 bit
    stream.integer(ball.bounces, 0, 15);                // 4 bits
    stream.quantised(ball.spin, {-8.0F, 8.0F, 0.25F});  // 7 bits: 65 steps
}

constexpr fray::Duration kTick = 50ms;

// The motion model must be pure and deterministic: every peer computes the same fall from the same throw.
fray::Pose fall(const fray::Pose& from, std::span<const std::uint8_t> /*payload*/,
                std::span<const std::uint8_t> /*input*/, std::uint32_t ticks) {
    constexpr float kSeconds = 0.05F;
    constexpr float kGravity = 9.8F;
    fray::Pose pose = from;
    for (std::uint32_t i = 0; i < ticks; ++i) {
        pose.velocity.z -= kGravity * kSeconds;
        pose.position += pose.velocity * kSeconds;
    }
    return pose;
}

fray::World make_world() {
    fray::World world{.name = "ball game", .low = {-100, -100, 0}, .high = {100, 100, 50}};
    world.position_precision = 1.0F / 64;
    world.velocity_limit = 50;
    world.velocity_precision = 1.0F / 16;
    world.tick = kTick;
    world.types = {fray::EntityType::of<Ball>("ball", &fall)};  // every peer must have the same types
    return world;
}

/// Carries all datagrams of one peer to the other, without delay.
void carry(fray::Instant now, fray::Peer& from, const fray::Address& address, fray::Peer& to) {
    from.handle_time(now);
    std::array<std::uint8_t, fray::kMaxDatagramBytes> buffer;
    while (const auto datagram = from.poll_datagram(now, buffer)) {
        to.handle_datagram(now, address, datagram->bytes);
    }
}

void show(int frame, const fray::Pose& true_pose, const fray::Pose& replica, const Ball& ball) {
    std::printf("frame %2d: height %6.2f, replica %6.2f%s\n", frame,
                static_cast<double>(true_pose.position.z), static_cast<double>(replica.position.z),
                ball.burning ? ", burning" : "");
}

double state_bytes_per_update(const fray::Stats& stats) {
    return stats.ledger.bytes(fray::Purpose::state) / static_cast<double>(stats.updates_sent);
}

}  // namespace

int main() {
    auto thrower = fray::Peer::create({.world = make_world()}, fray::Seed{1});
    auto catcher = fray::Peer::create({.world = make_world()}, fray::Seed{2});
    if (!thrower || !catcher) return 1;

    Ball ball{.team = Team::green, .spin = 2.5F};
    fray::Pose pose{.position = {0, 0, 2}, .velocity = {12, 0, 14}};
    fray::Instant now{};
    const auto id = thrower->publish(now, fray::state_of(pose, ball));
    if (!id) return std::puts(id.error().message.c_str()), 1;
    if (!catcher->join(now, fray::Address::from_number(1))) return 1;

    std::printf("A ball's own fields take %zu bits.\n", fray::measure(ball));
    float worst = 0;
    double whole = 0;  // bytes of the first update: later ones are deltas
    for (int frame = 0; frame <= 40; ++frame, now += kTick) {
        if (frame > 0) pose = fall(pose, {}, {}, 1);
        if (frame == 20) ball.burning = true;
        if (frame % 10 == 0 && !thrower->update(now, *id, fray::state_of(pose, ball))) return 1;
        carry(now, *thrower, fray::Address::from_number(1), *catcher);
        carry(now, *catcher, fray::Address::from_number(2), *thrower);

        const auto replica = catcher->replica(now, *id);
        if (!replica) continue;  // the handshake is not finished
        if (whole == 0) whole = state_bytes_per_update(thrower->stats());
        const auto theirs = replica->as<Ball>();
        if (!theirs) return 1;
        worst = std::max(worst, fray::distance(replica->pose.position, pose.position));
        if (frame % 5 == 0) show(frame, pose, replica->pose, *theirs);
        if (frame == 40 && (theirs->team != Team::green || !theirs->burning)) return 1;
    }
    const fray::Stats stats = thrower->stats();
    std::printf("The first update took %.1f bytes, and all %llu of them %.1f on average.\n", whole,
                static_cast<unsigned long long>(stats.updates_sent), state_bytes_per_update(stats));
    std::printf("The replica was never off by more than %.2f.\n", static_cast<double>(worst));
    return state_bytes_per_update(stats) < whole && worst < 0.2F ? 0 : 1;
}
