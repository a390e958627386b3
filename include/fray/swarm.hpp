#pragma once
// Many peers in one process, in virtual time, over a simulated network. Same options, same seed and same
// workload give the same run, datagram by datagram, with every compiler.
//
//     auto swarm = fray::Swarm::create({.network = *fray::network_profile("world")}, fray::Seed{7});
//     MyWorkload workload;
//     swarm->set_workload(&workload);
//     for (int i = 0; i < 64; ++i) (void)swarm->add_peer(options);
//     swarm->run_until(60s);
//     swarm->trace_hash();
//
// Times without further word are true time: a Duration since the start of the run. Peers do not know it; they
// see local clocks, local = offset + (1 + drift) * true, as Instants. Not thread-safe; run different swarms
// in different threads.

#include <fray/network_model.hpp>
#include <fray/peer.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace fray {

class Swarm;
class SwarmCore;  // the machinery behind Swarm

struct SwarmOptions {
    NetworkModel network;
    /// Local clocks start at an offset drawn evenly from [0, this), and run faster or slower by up to the
    /// drift.
    Duration clock_offset_most{};
    std::uint32_t clock_drift_most_ppm = 0;  ///< parts per million, at most 1000
    /// Peers but the first start up to one tick after their planned time, drawn from the seed, so that they
    /// do not tick in step.
    bool stagger = true;
    /// Round mode where not zero: every peer ticks at multiples of this, and a datagram sent in a round
    /// arrives just before the next (latency: one round less a microsecond; the latency model and jitter are
    /// not used, the clocks are all true, nobody is staggered). World::tick must equal it. Give the peers
    /// LinkOptions::upload_bytes_per_round and early_data as the experiment wants.
    Duration round{};

    /// Says the first value that cannot be.
    [[nodiscard]] Result<void> check() const;
};

/// When and how one peer takes part.
struct PeerPlan {
    Duration start{};  ///< when it is started
    /// Whom it joins through. Unset: the first living peer other than itself; nobody there: it is the first.
    std::optional<PeerIndex> through;
    std::optional<AccessOptions> access;    ///< unset: NetworkModel::access
    std::optional<Duration> clock_offset;   ///< unset: drawn
    std::optional<double> clock_drift_ppm;  ///< unset: drawn; within +-1000
};

enum class ActionKind : std::uint8_t {
    crash,   ///< gone at once, without a word
    leave,   ///< says goodbye, and is gone a second later
    rejoin,  ///< starts again under the same id and address, as a new incarnation; crashes first where still
             ///< alive
};

struct Action {
    Duration at{};
    ActionKind kind{};
    PeerIndex peer = 0;
    std::optional<PeerIndex> through;  ///< rejoin: as in PeerPlan
};

/// What the games of a swarm do. Commands go through the swarm (swarm.update(index, ...)), never past it, so
/// that a recorder and the checkers see them. Callbacks come in a fixed order; `now` is the peer's local
/// time.
class Workload {
public:
    virtual ~Workload() = default;
    /// The peer was started, or restarted: publish here.
    virtual void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer);
    /// One tick of the peer's game (every World::tick of its local clock, the first at its start). What it
    /// says goes out at once: the peer's handle_time(now) follows.
    virtual void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) = 0;
    /// The peer had something to report.
    virtual void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event);
};

enum class DropReason : std::uint8_t {
    lost,           ///< by the loss model, or a lost sample of a trace
    partitioned,    ///< the two sides could not reach each other
    upload_full,    ///< the sender's queue had no room
    download_full,  ///< the receiver's queue had no room
    nobody_there,   ///< no living peer at that address
};
inline constexpr std::size_t kDropReasonCount = 5;
[[nodiscard]] std::string_view to_string(DropReason reason);

/// A datagram as the network sees it. The bytes live until the call returns.
struct Transit {
    Duration at{};  ///< now
    PeerIndex from = 0;
    PeerIndex to = 0;  ///< kNobody: an address nobody ever had
    std::span<const std::uint8_t> bytes;
};
inline constexpr PeerIndex kNobody = 0xFFFFFFFF;

enum class CommandKind : std::uint8_t { publish, update, withdraw, send, join, choose, interact, answer };

/// A command of a game, as it was given to the peer. Pointers live until the call returns.
struct Command {
    Duration at{};
    PeerIndex peer = 0;
    CommandKind kind{};
    EntityId entity{};                         ///< publish, update, withdraw; for publish, what it was called
    const State* state = nullptr;              ///< publish, update
    const Outgoing* message = nullptr;         ///< send
    PeerIndex through = 0;                     ///< join
    const Consistency* consistency = nullptr;  ///< choose
    EntityId target{};                         ///< interact
    RequestId request{};                       ///< interact: what it was called; answer
    std::span<const std::uint8_t> bytes{};     ///< interact, answer
    bool accepted = false;
};

/// Sees everything from outside and changes nothing: checkers, meters, recorders. Add it before what it shall
/// see.
class Observer {
public:
    virtual ~Observer() = default;
    // What the user of the swarm did.
    virtual void on_peer_added(PeerIndex index, const PeerOptions& options, const PeerPlan& plan);
    virtual void on_scheduled(const Action& action);
    virtual void on_partition(const Partition& partition);
    virtual void on_command(const Command& command);
    // What happened.
    virtual void on_started(Duration at, PeerIndex index, const Peer& peer);
    /// Just before the peer is destroyed (crash, or a second after leave) or the swarm ends.
    virtual void on_gone(Duration at, PeerIndex index, const Peer& peer);
    virtual void on_sent(const Transit& transit);
    /// Just after the peer took it in.
    virtual void on_delivered(const Transit& transit);
    virtual void on_dropped(const Transit& transit, DropReason reason);
    virtual void on_event(Duration at, PeerIndex index, const Event& event);
};

