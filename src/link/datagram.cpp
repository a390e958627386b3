#include "link/datagram.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace fray {

namespace {

constexpr std::size_t kTokenBytes = 8;

void store_token(Token token, std::uint8_t* to) {
    std::memcpy(to, &token, kTokenBytes);  // little-endian, as all integers on the wire
}

Token load_token(const std::uint8_t* from) {
    Token token{};
    std::memcpy(&token, from, kTokenBytes);
    return token;
}

}  // namespace

std::size_t header_bytes(const Address& to) { return to.is_ipv6() ? kUdpIpv6Bytes : kUdpIpv4Bytes; }

DatagramBuilder::DatagramBuilder(std::span<std::uint8_t> buffer, DatagramKind kind)
    : buffer_{buffer.first(std::min(buffer.size(), kMaxDatagram))},
      out_{buffer_.first(buffer_.size() - kSealBytes)} {
    out_.bits(static_cast<std::uint64_t>(kind), kKindBits);
    book(Purpose::link_header);
}

std::size_t DatagramBuilder::network_bytes(const Address& to) const {
    return (out_.bit_count() + 7) / 8 + kSealBytes + header_bytes(to);
}

std::span<const std::uint8_t> DatagramBuilder::finish(Token token, const Address& to, ByteLedger& ledger) {
    FRAY_ASSERT(!out_.overflowed());
    book(Purpose::link_header);
    const std::size_t body = out_.finish().size();
    ledger.book(Purpose::link_header, body * 8 - booked_);  // the padding
    for (std::size_t i = 0; i < kPurposeCount; ++i) ledger.book(static_cast<Purpose>(i), bits_[i]);
    ledger.book(Purpose::crypto, kSealBytes * 8);
    ledger.book(Purpose::udp_ip, header_bytes(to) * 8);
    ledger.count_datagram();
    store_token(token, &buffer_[body]);
    std::memset(&buffer_[body + kTokenBytes], 0, kSealBytes - kTokenBytes);
    return buffer_.first(body + kSealBytes);
}

std::optional<OpenedDatagram> open_datagram(std::span<const std::uint8_t> bytes) {
    if (bytes.size() <= kSealBytes || bytes.size() > kMaxDatagram) return std::nullopt;
    const std::size_t body = bytes.size() - kSealBytes;
    OpenedDatagram opened{.token = load_token(&bytes[body]), .body = BitReader{bytes, body * 8}};
    const auto kind = opened.body.bits(kKindBits);
    if (kind > static_cast<std::uint64_t>(DatagramKind::refusal)) return std::nullopt;
    opened.kind = static_cast<DatagramKind>(kind);
    return opened;
}

}  // namespace fray
