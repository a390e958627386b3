#pragma once
// Fray's own: updates carry what the player does, and the others' screens go on from there by the motion
// model and the player's habits. Corrections are blended in. Where the network is slow, all screens are a
// little behind, the owner's too, which shortens what must be forecast.

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

/// What the owner measures of the way to those who see its entity.
struct SeenNetwork {
    Duration delay{};   ///< one way, typical
    Duration jitter{};  ///< mean deviation
    double loss = 0;    ///< share
};

/// What the players suffer where all screens are `lag` behind and what is `ahead` of the last word must be
/// forecast, in units of what is just noticed:
///
///     2 lag / 50 ms + (ahead / 100 ms)^2
///
/// A player who waits for the own entity suffers twice as much as one who sees the other's too late; the
/// error of a forecast grows with the square of its length.
[[nodiscard]] double lag_cost(Duration lag, Duration ahead);

/// The lag that costs least where ahead = delay + interval (1/2 + loss) + 2 jitter - lag: jitter is worse
/// than delay.
[[nodiscard]] Duration best_lag(const SeenNetwork& network, Duration interval, const Adaptive& options);

}  // namespace fray
