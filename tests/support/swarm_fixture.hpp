#pragma once
// The base of every simulation test: a swarm whose peers patrol and send messages, observed by all checkers.
// A test sets up faults, runs, proves that they happened, and states what must hold in addition; TearDown()
// asks the checkers.

#include <fray/swarm.hpp>

#include "sim/checkers/clock_checker.hpp"
#include "sim/checkers/convergence_checker.hpp"
#include "sim/checkers/exactly_once_checker.hpp"
#include "sim/checkers/ledger_checker.hpp"
#include "sim/checkers/upload_cap_checker.hpp"
#include "support/patrol.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace fray::test {

class SwarmTest : public ::testing::Test {
protected:
    /// Once per test, before anything else.
    Swarm& make_swarm(SwarmOptions options, Seed seed);
    /// Adds this many equal peers, which join through the first.
    void add_peers(PeerIndex count, const PeerOptions& options);
    /// Runs, and samples the clocks every 100 ms.
    void run_until(Duration t);
    /// Asks all checkers; TearDown() does so if the test did not.
    void conclude();
    void TearDown() override;

    [[nodiscard]] Swarm& swarm() { return *swarm_; }
    [[nodiscard]] Patrol& patrol() { return patrol_; }
    [[nodiscard]] sim::UploadCapChecker& cap() { return *cap_; }
    [[nodiscard]] sim::LedgerChecker& ledger() { return *ledger_; }
    [[nodiscard]] sim::ExactlyOnceChecker& exactly_once() { return *exactly_once_; }
    [[nodiscard]] sim::ConvergenceChecker& convergence() { return *convergence_; }
    [[nodiscard]] sim::ClockChecker& clocks() { return *clocks_; }

    /// Allowed error of settled session clocks; larger if latency is asymmetric or jumps.
    Duration most_clock_error_{20ms};
    Duration clock_settle_{5s};

private:
    Patrol patrol_;
    std::unique_ptr<Swarm> swarm_;
    std::unique_ptr<sim::UploadCapChecker> cap_;
    std::unique_ptr<sim::LedgerChecker> ledger_;
    std::unique_ptr<sim::ExactlyOnceChecker> exactly_once_;
    std::unique_ptr<sim::ConvergenceChecker> convergence_;
    std::unique_ptr<sim::ClockChecker> clocks_;
    bool concluded_ = false;
};

}  // namespace fray::test
