#pragma once
// Which states of our primaries the peer at the other end of one link is known to hold.

#include <fray/time.hpp>

#include "replica/primary.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fray {

class BaselineTracker {
public:
    struct Track {
        std::uint32_t number = 0;  ///< of the primary
        Frame acked = kNoFrame;    ///< newest state known to have arrived
        Frame sent = kNoFrame;     ///< newest state sent
        Frame settled = kNoFrame;  ///< state sent reliably; it is no baseline
        std::uint16_t acked_sequence = 0;
        bool arrived = false;  ///< some state arrived, perhaps one that the primary no longer remembers
        Instant sent_at{};
        std::uint64_t carried = 0;  ///< bit i: the datagram next - 1 - i carried an update
    };

    /// The track of a primary, created if there is none.
    Track& track(std::uint32_t number) {
        const auto place = std::ranges::lower_bound(tracks_, number, {}, &Track::number);
        if (place != tracks_.end() && place->number == number) return *place;
        return *tracks_.insert(place, Track{.number = number});
    }
    [[nodiscard]] const Track* find(std::uint32_t number) const {
        const auto place = std::ranges::lower_bound(tracks_, number, {}, &Track::number);
        return place != tracks_.end() && place->number == number ? &*place : nullptr;
    }
    void forget(std::uint32_t number) {
        std::erase_if(tracks_, [&](const Track& t) { return t.number == number; });
    }
    void clear() { tracks_.clear(); }
    /// Call it for each datagram that leaves, then mark_carried() for each update in it.
    void datagram_sent() {
        for (Track& t : tracks_) t.carried <<= 1U;
    }
    void mark_carried(Instant now, std::uint32_t number, Frame state) {
        Track& t = track(number);
        t.carried |= 1U;
        t.sent = state;
        t.sent_at = now;
    }
    [[nodiscard]] std::vector<Track>& all() { return tracks_; }
    [[nodiscard]] std::size_t heap_bytes() const { return tracks_.capacity() * sizeof(Track); }

private:
    std::vector<Track> tracks_;  // ordered by number
};

}  // namespace fray
