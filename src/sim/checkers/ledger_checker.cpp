#include "sim/checkers/ledger_checker.hpp"

namespace fray::sim {

void LedgerChecker::on_started(Duration, PeerIndex index, const Peer&) {
    if (peers_.size() <= index) peers_.resize(index + std::size_t{1});
    peers_[index] = Carried{};
}

void LedgerChecker::on_sent(const Transit& transit) {
    Carried& carried = peers_[transit.from];
    carried.bytes += transit.bytes.size() + kHeaderBytes;
    ++carried.datagrams;
}

void LedgerChecker::on_gone(Duration, PeerIndex index, const Peer& peer) { judge(index, peer); }

void LedgerChecker::conclude() {
    for (PeerIndex index = 0; index < swarm().size(); ++index) {
        if (swarm().alive(index)) judge(index, swarm().peer(index));
    }
}

void LedgerChecker::judge(PeerIndex index, const Peer& peer) {
    Carried& carried = peers_[index];
    if (carried.judged) return;
    carried.judged = true;
    ++judged_;
    const ByteLedger ledger = peer.stats().ledger;
    ledger_bytes_ += ledger.total_bytes();
    network_bytes_ += carried.bytes;
    if (ledger.total_bytes() == carried.bytes && ledger.datagrams() == carried.datagrams) return;
    violation("peer " + std::to_string(index) + " booked " + std::to_string(ledger.total_bytes()) +
              " bytes in " + std::to_string(ledger.datagrams()) + " datagrams, the network carried " +
              std::to_string(carried.bytes) + " in " + std::to_string(carried.datagrams));
}

}  // namespace fray::sim
