#include "lab/metrics/wire_cost.hpp"

#include "lab/metrics/statistics.hpp"

#include <utility>

namespace fray::lab {

void WireCost::see(const Swarm& swarm) {
    if (swarm.now() < from_) return;
    last_ = {};
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        if (!swarm.alive(i)) continue;
        const Stats stats = swarm.peer(i).stats();
        last_.ledger += stats.ledger;
        last_.updates += stats.updates_received;
    }
    if (!std::exchange(began_, true)) first_ = last_;
}

double WireCost::per_update(double amount) const { return share(amount, last_.updates - first_.updates); }

double WireCost::bytes_per_update() const {
    return per_update(static_cast<double>(last_.ledger.total_bytes() - first_.ledger.total_bytes()));
}

double WireCost::bytes_per_update(Purpose purpose) const {
    return per_update(last_.ledger.bytes(purpose) - first_.ledger.bytes(purpose));
}

double WireCost::datagrams_per_update() const {
    return per_update(static_cast<double>(last_.ledger.datagrams() - first_.ledger.datagrams()));
}

}  // namespace fray::lab
