// What pSense overlays say to each other, as WIRE_FORMAT.md has it.

#include "overlay/psense_messages.hpp"
#include "replica/input_codec.hpp"
#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"
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

const Vec3 kPlace{1.5F, -2.25F, 1e9F};
const Contact kContact{PeerId::from_number(0xFFEEDDCC), Incarnation{0x87654321}, Address::from_number(5)};

std::string numbers(const Vec3& v) {
    return list(std::vector<std::uint32_t>{std::bit_cast<std::uint32_t>(v.x),
                                           std::bit_cast<std::uint32_t>(v.y),
                                           std::bit_cast<std::uint32_t>(v.z)});
}

struct Value {
    PSenseKind kind{};
    int sector = 0;
    float vision = 0;
    bool itself = false;
    std::string position = "[]";
    std::string contact = "0";
    std::string receivers = "0";
};
std::string json(const Value& v) {
    return record({{"kind", static_cast<int>(v.kind)},
                   {"sector", v.sector},
                   {"vision", std::bit_cast<std::uint32_t>(v.vision)},
                   {"itself", v.itself},
                   {"position", v.position},
                   {"contact", v.contact},
                   {"receivers", v.receivers}});
}

void write_list(BitWriter& out, float vision, const std::vector<std::uint32_t>& ids) {
    out.bits(2, 2);
    WriteStream stream{out};
    serialize_length(stream, vision);
    write_id_set(out, ids);
}

std::vector<std::uint32_t> too_many() {
    std::vector<std::uint32_t> ids(kMaxReceivers + 1);
    std::iota(ids.begin(), ids.end(), 0U);
    return ids;
}

TEST(Corpus, PSenseMessages) {
    Corpus corpus{"psense_message", "psense_message"};
    const SensorRequest request{.sector = 63, .vision = 200.5F, .position = kPlace};
    corpus.add("[]", json(Value{PSenseKind::request, 63, 200.5F, false, numbers(kPlace)}),
               [&](BitWriter& out) {
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
        const Value value{.kind = PSenseKind::receivers, .vision = 0, .receivers = list(ids)};
        corpus.add("[]", json(value), [&](BitWriter& out) { write_list(out, 0, ids); });
    }
    corpus.check();
}

TEST(Corpus, PSenseMessagesThatAreNone) {
    Corpus corpus{"psense_message_refused", "psense_message"};
    corpus.refuse("[]", [](BitWriter& out) {
        out.bits(3, 2);
        out.bits(0, 32);
    });
    for (const float bad :
         {-1.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        const auto write_bad = [&](BitWriter& out) {
            write(out, SensorRequest{.sector = 0, .vision = bad, .position = kPlace});
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
        corpus.refuse("[]", [&](BitWriter& refused) { write_list(refused, bad, {1}); });
    }
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float bad : {kInfinity, -kInfinity}) {
        corpus.refuse("[]", [&](BitWriter& out) {
            out.bits(0, 2);
            write(out, SensorRequest{.sector = 1, .vision = 1, .position = {0, bad, 0}});
        });
    }
    corpus.refuse("[]", [](BitWriter& out) { write_list(out, 1, too_many()); });
    corpus.check();
}

std::string forward_value(const QuantisedPose& pose) {
    return record({{"stamp", 777},
                   {"number", 4},
                   {"type", 1},
                   {"pose", json(pose)},
                   {"payload", std::string{"[]"}},
                   {"input", std::string{"[1, 2]"}},
                   {"hops", 3},
                   {"origin", json(kContact)},
                   {"vision", std::bit_cast<std::uint32_t>(120.0F)},
                   {"receivers", std::string{"[9, 12, 60000]"}}});
}

TEST(Corpus, Forwards) {
    World world;
    world.types = {EntityType::bare("bare"), EntityType::bare("mark")};
    const PoseCodec codec{world};
    Corpus forwards{"forward", "forward", json(world)};
    const QuantisedPose pose =
        codec.quantise(Pose{.position = {10, -20, 3}, .velocity = {5, 0, -1}, .yaw = 90});
    const auto write_forward = [&](BitWriter& out, float vision, std::uint64_t number,
                                   const std::vector<std::uint32_t>& receivers) {
        out.bits(777, kStampBits);
        write_varint(out, number);
        out.bits(1, bits_for(world.types.size() - 1));
        codec.write_full(out, pose);
        write_input(out, {}, std::vector<std::uint8_t>{1, 2});
        write(out, ForwardHeader{3, kContact, vision});
        write_id_set(out, receivers);
    };
    const std::vector<std::uint32_t> three{9, 12, 60'000};
    const std::string value = forward_value(pose);
    forwards.add("[[[], []]]", value, [&](BitWriter& out) { write_forward(out, 120, 4, three); });
    forwards.refuse("[[[], []]]", [&](BitWriter& out) { write_forward(out, -120, 4, three); });
    forwards.refuse("[[[], []]]", [&](BitWriter& out) {
        write_forward(out, std::numeric_limits<float>::infinity(), 4, three);
    });
    forwards.refuse("[[[], []]]",
                    [&](BitWriter& out) { write_forward(out, 120, std::uint64_t{1} << 32U, three); });
    forwards.refuse("[[[], []]]", [&](BitWriter& out) { write_forward(out, 120, 4, too_many()); });
    forwards.check();
    Corpus messages{"forward_message", "messages", json(world)};
    messages.add("[[[], []], []]", list_of({message_json(MessageType::forward, value)}), [&](BitWriter& out) {
        out.bits(10, kMessageTypeBits);
        write_forward(out, 120, 4, three);
    });
    messages.check();
}

}  // namespace
}  // namespace fray
