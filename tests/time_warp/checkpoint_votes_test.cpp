// Which state counts when members have different ones.

#include "time_warp/checkpoint_votes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

using Voter = CheckpointVotes::Voter;
constexpr Duration kPatience{1s};
constexpr Tick kTick = 60;

PeerId id(std::uint64_t number) { return PeerId::from_number(number); }

/// Members 1, 2, ... with these hashes. Member 1 is the oldest but for the ones with an earlier `since`.
struct Votes {
    CheckpointVotes votes;
    std::vector<Voter> voters;
    void add(std::uint64_t number, std::uint64_t hash, Tick since = 0) {
        voters.push_back({id(number), since});
        votes.set_own(id(number), kTick, hash, Instant{});
    }
    [[nodiscard]] std::optional<CheckpointVotes::Verdict> lost_by(std::uint64_t number,
                                                                  Instant now = Instant{}) const {
        return votes.lost_by(id(number), voters, now, kPatience);
    }
};

TEST(CheckpointVotes, TheSmallerGroupLosesToTheLargerOne) {
    Votes v;
    v.add(1, 7);
    v.add(2, 8);
    v.add(3, 8);
    ASSERT_TRUE(v.lost_by(1));
    EXPECT_EQ(v.lost_by(1)->hash, 8U);
    EXPECT_EQ(v.lost_by(1)->oldest, id(2));
    EXPECT_FALSE(v.lost_by(2));
    EXPECT_FALSE(v.lost_by(3));
}

TEST(CheckpointVotes, OnATieTheGroupOfTheOldestMemberWins) {
    Votes v;
    v.add(1, 7, 30);  // joined later
    v.add(2, 8, 0);
    ASSERT_TRUE(v.lost_by(1));
    EXPECT_EQ(v.lost_by(1)->oldest, id(2));
    EXPECT_FALSE(v.lost_by(2));

    Votes even;  // all from the beginning: the smallest id counts as the oldest
    even.add(4, 8);
    even.add(3, 8);
    even.add(2, 7);
    even.add(1, 7);
    ASSERT_TRUE(even.lost_by(4));
    EXPECT_EQ(even.lost_by(3)->oldest, id(1));
    EXPECT_FALSE(even.lost_by(2));
}

TEST(CheckpointVotes, NothingIsDecidedUntilAllHaveVotedOrPatienceHasPassed) {
    Votes v;
    v.add(1, 7);
    v.add(2, 8);
    v.voters.push_back({id(3), 0});  // silent
    EXPECT_FALSE(v.lost_by(2));
    EXPECT_FALSE(v.lost_by(2, Instant{kPatience}));
    ASSERT_TRUE(v.lost_by(2, Instant{kPatience + 1ms}));
    EXPECT_FALSE(v.lost_by(1, Instant{kPatience + 1ms}));
}

TEST(CheckpointVotes, AMemberThatEnteredAfterTheCheckpointHasNoVote) {
    Votes v;
    v.add(1, 7);
    v.add(2, 8);
    v.add(3, 8, kTick + 1);
    EXPECT_FALSE(v.lost_by(1));
    EXPECT_TRUE(v.lost_by(2));
}

}  // namespace
}  // namespace fray
