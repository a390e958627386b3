#pragma once
// The outer queue (Panzer Battalion, Figure 2): messages from the network. It is emptied once per pass
// of the render loop, which takes most of the processor: a message waits for the end of its sender's pass and
// then of its receiver's. That is a local lag even without a network (3.4), and several messages reach the
// inner queue at once.
//
// The paper does not say how long a pass takes. Here it is exponentially distributed and ends with a frame.
// The mean is fitted to the paper's lateness at lag 0, and to nothing else
// (lab/plans/time_warp_lateness.toml).

#include <fray/ids.hpp>
#include <fray/random.hpp>
#include <fray/time.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fray::panzer {

class OuterQueue {
public:
    struct Received {
        PeerId from;
        std::vector<std::uint8_t> bytes;
    };
    /// mean: of a pass; zero: every frame is one.
    OuterQueue(Duration mean, Seed seed) : mean_{mean}, random_{seed, "render loop"} {}

    /// Once per frame: whether a pass of the render loop ends.
    [[nodiscard]] bool ends_pass(Instant now) {
        if (now < next_) return false;
        next_ = now + from_seconds(random_.exponential(seconds(mean_)));
        return true;
    }
    void receive(const PeerId& from, std::span<const std::uint8_t> bytes) {
        if (incoming_.size() < kMostIncoming)
            incoming_.push_back({from, {bytes.begin(), bytes.end()}});
        else
            ++refused_;
    }
    [[nodiscard]] std::vector<Received> take_incoming() { return std::exchange(incoming_, {}); }
    [[nodiscard]] std::uint64_t refused() const { return refused_; }

private:
    static constexpr std::size_t kMostIncoming = 65'536;  // in one pass

    Duration mean_;
    RandomStream random_;
    Instant next_ = Instant::min();  // of the own clock: session time may still be set
    std::vector<Received> incoming_;
    std::uint64_t refused_ = 0;
};

}  // namespace fray::panzer
