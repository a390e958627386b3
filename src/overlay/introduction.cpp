#include "overlay/introduction.hpp"

namespace fray {

namespace {
constexpr unsigned kKindBits = 2;
}

void write(BitWriter& out, const MeshMessage& message) {
    out.bits(static_cast<std::uint64_t>(message.kind), kKindBits);
    switch (message.kind) {
        case MeshMessage::Kind::digest:
            return out.bits(message.digest, 32);
        case MeshMessage::Kind::known:
            out.bits(message.salt, 8);
            return write_id_set(out, message.known);
        case MeshMessage::Kind::introductions:
            write_varint(out, message.introductions.size());
            for (const Introduction& introduction : message.introductions) write(out, introduction);
    }
}

bool read(BitReader& in, MeshMessage& message) {
    const auto kind = in.bits(kKindBits);
    message.kind = static_cast<MeshMessage::Kind>(kind);
    switch (message.kind) {
        case MeshMessage::Kind::digest:
            message.digest = static_cast<std::uint32_t>(in.bits(32));
            return in.ok();
        case MeshMessage::Kind::known:
            message.salt = static_cast<std::uint8_t>(in.bits(8));
            return read_id_set(in, message.known, kMaxKnown) &&
                   (message.known.empty() || message.known.back() <= 0xFFFF);
        case MeshMessage::Kind::introductions: {
            const std::uint64_t count = read_varint(in);
            if (!in.ok() || count > kMaxIntroductions) return false;
            message.introductions.resize(static_cast<std::size_t>(count));
            for (Introduction& introduction : message.introductions) {
                if (!read(in, introduction)) return false;
            }
            return true;
        }
    }
    return false;
}

}  // namespace fray
