#pragma once
// Where the bytes of an upload go: the ledgers of all peers of a swarm over the updates that arrived, from a
// moment on.

#include <fray/ledger.hpp>
#include <fray/swarm.hpp>

#include <cstdint>

namespace fray::lab {

class WireCost {
public:
    /// What is sent before `from` does not count.
    explicit WireCost(Duration from) : from_{from} {}

    /// Call it once per frame, while the peers that count are in the swarm.
    void see(const Swarm& swarm);

    /// Headers included.
    [[nodiscard]] double bytes_per_update() const;
    [[nodiscard]] double bytes_per_update(Purpose purpose) const;
    [[nodiscard]] double datagrams_per_update() const;

private:
    struct Totals {
        ByteLedger ledger;
        std::uint64_t updates = 0;  // received, and newer than what was held
    };
    [[nodiscard]] double per_update(double amount) const;

    Duration from_;
    bool began_ = false;
    Totals first_;
    Totals last_;
};

}  // namespace fray::lab
