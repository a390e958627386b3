#pragma once
// The one-way delay of each pair of peers: of its fastest datagram. Only datagrams to some receivers count.

#include <fray/swarm.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fray::lab {

class PathDelays final : public Observer {
public:
    explicit PathDelays(const std::vector<PeerIndex>& receivers);

    void on_sent(const Transit& transit) override;
    void on_delivered(const Transit& transit) override;

    /// Nothing if no datagram has arrived on this path.
    [[nodiscard]] std::optional<Duration> least(PeerIndex from, PeerIndex to) const;

private:
    struct Sent {
        Duration at{};
        std::size_t bytes = 0;  // a hash
    };
    struct Path {
        std::deque<Sent> under_way;
        std::optional<Duration> least;
    };
    [[nodiscard]] bool counts(PeerIndex to) const { return to < counts_.size() && counts_[to]; }

    std::vector<bool> counts_;
    std::map<std::pair<PeerIndex, PeerIndex>, Path> paths_;
};

}  // namespace fray::lab
