#include "consistency/trade_packet.hpp"

#include "consistency/items.hpp"

namespace fray {

std::vector<std::uint8_t> encode(const TradePacket& packet) {
    std::vector<std::uint8_t> bytes((measure(packet) + 7) / 8);
    BitWriter out{bytes};
    write(out, packet);
    (void)out.finish();
    return bytes;
}

std::optional<TradePacket> decode(std::span<const std::uint8_t> bytes) {
    BitReader in{bytes};
    TradePacket packet;
    if (!read(in, packet) || in.bits_left() >= 8 || !packet.name.three_peers()) return std::nullopt;
    if (!well_formed(packet.give) || !well_formed(packet.want)) return std::nullopt;
    return packet;
}

}  // namespace fray
