#pragma once
// Reliable and ordered messages arrive exactly once per stay of sender and receiver, ordered ones in their
// order.
//
// Messages are told apart by sender and bytes, so games under this check never send the same bytes twice. A
// message counts as missing only if it had to arrive: both stays lasted to the end, neither side lost the
// other after it was sent, and it was sent at least `grace` before the end. A session-wide message must also
// reach peers that its sender is linked with in time.

#include "sim/checkers/checker.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace fray::sim {

class ExactlyOnceChecker : public Checker {
public:
    explicit ExactlyOnceChecker(const Swarm& swarm, Duration grace = 5s) : Checker{swarm}, grace_{grace} {}
    [[nodiscard]] std::string_view name() const override { return "exactly once"; }
    [[nodiscard]] std::size_t judged() const override { return delivered_; }
    void conclude() override;
    [[nodiscard]] std::size_t sent() const { return messages_.size(); }
    [[nodiscard]] std::size_t delivered() const { return delivered_; }
    /// Deliveries that conclude() required.
    [[nodiscard]] std::size_t required() const { return required_; }

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    void on_command(const Command& command) override;
    void on_event(Duration at, PeerIndex index, const Event& event) override;

private:
    using Stay = std::pair<PeerIndex, std::uint32_t>;  // peer, and which of its stays
    struct Sent {
        Stay sender;
        Duration at{};
        Duration within{};  // session-wide: for peers that are linked until then
        Delivery delivery{};
        std::vector<Stay> audience;
    };

    void on_linked(Duration at, PeerIndex sender, const PeerId& receiver);
    void on_message(PeerIndex receiver, const Message& message);
    void check_order(const Stay& sender, const Stay& receiver, std::size_t number);
    [[nodiscard]] Stay stay_of(PeerIndex index) const { return {index, stays_[index]}; }
    [[nodiscard]] bool must_arrive(const Sent& sent, const Stay& receiver) const;
    [[nodiscard]] bool lasted(const Stay& stay) const;
    [[nodiscard]] bool parted(PeerIndex a, PeerIndex b, Duration since) const;

    Duration grace_;
    std::vector<std::uint32_t> stays_;
    std::map<PeerId, PeerIndex> index_of_;
    std::vector<Sent> messages_;                                           // in order of sending
    std::vector<std::size_t> session_wide_;                                // messages_ with `within`
    std::map<std::pair<PeerIndex, std::uint64_t>, std::size_t> by_bytes_;  // sender, digest -> messages_
    std::set<std::pair<std::size_t, Stay>> arrived_;                       // message, receiver
    std::map<std::pair<Stay, Stay>, std::size_t> last_ordered_;  // sender, receiver -> newest ordered message
    std::map<std::pair<PeerIndex, PeerIndex>, Duration> lost_;   // (observer, lost peer) -> last report
    std::size_t delivered_ = 0;
    std::size_t required_ = 0;
};

}  // namespace fray::sim
