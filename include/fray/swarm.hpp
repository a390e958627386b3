#pragma once
// Many peers in one process, in virtual time, over a simulated network. The same options, seed and workload
// give the same run, datagram by datagram, on every compiler.
//
//     auto swarm = fray::Swarm::create({.network = *fray::network_profile("world")}, fray::Seed{7});
//     MyWorkload workload;
//     swarm->set_workload(&workload);
//     for (int i = 0; i < 64; ++i) (void)swarm->add_peer(options);
//     swarm->run_until(60s);
//     swarm->trace_hash();
//
// Times are true time unless stated otherwise: a Duration since the start of the run. Peers do not know it;
// they see local clocks, local = offset + (1 + drift) * true, as Instants. Not thread-safe; different swarms
// may run in different threads.

#include <fray/game.hpp>
#include <fray/network_model.hpp>
#include <fray/peer.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace fray {

class Swarm;
class SwarmCore;  // implements Swarm

struct SwarmOptions {
    NetworkModel network;
    /// Local clocks start at an offset drawn uniformly from [0, this).
    Duration clock_offset_most{};
    std::uint32_t clock_drift_most_ppm = 0;  ///< rate error of a clock, +- parts per million; at most 1000
    /// Every peer but the first starts up to one tick after its planned time, drawn from the seed, so that
    /// peers do not tick in step.
    bool stagger = true;
    /// If not zero (at least 2 us): round mode. Every peer ticks at multiples of this, and a datagram sent in
    /// one round arrives one microsecond before the next. Latency model, jitter and stagger are not used,
    /// clocks have no error, and World::tick must equal it. Set LinkOptions::upload_bytes_per_round and
    /// early_data as the experiment needs.
    Duration round{};

    /// Returns an error naming the first invalid value.
    [[nodiscard]] Result<void> check() const;
};

/// When and how one peer takes part.
struct PeerPlan {
    Duration start{};  ///< when the peer starts
    /// The peer to join through. Unset: the first living peer other than itself; if there is none, the peer
    /// is the first of the session.
    std::optional<PeerIndex> through;
    std::optional<AccessOptions> access;    ///< unset: NetworkModel::access
    std::optional<Duration> clock_offset;   ///< unset: drawn from the seed
    std::optional<double> clock_drift_ppm;  ///< unset: drawn from the seed; within +-1000
};

enum class ActionKind : std::uint8_t {
    crash,  ///< ends at once, without a goodbye
    leave,  ///< says goodbye and ends one second later
    /// Starts again with the same id and address, as a new incarnation; crashes first if still alive.
    rejoin,
};

struct Action {
    Duration at{};
    ActionKind kind{};
    PeerIndex peer = 0;
    std::optional<PeerIndex> through;  ///< rejoin: as in PeerPlan
};

/// The games of a swarm. Issue commands through the swarm (swarm.update(index, ...)) so that recorders and
/// checkers see them. Callbacks come in a fixed order; `now` is the peer's local time. GameWorkload runs
/// games that are written for real peers as well (game.hpp).
class Workload {
public:
    virtual ~Workload() = default;
    /// The peer was started or restarted: publish entities here.
    virtual void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer);
    /// One tick of the peer's game: every World::tick of its local clock, the first at its start. Commands
    /// given here go out at once, because the peer's handle_time(now) follows.
    virtual void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) = 0;
    /// The peer reported an event.
    virtual void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event);
};

enum class DropReason : std::uint8_t {
    lost,           ///< by the loss model, or by a lost sample of a trace
    partitioned,    ///< sender and receiver are in different groups of a partition
    upload_full,    ///< the sender's queue was full
    download_full,  ///< the receiver's queue was full
    nobody_there,   ///< no living peer has that address
};
inline constexpr std::size_t kDropReasonCount = 5;
[[nodiscard]] std::string_view to_string(DropReason reason);

/// A datagram as the network sees it. The bytes are valid until the call returns.
struct Transit {
    Duration at{};  ///< the current time
    PeerIndex from = 0;
    PeerIndex to = 0;  ///< kNobody: no peer ever had this address
    std::span<const std::uint8_t> bytes;
};
inline constexpr PeerIndex kNobody = 0xFFFFFFFF;

enum class CommandKind : std::uint8_t {
    publish,
    update,
    withdraw,
    send,
    join,
    choose,
    interact,
    answer,
    publish_with_tenure,  ///< publish, with a tenure other than fixed
    hand_over,
    set_attention,
};

