#include "wire/corpus.hpp"

#include <fray/random.hpp>
#include <fray/serialize.hpp>

#include "wire/id_set.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace fray {
namespace {

TEST(Corpus, Varints) {
    Corpus corpus{"varint", "varint"};
    for (unsigned shift = 0; shift < 64; shift += 3) {
        const std::uint64_t value = 0xFEDCBA9876543210ULL >> shift;
        corpus.add("[]", std::to_string(value), [&](BitWriter& out) { write_varint(out, value); });
    }
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{15}, std::uint64_t{16}, ~std::uint64_t{0}}) {
        corpus.add("[]", std::to_string(value), [&](BitWriter& out) { write_varint(out, value); });
    }
    corpus.refuse("[]", [](BitWriter& out) { out.bits(0x13, 10); });  // a superfluous group
    corpus.refuse("[]", [](BitWriter& out) {                          // 2^64
        for (int group = 0; group < 16; ++group) out.bits(0x10, 5);
        out.bits(1, 5);
    });
    corpus.refuse("[]", [](BitWriter& out) { out.bits(0x1F, 5); });  // ends too early
    corpus.check();
}

TEST(Corpus, QuantisedNumbersAndAngles) {
    Corpus quantised{"quantised", "quantised"};
    for (const Range& range :
         {Range{-100, 100, 0.25F}, Range{0, 11, 3}, Range{5, 5, 1}, Range{0.1F, 0.9F, 0.1F}}) {
        for (const float part : {0.0F, 0.3F, 0.77F, 1.0F}) {
            float value = range.low + (range.high - range.low) * part;
            const std::string arguments =
                "[" + real(range.low) + ", " + real(range.high) + ", " + real(range.precision) + "]";
            const float restored = range.restore(range.quantise(value));
            quantised.add(arguments, real(restored),
                          [&](BitWriter& out) { WriteStream{out}.quantised(value, range); });
        }
    }
    quantised.refuse("[0.0, 10.0, 1.0]", [](BitWriter& out) { out.bits(11, 4); });
    quantised.check();

    Corpus angles{"angle", "angle"};
    for (const unsigned bits : {1U, 8U, 10U, 16U}) {
        for (float degrees : {0.0F, 90.0F, 359.9F, -45.5F}) {
            const float restored = restore_angle(quantise_angle(degrees, bits), bits);
            angles.add("[" + std::to_string(bits) + "]", real(restored),
                       [&](BitWriter& out) { WriteStream{out}.angle(degrees, bits); });
        }
    }
    angles.check();
}

TEST(Corpus, ByteStrings) {
    Corpus corpus{"byte_string", "byte_string"};
    for (std::size_t size = 0; size <= 20; size += 5) {
        std::vector<std::uint8_t> bytes(size);
        std::iota(bytes.begin(), bytes.end(), std::uint8_t{250});
        corpus.add("[20]", list(bytes), [&](BitWriter& out) { WriteStream{out}.bytes(bytes, 20); });
    }
    std::vector<std::uint8_t> long_one(21);
    corpus.refuse("[20]", [&](BitWriter& out) { WriteStream{out}.bytes(long_one, 21); });
    corpus.check();
}

TEST(Corpus, IdSets) {
    Corpus corpus{"id_set", "id_set"};
    const auto add = [&](const std::vector<std::uint32_t>& ids) {
        corpus.add("[64]", list(ids), [&](BitWriter& out) { write_id_set(out, ids); });
    };
    for (const auto& ids : std::initializer_list<std::vector<std::uint32_t>>{{},
                                                                             {7},
                                                                             {UINT32_MAX},
                                                                             {3, 4},
                                                                             {0, UINT32_MAX},
                                                                             {5, 6, 7, 8},
                                                                             {1, 2, 4},
                                                                             {1, 3, 4},
                                                                             {10, 12, 16},
                                                                             {0, 9, UINT32_MAX}}) {
        add(ids);
    }
    RandomStream random{Seed{1}, "id sets"};
    for (const std::uint32_t spread : {1U, 2U, 3U, 5U, 40U, 3000U}) {
        std::vector<std::uint32_t> ids;
        std::uint32_t next = random.below(100);
        for (int i = 0; i < 30; ++i) ids.push_back(next += 1 + random.below(spread));
        add(ids);
    }
    const auto raw = [&](std::initializer_list<std::pair<std::uint64_t, unsigned>> parts) {
        corpus.refuse("[64]", [&](BitWriter& out) {
            for (const auto& [value, count] : parts)
                count == 0 ? write_varint(out, value) : out.bits(value, count);
        });
    };
    raw({{65, 0}, {0, 0}, {0, 0}});               // too many
    raw({{1, 0}, {std::uint64_t{1} << 32U, 0}});  // an id that is too large
    raw({{2, 0}, {5, 0}, {std::uint64_t{1} << 32U, 0}});
    raw({{2, 0}, {0xFFFFFFFF, 0}, {0, 0}});     // the last is too large
    raw({{3, 0}, {5, 0}, {1, 0}, {0b011, 3}});  // a gap that is larger than all together
    raw({{4, 0}, {5, 0}, {2, 0}, {0b01011, 5}});
    corpus.check();
}

}  // namespace
}  // namespace fray
