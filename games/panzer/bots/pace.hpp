#pragma once
// Imposes the share of time that a player spends moving (dynamic) rather than standing, aiming and shooting
// (static). Players stand more as the lag grows (Panzer Battalion, Table 3).

#include <fray/random.hpp>

namespace fray::panzer {

/// The dynamic share at this lag, between the paper's values: 0.593 at 0 ms, 0.489 at 200, 0.264 at 400, 0.21
/// from 600 on.
[[nodiscard]] double dynamic_share(double lag_ms);

/// Alternates spells of both kinds, a few seconds each, so that the share comes out.
class Pace {
public:
    /// share: 0 to 1.
    Pace(double share, Seed seed);

    /// Whether the player moves in the coming step. `moved`: it did in the last one.
    [[nodiscard]] bool moves(bool moved);

private:
    [[nodiscard]] double swing();

    double share_;
    RandomStream random_;
    double ahead_ = 0;  // steps of motion above the share
    double limit_;      // where the present spell ends
    bool moves_ = true;
};

}  // namespace fray::panzer
