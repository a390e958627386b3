#pragma once
// Reliable and ordered messages, counted per receiver: how many had to arrive, arrived, arrived twice, out of
// order, or not at all. It is meant for the incarnation the sender was linked with, and must arrive where
// both live on, a partition between them or not.

#include <fray/swarm.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace fray::lab {

class MessageMeter : public Observer {
public:
    explicit MessageMeter(const Swarm& swarm) : swarm_{swarm} {}

    void on_command(const Command& command) override;
    void on_event(Duration at, PeerIndex index, const Event& event) override;
    /// Once, at the end of the run, while the peers live. Messages sent after `last` may still be under way.
    void conclude(Duration last);

    std::uint64_t sent = 0;  ///< messages times receivers
    std::uint64_t delivered = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t misordered = 0;
    std::uint64_t stray = 0;     ///< at a stay they were not for
    std::uint64_t required = 0;  ///< had to arrive
    std::uint64_t missing = 0;   ///< and did not

private:
    using Stay = std::pair<PeerIndex, Incarnation>;
    struct Sent {
        Stay from{};
        Duration at{};
        bool ordered = false;
        std::map<Stay, bool> receivers{};  ///< and whether it arrived
    };
    void on_message(PeerIndex index, const Message& message);
    [[nodiscard]] PeerIndex index_of(const PeerId& id) const {
        return swarm_.index_of(Address::from_number(id.number()));
    }
    [[nodiscard]] Stay stay_of(PeerIndex index) const { return {index, swarm_.peer(index).incarnation()}; }
    [[nodiscard]] bool lives(const Stay& stay) const {
        return swarm_.alive(stay.first) && stay_of(stay.first) == stay;
    }

    const Swarm& swarm_;
    std::map<std::pair<Stay, PeerIndex>, Incarnation>
        linked_;  ///< (stay, peer) -> incarnation it was last linked with
    std::vector<Sent> messages_;
    std::map<std::pair<PeerIndex, std::vector<std::uint8_t>>, std::size_t> by_bytes_;
    std::map<std::pair<Stay, Stay>, std::size_t> last_ordered_;
};

}  // namespace fray::lab
