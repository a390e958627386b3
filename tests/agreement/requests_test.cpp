#include "agreement/requests.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>

namespace fray::test {
namespace {

constexpr PeerId kAda = PeerId::from_number(1);
constexpr PeerId kBen = PeerId::from_number(2);

TEST(OpenRequests, AreClosedOnceAndOnlyByWhoWasAsked) {
    OpenRequests requests;
    const auto one = requests.open({kAda, 7});
    const auto two = requests.open({kBen, 8});
    ASSERT_TRUE(one && two);
    EXPECT_NE(*one, *two);
    EXPECT_FALSE(requests.close(*one, kBen)) << "that one was not asked";
    EXPECT_FALSE(requests.close(*two + 1, kBen)) << "never asked";
    EXPECT_EQ(requests.close(*one, kAda), (EntityId{kAda, 7}));
    EXPECT_FALSE(requests.close(*one, kAda)) << "answered before";
    EXPECT_EQ(requests.close(*two, kBen), (EntityId{kBen, 8}));
}

TEST(OpenRequests, AreBoundedAndANewOneNeedsAnAnswerFirst) {
    OpenRequests requests;
    for (std::size_t i = 0; i < OpenRequests::kMostOfOne; ++i) ASSERT_TRUE(requests.open({kAda, 1}));
    EXPECT_FALSE(requests.open({kAda, 1})) << "who does not answer leaves room for the others";
    for (std::size_t i = OpenRequests::kMostOfOne; i < OpenRequests::kMost; ++i) {
        ASSERT_TRUE(requests.open({PeerId::from_number(10 + i / OpenRequests::kMostOfOne), 1}));
    }
    const std::size_t bytes = requests.memory_bytes();
    EXPECT_FALSE(requests.open({kBen, 1}));
    EXPECT_EQ(requests.memory_bytes(), bytes);
    ASSERT_TRUE(requests.close(17, kAda));
    const auto next = requests.open({kBen, 1});
    ASSERT_TRUE(next);
    EXPECT_EQ(*next, OpenRequests::kMost) << "no number twice, and none was spent on the refused";
    EXPECT_FALSE(requests.open({kBen, 1}));
}

TEST(OpenRequests, OfAPeerThatIsGoneAreFoundOneByOne) {
    OpenRequests requests;
    const auto first = requests.open({kAda, 1});
    ASSERT_TRUE(requests.open({kBen, 2}));
    const auto third = requests.open({kAda, 3});
    EXPECT_EQ(requests.next_of(kAda), first);
    EXPECT_TRUE(requests.close(*requests.next_of(kAda), kAda));
    EXPECT_EQ(requests.next_of(kAda), third);
    EXPECT_TRUE(requests.close(*requests.next_of(kAda), kAda));
    EXPECT_FALSE(requests.next_of(kAda));
    EXPECT_TRUE(requests.next_of(kBen));
}

RC_GTEST_PROP(OpenRequests, AreThoseAskedAndNotAnswered, ()) {
    OpenRequests requests;
    std::map<std::uint32_t, EntityId> open;
    for (int i = 0; i < 400; ++i) {
        const EntityId target{PeerId::from_number(*rc::gen::inRange<std::uint64_t>(1, 4)), 5};
        if (*rc::gen::inRange(0, 3) > 0) {
            const auto number = requests.open(target);
            const auto of_one = std::ranges::count_if(
                open, [&](const auto& asked) { return asked.second.owner == target.owner; });
            RC_ASSERT(number.has_value() == (static_cast<std::size_t>(of_one) < OpenRequests::kMostOfOne));
            if (number) RC_ASSERT(open.emplace(*number, target).second);
            continue;
        }
        const auto number = *rc::gen::inRange<std::uint32_t>(0, 300);
        const auto found = open.find(number);
        const bool right = found != open.end() && found->second.owner == target.owner;
        RC_ASSERT(requests.close(number, target.owner).has_value() == right);
        if (right) open.erase(found);
    }
}

// --- serialization ---

template <class T>
std::size_t written(const T& value, std::span<std::uint8_t> memory) {
    BitWriter out{memory};
    write(out, value);
    return out.finish().size();
}

RC_GTEST_PROP(ARequest, IsReadAsItWasWrittenAndNoCutOneIs, (std::uint32_t a, std::uint32_t b)) {
    const auto bytes =
        *rc::gen::resize(static_cast<int>(kMaxRequestBytes), rc::gen::arbitrary<std::vector<std::uint8_t>>());
    RC_PRE(bytes.size() <= kMaxRequestBytes);
    const Request request{.number = a,
                          .by = b,
                          .target = a ^ b,
                          .seen = *rc::gen::inRange<std::uint64_t>(0, kMaxWireTime),
                          .bytes = bytes};
    std::array<std::uint8_t, 2048> memory{};
    const std::size_t size = written(request, memory);
    Request got;
    BitReader in{std::span{memory}.first(size)};
    RC_ASSERT(read(in, got));
    RC_ASSERT(got.number == a && got.by == b && got.target == (a ^ b));
    RC_ASSERT(got.seen == request.seen && got.bytes == bytes);
    BitReader cut{std::span{memory}.first(size - 1)};
    RC_ASSERT(!read(cut, got));
}

RC_GTEST_PROP(AReply, IsReadAsItWasWrittenAndNoCutOneIs, (std::uint32_t number, bool answered)) {
    const auto bytes = *rc::gen::arbitrary<std::vector<std::uint8_t>>();
    RC_PRE(bytes.size() <= kMaxRequestBytes);
    std::array<std::uint8_t, 2048> memory{};
    const std::size_t size = written(Reply{number, answered, bytes}, memory);
    Reply got;
    BitReader in{std::span{memory}.first(size)};
    RC_ASSERT(read(in, got));
    RC_ASSERT(got.number == number && got.answered == answered && got.bytes == bytes);
    BitReader cut{std::span{memory}.first(size - 1)};
    RC_ASSERT(!read(cut, got));
}

}  // namespace
}  // namespace fray::test
