#include "overlay/crowd_messages.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr unsigned kCrowdKindBits = 3;
constexpr unsigned kRefusalsBits = 2;
static_assert(kMostRefusals < 1U << kRefusalsBits);

void write_names(BitWriter& out, const CrowdMessage& message) {
    out.bits(message.salt, 8);
    write_id_set(out, message.names);
}

bool read_names(BitReader& in, CrowdMessage& message) {
    message.salt = static_cast<std::uint8_t>(in.bits(8));
    return read_id_set(in, message.names, kMaxCrowdNames) &&
           (message.names.empty() || message.names.back() <= 0xFFFF);
}

bool read_introductions(BitReader& in, CrowdMessage& message) {
    const std::uint64_t count = read_varint(in);
    if (!in.ok() || count > kMaxCrowdIntroductions) return false;
    message.introductions.resize(static_cast<std::size_t>(count));
    return std::ranges::all_of(message.introductions, [&](CrowdIntroduction& i) { return read(in, i); });
}

}  // namespace

void write(BitWriter& out, const CrowdMessage& message) {
    out.bits(static_cast<std::uint64_t>(message.kind), kCrowdKindBits);
    out.bits(message.weight, 4);
    out.bits(message.fan_out, 4);
    switch (message.kind) {
        case CrowdMessage::Kind::digest:
            return out.bits(message.digest, 32);
        case CrowdMessage::Kind::known:
            out.bits(message.slice_bits, 3);
            out.bits(message.slice, message.slice_bits);
            return write_names(out, message);
        case CrowdMessage::Kind::ask:
            return write_names(out, message);
        case CrowdMessage::Kind::introductions:
            write_varint(out, message.introductions.size());
            for (const CrowdIntroduction& introduction : message.introductions) write(out, introduction);
            return;
        case CrowdMessage::Kind::want:
            out.bits(message.refusals, kRefusalsBits);
            [[fallthrough]];
        case CrowdMessage::Kind::refusal:
            out.boolean(message.row);
            return write_id_set(out, message.streams);
        case CrowdMessage::Kind::parting:
            return;
    }
}

bool read(BitReader& in, CrowdMessage& message) {
    const auto kind = in.bits(kCrowdKindBits);
    message.kind = static_cast<CrowdMessage::Kind>(kind);
    message.weight = static_cast<std::uint8_t>(in.bits(4));
    message.fan_out = static_cast<std::uint8_t>(in.bits(4));
    if (!in.ok() || message.weight == 0) return false;
    switch (message.kind) {
        case CrowdMessage::Kind::digest:
            message.digest = static_cast<std::uint32_t>(in.bits(32));
            return in.ok();
        case CrowdMessage::Kind::known:
            message.slice_bits = static_cast<std::uint8_t>(in.bits(3));
            message.slice = static_cast<std::uint8_t>(in.bits(message.slice_bits));
            return read_names(in, message);
        case CrowdMessage::Kind::ask:
            return read_names(in, message);
        case CrowdMessage::Kind::introductions:
            return read_introductions(in, message);
        case CrowdMessage::Kind::want:
            message.refusals = static_cast<std::uint8_t>(in.bits(kRefusalsBits));
            [[fallthrough]];
        case CrowdMessage::Kind::refusal:
            message.row = in.boolean();
            return read_id_set(in, message.streams, kMaxStreams);
        case CrowdMessage::Kind::parting:
            return true;
    }
    return false;
}

}  // namespace fray
