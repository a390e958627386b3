#include "lab/metrics/histogram.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <cmath>

namespace fray::lab {

Histogram::Histogram(double low, double width, std::size_t bins) : low_{low}, width_{width}, bins_(bins) {
    FRAY_ASSERT(width > 0 && bins > 0);
}

std::size_t Histogram::bin_of(double value) const {
    const double bin = (value - low_) / width_;
    if (!(bin > 0)) return 0;
    return std::min(bins_.size() - 1, static_cast<std::size_t>(std::min(bin, 1e15)));
}

void Histogram::add(double value, std::uint64_t times) {
    if (times == 0) return;
    bins_[bin_of(value)] += times;
    smallest_ = count_ == 0 ? value : std::min(smallest_, value);
    largest_ = count_ == 0 ? value : std::max(largest_, value);
    count_ += times;
    sum_ += value * static_cast<double>(times);
}

void Histogram::merge(const Histogram& other) {
    FRAY_ASSERT(low_ == other.low_ && width_ == other.width_ && bins_.size() == other.bins_.size());
    if (other.count_ == 0) return;
    for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
    smallest_ = count_ == 0 ? other.smallest_ : std::min(smallest_, other.smallest_);
    largest_ = count_ == 0 ? other.largest_ : std::max(largest_, other.largest_);
    count_ += other.count_;
    sum_ += other.sum_;
}

double Histogram::mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

double Histogram::quantile(double q) const {
    if (count_ == 0) return 0;
    const auto wanted =
        static_cast<std::uint64_t>(std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        seen += bins_[i];
        // The upper edge of the bin, but within the range of the values added.
        const bool last = i + 1 == bins_.size();
        const double edge = last ? largest_ : low_ + width_ * static_cast<double>(i + 1);
        if (seen > 0 && seen >= wanted) return std::clamp(edge, smallest_, largest_);
    }
    return largest_;
}

double Histogram::share_up_to(double value) const {
    if (count_ == 0) return 0;
    if (value >= largest_) return 1;
    if (value < smallest_) return 0;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i <= bin_of(value); ++i) seen += bins_[i];
    return static_cast<double>(seen) / static_cast<double>(count_);
}

}  // namespace fray::lab
