#pragma once
// Fray's own algorithm. Updates carry the player's input, and other screens extrapolate with the motion model
// and the player's habits. Corrections are blended in. On a slow network all screens are a little behind, the
// owner's too, which shortens the extrapolation.

#include "consistency/algorithm.hpp"
#include "consistency/habits.hpp"

namespace fray {

class AdaptiveAlgorithm final : public ConsistencyAlgorithm {
public:
    explicit AdaptiveAlgorithm(const Adaptive& options) : options_{options} {}

    [[nodiscard]] Duration own_lag() const override { return options_.lag; }
    [[nodiscard]] Duration remote_lag() const override { return options_.lag; }
    [[nodiscard]] Shown show(const Subject& subject, const Timeline& timeline,
                             SessionInstant moment) const override;
    void learn(const Subject& subject, const Timeline& timeline, SessionInstant moment) override;
    void inherit(const ConsistencyAlgorithm& former) override;
    [[nodiscard]] Duration blend() const override { return options_.blend; }
    [[nodiscard]] std::size_t heap_bytes() const override { return sizeof(*this) + habits_.heap_bytes(); }

private:
    Adaptive options_;
    Habits habits_;
};

/// What the owner measures of the network to the peers that see its entity.
struct SeenNetwork {
    Duration delay{};   ///< one way, typical
    Duration jitter{};  ///< mean deviation
    double loss = 0;    ///< share
};

/// The cost for the players if all screens are `lag` behind and extrapolate `ahead` of the last update, in
/// units of the smallest noticeable difference:
///
///     2 lag / 50 ms + (ahead / 100 ms)^2
///
/// A delay of one's own entity counts twice as much as one of another's; the error of an extrapolation grows
/// with the square of its length.
[[nodiscard]] double lag_cost(Duration lag, Duration ahead);

/// The lag with the least cost, for ahead = delay + interval (1/2 + loss) + 2 jitter - lag. Jitter counts
/// more than delay.
[[nodiscard]] Duration best_lag(const SeenNetwork& network, Duration interval, const Adaptive& options);

}  // namespace fray
