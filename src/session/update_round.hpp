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
    /// The same bytes in each frame, so that members of a focus set are not late because others sent much:
    /// the bytes of a usual frame and what the last one left because no update fitted. What leaves besides
    /// updates delays the least important ones.
    [[nodiscard]] std::size_t even_budget(Instant now, Composition& is);

    /// Averages what the last frame's datagrams with updates took beyond the prices of these.
    void count_extra(const Composition& is, std::size_t taken);

    struct Promise {
        LinkNumber link = 0;
        std::uint16_t bytes = 0;
    };
    std::vector<News> news_;
    std::vector<Candidate> candidates_;
    std::vector<LinkNumber> order_;
    PerLink<Frame> paid_;  // the round in which a candidate of this link last paid for the datagram
    Frame round_ = 0;
    std::vector<Primaries::Rider> riders_;  // scratch
    std::vector<Promise> promises_;         // the prices of the last frame's updates
    double extra_ = 0;                      // bytes of a frame beyond prices, average
    bool upload_is_short_ = false;
};

}  // namespace fray
