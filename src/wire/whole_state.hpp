#pragma once
// A whole state of an entity on the wire, readable without a baseline. Owners write it in first updates, and
// other peers relay it. A state has one encoding, so a relay that reads it and writes it again reproduces its
// owner's bits.

#include <fray/bits.hpp>
#include <fray/ids.hpp>
#include <fray/world.hpp>

#include "wire/pose_codec.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

struct WholeState {
    std::uint32_t number = 0;  ///< of the entity, among its owner's
    EntityTypeId type{};
    QuantisedPose pose;
    std::vector<std::uint8_t> payload;
    std::vector<std::uint8_t> input;
};

/// The same as a view of bytes.
struct WholeStateView {
    EntityTypeId type{};
    const QuantisedPose& pose;
    std::span<const std::uint8_t> payload;
    std::span<const std::uint8_t> input;
};

/// Type, pose, payload and input, without the number.
void write_whole(BitWriter& out, const World& world, const PoseCodec& codec, const WholeStateView& state);
/// Reads what write_whole() wrote; leaves the number unchanged. False if the bits are no valid state.
[[nodiscard]] bool read_whole(BitReader& in, const World& world, const PoseCodec& codec, WholeState& state);
/// Number and state, as they are relayed.
void write_numbered(BitWriter& out, const World& world, const PoseCodec& codec, std::uint32_t number,
                    const WholeStateView& state);
inline void write_numbered(BitWriter& out, const World& world, const PoseCodec& codec,
                           const WholeState& state) {
    write_numbered(out, world, codec, state.number, {state.type, state.pose, state.payload, state.input});
}
[[nodiscard]] bool read_numbered(BitReader& in, const World& world, const PoseCodec& codec,
                                 WholeState& state);

}  // namespace fray