/// A command of a game, as given to the peer. Pointers are valid until the call returns.
struct Command {
    Duration at{};
    PeerIndex peer = 0;
    CommandKind kind{};
    EntityId entity{};                            ///< not for send, join, answer; publish: the id assigned
    const State* state = nullptr;                 ///< publish, update
    const Outgoing* message = nullptr;            ///< send
    PeerIndex through = 0;                        ///< join
    const Consistency* consistency = nullptr;     ///< choose
    EntityId target{};                            ///< interact
    RequestId request{};                          ///< interact (the id assigned), answer
    std::span<const std::uint8_t> bytes{};        ///< interact, answer
    Tenure tenure{};                              ///< publish_with_tenure
    PeerId to{};                                  ///< hand_over
    const AttentionWeights* attention = nullptr;  ///< set_attention
    bool accepted = false;
};

/// Sees the whole run from outside and changes nothing: checkers, meters, recorders. Add an observer before
/// the first call it is to see.
class Observer {
public:
    virtual ~Observer() = default;
    // Actions of the program that runs the swarm.
    virtual void on_peer_added(PeerIndex index, const PeerOptions& options, const PeerPlan& plan);
    virtual void on_scheduled(const Action& action);
    virtual void on_partition(const Partition& partition);
    virtual void on_command(const Command& command);
    // Events of the run.
    virtual void on_started(Duration at, PeerIndex index, const Peer& peer);
    /// Just before the peer is destroyed (crash, one second after leave, or finish()).
    virtual void on_gone(Duration at, PeerIndex index, const Peer& peer);
    virtual void on_sent(const Transit& transit);
    /// Just after the peer handled it.
    virtual void on_delivered(const Transit& transit);
    virtual void on_dropped(const Transit& transit, DropReason reason);
    virtual void on_event(Duration at, PeerIndex index, const Event& event);
};

/// Totals since the start.
struct SwarmCounts {
    std::uint64_t sent = 0;        ///< datagrams
    std::uint64_t sent_bytes = 0;  ///< including kHeaderBytes each
    std::uint64_t delivered = 0;   ///< including second copies
    std::uint64_t duplicated = 0;  ///< second copies made
    std::uint64_t held_back = 0;   ///< chosen for reordering
    std::array<std::uint64_t, kDropReasonCount> dropped{};
    std::uint64_t starts = 0;  ///< including rejoins
    std::uint64_t rejoins = 0;
    std::uint64_t crashes = 0;
    std::uint64_t leaves = 0;
    std::uint64_t frames = 0;
    std::uint64_t callbacks = 0;  ///< calls of the workload, including the current one
    std::uint64_t events = 0;     ///< of the event queue
    [[nodiscard]] std::uint64_t dropped_for(DropReason reason) const {
        return dropped[static_cast<std::size_t>(reason)];
    }
};

/// What one step of the simulation did.
enum class StepKind : std::uint8_t { start, crash, leave, gone, deliver, drop, wake, frame, idle };
[[nodiscard]] std::string_view to_string(StepKind kind);
struct Step {
    Duration at{};
    StepKind kind{};
    PeerIndex peer = 0;       ///< the peer concerned
    PeerIndex from = 0;       ///< deliver, drop: the sender
    std::uint32_t bytes = 0;  ///< deliver, drop: without headers
};

class Swarm {
public:
    /// Returns an error naming the first invalid option.
    [[nodiscard]] static Result<Swarm> create(SwarmOptions options, Seed seed);

    Swarm(Swarm&&) noexcept;
    Swarm& operator=(Swarm&&) noexcept;
    ~Swarm();

    // --- set-up; also while running, for times that have not passed ---
    /// The peer's address is Address::from_number(index + 1); an id of zero becomes
    /// PeerId::from_number(index + 1).
    [[nodiscard]] Result<PeerIndex> add_peer(PeerOptions options, const PeerPlan& plan = {});
    /// The same, for many peers that share one options object.
    [[nodiscard]] Result<PeerIndex> add_peer(std::shared_ptr<const PeerOptions> options,
                                             const PeerPlan& plan = {});
    Result<void> schedule(const Action& action);
    /// Adds a partition that starts now or later, in addition to those of the model.
    Result<void> partition(const Partition& partition);
    /// Set it before running. The workload must outlive the swarm, or be replaced by nullptr before it ends.
    void set_workload(Workload* workload);
    void add_observer(Observer* observer);

