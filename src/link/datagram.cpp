#include "link/datagram.hpp"

#include <fray/assert.hpp>

#include <cstring>

namespace fray {

std::span<const std::uint8_t> DatagramBuilder::finish(Token token, const Address& to, ByteLedger& ledger) {
    FRAY_ASSERT(!out_.overflowed());
    const std::size_t body = out_.finish().size();
    book(Purpose::link_header);  // the padding, too
    books_.book(Purpose::crypto, kSealBytes * 8);
    books_.book(Purpose::udp_ip, header_bytes(to) * 8);
    books_.count_datagram();
    ledger += books_;
    std::memcpy(&buffer_[body], &token, kTokenBytes);  // little-endian, as all integers on the wire
    std::memset(&buffer_[body + kTokenBytes], 0, kSealBytes - kTokenBytes);
    return buffer_.first(body + kSealBytes);
}

}  // namespace fray
