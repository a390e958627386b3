// Messages between pSense overlays, as in WIRE_FORMAT.md.

#include "overlay/psense_messages.hpp"
#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"
#include "wire/input_codec.hpp"
#include "wire/pose_codec.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace fray {
namespace {

const Place kPlace{{1, 40'000, 65'535}};
constexpr std::uint16_t kInfinite = 0x7F80;  // and whatever is above is not a number, or below zero
const Contact kContact{PeerId::from_number(0xFFEEDDCC), Incarnation{0x87654321}, Address::from_number(5)};

std::string numbers(const Place& p) { return list(std::vector<std::uint32_t>{p.at[0], p.at[1], p.at[2]}); }
/// The upper half of a float.
std::uint32_t half(float value) { return std::bit_cast<std::uint32_t>(value) >> 16U; }

struct Value {
    PSenseKind kind{};
    int sector = 0;
    float vision = 0;
    bool itself = false;
    std::string position = "[]";
    std::string contact = "0";
    std::string receivers = "0";
    int upload = 0;
    bool partial = false;
};
std::string json(const Value& v) {
    return record({{"kind", static_cast<int>(v.kind)},
                   {"sector", v.sector},
                   {"vision", half(v.vision)},
                   {"itself", v.itself},
                   {"position", v.position},
                   {"contact", v.contact},
                   {"upload", v.upload},
                   {"partial", v.partial},
                   {"receivers", v.receivers}});
}

void write_list(BitWriter& out, const std::vector<std::uint32_t>& ids, bool partial = false) {
    out.bits(2, 2);
    out.boolean(partial);
    write_id_set(out, ids);
}

std::vector<std::uint32_t> too_many() {
    std::vector<std::uint32_t> ids(kMaxReceivers + 1);
    std::iota(ids.begin(), ids.end(), 0U);
    return ids;
}

TEST(Corpus, PSenseMessages) {
    Corpus corpus{"psense_message", "psense_message"};
    const SensorRequest request{.sector = 63, .vision = 200, .position = kPlace};
    corpus.add("[]", json(Value{PSenseKind::request, 63, 200, false, numbers(kPlace)}), [&](BitWriter& out) {
        out.bits(0, 2);
        write(out, request);
    });
    for (const bool itself : {true, false}) {
        const SensorSuggestion suggestion{
            .sector = 5, .itself = itself, .position = kPlace, .contact = kContact};
        const Value value{.kind = PSenseKind::suggestion,
                          .sector = 5,
                          .itself = itself,
                          .position = numbers(kPlace),
                          .contact = itself ? "0" : json(kContact)};
        corpus.add("[]", json(value), [&](BitWriter& out) {
            out.bits(1, 2);
            write(out, suggestion);
        });
    }
    for (const std::vector<std::uint32_t>& ids : {std::vector<std::uint32_t>{}, {7}, {3, 40'000, 65'535}}) {
        const Value value{.kind = PSenseKind::receivers, .receivers = list(ids)};
        corpus.add("[]", json(value), [&](BitWriter& out) { write_list(out, ids); });
    }
    const Value some{.kind = PSenseKind::receivers, .receivers = "[7, 8]", .partial = true};
    corpus.add("[]", json(some), [&](BitWriter& out) { write_list(out, {7, 8}, true); });
    corpus.add("[]", json(Value{.kind = PSenseKind::greeting, .vision = 512, .upload = 13}),
               [&](BitWriter& out) {
                   out.bits(3, 2);
                   write(out, PSenseGreeting{.vision = 512, .upload = 13});
               });
    corpus.check();
}

TEST(Corpus, PSenseMessagesThatAreNone) {
    Corpus corpus{"psense_message_refused", "psense_message"};
    for (const std::uint32_t bad :
         {half(-1.0F), half(-0.0F), std::uint32_t{kInfinite}, kInfinite + 1U, 0xFFFFU}) {
        const auto write_bad = [&](BitWriter& out) {
            out.bits(0, 6);
            out.bits(bad, 16);
            out.bits(0, 48);
        };
        corpus.refuse("[]", [&](BitWriter& out) {
            out.bits(0, 2);
            write_bad(out);
        });
        std::array<std::uint8_t, 64> memory{};
        BitWriter out{memory};
        write_bad(out);
        BitReader in{out.finish()};
        SensorRequest request_read;
        EXPECT_FALSE(read(in, request_read));
        corpus.refuse("[]", [&](BitWriter& refused) {
            refused.bits(3, 2);
            refused.bits(bad, 16);
            refused.bits(0, 5);
        });
    }
    corpus.refuse("[]", [](BitWriter& out) { write_list(out, too_many()); });
    corpus.check();
}

const std::vector<std::uint32_t> kThree{9, 12, 60'000};

/// A forwarded state, and its header.
struct Passing {
    World world;
    PoseCodec codec{world};
    QuantisedPose pose = codec.quantise(Pose{.position = {10, -20, 3}, .velocity = {5, 0, -1}, .yaw = 90});

    Passing() { world.types = {EntityType::bare("bare"), EntityType::bare("mark")}; }
    void write_state(BitWriter& out, std::uint64_t number, bool more = false) const {
        out.bits(777, kStampBits);
        write_varint(out, number);
        out.bits(1, bits_for(world.types.size() - 1));
        codec.write_full(out, pose);
        write_input(out, {}, std::vector<std::uint8_t>{1, 2});
        out.boolean(more);
    }
    static void write_header(BitWriter& out, std::uint32_t vision,
                             const std::vector<std::uint32_t>& receivers) {
        out.boolean(false);  // not ordered
        out.boolean(false);  // not helping
        out.bits(3, 4);
        Contact contact = kContact;
        WriteStream stream{out};
        serialize(stream, contact);
        out.bits(vision, 16);
        write_id_set(out, receivers);
    }
    [[nodiscard]] std::string state(std::uint32_t number) const {
        const std::string whole = record({{"number", number},
                                          {"type", 1},
                                          {"pose", json(pose)},
                                          {"payload", std::string{"[]"}},
                                          {"input", std::string{"[1, 2]"}}});
        return record({{"stamp", 777}, {"state", whole}});
    }
    [[nodiscard]] static RelayedRoute route() {
        return {.hops = 3, .origin = json(kContact), .vision = half(120), .receivers = "[9, 12, 60000]"};
    }
};

TEST(Corpus, Forwards) {
    const Passing passing;
    const char* const types = "[[[], []]]";
    Corpus forwards{"relayed", "relayed", json(passing.world)};
    const auto refuse = [&](std::uint32_t vision, std::uint64_t number,
                            const std::vector<std::uint32_t>& receivers) {
        forwards.refuse(types, [&](BitWriter& out) {
            passing.write_state(out, number);
            passing.write_header(out, vision, receivers);
        });
    };
    const auto write_states = [&](BitWriter& out, std::uint32_t count) {
        for (std::uint32_t i = 1; i <= count; ++i) passing.write_state(out, i, i != count);
        passing.write_header(out, half(120), kThree);
    };
    forwards.add(types, relayed_json({passing.state(1)}, Passing::route()),
                 [&](BitWriter& out) { write_states(out, 1); });
    forwards.add(types,
                 relayed_json({passing.state(1), passing.state(2), passing.state(3)}, Passing::route()),
                 [&](BitWriter& out) { write_states(out, 3); });
    forwards.add(types, relayed_json({passing.state(4)}, {.helping = true, .name = 51'966}),
                 [&](BitWriter& out) {
                     passing.write_state(out, 4);
                     out.boolean(false);  // not ordered
                     write(out, ForwardHeader{.origin = {}, .helping = true, .name = 51'966});
                 });
    refuse(half(-120), 4, kThree);
    refuse(kInfinite, 4, kThree);
    refuse(half(120), std::uint64_t{1} << 32U, kThree);
    refuse(half(120), 4, too_many());
    forwards.refuse(types, [&](BitWriter& out) { write_states(out, kMaxRelayedStates + 1); });
    forwards.check();
}

TEST(Corpus, ForwardsInADatagram) {
    const Passing passing;
    Corpus messages{"relayed_message", "messages", json(passing.world)};
    const std::string forward = relayed_json({passing.state(4)}, Passing::route());
    messages.add("[[[], []], []]", list_of({message_json(MessageKind::relayed, forward)}),
                 [&](BitWriter& out) {
                     write_kind(out, MessageKind::relayed);
                     passing.write_state(out, 4);
                     Passing::write_header(out, half(120), kThree);
                 });
    messages.check();
}

TEST(Length, IsNeverShorterThanItIsAndAtMostOnePercentLonger) {
    for (const float value : {0.0F, 1e-6F, 0.1F, 1.0F, 199.9F, 200.0F, 65'537.0F, 1e30F}) {
        std::array<std::uint8_t, 2> memory{};
        BitWriter out{memory};
        WriteStream writing{out};
        float written = value;
        serialize_length(writing, written);
        BitReader in{out.finish()};
        ReadStream reading{in};
        float back = -1;
        serialize_length(reading, back);
        EXPECT_TRUE(reading.ok());
        EXPECT_GE(back, value);
        EXPECT_LE(back, value * 1.01F);
    }
}

TEST(Place, IsInsideTheWorldWhateverWasGiven) {
    World world;
    world.low = {-100, 0, 7};
    world.high = {100, 1000, 7};
    const Vec3 inside{12.25F, 700, 7};
    const Vec3 back = restore(world, quantise(world, inside));
    EXPECT_NEAR(back.x, inside.x, 0.01);
    EXPECT_NEAR(back.y, inside.y, 0.01);
    EXPECT_EQ(back.z, 7);
    constexpr float kEndless = std::numeric_limits<float>::infinity();
    EXPECT_EQ(restore(world, quantise(world, {1e30F, -kEndless, 3})), (Vec3{100, 0, 7}));
}

}  // namespace
}  // namespace fray
