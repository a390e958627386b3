// Any bytes as a message of guidance: an accepted one is written back to the same bits. Then as messages,
// states and reads of a peer that shows the replicas of another: no replica may leave the world, become
// infinite or move faster than its limit, and memory must stay bounded.

#include <fray/assert.hpp>

#include "core/space.hpp"
#include "guidance/guidance_message.hpp"
#include "session/composition.hpp"
#include "session/entity_commands.hpp"
#include "session/screen.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fray {
namespace {

constexpr std::size_t kMostMemory = 4'000'000;
constexpr float kTopSpeed = 20;
constexpr float kSlack = 1.01F;

PeerOptions options() {
    PeerOptions made;
    made.id = PeerId::from_number(1);
    made.world.low = {-100, -100, -10};
    made.world.high = {100, 100, 10};
    made.guidance = {.enabled = true, .diameter = 2, .top_speed = kTopSpeed};
    return made;
}

/// An accepted message has one encoding.
void write_again(const World& world, std::span<const std::uint8_t> bytes) {
    GuidanceMessage message;
    GuidanceInWorld in_world{&world, &message};
    BitReader in{bytes};
    if (!read(in, in_world)) return;
    std::vector<std::uint8_t> memory(bytes.size() + 8);
    BitWriter out{memory};
    write(out, in_world);
    FRAY_ASSERT(out.bit_count() == in.position());
    out.finish();
    BitReader first{bytes, in.position()};
    BitReader again{memory, in.position()};
    while (first.bits_left() > 0) FRAY_ASSERT(first.bits(1) == again.bits(1));
}

class Victim final : LinkOwner, ClockListener {
public:
    Victim() : is_{options(), RandomRoot{Seed{1}}, {}, *this, *this}, commands_{is_} {
        (void)commands_.publish(now_, State{}, Tenure::fixed);
        LinkEnds ends;
        ends.peer = PeerId::from_number(2);
        ends.incarnation = Incarnation{1};
        ends.address = Address::from_number(2);
        ends.remote_known = ends.proven = true;
        link_ = is_.links.create(ends, now_, 1)->ends.local_number;
        is_.links.set_up(link_);
        for (Part* part : is_.parts)
            part->handle_link_up(now_, {link_, {ends.peer, ends.incarnation, ends.address}, false});
    }

    void step(BitReader& in) {
        switch (in.bits(2)) {
            case 0:
                now_ += Duration{in.bits(20)};
                break;
            case 1:
                hear(in, is_.guidance, MessageKind::guidance);
                break;
            case 2:
                say_state(in);
                break;
            default:
                look();
                break;
        }
        FRAY_ASSERT(is_.memory_bytes() < kMostMemory);
    }

private:
    void drop_link(Instant, LinkNumber, Reason) override {}
    void handle_clock_set(Instant) override {}

    void hear(BitReader& in, Part& part, MessageKind kind) {
        std::array<std::uint8_t, 64> bytes{};
        const auto size = static_cast<std::size_t>(in.bits(6));
        for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(in.bits(8));
        write_again(is_.options.world, std::span{bytes}.first(size));
        BitReader body{std::span<const std::uint8_t>{bytes}.first(size)};
        (void)part.handle_message({.now = now_, .link = link_}, kind, body);
    }
    /// A state of one of four entities, stamped now.
    void say_state(BitReader& in) {
        const auto coordinate = [&](unsigned bits) {
            return static_cast<float>(in.bits(bits)) - static_cast<float>(1U << (bits - 1U));
        };
        Pose pose;
        const auto number = static_cast<std::uint32_t>(in.bits(2));
        pose.position = {coordinate(8), coordinate(8), coordinate(5)};
        pose.velocity = {coordinate(8), coordinate(8), coordinate(5)};
        std::array<std::uint8_t, 64> bytes{};
        BitWriter out{bytes};
        out.bits(stamp_of(is_.clock.session_time(now_)), kStampBits);
        out.boolean(true);
        write_varint(out, number);
        out.bits(0, kBackBits);
        write_whole(out, is_.options.world, is_.codec, {EntityTypeId{}, is_.codec.quantise(pose), {}, {}});
        out.boolean(false);
        const std::size_t bits = out.bit_count();
        out.finish();
        BitReader body{bytes, bits};
        (void)is_.replicas.handle_message({.now = now_, .link = link_, .sequence = ++sequence_},
                                          MessageKind::state, body);
    }
    void look() {
        const World& world = is_.options.world;
        for (const Replica& replica : screen_.replicas(now_)) {
            const Vec3& at = replica.pose.position;
            FRAY_ASSERT(std::isfinite(replica.pose.yaw) && inside(world, at) == at);
            auto& before = seen_[replica.id.number];
            auto& placed = placed_[replica.id.number];
            if (before) {
                const float most =
                    kTopSpeed * 1.25F * static_cast<float>(seconds(now_ - before->at)) * kSlack;
                const float moved = length(way(world, before->position, at));
                const float told = length(way(world, before->received, replica.received.position));
                const float reach =
                    2 * kTopSpeed * static_cast<float>(seconds(replica.stamp - before->stamp));
                if (told > reach) placed = now_;
                // Farther only if its owner placed it elsewhere. It reappears with its next step.
                FRAY_ASSERT(moved <= most + kSlack || placed);
                if (placed && now_ - *placed >= world.tick) placed.reset();
            }
            before = Seen{at, now_, replica.received.position, replica.stamp};
        }
    }

    struct Seen {
        Vec3 position;
        Instant at;
        Vec3 received;
        SessionInstant stamp;
    };

    Instant now_{100s};
    Composition is_;
    EntityCommands commands_;
    Screen screen_{is_};
    LinkNumber link_ = 0;
    std::uint16_t sequence_ = 0;
    std::array<std::optional<Seen>, 4> seen_;
    std::array<std::optional<Instant>, 4> placed_;  // when that was noticed
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 4096;
    if (size > kMostBytes) return 0;
    fray::Victim victim;
    fray::BitReader in{std::span<const std::uint8_t>{data, size}};
    while (in.bits_left() > 0 && in.ok()) victim.step(in);
    return 0;
}
