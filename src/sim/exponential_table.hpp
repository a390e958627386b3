#pragma once
// Exponentially distributed numbers at a tenth of the cost of a logarithm: jitter draws one for every
// datagram.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray::sim {

class ExponentialTable {
public:
    ExponentialTable();
    /// Of mean 1, from 64 uniform bits. Straight lines between 1,024 exact quantiles; exact in the tail.
    [[nodiscard]] double operator()(std::uint64_t bits) const {
        const auto at = static_cast<std::size_t>(bits >> (64 - kBits));
        if (at + 1 == kSize) return tail(bits);
        const double share = static_cast<double>((bits >> 11U) & kShareMask) * kShareUnit;
        return quantiles_[at] + (quantiles_[at + 1] - quantiles_[at]) * share;
    }

private:
    static constexpr unsigned kBits = 10;
    static constexpr std::size_t kSize = std::size_t{1} << kBits;
    static constexpr std::uint64_t kShareMask = (1ULL << (53 - kBits)) - 1;
    static constexpr double kShareUnit = 1.0 / static_cast<double>(1ULL << (53 - kBits));

    [[nodiscard]] static double tail(std::uint64_t bits);
    std::vector<double> quantiles_;  // of shares 0, 1/1024, ... 1023/1024
};

}  // namespace fray::sim
