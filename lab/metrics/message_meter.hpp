#pragma once
// Counts reliable and ordered messages per receiver: required, arrived, duplicated, out of order, missing. A
// message is for the incarnation that the sender was linked with. It must arrive if both incarnations live to
// the end, also across a partition.

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
    /// Call it once, at the end of the run, while the peers are alive. Messages sent after `last` may still
    /// be on their way.
    void conclude(Duration last);

    std::uint64_t sent = 0;  ///< messages times receivers
    std::uint64_t delivered = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t misordered = 0;
    std::uint64_t stray = 0;     ///< delivered to an incarnation that they were not for
    std::uint64_t required = 0;  ///< had to arrive
    std::uint64_t missing = 0;   ///< required, and did not arrive

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
    /// (stay, peer) -> incarnation it was last linked with
    std::map<std::pair<Stay, PeerIndex>, Incarnation> linked_;
    std::vector<Sent> messages_;
    std::map<std::pair<PeerIndex, std::vector<std::uint8_t>>, std::size_t> by_bytes_;
    std::map<std::pair<Stay, Stay>, std::size_t> last_ordered_;
};

}  // namespace fray::lab
