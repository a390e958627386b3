#pragma once
// Counts in bins of equal width: quantiles of millions of values in fixed memory, independent of their order.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fray::lab {

class Histogram {
public:
    /// Bins [low, low + width), ... Values outside are counted in the first and the last bin.
    Histogram(double low, double width, std::size_t bins);

    void add(double value, std::uint64_t times = 1);
    /// Adds the counts of a histogram with the same bins.
    void merge(const Histogram& other);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    /// Mean of the values themselves, not of the bins. 0 if there are none.
    [[nodiscard]] double mean() const;
    [[nodiscard]] double smallest() const { return smallest_; }
    [[nodiscard]] double largest() const { return largest_; }
    /// The value below which a share q of all values lies, at most one bin width too high. q in [0, 1].
    [[nodiscard]] double quantile(double q) const;
    /// Share of the values that are at most this, at most one bin width off.
    [[nodiscard]] double share_up_to(double value) const;

private:
    [[nodiscard]] std::size_t bin_of(double value) const;

    double low_;
    double width_;
    std::vector<std::uint64_t> bins_;
    std::uint64_t count_ = 0;
    double sum_ = 0;
    double smallest_ = 0;
    double largest_ = 0;
};

}  // namespace fray::lab