    // --- running ---
    /// Runs everything up to and including time t.
    void run_until(Duration t);
    void run_for(Duration span) { run_until(now() + span); }
    /// Runs the next step, if there is one not later than `limit`.
    std::optional<Step> step(Duration limit);
    /// Ends all peers and the run. Observers get on_gone() for each living peer; not from the destructor.
    void finish();

    // --- getters ---
    [[nodiscard]] Duration now() const;
    [[nodiscard]] PeerIndex size() const;
    /// Started, and neither crashed nor leaving.
    [[nodiscard]] bool alive(PeerIndex index) const;
    /// Requires alive(index); otherwise the process ends. A peer that left is not alive.
    [[nodiscard]] const Peer& peer(PeerIndex index) const;
    [[nodiscard]] const PeerOptions& options_of(PeerIndex index) const;
    [[nodiscard]] static constexpr Address address_of(PeerIndex index) {
        return Address::from_number(index + 1ULL);
    }
    /// The peer with this address; kNobody if none ever had it.
    [[nodiscard]] PeerIndex index_of(const Address& address) const;
    /// The peer's local clock at a true time.
    [[nodiscard]] Instant local_time(PeerIndex index, Duration at) const;
    [[nodiscard]] Instant local_now(PeerIndex index) const { return local_time(index, now()); }
    /// A perfect session clock at a true time: the local clock of the peer that started first.
    [[nodiscard]] SessionInstant session_time(Duration at) const;
    [[nodiscard]] const SwarmOptions& options() const;
    [[nodiscard]] Seed seed() const;
    [[nodiscard]] const SwarmCounts& counts() const;
    /// A hash over every sending and every delivery so far: time, from, to, bytes.
    [[nodiscard]] std::uint64_t trace_hash() const;
    /// Whether a workload callback is running.
    [[nodiscard]] bool in_callback() const;
    /// Approximate memory use of the simulator itself: queue, datagrams under way, path state; in bytes.
    [[nodiscard]] std::size_t memory_bytes() const;

    // --- game commands, at the peer's local time ---
    // A peer that is not alive gives an error, and observers do not see the command. bytes_of() (encode.hpp)
    // makes the bytes of a value.
    [[nodiscard]] Result<EntityId> publish(PeerIndex index, const State& state,
                                           Tenure tenure = Tenure::fixed);
    Result<void> update(PeerIndex index, const EntityId& entity, const State& state);
    Result<void> withdraw(PeerIndex index, const EntityId& entity);
    Result<void> hand_over(PeerIndex index, const EntityId& entity, const PeerId& to);
    Result<void> send(PeerIndex index, const Outgoing& message);
    Result<void> set_consistency(PeerIndex index, const EntityId& entity, const Consistency& consistency);
    Result<RequestId> interact(PeerIndex index, const EntityId& by, const EntityId& target,
                               std::span<const std::uint8_t> bytes);
    Result<void> answer(PeerIndex index, const RequestId& request, std::span<const std::uint8_t> bytes);
    /// Joins again after a Refused event.
    Result<void> join(PeerIndex index, PeerIndex through);

private:
    friend Result<void> set_attention(Swarm& swarm, PeerIndex index, const AttentionWeights& weights);
    explicit Swarm(std::unique_ptr<SwarmCore> core);
    std::unique_ptr<SwarmCore> core_;
};

/// A game command like those of Swarm: Peer::set_attention().
Result<void> set_attention(Swarm& swarm, PeerIndex index, const AttentionWeights& weights);

/// Gives every peer a game of its own. Its commands go through the swarm.
class GameWorkload final : public Workload {
public:
    /// Called when a peer starts. A peer that rejoins gets a new game.
    using Factory = std::function<std::unique_ptr<Game>(PeerIndex)>;
    explicit GameWorkload(Factory make) : make_{std::move(make)} {}

    /// The game of a peer's last stay; nullptr if the peer never started.
    [[nodiscard]] Game* game(PeerIndex index) const {
        return index < games_.size() ? games_[index].get() : nullptr;
    }

    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event) override;

private:
    Factory make_;
    std::vector<std::unique_ptr<Game>> games_;
};

}  // namespace fray
