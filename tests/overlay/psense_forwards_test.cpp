// Lists are believed as far as they can be true, and what is passed on can be read, as long as it was booked.

#include "overlay/psense_fixture.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

namespace fray {
namespace {

/// So many names, each so far from the next.
std::vector<std::uint32_t> names(std::size_t count, std::uint32_t apart = 1, std::uint32_t first = 0) {
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(first + static_cast<std::uint32_t>(i) * apart);
    return all;
}

class PSenseForwards : public PSenseTest {
protected:
    /// An originator, 1, and others around it.
    void neighbours(LinkNumber others) {
        last_ = static_cast<LinkNumber>(1 + others);
        linked(1, {50, 0, 0});
        for (LinkNumber n = 2; n <= last_; ++n)
            linked(n, {40 + 0.01F * static_cast<float>(n), static_cast<float>(n % 20), 0});
    }
    /// The names on a forward's list; nothing: a reader refuses it.
    static std::optional<std::vector<std::uint32_t>> list_of(const OverlayActions::Forward& forward) {
        BitReader in{forward.header, forward.header_bits};
        ForwardHeader header;
        std::vector<std::uint32_t> list;
        if (!read(in, header) || header.helping || !read_id_set(in, list, kMaxReceivers)) return std::nullopt;
        return in.bits_left() == 0 ? std::optional{list} : std::nullopt;
    }
    /// Everybody speaks, and 1's update comes with this list.
    void told(const std::vector<std::uint32_t>& list) {
        for (LinkNumber n = 2; n <= last_; ++n) overlay_.handle_alive(kNow, n);
        seen(1, {50, 0, 0});
        list_from(1, list);
        round();
    }
    /// To how many it is passed on.
    std::size_t passed_on(const std::vector<std::uint32_t>& list) {
        told(list);
        dispatch();
        return actions_.forwards.size();
    }
    LinkNumber last_ = 3;
};

TEST_F(PSenseForwards, AListLongerThanCanBeTrueIsNotPassedOn) {
    neighbours(2);
    EXPECT_EQ(passed_on(names(64)), 2U);
    EXPECT_EQ(passed_on(names(65)), 0U) << "we know three";
    EXPECT_EQ(passed_on(names(1024)), 0U);
    EXPECT_EQ(passed_on(names(3)), 2U) << "the next true one is";
}

TEST_F(PSenseForwards, WhoKnowsManyBelievesLongerLists) {
    neighbours(29);
    EXPECT_EQ(passed_on(names(120)), 29U) << "four times as many as we know";
    EXPECT_EQ(passed_on(names(121)), 0U);
}

TEST_F(PSenseForwards, ListsOfTheSameUpdateAreOneAsLongAsThatCanBeTrue) {
    linked(4, {45, 0, 0});
    neighbours(2);
    const auto together = [&](std::size_t each) {
        EXPECT_TRUE(forward_from(2, ForwardHeader{1, contact(1), 100}, {50, 0, 0}, names(each)));
        overlay_.handle_sighting(kNow, 1, {{50, 0, 0}, SessionInstant{Duration{clock_}}});
        list_from(1, names(each, 1, 10'000));  // the same one, from itself
        round();
        dispatch();
        EXPECT_FALSE(actions_.forwards.empty());
        std::size_t most = 0;
        for (const auto& forward : actions_.forwards) most = std::max(most, list_of(forward)->size());
        return most - actions_.forwards.size();  // who got it now is on it, too
    };
    EXPECT_EQ(together(32), 64U);
    EXPECT_EQ(together(33), 33U);
}

TEST_F(PSenseForwards, EveryHeaderCanBeReadAndIsNoLongerThanBookedAndTwoBytesForEachFurtherName) {
    neighbours(299);  // so that any list can be true
    for (const std::size_t length : {0U, 1U, 24U, 25U, 300U, 800U, 1023U, 1024U}) {
        for (const std::uint32_t apart : {1U, 3U, 63U}) {
            const auto list = names(length, apart);
            told(list);
            std::map<LinkNumber, std::size_t> booked;
            for (const Candidate& c : candidates_) {
                if (c.primary >= kForwards) booked[c.link] = c.bytes;
            }
            dispatch();
            EXPECT_EQ(actions_.forwards.size(), booked.size());
            EXPECT_GT(booked.size(), 280U);
            for (const auto& forward : actions_.forwards) {
                const auto carried = list_of(forward);
                ASSERT_TRUE(carried) << length << " names: refused";
                ASSERT_GE(carried->size(), length);
                EXPECT_LE(forward.header.size(), booked[forward.to] + 2 * (carried->size() - length))
                    << length << " names, each " << apart << " from the next";
            }
        }
    }
}

TEST_F(PSenseForwards, WhoeverOfTwoSeesFurtherDecidesWhoHearsOfTheOther) {
    linked(1, {50, 0, 0});
    linked(3, {-90, 0, 0});
    const auto passed_on_where_they_see = [&](float originator, float other) {
        greeting_from(1, 12, originator);
        greeting_from(3, 12, other);
        return passed_on({});
    };
    EXPECT_EQ(passed_on_where_they_see(100, 100), 0U) << "neither sees the other";
    EXPECT_EQ(passed_on_where_they_see(100, 150), 1U) << "3 sees 1";
    EXPECT_EQ(passed_on_where_they_see(150, 100), 1U) << "1 sees 3";
}

TEST_F(PSenseForwards, UpdatesOfAThousandOriginatorsArePassedOnInARoundAndOfNoMore) {
    linked(1, {50, 0, 0});               // gets them all
    constexpr LinkNumber kTelling = 40;  // one in front, who is a sensor node, and those behind it
    constexpr std::uint64_t kNamedByEach = 32;
    for (LinkNumber n = 2; n < 2 + kTelling; ++n) linked(n, {600 + static_cast<float>(n), 1, 0});
    std::uint64_t taken = 0;
    for (LinkNumber n = 2; n < 2 + kTelling; ++n) {
        for (std::uint64_t k = 0; k < kNamedByEach; ++k)
            taken += forward_from(n, 2000 + n * kNamedByEach + k, 1, {55, 0, 0}) ? 1 : 0;
    }
    ASSERT_EQ(taken, kTelling * kNamedByEach);
    round();
    std::set<std::uint16_t> updates;
    for (const Candidate& c : candidates_) {
        if (c.primary >= kForwards) updates.insert(c.update);
    }
    EXPECT_EQ(updates.size(), 1024U);
}

}  // namespace
}  // namespace fray
