#include "link/datagram.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace fray {

namespace {

constexpr std::size_t kTokenBytes = 8;

void store_token(Token token, std::uint8_t* to) {
    std::memcpy(to, &token, kTokenBytes);  // lowest byte first, as all our words
}

Token load_token(const std::uint8_t* from) {
    Token token{};
    std::memcpy(&token, from, kTokenBytes);
    return token;
}

}  // namespace

std::span<const std::uint8_t> DatagramBuilder::finish(Token token, const Address& to, ByteLedger& ledger) {
    FRAY_ASSERT(!out_.overflowed());
    const std::size_t body = out_.finish().size();
    book(Purpose::link_header);  // the padding, too
    books_.book(Purpose::crypto, kSealBytes * 8);
    books_.book(Purpose::udp_ip, header_bytes(to) * 8);
    books_.count_datagram();
    ledger += books_;
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
