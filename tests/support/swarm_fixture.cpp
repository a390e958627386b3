#include "support/swarm_fixture.hpp"

#include <array>
#include <utility>

namespace fray::test {

Swarm& SwarmTest::make_swarm(SwarmOptions options, Seed seed) {
    Result<Swarm> made = Swarm::create(std::move(options), seed);
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    swarm_ = std::make_unique<Swarm>(std::move(*made));
    cap_ = std::make_unique<sim::UploadCapChecker>(*swarm_);
    ledger_ = std::make_unique<sim::LedgerChecker>(*swarm_);
    exactly_once_ = std::make_unique<sim::ExactlyOnceChecker>(*swarm_);
    convergence_ = std::make_unique<sim::ConvergenceChecker>(*swarm_);
    clocks_ = std::make_unique<sim::ClockChecker>(*swarm_, clock_settle_, most_clock_error_);
    swarm_->add_observer(cap_.get());
    swarm_->add_observer(ledger_.get());
    swarm_->add_observer(exactly_once_.get());
    swarm_->add_observer(convergence_.get());
    swarm_->add_observer(clocks_.get());
    swarm_->set_workload(&patrol_);
    return *swarm_;
}

void SwarmTest::add_peers(PeerIndex count, const PeerOptions& options) {
    const auto shared = std::make_shared<const PeerOptions>(options);
    for (PeerIndex i = 0; i < count; ++i) {
        const Result<PeerIndex> added = swarm_->add_peer(shared);
        ASSERT_TRUE(added) << added.error().message;
    }
}

void SwarmTest::run_until(Duration t) {
    while (swarm_->now() < t) {
        swarm_->run_until(std::min(t, swarm_->now() + 100ms));
        clocks_->sample();
    }
}

void SwarmTest::conclude() {
    if (swarm_ == nullptr || concluded_) return;
    concluded_ = true;
    const std::array<sim::Checker*, 5> checkers{cap_.get(), ledger_.get(), exactly_once_.get(),
                                                convergence_.get(), clocks_.get()};
    for (sim::Checker* checker : checkers) checker->conclude();
    for (const sim::Checker* checker : checkers) {
        EXPECT_EQ(checker->violation_count(), 0U) << checker->name();
        for (const std::string& violation : checker->violations())
            ADD_FAILURE() << checker->name() << ": " << violation;
    }
}

void SwarmTest::TearDown() {
    conclude();
    if (swarm_ == nullptr) return;
    const std::size_t before = ledger_->violation_count();
    swarm_->finish();  // peers that were leaving are judged now
    EXPECT_EQ(ledger_->violation_count(), before);
}

}  // namespace fray::test
