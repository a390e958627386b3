// Any bytes as a payload, whole and as a delta: rejected, or a value that is written back to the same bits.

#include <fray/assert.hpp>
#include <fray/state.hpp>
#include <fray/world.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace {

/// One field of every kind, and some that exist only if others are set.
struct Everything {
    bool flag = false;
    bool named = false;
    std::int16_t number = 0;
    std::uint32_t variable = 0;
    std::uint64_t whole = 0;
    float place = 0;
    float heading = 0;
    std::vector<std::uint8_t> name{};
    std::string title{};
    double exact = 0;
    std::vector<std::uint8_t> dice{};
};

template <class Stream>
void serialize(Stream& stream, Everything& value) {
    stream.boolean(value.flag);
    stream.boolean(value.named);
    stream.integer(value.number, -300, 77);
    stream.varint(value.variable);
    if (value.flag) stream.whole(value.whole);
    stream.quantised(value.place, fray::Range{-50, 50, 0.1F});
    stream.angle(value.heading, 11);
    if (value.named) stream.bytes(value.name, 100);
    if (value.named) stream.text(value.title, 50);
    if (value.flag) stream.real(value.exact);
    stream.list(value.dice, 20, [](auto& s, std::uint8_t& eyes) { s.integer(eyes, 1, 6); });
}

using Bytes = std::vector<std::uint8_t>;

const fray::EntityType kType = fray::EntityType::of<Everything>("everything");

void check_same_bits(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, std::size_t bits) {
    fray::BitReader left{a, bits};
    fray::BitReader right{b, bits};
    FRAY_ASSERT(left.bits_left() == bits && right.bits_left() == bits);
    while (left.bits_left() > 0) FRAY_ASSERT(left.boolean() == right.boolean());
}

/// Reads one payload; an accepted one must equal what a writer writes.
bool read_full(fray::BitReader& in, Bytes& payload) {
    const std::size_t start = in.position();
    if (!kType.read_full(in, payload)) return false;
    FRAY_ASSERT(payload.size() <= fray::kMaxPayloadBytes);
    std::array<std::uint8_t, 512> memory{};
    fray::BitWriter out{memory};
    FRAY_ASSERT(kType.write_full(out, payload));
    FRAY_ASSERT(out.bit_count() == in.position() - start);
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fray::BitReader in{{data, size}};
    Bytes baseline;
    if (!read_full(in, baseline)) return 0;
    std::vector<std::uint64_t> fields;
    FRAY_ASSERT(kType.fields(baseline, fields));

    const std::span<const std::uint8_t> rest{data + (in.position() + 7) / 8, size - (in.position() + 7) / 8};
    fray::BitReader delta{rest};
    Bytes payload;
    if (!kType.read_delta(delta, fields, payload)) return 0;
    std::array<std::uint8_t, 1024> memory{};
    fray::BitWriter out{memory};
    FRAY_ASSERT(kType.write_delta(out, fields, payload));
    FRAY_ASSERT(out.bit_count() == delta.position());
    check_same_bits(rest, memory, delta.position());
    return 0;
}
