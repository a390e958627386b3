#pragma once
// The implementation of Swarm: takes events from the queue and lets peers and network act on them.

#include <fray/fingerprint.hpp>
#include <fray/swarm.hpp>

#include "sim/datagram_pool.hpp"
#include "sim/drifting_clock.hpp"
#include "sim/event_queue.hpp"
#include "sim/network.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fray {

class SwarmCore {
public:
    SwarmCore(SwarmOptions options, Seed seed);

    Result<PeerIndex> add_peer(std::shared_ptr<const PeerOptions> options, const PeerPlan& plan);
    Result<void> schedule(const Action& action);
    Result<void> partition(const Partition& partition);

    void run_until(Swarm& swarm, sim::Micros limit);
    std::optional<Step> step(Swarm& swarm, sim::Micros limit);
    void finish();

    [[nodiscard]] bool exists(PeerIndex index) const { return index < hosts_.size(); }
    [[nodiscard]] bool alive(PeerIndex index) const {
        return exists(index) && hosts_[index]->life == Life::alive;
    }
    [[nodiscard]] PeerIndex index_of(const Address& address) const;
    [[nodiscard]] std::size_t memory_bytes() const;

    /// The living peer and its local time, for a command; the command is reported and the peer settled
    /// afterwards.
    template <class Act>
    auto command(Command report, Act act);

private:
    friend class Swarm;

    enum class Life : std::uint8_t { absent, alive, leaving };
    struct Host {
        std::shared_ptr<const PeerOptions> options;
        std::optional<Peer> peer;
        Address address;
        sim::DriftingClock clock;
        Instant next_frame_local{};
        sim::Micros next_frame = 0;
        Instant seen_wakeup{};  // the peer's wake-up time that `armed` is based on
        sim::Micros armed =
            sim::kNeverMicros;  // the time of the queued event that counts; others are out of date
        std::optional<PeerIndex> through;
        std::uint32_t stays = 0;
        Life life = Life::absent;
    };
    enum class InnerAction : std::uint8_t { start, crash, leave, rejoin, gone };
    struct Scheduled {
        InnerAction kind{};
        PeerIndex peer = 0;
        std::uint32_t stay = 0;  // gone: the stay that is over
        std::optional<PeerIndex> through;
    };

    void dispatch(const sim::QueuedEvent& event);
    void deliver(sim::DatagramPool::Handle handle);
    void arrive(sim::DatagramPool::Handle handle);
    void due(sim::Micros time, PeerIndex index);
    void act(Scheduled action);
    void start(PeerIndex index, std::optional<PeerIndex> through);
    void leave(PeerIndex index);
    void end(PeerIndex index);

    void run_frame(PeerIndex index);
    void begin_callback(PeerIndex index);
    void settle(PeerIndex index);
    void report_events(PeerIndex index);
    void send_all(PeerIndex index);
    void route(PeerIndex from, const Datagram& datagram);
    void launch(sim::DatagramPool::Handle handle, PeerIndex to, sim::Micros arrival);
    [[nodiscard]] std::uint32_t group_of(PeerIndex to) const;
    void drop(const Transit& transit, DropReason reason);
    void arm(PeerIndex index, bool just_woken);

    void push_action(sim::Micros at, const Scheduled& action);
    sim::DriftingClock make_clock(PeerIndex index, const PeerPlan& plan) const;
    [[nodiscard]] sim::Micros start_time(PeerIndex index, const PeerPlan& plan, Duration tick) const;
    [[nodiscard]] std::optional<PeerIndex> somebody_else(PeerIndex index) const;
    [[nodiscard]] Instant local_now(PeerIndex index) const { return hosts_[index]->clock.local(now_); }
    void hash(std::uint64_t which, const sim::DatagramHeader& header);

    SwarmOptions options_;
    Seed seed_;
    sim::Network network_;
    sim::EventQueue queue_;
    sim::DatagramPool pool_;
    std::vector<std::unique_ptr<Host>> hosts_;  // references stay valid while a callback adds peers
    std::vector<Scheduled> actions_;
    Swarm* swarm_ = nullptr;  // while running: what callbacks are given
    Workload* workload_ = nullptr;
    std::vector<Observer*> observers_;
    SwarmCounts counts_;
    Fingerprint trace_;
    Step step_;
    sim::Micros now_ = 0;
    std::optional<PeerIndex> first_started_;
    std::optional<PeerIndex> acting_;  // whose callback is running; it is settled afterwards
    std::array<std::uint8_t, kMaxDatagramBytes> buffer_{};
};

}  // namespace fray
