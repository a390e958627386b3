#pragma once
// Checks that a peer's ledger equals what the network carried for it, to the byte and to the datagram.

#include "sim/checkers/checker.hpp"

#include <cstdint>
#include <vector>

namespace fray::sim {

class LedgerChecker : public Checker {
public:
    explicit LedgerChecker(const Swarm& swarm) : Checker{swarm} {}
    [[nodiscard]] std::string_view name() const override { return "ledger"; }
    [[nodiscard]] std::size_t judged() const override { return judged_; }
    void conclude() override;
    /// Over all peers and stays that were judged.
    [[nodiscard]] std::uint64_t ledger_bytes() const { return ledger_bytes_; }
    [[nodiscard]] std::uint64_t network_bytes() const { return network_bytes_; }

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    void on_gone(Duration at, PeerIndex index, const Peer& peer) override;
    void on_sent(const Transit& transit) override;

private:
    struct Carried {
        std::uint64_t bytes = 0;
        std::uint64_t datagrams = 0;
        bool judged = false;
    };
    void judge(PeerIndex index, const Peer& peer);

    std::vector<Carried> peers_;
    std::uint64_t ledger_bytes_ = 0;
    std::uint64_t network_bytes_ = 0;
    std::size_t judged_ = 0;
};

}  // namespace fray::sim
