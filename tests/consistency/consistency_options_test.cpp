// Choices of consistency: valid values, serialization, and when an input is applied.

#include <fray/consistency.hpp>

#include "consistency/consistency_choice.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>

namespace fray::test {
namespace {

constexpr PeerId kThird = PeerId::from_number(3);

/// The error of check(); nothing if it accepts.
std::string complaint(const Consistency& consistency) {
    const auto checked = consistency.check();
    return checked ? "" : checked.error().message;
}
void expect_refused(const Consistency& consistency, const std::string& name) {
    EXPECT_NE(complaint(consistency).find(name), std::string::npos)
        << "'" << complaint(consistency) << "' does not name " << name;
}

TEST(AChoice, ThatCannotBeIsRefusedByName) {
    for (const Duration bad :
         {Duration{-1ms}, Duration{kMostLag + 1ms}, Duration{1500}, Duration::max(), Duration::min()}) {
        expect_refused({.algorithm = LocalLag{bad}}, "lag must");
        expect_refused({.algorithm = HalfLife{bad}}, "remote_lag must");
        expect_refused({.algorithm = BucketSync{.bucket = bad}}, "bucket must");
        expect_refused({.algorithm = Adaptive{.most_lag = bad}}, "most_lag must");
        expect_refused({.algorithm = Adaptive{.least_lag = bad}}, "least_lag must");
        expect_refused({.algorithm = Adaptive{.blend = bad}}, "blend must");
        expect_refused({.algorithm = Adaptive{.lag = bad}}, "lag must");
        expect_refused({.interval = bad}, "interval must");
    }
    for (const Duration bad : {Duration{-1ms}, Duration{kMostHorizon + 1ms}, Duration{1500}})
        expect_refused({.horizon = bad}, "horizon must");
    expect_refused({.algorithm = BucketSync{.bucket = 0ms}}, "bucket must");
    expect_refused({.algorithm = BucketSync{.depth = 0}}, "depth must");
    expect_refused({.algorithm = BucketSync{.bucket = 1ms, .depth = kMostBuckets + 1}}, "depth must");
    expect_refused({.algorithm = BucketSync{.bucket = 501ms, .depth = 4}}, "depth times bucket");
    expect_refused({.algorithm = Adaptive{.most_lag = 50ms, .least_lag = 51ms}}, "least_lag must");
    expect_refused({.algorithm = CentralizedSerialization{}}, "serializer");
    expect_refused({.algorithm = EverQuest{.validator = PeerId{}}}, "validator");
}

TEST(AChoice, AtItsBoundsIsAccepted) {
    EXPECT_EQ(complaint({}), "");
    for (const Duration good : {Duration{0}, Duration{1ms}, kMostLag}) {
        EXPECT_EQ(complaint({.algorithm = LocalLag{good}, .interval = good}), "");
        EXPECT_EQ(complaint({.algorithm = HalfLife{good}, .horizon = good}), "");
        EXPECT_EQ(complaint({.algorithm = Adaptive{.most_lag = kMostLag, .blend = good, .lag = good}}), "");
    }
    EXPECT_EQ(complaint({.horizon = kMostHorizon}), "");
    EXPECT_EQ(complaint({.algorithm = BucketSync{.bucket = 500ms, .depth = 4}}), "");
    EXPECT_EQ(complaint({.algorithm = BucketSync{.bucket = 1ms, .depth = kMostBuckets}}), "");
    EXPECT_EQ(complaint({.algorithm = CentralizedSerialization{kThird}}), "");
    EXPECT_EQ(complaint({.algorithm = EverQuest{.validator = kThird}}), "");
}

TEST(AChoice, HasAName) {
    EXPECT_EQ(name_of(EverQuest{}), "everquest");
    EXPECT_EQ(name_of(CentralizedSerialization{}), "centralized_serialization");
    EXPECT_EQ(name_of(LocalLag{}), "local_lag");
    EXPECT_EQ(name_of(BucketSync{}), "bucket_sync");
    EXPECT_EQ(name_of(HalfLife{}), "half_life");
    EXPECT_EQ(name_of(Adaptive{}), "adaptive");
}

// --- serialization ---

Duration any_ms(Duration most) {
    return std::chrono::milliseconds{*rc::gen::inRange<std::int64_t>(0, most / 1ms + 1)};
}

ConsistencyAlgorithmOptions any_algorithm() {
    const auto peer = PeerId::from_number(*rc::gen::inRange<std::uint64_t>(1, 1'000'000));
    const auto depth = *rc::gen::inRange<std::uint8_t>(1, kMostBuckets + 1);
    switch (*rc::gen::inRange(0, 7)) {
        case 0:
            return EverQuest{.motion_model = *rc::gen::arbitrary<bool>()};
        case 1:
            return EverQuest{.motion_model = *rc::gen::arbitrary<bool>(), .validator = peer};
        case 2:
            return CentralizedSerialization{peer};
        case 3:
            return LocalLag{any_ms(kMostLag)};
        case 4:
            return BucketSync{.bucket = 1ms + any_ms(kMostLag / depth - 1ms), .depth = depth};
        case 5:
            return HalfLife{any_ms(kMostLag)};
        default:
            break;
    }
    return Adaptive{.most_lag = any_ms(kMostLag), .blend = any_ms(kMostLag), .lag = any_ms(kMostLag)};
}

RC_GTEST_PROP(AConsistencyChoice, IsReadAsItWasWrittenAndNoCutOneIs, ()) {
    const ConsistencyChoice choice{
        .number = *rc::gen::arbitrary<std::uint32_t>(),
        .version = *rc::gen::arbitrary<std::uint16_t>(),
        .consistency = {
            .algorithm = any_algorithm(), .interval = any_ms(kMostLag), .horizon = any_ms(kMostHorizon)}};
    RC_ASSERT(complaint(choice.consistency).empty());
    std::array<std::uint8_t, 64> memory{};  // as much as Session gives it
    BitWriter out{memory};
    write(out, choice);
    const auto bytes = out.finish();
    BitReader in{bytes};
    ConsistencyChoice got{.number = 0, .version = 0, .consistency = {.algorithm = any_algorithm()}};
    RC_ASSERT(read(in, got));
    RC_ASSERT(got.number == choice.number);
    RC_ASSERT(got.version == choice.version);
    RC_ASSERT(got.consistency == choice.consistency);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        BitReader cut{bytes.first(size)};
        RC_ASSERT(!read(cut, got));
    }
}

// --- when an input is applied ---

using Bytes = std::vector<std::uint8_t>;

Bytes applied(InputBuckets& buckets, Duration now, std::uint8_t input) {
    const Bytes bytes{input};
    const auto now_done = buckets.apply(SessionInstant{now}, bytes);
    return {now_done.begin(), now_done.end()};
}

const Bytes kAllKeys{0xff};

TEST(AnInput, IsAppliedAtOnceWhereThereAreNoBuckets) {
    for (const ConsistencyAlgorithmOptions& algorithm :
         {ConsistencyAlgorithmOptions{EverQuest{}}, ConsistencyAlgorithmOptions{LocalLag{}},
          ConsistencyAlgorithmOptions{Adaptive{}}}) {
        InputBuckets buckets{{.algorithm = algorithm}, kAllKeys};
        for (int i = -30; i < 30; ++i) {
            const auto input = static_cast<std::uint8_t>(i + 100);
            EXPECT_EQ(applied(buckets, i * 17ms, input), Bytes{input});
        }
    }
}

TEST(AnInput, KeysDownAtAnyTimeInABucketAreDownThroughoutTheNext) {
    InputBuckets buckets{{.algorithm = BucketSync{.bucket = 50ms}}, kAllKeys};
    EXPECT_EQ(applied(buckets, 1000ms, 1), Bytes{}) << "nothing was done before";
    EXPECT_EQ(applied(buckets, 1049ms, 2), Bytes{});
    EXPECT_EQ(applied(buckets, 1050ms, 4), Bytes{1 | 2});
    EXPECT_EQ(applied(buckets, 1070ms, 4), Bytes{1 | 2});
    EXPECT_EQ(applied(buckets, Duration{1'099'999}, 8), Bytes{1 | 2});
    EXPECT_EQ(applied(buckets, 1100ms, 16), Bytes{4 | 8});
    EXPECT_EQ(applied(buckets, 1260ms, 32), Bytes{16}) << "nobody asked for two buckets";
}

TEST(AnInput, ATapShorterThanABucketIsDoneForOneBucket) {
    InputBuckets buckets{{.algorithm = BucketSync{.bucket = 50ms}}, kAllKeys};
    std::vector<int> done;  // ms
    for (int ms = 1000; ms < 1200; ms += 5) {
        const bool tapped = ms >= 1010 && ms < 1030;
        if (applied(buckets, std::chrono::milliseconds{ms}, tapped ? 1 : 0) == Bytes{1}) done.push_back(ms);
    }
    ASSERT_EQ(done.size(), 10U);
    EXPECT_EQ(done.front(), 1050);
    EXPECT_EQ(done.back(), 1095);
}

TEST(AnInput, OfNumbersTheLastInABucketIsDoneThroughoutTheNext) {
    // A byte with four keys and a gear, then a stick's angle.
    InputBuckets buckets{{.algorithm = BucketSync{.bucket = 50ms}}, Bytes{0x0f}};
    const auto apply = [&](Duration now, const Bytes& input) {
        const auto done = buckets.apply(SessionInstant{now}, input);
        return Bytes{done.begin(), done.end()};
    };
    EXPECT_EQ(apply(1000ms, {0x31, 200}), Bytes{});
    EXPECT_EQ(apply(1020ms, {0x12, 7}), Bytes{});
    EXPECT_EQ(apply(1050ms, {0x20}), (Bytes{0x13, 7}));
    EXPECT_EQ(apply(1100ms, {}), Bytes{0x20}) << "what was collected in one bucket does not linger";
    EXPECT_EQ(apply(1150ms, {0x04, 9}), Bytes{});
    EXPECT_EQ(apply(1160ms, {}), Bytes{});
    EXPECT_EQ(apply(1200ms, {}), Bytes{0x04}) << "a key outlives an input without it, a number does not";
}

RC_GTEST_PROP(AnInput, IsThatOfTheBucketBeforeAtAnyTime, ()) {
    constexpr std::int64_t kBucket = 50'000;
    InputBuckets buckets{{.algorithm = BucketSync{.bucket = Duration{kBucket}}}, kAllKeys};
    const auto number = [](std::int64_t us) { return (us + 1'000'000'000 * kBucket) / kBucket; };
    std::int64_t now = *rc::gen::inRange(-400'000, 100'000);
    std::int64_t bucket = number(now);
    Bytes collected;
    Bytes expected;
    for (std::uint8_t input = 1; input < 60; ++input) {
        if (number(now) != bucket) expected = std::exchange(collected, {});
        bucket = number(now);
        RC_ASSERT(applied(buckets, Duration{now}, input) == expected);
        collected = {static_cast<std::uint8_t>(collected.empty() ? input : collected[0] | input)};
        now += *rc::gen::inRange(1, 30'000);
    }
}

}  // namespace
}  // namespace fray::test
