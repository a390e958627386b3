#pragma once
// A swarm whose peers act on one shared entity, a chest, while peers crash, leave and return and the network
// loses datagrams and splits. A checker that sees only what games see judges the run: which peers owned the
// chest when, which requests were decided, and what became of every answer.

#include <fray/swarm.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fray::test {

/// The chest remembers each request that was applied to it, and which peer decided it.
struct Chest {
    std::vector<std::uint8_t> log;
};
template <class Stream>
void serialize(Stream& stream, Chest& chest) {
    stream.bytes(chest.log, 4000);
}

struct OwnershipFaults {
    double loss = 0.05;
    bool hand_overs = true;
    /// Every peer asks in every frame, and requests and replies are long: in half a second an owner decides
    /// more than it keeps details of. There are no hand-overs, so that one deputy hears of all of it.
    bool busy = false;
    std::uint32_t peers = 4;
    struct Ending {
        Duration at{};
        ActionKind kind = ActionKind::crash;  ///< crash or leave
        PeerIndex peer = 0;
        std::optional<Duration> back_after{};
        PeerIndex through = 0;  ///< the peer that it joins through when it returns
    };
    std::vector<Ending> endings{};
    std::vector<Partition> partitions{};
    Duration calm{2700ms};  ///< from here on, no request, no hand-over and no fault
    /// Instead of an ending at a time: this peer crashes after so many steps.
    std::optional<std::pair<std::uint64_t, PeerIndex>> crash_at_step{};
};

/// Totals of one run, or of many.
struct OwnershipTotals {
    std::uint64_t decided = 0, answered = 0, unanswered = 0, taken_over = 0, handed_over = 0, returned = 0;
    std::uint64_t yielded = 0, diverged = 0, merged = 0, held = 0, repeated = 0, ended = 0;
    std::uint64_t most_decided = 0;  ///< in one run
    std::uint64_t lost = 0;          ///< answered requests that are not in the history of the end
    std::uint64_t gone = 0;          ///< runs in which the chest did not survive
    std::uint64_t apart = 0;         ///< peers that ended up without a link with the owner
    Duration both_owned{};           ///< the longest time in which two connected peers owned it
    void add(const OwnershipTotals& other);
};

class OwnershipWorld : private Workload, private Observer {
public:
    static constexpr Duration kTimeout{250ms};
    /// An answer is safe again this long after an ending: by then the next deputy has the record.
    static constexpr Duration kRecovery{kTimeout + 450ms};

    OwnershipWorld(std::uint64_t seed, const OwnershipFaults& faults);
    /// Runs to the end and judges. Empty: nothing was violated.
    std::string run();
    [[nodiscard]] const OwnershipTotals& totals() const { return totals_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    [[nodiscard]] static PeerOptions options();

private:
    /// A request in the log: who asked in which stay, and which peer decided. Eight bytes.
    struct Entry {
        PeerIndex asker = 0;
        std::uint32_t number = 0;
        PeerIndex decider = 0;
        friend auto operator<=>(const Entry&, const Entry&) = default;
    };
    static constexpr std::size_t kEntryBytes = 6;
    static constexpr std::size_t kBusyBytes = 500;  // of a request, and of a reply
    static std::vector<Entry> entries(const std::vector<std::uint8_t>& log);
    static void append(std::vector<std::uint8_t>& log, const Entry& entry);

    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event) override;
    void on_gone(Duration at, PeerIndex index, const Peer& peer) override;
    void decide(PeerIndex index, Instant now, const Peer& peer, const Asked& asked);
    void merge(PeerIndex index, Instant now, const Peer& peer, const Diverged& diverged);
    void sample();
    [[nodiscard]] bool linked(PeerIndex a, PeerIndex b) const;
    /// Linked, or both linked with a third.
    [[nodiscard]] bool connected(PeerIndex a, PeerIndex b) const;
    void judge();
    /// An answer may be lost only if a peer ends and what it alone knows is lost with it: its deputy ended
    /// within kRecovery, or there was a partition less than kRecovery before.
    [[nodiscard]] bool may_be_lost(Duration answered) const;
    void judge_view(PeerIndex i, const std::vector<PeerIndex>& owners);
    void complain(const std::string& what);
    [[nodiscard]] bool calm() const { return swarm_->now() >= faults_.calm; }

    OwnershipFaults faults_;
    RandomStream random_;
    std::optional<Swarm> swarm_;
    std::optional<EntityId> chest_;
    std::vector<std::optional<EntityId>> avatars_;
    std::map<std::pair<PeerIndex, std::uint32_t>, Duration> answers_;  // request: when it was answered
    std::vector<Duration> endings_;
    Duration last_change_{};  // of a link or an owner
    std::map<std::pair<PeerIndex, PeerIndex>, Duration> both_since_;
    bool incomplete_ = false;  // a game was told that details of a history are missing
    OwnershipTotals totals_;
    std::uint64_t steps_ = 0;
    std::string problems_;
};

}  // namespace fray::test
