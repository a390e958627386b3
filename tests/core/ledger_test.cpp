#include <fray/event.hpp>
#include <fray/ledger.hpp>
#include <fray/stats.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace fray {
namespace {

TEST(ByteLedger, BitsOfAllPurposesAddUpToWholeDatagrams) {
    ByteLedger ledger;
    ledger.book(Purpose::state, 53);
    ledger.book(Purpose::ack, 40);
    ledger.book(Purpose::link_header, 3);
    ledger.book(Purpose::udp_ip, 28 * 8);
    ledger.count_datagram();
    EXPECT_EQ(ledger.total_bytes(), 12U + 28U);
    EXPECT_EQ(ledger.datagrams(), 1U);
    EXPECT_EQ(ledger.bits(Purpose::state), 53U);
    EXPECT_DOUBLE_EQ(ledger.bytes(Purpose::ack), 5.0);
    EXPECT_EQ(ledger.bits(Purpose::relay), 0U);
}

TEST(RejectionCounts, AddUp) {
    RejectionCounts counts;
    counts.count(Rejection::malformed);
    counts.count(Rejection::malformed);
    counts.count(Rejection::world);
    EXPECT_EQ(counts.of(Rejection::malformed), 2U);
    EXPECT_EQ(counts.total(), 3U);
}

template <class Enum>
void expect_distinct_names(std::size_t count) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < count; ++i) names.insert(to_string(static_cast<Enum>(i)));
    EXPECT_EQ(names.size(), count);
    EXPECT_EQ(names.count("unknown"), 0U);
    EXPECT_EQ(to_string(static_cast<Enum>(count)), "unknown");
}

TEST(Names, EveryEnumeratorHasItsOwn) {
    expect_distinct_names<Purpose>(kPurposeCount);
    expect_distinct_names<Rejection>(kRejectionCount);
    expect_distinct_names<Reason>(static_cast<std::size_t>(kLastReason) + 1);
}

}  // namespace
}  // namespace fray
