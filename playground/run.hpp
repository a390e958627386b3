#pragma once
// One run of the playground: a swarm of players that walk about, and what can be seen of it from above. The
// same settings give the same run, in a page and natively.

#include "playground/settings.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fray::playground {

/// What everybody sees. Times in milliseconds, distances in units.
struct Overview {
    std::uint32_t living = 0;
    std::uint32_t links = 0;  ///< pairs that are linked
    double age_ms = 0;        ///< of an update, mean over all replicas in the vision range
    double error = 0;         ///< of a position on a screen, mean over the same
    double known_pct = 0;     ///< of the players in the vision range
    double upload_kbps = 0;   ///< mean of the last second
};

struct PeerDot {
    float x = 0;
    float y = 0;
    bool is_alive = false;
};

/// What the selected peer believes of another one.
struct Belief {
    std::uint32_t peer = 0;
    float x = 0;  ///< where its screen shows the other
    float y = 0;
    float age_ms = 0;
    bool is_guided = false;
};

struct LinkDot {
    std::uint32_t peer = 0;
    bool in_vision = false;  ///< a near node; otherwise a sensor node or a contact
    bool in_focus = false;
};

class Run final : private Workload {
public:
    static Result<std::unique_ptr<Run>> create(const Settings& settings);
    ~Run() override;
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    void run_until(Duration time) { swarm_.run_until(time); }
    /// Every second living peer ends at once, without a goodbye.
    void crash_half();

    [[nodiscard]] Duration now() const { return swarm_.now(); }
    [[nodiscard]] std::uint64_t trace_hash() const { return swarm_.trace_hash(); }
    [[nodiscard]] Overview overview();
    [[nodiscard]] std::vector<PeerDot> peers() const;
    /// Pairs of peers that are linked, each once: a, b, a, b, ...
    [[nodiscard]] std::vector<std::uint32_t> links() const;
    /// As of the peer's latest frame. Every peer reads its replicas once in a frame, as a game that draws
    /// them does; a look from outside reads nothing, so that it does not change the run.
    [[nodiscard]] const std::vector<Belief>& beliefs(PeerIndex of) const;
    [[nodiscard]] std::vector<LinkDot> links_of(PeerIndex index) const;
    /// Bytes sent so far, by purpose; then bytes received.
    [[nodiscard]] std::vector<double> traffic(PeerIndex of) const;

private:
    struct Walker {
        RandomStream random;
        Vec3 position{};
        Vec3 velocity{};
        Vec3 goal{};
        float yaw = 0;
        EntityId entity{};
        Duration moved{};
        std::vector<Belief> beliefs{};
        Duration looked{};  ///< when it believed so
    };
    struct Measured {
        double age_ms = 0;
        double error = 0;
        std::uint64_t seen = 0;
        std::uint64_t in_vision = 0;
    };

    Run(Swarm swarm, const Settings& settings);
    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    /// The truth between two frames.
    [[nodiscard]] static Vec3 place_at(const Walker& walker, Duration time);
    void choose_goal(Walker& walker) const;
    void walk(Walker& walker, Duration until) const;
    void look(Walker& walker, Instant now, const Peer& peer) const;
    void measure(PeerIndex index, Measured& sum) const;
    [[nodiscard]] State state_of_walker(const Walker& walker) const;
    [[nodiscard]] bool in_vision(PeerIndex a, PeerIndex b) const;

    Swarm swarm_;
    Settings settings_;
    std::vector<Walker> walkers_;
    std::uint64_t bytes_before_ = 0;
    Duration looked_{};
    double upload_kbps_ = 0;
};

}  // namespace fray::playground
