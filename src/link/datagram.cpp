#include "link/datagram.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <cstring>

namespace fray {

void DatagramBuilder::pad_to(std::size_t bytes) {
    const std::size_t body_bits = (std::min(bytes, buffer_.size()) - kSealBytes) * 8;
    while (out_.bit_count() < body_bits)
        out_.bits(0, static_cast<unsigned>(std::min<std::size_t>(64, body_bits - out_.bit_count())));
}

std::span<const std::uint8_t> DatagramBuilder::finish(Token token, const Address& to, ByteLedger& ledger) {
    FRAY_ASSERT(!out_.overflowed());
    const std::size_t body = out_.finish().size();
    book(Purpose::link_header);  // the padding, too
    books_.book(Purpose::crypto, kSealBytes * 8);
    books_.book(Purpose::udp_ip, header_bytes(to) * 8);
    books_.count_datagram();
    ledger += books_;
    std::memcpy(&buffer_[body], &token, kTokenBytes);  // little-endian, as all integers on the wire
    constexpr std::size_t kUsed = kTokenBytes + kCounterBytes;
    std::memcpy(&buffer_[body + kTokenBytes], &counter_, kCounterBytes);
    std::memset(&buffer_[body + kUsed], 0, kSealBytes - kUsed);
    return buffer_.first(body + kSealBytes);
}

}  // namespace fray
