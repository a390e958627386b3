#pragma once
// One frame's updates: the overlay names candidates, the policy orders them and cuts them to the upload, and
// the chosen ones go to primaries and outbound. What is cut is known before anything is encoded.

#include "session/composition.hpp"

#include <vector>

namespace fray {

class UpdateRound {
public:
    /// Chooses and schedules this frame's updates; adds the overlay's accompanying messages to `actions`.
    void run(Instant now, Composition& is, OverlayActions& actions);
    /// Whether some candidates were cut.
    [[nodiscard]] bool upload_is_short() const { return upload_is_short_; }
    [[nodiscard]] std::size_t heap_bytes() const {
        return news_.capacity() * sizeof(News) + candidates_.capacity() * sizeof(Candidate) +
               order_.capacity() * sizeof(LinkNumber) + promises_.capacity() * sizeof(Promise) +
               paid_.heap_bytes();
    }

private:
    void gather(Instant now, Composition& is);
    [[nodiscard]] std::size_t budget(Instant now, Composition& is);
    /// The bytes of a usual frame without what usually leaves besides updates, and what the last one left
    /// because no update fitted.
    [[nodiscard]] std::size_t even_budget(Instant now, Composition& is) const;

    /// Averages what left in the last frame beyond the prices of its updates: other messages, and what an
    /// update took more than its price.
    void count_others(const Composition& is);

    struct Promise {
        LinkNumber link = 0;
        std::uint16_t bytes = 0;
    };
    std::vector<News> news_;
    std::vector<Candidate> candidates_;
    std::vector<LinkNumber> order_;
    PerLink<Frame> paid_;  // the round in which a candidate of this link last paid for the datagram
    Frame round_ = 0;
    std::vector<Promise> promises_;  // the prices of the last frame's updates
    std::size_t left_ = 0;           // bytes of the last even budget
    std::uint64_t sent_ = 0;         // bytes until the last frame
    std::size_t last_spent_ = 0;     // bytes that left in it
    double others_ = 0;              // bytes of a frame, average
    bool upload_is_short_ = false;
};

}  // namespace fray
