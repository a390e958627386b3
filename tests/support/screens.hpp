#pragma once
// One entity on two screens: peer 0 moves it along a path, peer 1 watches, peer 2 serves algorithms that need
// a third peer. All frames of both screens are logged, 60 times a second.

#include <fray/swarm.hpp>

#include "lab/metrics/screen_log.hpp"

#include <functional>
#include <vector>

namespace fray::test {

inline constexpr PeerIndex kOwner = 0;
inline constexpr PeerIndex kViewer = 1;
inline constexpr PeerIndex kThird = 2;
[[nodiscard]] inline PeerId id_of(PeerIndex index) { return PeerId::from_number(index + 1ULL); }

class Screens : public Workload {
public:
    /// Its position after this many seconds.
    using Path = std::function<Pose(double seconds)>;
    Screens(const NetworkModel& network, Path path, const Consistency& consistency, Seed seed = Seed{1});
    Screens(const NetworkModel& network, Path path, const Consistency& consistency, const World& world,
            Seed seed = Seed{1}, bool count_corrections = false);

    void run_until(Duration t);
    void choose(const Consistency& consistency) {
        (void)swarm_.set_consistency(kOwner, entity_, consistency);
    }
    void move_along(Path path) { path_ = std::move(path); }

    [[nodiscard]] Swarm& swarm() { return swarm_; }
    [[nodiscard]] EntityId entity() const { return entity_; }
    [[nodiscard]] Replica seen() const;
    [[nodiscard]] LocalView own() const;
    [[nodiscard]] SessionInstant time() const { return swarm_.session_time(swarm_.now()); }
    [[nodiscard]] const lab::OwnerLog& owner_log() const { return owner_; }
    [[nodiscard]] const lab::ViewerLog& viewer_log() const { return viewer_; }
    [[nodiscard]] const std::vector<Event>& events(PeerIndex index) const { return events_[index]; }
    bool updates = true;  ///< false: the owner's game publishes nothing more
    /// The game of the target's owner: its answer to requests.
    std::function<std::vector<std::uint8_t>(const Asked&)> judge;

    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event) override;

    /// A flat world a hundred units wide, with 60 frames a second.
    [[nodiscard]] static World world();

private:
    void look();

    Swarm swarm_;
    Path path_;
    EntityId entity_{};
    Pose pose_{};
    Duration next_look_{};
    lab::OwnerLog owner_;
    lab::ViewerLog viewer_;
    std::array<std::vector<Event>, 3> events_;
};

}  // namespace fray::test
