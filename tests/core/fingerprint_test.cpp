#include <fray/fingerprint.hpp>

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace fray {
namespace {

TEST(Fingerprint, IsTheSameEverywhere) {
    const std::array<std::uint8_t, 11> bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    EXPECT_EQ(Fingerprint{}.hex(), "00000f4a7c15f4a7");
    EXPECT_EQ(Fingerprint{}
                  .add(std::uint64_t{42})
                  .add(1.5F)
                  .add(std::span{bytes})
                  .add(std::string_view{"fray"})
                  .hex(),
              "f2f35df77e56066b");
}

TEST(Fingerprint, TellsOrderLengthAndKindApart) {
    using Text = std::string_view;
    std::set<std::uint64_t> seen;
    seen.insert(Fingerprint{}.value());
    seen.insert(Fingerprint{}.add(Text{""}).value());
    seen.insert(Fingerprint{}.add(Text{"ab"}).add(Text{""}).value());
    seen.insert(Fingerprint{}.add(Text{""}).add(Text{"ab"}).value());
    seen.insert(Fingerprint{}.add(Text{"a"}).add(Text{"b"}).value());
    seen.insert(Fingerprint{}.add(Text{"ab"}).value());
    seen.insert(Fingerprint{}.add(Text{"ba"}).value());
    seen.insert(Fingerprint{}.add(Text{"ab\0"}).value());
    seen.insert(Fingerprint{}.add(Text{"ab\0", 3}).value());
    seen.insert(Fingerprint{}.add(1.0F).value());
    seen.insert(Fingerprint{}.add(1.0).value());
    EXPECT_EQ(seen.size(), 10U);  // only "ab\0" as a literal is "ab"
}

TEST(Fingerprint, BytesAndTextOfTheSameContentAgree) {
    const std::array<std::uint8_t, 4> bytes{'f', 'r', 'a', 'y'};
    EXPECT_EQ(Fingerprint{}.add(std::span{bytes}).value(),
              Fingerprint{}.add(std::string_view{"fray"}).value());
}

TEST(Fingerprint, EverySingleBitChangesAboutHalfOfTheResult) {
    int changed = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t a = Fingerprint{}.add(std::uint64_t{0}).add(std::uint64_t{7}).value();
        const std::uint64_t b = Fingerprint{}.add(std::uint64_t{1} << bit).add(std::uint64_t{7}).value();
        ASSERT_NE(a, b);
        changed += std::popcount(a ^ b);
    }
    EXPECT_NEAR(changed / 64.0, 32.0, 6.0);
}

}  // namespace
}  // namespace fray
