// A checker that never finds anything proves nothing: each is given a violation that it must find.

#include "sim/checkers/clock_checker.hpp"
#include "sim/checkers/convergence_checker.hpp"
#include "sim/checkers/exactly_once_checker.hpp"
#include "sim/checkers/ledger_checker.hpp"
#include "sim/checkers/upload_cap_checker.hpp"
#include "support/patrol.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray::sim {
namespace {

/// A swarm of two that has run for a while, for checkers that are given invented events.
class Checkers : public ::testing::Test {
protected:
    void SetUp() override {
        SwarmOptions options;
        options.network.latency = ConstantLatency{.delay = 20ms};
        Result<Swarm> made = Swarm::create(options, Seed{1});
        swarm_ = std::make_unique<Swarm>(std::move(*made));
        swarm_->set_workload(&patrol_);
    }
    void add_peers(const PeerOptions& options) {
        for (int i = 0; i < 2; ++i) ASSERT_TRUE(swarm_->add_peer(options));
    }
    Transit datagram(Duration at, std::size_t size) {
        bytes_.assign(size, 0);
        return Transit{.at = at, .from = 0, .to = 1, .bytes = bytes_};
    }
    /// As if the game of peer 0 had sent this.
    void say(ExactlyOnceChecker& checker, const std::vector<std::uint8_t>& bytes, Delivery delivery) {
        Outgoing message{.bytes = bytes, .audience = {}, .delivery = delivery, .at = {}};
        checker.on_command({.at = swarm_->now(),
                            .peer = 0,
                            .kind = CommandKind::send,
                            .message = &message,
                            .accepted = true});
    }
    static Event heard(const std::vector<std::uint8_t>& bytes, Delivery delivery) {
        return Message{.from = PeerId::from_number(1), .at = {}, .delivery = delivery, .bytes = bytes};
    }

    test::Patrol patrol_;
    std::unique_ptr<Swarm> swarm_;
    std::vector<std::uint8_t> bytes_;
};

TEST_F(Checkers, UploadCapAllowsAFullWindowAndFindsTheByteTooMany) {
    PeerOptions options;
    options.link.upload_kbps = 1000;  // 12,500 bytes in 100 ms
    add_peers(options);
    swarm_->run_until(1s);
    UploadCapChecker checker{*swarm_};
    checker.on_started(0s, 0, swarm_->peer(0));
    for (int i = 0; i < 10; ++i) checker.on_sent(datagram(1s + i * 10ms, 1250 - kHeaderBytes));
    EXPECT_EQ(checker.violation_count(), 0U);
    checker.on_sent(datagram(1100ms, 1250 - kHeaderBytes));
    EXPECT_EQ(checker.violation_count(), 0U) << "the first one is out of the window by now";
    checker.on_sent(datagram(1109ms, 1));
    EXPECT_EQ(checker.violation_count(), 1U);
    EXPECT_EQ(checker.fullest_window(0), 12'529U);
}

TEST_F(Checkers, UploadCapAllowsOneDatagramHoweverSmallTheRate) {
    PeerOptions options;
    options.link.upload_kbps = 8;
    add_peers(options);
    swarm_->run_until(1s);
    UploadCapChecker checker{*swarm_};
    checker.on_started(0s, 0, swarm_->peer(0));
    checker.on_sent(datagram(1s, 1200));
    EXPECT_EQ(checker.violation_count(), 0U);
    checker.on_sent(datagram(1050ms, 10));
    EXPECT_EQ(checker.violation_count(), 1U);
}

TEST_F(Checkers, LedgerFindsADatagramThatWasNotBooked) {
    add_peers({});
    LedgerChecker checker{*swarm_};
    swarm_->add_observer(&checker);
    swarm_->run_until(2s);
    checker.on_sent(datagram(2s, 10));
    checker.conclude();
    EXPECT_EQ(checker.judged(), 2U);
    EXPECT_EQ(checker.violation_count(), 1U);
    EXPECT_EQ(checker.network_bytes(), checker.ledger_bytes() + 38);
}

TEST_F(Checkers, ExactlyOnceFindsMessagesTwiceFromNobodyAndOutOfOrder) {
    add_peers({});
    patrol_.frames_per_message = 0;
    ExactlyOnceChecker checker{*swarm_};
    swarm_->add_observer(&checker);
    swarm_->run_until(2s);
    say(checker, {1}, Delivery::ordered);
    say(checker, {2}, Delivery::ordered);
    checker.on_event(2s, 1, heard({2}, Delivery::ordered));
    EXPECT_EQ(checker.violation_count(), 0U);
    checker.on_event(2s, 1, heard({1}, Delivery::ordered));
    EXPECT_EQ(checker.violation_count(), 1U) << "out of order";
    checker.on_event(2s, 1, heard({1}, Delivery::ordered));
    EXPECT_EQ(checker.violation_count(), 2U) << "twice";
    checker.on_event(2s, 1, heard({9}, Delivery::reliable));
    EXPECT_EQ(checker.violation_count(), 3U) << "from nobody";
}

TEST_F(Checkers, ExactlyOnceFindsMessagesThatNeverCame) {
    add_peers({});
    patrol_.frames_per_message = 0;
    ExactlyOnceChecker checker{*swarm_};
    swarm_->add_observer(&checker);
    swarm_->run_until(2s);
    say(checker, {1}, Delivery::reliable);  // the peer itself has not sent it
    swarm_->run_until(10s);
    checker.conclude();
    EXPECT_EQ(checker.required(), 1U);
    EXPECT_EQ(checker.violation_count(), 1U);
}

TEST_F(Checkers, ConvergenceFindsAPairThatWasCutOffForGood) {
    add_peers({});
    ConvergenceChecker checker{*swarm_};
    swarm_->add_observer(&checker);
    checker.watch_from(3s);
    ASSERT_TRUE(swarm_->partition({.from = 2s, .until = 3600s, .groups = {{0}, {1}}}));
    swarm_->run_until(5s);
    checker.conclude();
    EXPECT_EQ(checker.violation_count(), 2U);
}

TEST_F(Checkers, ConvergenceMeasuresFromContactToFreshNews) {
    add_peers({});
    ConvergenceChecker checker{*swarm_};
    swarm_->add_observer(&checker);
    checker.watch_from(2s);
    swarm_->run_until(4s);
    checker.conclude();
    EXPECT_EQ(checker.violation_count(), 0U);
    ASSERT_EQ(checker.delays().size(), 2U);
    EXPECT_LE(checker.delays().back(), 100ms);
}

TEST_F(Checkers, ClockFindsAPeerThatTookTheWrongTime) {
    add_peers({});
    ClockChecker checker{*swarm_, 1s, 5ms};
    swarm_->add_observer(&checker);
    swarm_->run_until(3s);
    checker.sample();
    EXPECT_EQ(checker.judged(), 2U);
    EXPECT_EQ(checker.violation_count(), 0U);
    PeerPlan apart;
    apart.start = 4s;
    apart.clock_offset = 30s;
    ASSERT_TRUE(swarm_->add_peer(PeerOptions{}, apart));
    ASSERT_TRUE(swarm_->partition({.from = 3s, .until = 3600s, .groups = {{2}}}));
    swarm_->run_until(6s);
    checker.sample();
    EXPECT_EQ(checker.judged(), 4U) << "it has not joined: nobody told it the time";
    checker.on_event(4s, 2, Joined{.through = PeerId::from_number(1)});  // as if a peer had joined
    checker.sample();
    EXPECT_EQ(checker.violation_count(), 1U);
    EXPECT_EQ(checker.quantile(1), 30s);
}

}  // namespace
}  // namespace fray::sim
