// Any bytes as a world, a pose and a delta to it: rejected, or a pose on the grid that is written back to the
// same bits.

#include <fray/assert.hpp>
#include <fray/world.hpp>

#include "wire/pose_codec.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

fray::World world_from(fray::BitReader& in) {
    const auto number = [&](unsigned bits) { return static_cast<float>(in.bits(bits)); };
    fray::World world;
    world.low = {-number(12), -number(12), -number(4)};
    world.high = {number(12), number(12), number(1) * 100 - 4};
    world.position_precision = (number(4) + 1) / 8;
    world.velocity_limit = number(16);
    world.velocity_precision = (number(4) + 1) / 4;
    world.angle_bits = static_cast<unsigned>(in.bits(5));
    world.wrap_x = in.boolean();
    world.wrap_y = in.boolean();
    world.tick = fray::Duration{in.bits(18)};
    return world;
}

/// On the grid, even if the bytes were invalid.
void check_on_grid(const fray::PoseCodec& codec, const fray::QuantisedPose& pose) {
    FRAY_ASSERT(codec.quantise(codec.restore(pose)) == pose);
}

void check_same_bits(const fray::BitReader& in, std::size_t start, fray::BitWriter& out) {
    FRAY_ASSERT(!out.overflowed() && out.bit_count() == in.position() - start);
    fray::BitReader left{in.memory()};
    left.skip(start);
    const std::size_t bits = out.bit_count();
    fray::BitReader right{out.finish(), bits};
    while (right.bits_left() > 0) FRAY_ASSERT(left.boolean() == right.boolean());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fray::BitReader in{{data, size}};
    const fray::World world = world_from(in);
    if (!in.ok() || !world.check()) return 0;
    const fray::PoseCodec codec{world};
    std::array<std::uint8_t, 64> memory{};

    const std::size_t start = in.position();
    const fray::QuantisedPose baseline = codec.read_full(in);
    check_on_grid(codec, baseline);
    if (!in.ok()) return 0;
    fray::BitWriter full{memory};
    codec.write_full(full, baseline);
    check_same_bits(in, start, full);

    const fray::Duration elapsed{static_cast<std::int64_t>(in.bits(24)) - 1000};
    const std::size_t middle = in.position();
    const fray::QuantisedPose pose = codec.read_delta(in, baseline, elapsed);
    check_on_grid(codec, pose);
    if (!in.ok()) return 0;
    fray::BitWriter delta{memory};
    codec.write_delta(delta, baseline, elapsed, pose);
    check_same_bits(in, middle, delta);
    return 0;
}
