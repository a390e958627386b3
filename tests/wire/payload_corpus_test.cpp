#include <fray/world.hpp>

#include "wire/corpus.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fray {
namespace {

/// One field of every kind that is different on the wire.
struct Sample {
    std::uint8_t armor = 0;
    bool firing = false;
    std::uint8_t none = 3;
    std::uint32_t score = 0;
    std::vector<std::uint8_t> name{};
};

template <class Stream>
void serialize(Stream& stream, Sample& value) {
    stream.integer(value.armor, 0, 100);
    stream.boolean(value.firing);
    stream.integer(value.none, 3, 3);
    stream.varint(value.score);
    stream.bytes(value.name, 8);
}

const std::array<Sample, 4> kSamples{
    {{}, {93, true, 3, 1000, {1, 2, 3}}, {93, true, 3, 1001, {1, 2, 4}}, {5, false, 3, 7, {9}}}};

const EntityType kType = EntityType::of<Sample>("sample");

std::vector<std::uint8_t> payload_of(const Sample& sample) {
    std::vector<std::uint8_t> payload;
    EXPECT_TRUE(detail::append_canonical(sample, payload));
    return payload;
}

std::vector<std::uint64_t> fields_of(const Sample& sample) {
    std::vector<std::uint64_t> fields;
    EXPECT_TRUE(kType.fields(payload_of(sample), fields));
    return fields;
}

/// The bits of each field, as the document lists them.
std::string widths_of(const Sample& sample) {
    std::vector<int> widths{7, 1, 0, -1, -1};
    widths.insert(widths.end(), sample.name.size(), 8);
    return list(widths);
}

TEST(Corpus, FullPayloads) {
    Corpus corpus{"payload_full", "payload_full"};
    for (const Sample& sample : kSamples) {
        corpus.add("[" + widths_of(sample) + "]", list(fields_of(sample)),
                   [&](BitWriter& out) { EXPECT_TRUE(kType.write_full(out, payload_of(sample))); });
    }
    corpus.check();
}

TEST(Corpus, PayloadDeltas) {
    Corpus corpus{"payload_delta", "payload_delta"};
    for (const Sample& value : kSamples) {
        for (const Sample& old : kSamples) {
            const std::vector<std::uint64_t> baseline = fields_of(old);
            corpus.add(
                "[" + widths_of(value) + ", " + list(baseline) + "]", list(fields_of(value)),
                [&](BitWriter& out) { EXPECT_TRUE(kType.write_delta(out, baseline, payload_of(value))); });
        }
    }
    corpus.check();
}

TEST(Corpus, SmallestPayloadDeltas) {
    Corpus corpus{"payload_delta_by_hand", "payload_delta"};
    const auto bits = [](std::uint64_t value, unsigned count) {
        return [=](BitWriter& out) { out.bits(value, count); };
    };
    corpus.add("[[], []]", "[]", bits(0, 0));
    corpus.add("[[4], [9]]", "[9]", bits(0, 1));
    corpus.add("[[1], [1]]", "[0]", bits(1, 1));
    corpus.add("[[7, 1], [5, 0]]", "[5, 1]", bits(0b101, 3));
    corpus.add("[[2, 1], [1, 0]]", "[3, 0]", bits(0b01111, 5));
    corpus.add("[[0, 2], [5, 1]]", "[0, 1]", bits(0, 1));
    corpus.refuse("[[7, 1], [5, 0]]", bits(0b001, 3));             // a change that changes nothing
    corpus.refuse("[[7, 1], [5, 0]]", bits(0b0'0000101'1'1, 10));  // a new value that is the old one
    corpus.refuse("[[-1], [5]]", bits(0b00101'1, 6));
    corpus.refuse("[[2, 1], [5, 0]]", bits(0, 1));  // an old value that the field cannot have
    corpus.check();
}

}  // namespace
}  // namespace fray
