#include "trade/trade_packet.hpp"

#include "trade/items.hpp"

namespace fray {

std::vector<std::uint8_t> encode(const TradePacket& packet) { return to_bytes(packet); }

std::optional<TradePacket> decode(std::span<const std::uint8_t> bytes) {
    BitReader in{bytes};
    TradePacket packet;
    if (!read(in, packet) || in.bits_left() >= 8 || !packet.name.three_peers()) return std::nullopt;
    if (!well_formed(packet.give) || !well_formed(packet.want)) return std::nullopt;
    return packet;
}

}  // namespace fray
