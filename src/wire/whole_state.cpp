#include "wire/whole_state.hpp"

#include "wire/input_codec.hpp"

namespace fray {

void write_whole(BitWriter& out, const World& world, const PoseCodec& codec, const WholeStateView& state) {
    out.bits(static_cast<std::uint64_t>(state.type), bits_for(world.types.size() - 1));
    codec.write_full(out, state.pose);
    world.types[static_cast<std::size_t>(state.type)].write_full(out, state.payload);
    write_input(out, {}, state.input);
}

bool read_whole(BitReader& in, const World& world, const PoseCodec& codec, WholeState& state) {
    const auto type = static_cast<std::size_t>(in.bits(bits_for(world.types.size() - 1)));
    if (type >= world.types.size()) return false;
    state.type = EntityTypeId{static_cast<std::uint8_t>(type)};
    state.pose = codec.read_full(in);
    state.payload.clear();
    if (!in.ok() || !world.types[type].read_full(in, state.payload)) return false;
    read_input(in, {}, state.input);
    return in.ok();
}

void write_numbered(BitWriter& out, const World& world, const PoseCodec& codec, std::uint32_t number,
                    const WholeStateView& state) {
    write_varint(out, number);
    write_whole(out, world, codec, state);
}

bool read_numbered(BitReader& in, const World& world, const PoseCodec& codec, WholeState& state) {
    const std::uint64_t number = read_varint(in);
    if (!in.ok() || number > 0xFFFFFFFF) return false;
    state.number = static_cast<std::uint32_t>(number);
    return read_whole(in, world, codec, state);
}

}  // namespace fray
