#include "trade/verdict.hpp"

#include <fray/random.hpp>

#include "trade/trade_packet.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace fray {
namespace {

/// Three honest peers, and every message ever sent between them: any may arrive at any time, several times or
/// never.
class Council {
public:
    explicit Council(bool first) {
        all[2].record_first(first);
        tell(2, TradeKind::accept, 0, all[2].accepted());
    }
    void lead(std::size_t leader) {
        if (all[leader].decided()) return;
        tell(leader, TradeKind::prepare, *all[leader].lead(static_cast<TradeRole>(leader)), {});
    }
    void deliver(std::size_t number) {
        const Note note = notes_[number % notes_.size()];
        Verdict& verdict = all[note.to];
        if (note.kind == TradeKind::prepare && verdict.handle_prepare(note.ballot)) {
            notes_.push_back({note.to, note.from, TradeKind::promise, note.ballot, verdict.accepted()});
        } else if (note.kind == TradeKind::promise) {
            const auto told = verdict.handle_promise(note.ballot, note.accepted);
            if (told) tell(note.to, TradeKind::accept, told->ballot, told);
        } else if (note.kind == TradeKind::accept && !verdict.decided()) {
            (void)verdict.handle_accept(*note.accepted);
        }
    }

    std::array<Verdict, 3> all;

private:
    struct Note {
        std::size_t from, to;
        TradeKind kind;
        Ballot ballot;
        std::optional<Accepted> accepted;
    };
    void tell(std::size_t from, TradeKind kind, Ballot ballot, const std::optional<Accepted>& accepted) {
        for (std::size_t to = 0; to < 3; ++to) {
            if (to != from) notes_.push_back({from, to, kind, ballot, accepted});
        }
    }
    std::vector<Note> notes_;
};

RC_GTEST_PROP(Verdicts, OfThreeThatObeyNeverDiffer, (bool first, std::uint32_t seed)) {
    Council council{first};
    RandomStream random{Seed{seed}, "council"};
    for (int step = 0; step < 300; ++step) {
        if (random.chance(0.1)) {
            council.lead(random.below(3));
        } else {
            council.deliver(random.below(1'000'000));
        }
    }
    bool committed = false;
    bool aborted = false;
    for (const Verdict& verdict : council.all) {
        committed = committed || verdict.decided() == true;
        aborted = aborted || verdict.decided() == false;
    }
    RC_ASSERT_FALSE(committed && aborted);
    RC_ASSERT_FALSE(committed && !first);  // only the witness starts a commit
    RC_CLASSIFY(committed, "committed");
    RC_CLASSIFY(aborted, "aborted");
}

TEST(Verdicts, ALeaderThatFindsNothingAborts) {
    Verdict proposer;
    Verdict partner;
    const Ballot ballot = proposer.lead(TradeRole::proposer).value();
    ASSERT_TRUE(partner.handle_prepare(ballot));
    const auto told = proposer.handle_promise(ballot, partner.accepted());
    ASSERT_TRUE(told);
    EXPECT_FALSE(told->commit);
    EXPECT_TRUE(partner.handle_accept(*told));
    EXPECT_EQ(partner.decided(), false);
    EXPECT_FALSE(partner.handle_accept({0, true})) << "the witness comes too late";
}

TEST(Verdicts, ALeaderThatFindsTheWitnesssRecordRepeatsIt) {
    Verdict witness;
    Verdict partner;
    witness.record_first(true);
    const Ballot ballot = partner.lead(TradeRole::partner).value();
    ASSERT_TRUE(witness.handle_prepare(ballot));
    EXPECT_FALSE(witness.untouched());
    EXPECT_TRUE(partner.handle_promise(ballot, witness.accepted()).value().commit);
}

TEST(Verdicts, BallotsEndBeforeTheirNumberDoes) {
    Verdict verdict;
    ASSERT_TRUE(verdict.handle_prepare(kLastBallot));
    EXPECT_FALSE(verdict.lead(TradeRole::proposer));
    EXPECT_FALSE(verdict.lead(TradeRole::witness));
}

}  // namespace
}  // namespace fray
