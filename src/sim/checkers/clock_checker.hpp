#pragma once
// Measures the error of the peers' session time against the true one, Swarm::session_time().

#include "sim/checkers/checker.hpp"

#include <optional>
#include <vector>

namespace fray::sim {

class ClockChecker : public Checker {
public:
    /// Peers are judged once `settle` has passed since they joined (their Joined event), the first one since
    /// its start; an error above `most` is a violation.
    ClockChecker(const Swarm& swarm, Duration settle, Duration most)
        : Checker{swarm}, settle_{settle}, most_{most} {}
    [[nodiscard]] std::string_view name() const override { return "clock"; }
    [[nodiscard]] std::size_t judged() const override { return errors_.size(); }

    /// Samples every living peer now.
    void sample();
    /// Quantile of the absolute error; the share is in [0, 1].
    [[nodiscard]] Duration quantile(double share) const;

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    void on_event(Duration at, PeerIndex index, const Event& event) override;

private:
    Duration settle_;
    Duration most_;
    std::vector<std::optional<Duration>> joined_;
    bool any_started_ = false;
    std::vector<Duration> errors_;
};

}  // namespace fray::sim
