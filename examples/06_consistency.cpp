// Compares three consistency algorithms: how far each screen lags behind, and whether a shot at what the
// shooter saw hits.

#include <fray/swarm.hpp>

#include <cstdio>

using namespace std::chrono_literals;

namespace {

struct Shot {
    float x = 0;  // where the shooter saw the ship
};
template <class Stream>
void serialize(Stream& stream, Shot& shot) {
    stream.real(shot.x);
}

struct Verdict {
    bool hit = false;
};
template <class Stream>
void serialize(Stream& stream, Verdict& verdict) {
    stream.boolean(verdict.hit);
}

/// Peer 0 flies from left to right; peer 1 watches and shoots.
class Duel : public fray::Workload {
public:
    void started(fray::Swarm& swarm, fray::PeerIndex index, fray::Instant, const fray::Peer&) override {
        const auto made = swarm.publish(index, fray::state_of(pose(swarm.now())));
        if (made) ships_[index] = *made;
    }
    void frame(fray::Swarm& swarm, fray::PeerIndex index, fray::Instant, const fray::Peer&) override {
        if (index == 0) (void)swarm.update(index, ships_[0], fray::state_of(pose(swarm.now())));
    }
    void event(fray::Swarm& swarm, fray::PeerIndex index, fray::Instant, const fray::Peer&,
               const fray::Event& event) override {
        if (const auto* asked = std::get_if<fray::Asked>(&event)) {
            // The owner of the target decides, by the position that the shooter's screen showed.
            const auto shot = asked->as<Shot>();
            const Verdict verdict{shot && distance(asked->then.pose.position, {shot->x, 0, 0}) < 1};
            (void)swarm.answer(index, asked->request, fray::bytes_of(verdict).value());
        }
        if (const auto* answered = std::get_if<fray::Answered>(&event))
            hit_ = answered->as<Verdict>().value_or(Verdict{}).hit;
    }
    [[nodiscard]] fray::EntityId ship(fray::PeerIndex index) const { return ships_[index]; }
    [[nodiscard]] bool hit() const { return hit_; }

private:
    static fray::Pose pose(fray::Duration t) {
        return {.position = {10 * static_cast<float>(fray::seconds(t)), 0, 0}, .velocity = {10, 0, 0}};
    }
    fray::EntityId ships_[2];
    bool hit_ = false;
};

/// Prints how far the ship lags behind its true position on both screens, in units.
bool show(const char* name, const fray::Consistency& consistency) {
    fray::NetworkModel network;
    network.latency = fray::ConstantLatency{80ms};
    auto swarm = fray::Swarm::create({.network = network}, fray::Seed{1});
    if (!swarm) return false;
    Duel duel;
    swarm->set_workload(&duel);
    fray::PeerOptions options{.consistency = consistency};
    for (int i = 0; i < 2; ++i) {
        if (!swarm->add_peer(options)) return false;
    }
    swarm->run_until(5s);
    const float truth = 50;
    const auto own = swarm->peer(0).local_view(swarm->local_now(0), duel.ship(0));
    const auto seen = swarm->peer(1).replica(swarm->local_now(1), duel.ship(0));
    if (!own || !seen) return false;
    std::printf("%-10s own screen %4.1f behind, the other's %4.1f behind\n", name,
                static_cast<double>(truth - own->pose.position.x),
                static_cast<double>(truth - seen->pose.position.x));
    // Peer 1 aims at what it sees. The request takes 80 ms, and the ship flies on meanwhile.
    const auto shot = fray::bytes_of(Shot{seen->pose.position.x});
    if (!shot || !swarm->interact(1, duel.ship(1), duel.ship(0), *shot)) return false;
    swarm->run_until(6s);
    swarm->set_workload(nullptr);
    std::printf("%-10s the shot %s\n", "", duel.hit() ? "hits" : "misses");
    return duel.hit();
}

}  // namespace

int main() {
    const bool all = show("EverQuest", {.algorithm = fray::EverQuest{}}) &&
                     show("local lag", {.algorithm = fray::LocalLag{.lag = 100ms}}) &&
                     show("Half-Life", {.algorithm = fray::HalfLife{.remote_lag = 200ms}});
    return all ? 0 : 1;
}
