#pragma once
// After a chosen moment (a partition healed, the last crash), how soon does every peer hold a fresh update of
// every other? Per ordered pair (holder, owner): when the first datagram of the owner reached the holder, and
// when the holder first had a replica with a state that the owner set after that moment.
//
// A state is fresh if its stamp is not before Swarm::session_time() of that moment.

#include "sim/checkers/checker.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fray::sim {

class ConvergenceChecker : public Checker {
public:
    struct Times {
        std::optional<Duration> contact;  ///< true time
        std::optional<Duration> fresh;
    };

    explicit ConvergenceChecker(const Swarm& swarm) : Checker{swarm} {}
    [[nodiscard]] std::string_view name() const override { return "convergence"; }
    [[nodiscard]] std::size_t judged() const override { return pairs_.size(); }
    /// Every pair of peers that are alive at the end must have become fresh.
    void conclude() override;
    /// Watches from this true time on; forgets what was measured for an earlier one.
    void watch_from(Duration moment);

    /// By (holder, owner): only pairs with at least one datagram since the moment.
    [[nodiscard]] const std::map<std::pair<PeerIndex, PeerIndex>, Times>& pairs() const { return pairs_; }
    /// Fresh minus contact, of all living pairs that became fresh, ascending.
    [[nodiscard]] std::vector<Duration> delays() const;

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    void on_command(const Command& command) override;
    void on_delivered(const Transit& transit) override;

private:
    [[nodiscard]] bool holds_fresh(PeerIndex holder, PeerIndex owner) const;

    std::optional<Duration> moment_;
    std::vector<std::vector<EntityId>> entities_;  // by owner, of its present stay
    std::map<std::pair<PeerIndex, PeerIndex>, Times> pairs_;
};

}  // namespace fray::sim
