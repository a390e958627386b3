#pragma once
// The age of updates on arrival: true time between an owner's update and its application at a receiver. One
// entity per peer. Updates are identified by their stamps, so nothing is added to the traffic.

#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace fray::lab {

class UpdateMeter : public Observer {
public:
    /// Ages of updates made before `from` are not counted.
    UpdateMeter(const Swarm& swarm, Duration from);

    struct Arrival {
        PeerIndex owner = 0;
        PeerIndex receiver = 0;
        Duration made{};  ///< when the owner updated
        Duration at{};    ///< when the receiver applied it
    };
    /// Called for every update that is newer than the state held by the receiver.
    void set_listener(std::function<void(const Arrival&)> listener) { listener_ = std::move(listener); }

    void on_command(const Command& command) override;
    void on_gone(Duration at, PeerIndex index, const Peer& peer) override;
    void on_delivered(const Transit& transit) override;

    /// Milliseconds.
    [[nodiscard]] const Histogram& ages() const { return ages_; }

private:
    static constexpr std::size_t kRemembered = 512;  ///< updates: 25 s at 20 Hz, more than any delay
    struct Made {
        std::int64_t stamp = -1;  ///< milliseconds of session time, as on the wire
        Duration at{};
    };
    struct Owner {
        EntityId entity{};
        bool published = false;
        std::uint64_t count = 0;
        std::array<Made, kRemembered> made{};
        std::vector<std::int64_t> held;  ///< newest stamp by receiver
    };

    Owner& owner(PeerIndex index);
    [[nodiscard]] const Made* find(const Owner& owner, std::int64_t stamp) const;

    const Swarm& swarm_;
    Duration from_;
    std::vector<Owner> owners_;
    Histogram ages_;
    std::function<void(const Arrival&)> listener_;
};

}  // namespace fray::lab
