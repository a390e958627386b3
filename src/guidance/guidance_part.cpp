#include "guidance/guidance_part.hpp"

#include <array>

namespace fray {

namespace {
constexpr std::size_t kLengthBits = 15;  // most, of the length of a message
}

std::span<const MessageKind> GuidancePart::kinds() const {
    static constexpr std::array kKinds{MessageKind::guidance};
    return kKinds;
}

Receipt GuidancePart::handle_message(const Arrival& arrival, MessageKind, BitReader& in) {
    GuidanceInWorld message{&context_.world(), &message_};
    if (!read(in, message) || message_.empty()) return malformed();
    if (!enabled()) return taken_unacknowledged();
    advisor_.handle_converged(arrival.link, message_.converged);
    const SessionInstant now = context_.session_time(arrival.now);
    for (const Advice& advice : message_.advice) {
        if (const auto why = replicas_.handle_advice(now, arrival.link, advice))
            context_.rejections.count(*why);
    }
    return taken_unacknowledged();
}

void GuidancePart::write_messages(Instant now, LinkNumber link, std::uint16_t, BitWriter& out) {
    if (!enabled()) return;
    message_.clear();
    replicas_.list_converged(context_.session_time(now), link, message_.converged);
    advisor_.advise(link, message_.advice);
    if (message_.empty()) return;
    const GuidanceInWorld message{&context_.world(), &message_};
    const std::size_t bytes = (measure(message) + 7) / 8;
    if (kind_bits(MessageKind::guidance) + kLengthBits + bytes * 8 > out.bits_left()) return;
    bytes_.resize(bytes);
    BitWriter body{bytes_};
    write(body, message);
    body.finish();
    write_kind(out, MessageKind::guidance);
    write_varint(out, bytes);
    out.copy(bytes_, bytes * 8);
}

std::size_t GuidancePart::memory_bytes() const {
    return sizeof(*this) + advisor_.heap_bytes() + replicas_.heap_bytes() + bytes_.capacity() +
           message_.converged.capacity() * sizeof(std::uint32_t) +
           message_.advice.capacity() * sizeof(Advice);
}

}  // namespace fray