/// Totals since the start.
struct SwarmCounts {
    std::uint64_t sent = 0;        ///< datagrams
    std::uint64_t sent_bytes = 0;  ///< with kHeaderBytes each
    std::uint64_t delivered = 0;   ///< second copies included
    std::uint64_t duplicated = 0;  ///< second copies made
    std::uint64_t held_back = 0;   ///< chosen for reordering
    std::array<std::uint64_t, kDropReasonCount> dropped{};
    std::uint64_t starts = 0;  ///< rejoins included
    std::uint64_t rejoins = 0;
    std::uint64_t crashes = 0;
    std::uint64_t leaves = 0;
    std::uint64_t frames = 0;
    std::uint64_t callbacks = 0;  ///< calls of the workload, the present one included
    std::uint64_t events = 0;     ///< of the event queue
    [[nodiscard]] std::uint64_t dropped_for(DropReason reason) const {
        return dropped[static_cast<std::size_t>(reason)];
    }
};

/// What one step of the simulation was about.
enum class StepKind : std::uint8_t { start, crash, leave, gone, deliver, drop, wake, frame, idle };
[[nodiscard]] std::string_view to_string(StepKind kind);
struct Step {
    Duration at{};
    StepKind kind{};
    PeerIndex peer = 0;       ///< whom it happened to
    PeerIndex from = 0;       ///< deliver, drop: the sender
    std::uint32_t bytes = 0;  ///< deliver, drop: without headers
};

class Swarm {
public:
    /// Refuses options that cannot be, with the reason.
    [[nodiscard]] static Result<Swarm> create(SwarmOptions options, Seed seed);

    Swarm(Swarm&&) noexcept;
    Swarm& operator=(Swarm&&) noexcept;
    ~Swarm();

    // --- set-up; also while running, for times not yet past ---
    /// The peer's address is Address::from_number(index + 1); an id of zero becomes PeerId::from_number(index
    /// + 1).
    [[nodiscard]] Result<PeerIndex> add_peer(PeerOptions options, const PeerPlan& plan = {});
    /// The same, for many peers with the same options, which are then stored once.
    [[nodiscard]] Result<PeerIndex> add_peer(std::shared_ptr<const PeerOptions> options,
                                             const PeerPlan& plan = {});
    Result<void> schedule(const Action& action);
    /// A partition from now or later on, besides those in the model.
    Result<void> partition(const Partition& partition);
    /// Must outlive the swarm, or be set to nullptr before it ends. Set it before running.
    void set_workload(Workload* workload);
    void add_observer(Observer* observer);

    // --- running ---
    /// Everything up to and including time t happens.
    void run_until(Duration t);
    void run_for(Duration span) { run_until(now() + span); }
    /// The next thing happens, where there is one not later than `limit`.
    std::optional<Step> step(Duration limit);
    /// Ends all peers, and the run: observers get on_gone() for each that lives. The destructor tells nobody.
    void finish();

    // --- getters ---
    [[nodiscard]] Duration now() const;
    [[nodiscard]] PeerIndex size() const;
    /// Started and neither crashed nor leaving.
    [[nodiscard]] bool alive(PeerIndex index) const;
    /// Only where alive.
    [[nodiscard]] const Peer& peer(PeerIndex index) const;
    [[nodiscard]] const PeerOptions& options_of(PeerIndex index) const;
    [[nodiscard]] static constexpr Address address_of(PeerIndex index) {
        return Address::from_number(index + 1ULL);
    }
    /// Who has this address; kNobody where none ever had.
    [[nodiscard]] PeerIndex index_of(const Address& address) const;
    /// What the peer's clock shows at a true time.
    [[nodiscard]] Instant local_time(PeerIndex index, Duration at) const;
    [[nodiscard]] Instant local_now(PeerIndex index) const { return local_time(index, now()); }
    /// What a perfect session clock shows at a true time: the local clock of the peer that started first.
    [[nodiscard]] SessionInstant session_time(Duration at) const;
    [[nodiscard]] const SwarmOptions& options() const;
    [[nodiscard]] Seed seed() const;
    [[nodiscard]] const SwarmCounts& counts() const;
    /// Over every sending and every delivery so far: time, from, to, bytes.
    [[nodiscard]] std::uint64_t trace_hash() const;
    /// Whether the workload is being called at this moment.
    [[nodiscard]] bool in_callback() const;
    /// Bytes the simulator itself holds: queue, datagrams under way, state of paths; roughly.
    [[nodiscard]] std::size_t memory_bytes() const;

    // --- commands of the games, at the peer's local now; the peer must be alive ---
    [[nodiscard]] Result<EntityId> publish(PeerIndex index, const State& state);
    Result<void> update(PeerIndex index, const EntityId& entity, const State& state);
    Result<void> withdraw(PeerIndex index, const EntityId& entity);
    Result<void> send(PeerIndex index, const Outgoing& message);
    Result<void> set_consistency(PeerIndex index, const EntityId& entity, const Consistency& consistency);
    Result<RequestId> interact(PeerIndex index, const EntityId& by, const EntityId& target,
                               std::span<const std::uint8_t> bytes);
    Result<void> answer(PeerIndex index, const RequestId& request, std::span<const std::uint8_t> bytes);
    /// Once more, where the first time was refused (a Refused event: nobody answered).
    void join(PeerIndex index, PeerIndex through);

private:
    explicit Swarm(std::unique_ptr<SwarmCore> core);
    std::unique_ptr<SwarmCore> core_;
};

}  // namespace fray
