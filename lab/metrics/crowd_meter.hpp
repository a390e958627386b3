#pragma once
// What some observers of a crowd have on their screens: of the peers that their players watch, and of all
// others. Ages are read on the screen, twenty times a second, so they include the time since the update
// arrived. True positions come from outside.

#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"
#include "lab/metrics/path_delays.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace fray::lab {

class CrowdMeter final : public Observer {
public:
    static constexpr Duration kFrame{50ms};  ///< between two calls of look()
    struct Sources {
        /// The first entity of this peer.
        std::function<std::optional<EntityId>(PeerIndex)> entity;
        std::function<std::optional<Vec3>(PeerIndex, Duration at)> truth;
        /// The peers that this one watches. Empty: those that Peer::stats() says.
        std::function<std::vector<PeerIndex>(PeerIndex)> watched{};
        /// Every so many observers, one also looks at the peers that it does not watch.
        std::size_t others_of_every = 1;
    };
    CrowdMeter(const Swarm& swarm, Sources sources, std::vector<PeerIndex> observers);

    void on_sent(const Transit& transit) override { paths_.on_sent(transit); }
    void on_delivered(const Transit& transit) override;
    void look();

    // --- in focus ---
    [[nodiscard]] const Histogram& focus_ages() const { return focus_ages_; }
    /// The age without the pair's own one-way delay. None with Sources::watched.
    [[nodiscard]] const Histogram& focus_delays() const { return focus_delays_; }
    [[nodiscard]] const Histogram& focus_errors() const { return focus_errors_; }
    [[nodiscard]] double focus_size() const;
    [[nodiscard]] double focus_rate_hz() const;
    /// Of the peers that observers watch, those that they are linked with.
    [[nodiscard]] double focus_linked_share() const;
    /// Updates per second of each pair that was in focus for at least this long.
    [[nodiscard]] Histogram focus_rates(Duration least) const;
    // --- out of focus ---
    [[nodiscard]] const Histogram& other_errors() const { return other_errors_; }
    [[nodiscard]] double other_rate_hz() const;
    /// Updates per second of each pair that was out of focus for at least this long.
    [[nodiscard]] Histogram other_rates(Duration least) const;
    [[nodiscard]] const Histogram& other_gaps_ms() const { return other_gaps_; }

private:
    struct Count {
        std::uint32_t updates = 0;
        std::uint32_t frames = 0;
    };
    struct Pair {
        SessionInstant stamp = SessionInstant::min();
        Duration changed{};
        bool in_focus = false;
        Count focus;
        Count others;
    };
    struct View {
        PeerIndex observer = 0;
        std::vector<Pair> pairs;  // by owner
        std::vector<PeerIndex> focus;
        std::size_t most_watched = 0;
    };
    [[nodiscard]] Pair& pair(View& view, PeerIndex owner);
    void follow_focus(View& view);
    [[nodiscard]] std::vector<PeerIndex> watched_peers(View& view) const;
    void look_at_focus(View& view);
    void look_at_all(View& view);
    void note(Pair& pair, SessionInstant stamp);
    [[nodiscard]] Histogram rates(Count Pair::*which, Duration least) const;
    [[nodiscard]] double rate(Count Pair::*which) const;

    const Swarm& swarm_;
    Sources sources_;
    PathDelays paths_;
    std::vector<View> views_;
    std::vector<std::size_t> view_of_;  // by peer; one past the last: none
    std::map<PeerId, PeerIndex> indices_;
    std::uint64_t frame_ = 0;
    std::uint64_t watched_ = 0;
    std::uint64_t watched_linked_ = 0;
    std::uint64_t views_of_focus_ = 0;
    Histogram focus_ages_{-100, 1, 5000};
    Histogram focus_delays_{-100, 1, 5000};
    Histogram focus_errors_{0, 0.01, 10'000};
    Histogram other_errors_{0, 0.05, 10'000};
    Histogram other_gaps_{0, 50, 1000};
};

}  // namespace fray::lab
