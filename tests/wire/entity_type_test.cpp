#include <fray/state.hpp>
#include <fray/world.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fray {
namespace {

struct Shell {
    std::uint8_t kind = 0;
    float heat = 0;
    friend bool operator==(const Shell&, const Shell&) = default;
};
template <class Stream>
void serialize(Stream& stream, Shell& shell) {
    stream.integer(shell.kind, 0, 4);
    stream.real(shell.heat);
}

/// Flags, ranges, a varint, strings, a list, and a field that exists only if another one is set.
struct Tank {
    bool firing = false;
    bool towing = false;
    std::uint8_t armor = 100;
    std::uint8_t towed = 0;
    std::uint32_t score = 0;
    std::vector<std::uint8_t> crew{};
    std::string name{};
    std::vector<Shell> shells{};

    friend bool operator==(const Tank&, const Tank&) = default;
};

template <class Stream>
void serialize(Stream& stream, Tank& tank) {
    stream.boolean(tank.firing);
    stream.boolean(tank.towing);
    stream.integer(tank.armor, 0, 100);
    if (tank.towing) stream.integer(tank.towed, 0, 63);
    stream.varint(tank.score);
    stream.bytes(tank.crew, 40);
    stream.text(tank.name, 12);
    stream.list(tank.shells, 3);
}

using Bytes = std::vector<std::uint8_t>;

const EntityType kTank = EntityType::of<Tank>("tank");

Bytes payload_of(const Tank& tank) { return state_of({}, tank).payload; }

std::vector<std::uint64_t> fields_of(const Tank& tank) {
    std::vector<std::uint64_t> fields;
    EXPECT_TRUE(kTank.fields(payload_of(tank), fields));
    return fields;
}

Tank any_tank() {
    Tank tank;
    tank.firing = *rc::gen::arbitrary<bool>();
    tank.towing = *rc::gen::arbitrary<bool>();
    tank.armor = *rc::gen::inRange<std::uint8_t>(0, 101);
    tank.towed = tank.towing ? *rc::gen::inRange<std::uint8_t>(0, 64) : std::uint8_t{0};
    tank.score = *rc::gen::arbitrary<std::uint32_t>();
    tank.crew = *rc::gen::arbitrary<Bytes>();
    tank.crew.resize(std::min<std::size_t>(tank.crew.size(), 40));
    tank.name = *rc::gen::arbitrary<std::string>();
    tank.name.resize(std::min<std::size_t>(tank.name.size(), 12));
    tank.shells.resize(*rc::gen::inRange<std::size_t>(0, 4));
    for (Shell& shell : tank.shells)
        shell = {*rc::gen::inRange<std::uint8_t>(0, 5), static_cast<float>(*rc::gen::inRange(-9, 9)) / 4};
    return tank;
}

std::size_t delta_bits(const Tank& baseline, const Tank& value) {
    std::array<std::uint8_t, 512> memory{};
    BitWriter out{memory};
    EXPECT_TRUE(kTank.write_delta(out, fields_of(baseline), payload_of(value)));
    return out.bit_count();
}

RC_GTEST_PROP(EntityType, DeltasGiveTheCanonicalPayloadBack, ()) {
    const Tank baseline = any_tank();
    Tank value = any_tank();
    if (*rc::gen::arbitrary<bool>()) value.crew = baseline.crew;
    const auto fields = fields_of(baseline);
    std::array<std::uint8_t, 512> memory{};
    BitWriter out{memory};
    RC_ASSERT(kTank.write_delta(out, fields, payload_of(value)));
    BitReader in{memory, out.bit_count()};
    Bytes back;
    RC_ASSERT(kTank.read_delta(in, fields, back));
    RC_ASSERT(back == payload_of(value));
    RC_ASSERT(in.bits_left() == 0U);
}

RC_GTEST_PROP(EntityType, FullPayloadsComeBack, ()) {
    const Tank value = any_tank();
    std::array<std::uint8_t, 512> memory{};
    BitWriter out{memory};
    out.bits(0, 3);  // not at a byte's beginning
    RC_ASSERT(kTank.write_full(out, payload_of(value)));
    RC_ASSERT(out.bit_count() == 3 + measure(value));
    BitReader in{memory, out.bit_count()};
    in.skip(3);
    Bytes back;
    RC_ASSERT(kTank.read_full(in, back));
    RC_ASSERT(back == payload_of(value));
    RC_ASSERT(state_of({}, value).as<Tank>() == value);
}

TEST(EntityType, NothingChangedCostsOneBit) {
    const Tank tank{.towing = true, .towed = 9, .score = 1000, .crew = {1, 2, 3}};
    EXPECT_EQ(delta_bits(tank, tank), 1U);
}

TEST(EntityType, OneChangeCostsItselfAndABitPerField) {
    const Tank before{.score = 1000};
    Tank after = before;
    after.armor = 93;
    // changed, firing, towing, armor and its seven bits, score, lengths of crew, name and shells
    EXPECT_EQ(delta_bits(before, after), 1U + 1U + 1U + 8U + 1U + 3U);
}

TEST(EntityType, AnEmptyPayloadCostsNothing) {
    const EntityType bare = EntityType::bare("bare");
    std::vector<std::uint64_t> fields;
    ASSERT_TRUE(bare.fields({}, fields));
    std::array<std::uint8_t, 8> memory{};
    BitWriter out{memory};
    EXPECT_TRUE(bare.write_delta(out, fields, {}));
    EXPECT_TRUE(bare.write_full(out, {}));
    EXPECT_EQ(out.bit_count(), 0U);
    BitReader in{memory, 0};
    Bytes back;
    EXPECT_TRUE(bare.read_delta(in, fields, back));
    EXPECT_TRUE(back.empty());
}

TEST(EntityType, TooSmallABufferIsRefused) {
    const Tank before;
    const Tank after{.score = 123'456, .crew = Bytes(40, 7)};
    std::array<std::uint8_t, 8> memory{};
    BitWriter out{memory};
    EXPECT_FALSE(kTank.write_delta(out, fields_of(before), payload_of(after)));
    EXPECT_TRUE(out.overflowed());
}

TEST(EntityType, AnUnchangedPayloadFitsWhereOnlyOneBitIsLeft) {
    const Tank tank{.crew = Bytes(40, 7)};
    std::array<std::uint8_t, 1> memory{};
    BitWriter out{memory};
    out.bits(0, 7);
    EXPECT_TRUE(kTank.write_delta(out, fields_of(tank), payload_of(tank)));
    EXPECT_EQ(out.bit_count(), 8U);
}

TEST(EntityType, BytesThatAreNoPayloadAreRefused) {
    const Bytes cut{1};
    std::vector<std::uint64_t> fields;
    EXPECT_FALSE(kTank.fields(cut, fields));
    std::array<std::uint8_t, 64> memory{};
    BitWriter out{memory};
    EXPECT_FALSE(kTank.write_delta(out, fields_of({}), cut));
    EXPECT_FALSE(kTank.write_full(out, cut));
    Bytes longer = payload_of({});
    longer.push_back(0);
    EXPECT_FALSE(kTank.fields(longer, fields));
    EXPECT_EQ((State{.pose = {}, .payload = cut, .input = {}}.as<Tank>()), std::nullopt);
}

RC_GTEST_PROP(EntityType, AnyBytesAreRefusedOrTheOneSpellingOfAPayload, (Bytes bytes)) {
    const auto fields = fields_of(any_tank());
    BitReader in{bytes};
    Bytes payload;
    const bool accepted = kTank.read_delta(in, fields, payload);
    RC_CLASSIFY(accepted);
    if (!accepted) return;
    std::array<std::uint8_t, 512> memory{};
    BitWriter out{memory};
    RC_ASSERT(kTank.write_delta(out, fields, payload));
    RC_ASSERT(out.bit_count() == in.position());
    BitReader a{bytes, in.position()};
    BitReader b{memory, in.position()};
    while (a.bits_left() > 0) RC_ASSERT(a.boolean() == b.boolean());
}

TEST(EntityType, AChangeThatChangesNothingIsRefused) {
    const auto fields = fields_of({});
    std::array<std::uint8_t, 64> memory{};
    BitWriter out{memory};
    out.boolean(true);  // something changed
    out.bits(0, 7);     // but no field did
    BitReader in{memory};
    Bytes payload;
    EXPECT_FALSE(kTank.read_delta(in, fields, payload));
    EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace fray
