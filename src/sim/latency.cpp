#include "sim/latency.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <utility>

namespace fray::sim {

namespace {

Micros rounded(double micros, Micros least) { return std::max(static_cast<Micros>(micros + 0.5), least); }

Micros draw(const NormalLatency& model, RandomStream& random) {
    const auto mean = static_cast<double>(model.mean.count());
    return rounded(random.normal(mean, static_cast<double>(model.deviation.count())), model.least.count());
}

Micros draw(const PoissonLatency& model, RandomStream& random) {
    const auto step = static_cast<double>(model.step.count());
    // A uniform spread within a step adds half a step to the mean.
    const double steps = static_cast<double>((model.mean - model.least).count()) / step - 0.5;
    const double count = random.poisson(steps);
    return model.least.count() + rounded((count + random.uniform()) * step, 0);
}

Micros draw(const LogNormalLatency& model, RandomStream& random) {
    const auto median = static_cast<double>((model.median - model.least).count());
    return model.least.count() + rounded(random.log_normal(median, model.sigma), 0);
}

std::vector<std::uint32_t> shuffled(std::uint32_t size, Seed seed) {
    std::vector<std::uint32_t> order(size);
    for (std::uint32_t i = 0; i < size; ++i) order[i] = i;
    RandomStream random{seed, "matrix sites"};
    for (std::uint32_t i = size; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    return order;
}

}  // namespace

LatencySampler::LatencySampler(LatencyModel model, Seed seed) : model_{std::move(model)}, seed_{seed} {
    if (const auto* world = std::get_if<WorldLatency>(&model_)) world_.emplace(*world, seed);
    const auto* matrix = std::get_if<MatrixLatency>(&model_);
    if (matrix != nullptr && matrix->shuffle) sites_ = shuffled(matrix->matrix->size, seed);
}

Micros LatencySampler::sample(Micros now, PeerIndex from, PeerIndex to, RandomStream& random,
                              PairState* pair) {
    if (const auto* constant = std::get_if<ConstantLatency>(&model_)) return constant->delay.count();
    if (world_) return world_->one_way(from, to);
    if (const auto* normal = std::get_if<NormalLatency>(&model_)) return draw(*normal, random);
    if (const auto* poisson = std::get_if<PoissonLatency>(&model_)) return draw(*poisson, random);
    if (const auto* log_normal = std::get_if<LogNormalLatency>(&model_)) return draw(*log_normal, random);
    if (const auto* matrix = std::get_if<MatrixLatency>(&model_)) return from_matrix(*matrix, from, to);
    FRAY_ASSERT(pair != nullptr);
    return from_trace(*std::get_if<TraceLatency>(&model_), now, *pair);
}

Micros LatencySampler::from_trace(const TraceLatency& trace, Micros now, PairState& pair) const {
    const std::vector<Duration>& samples = *trace.samples;
    const auto size = static_cast<std::uint32_t>(samples.size());
    if (pair.fresh) pair.trace_at = RandomStream{seed_, "trace start", pair.key}.below(size);
    std::uint64_t at = pair.trace_at;
    if (trace.interval.count() > 0) {
        at = (at + static_cast<std::uint64_t>(now / trace.interval.count())) % size;
    } else {
        pair.trace_at = pair.trace_at + 1 == size ? 0 : pair.trace_at + 1;
    }
    const Duration sample = samples[static_cast<std::size_t>(at)];
    if (sample.count() < 0) return kLostMicros;
    return rounded(static_cast<double>(sample.count()) * trace.share, 0);
}

Micros LatencySampler::from_matrix(const MatrixLatency& latency, PeerIndex from, PeerIndex to) {
    const PairMatrix& matrix = *latency.matrix;
    const std::uint32_t row = site_of(from, matrix.size, latency.shuffle);
    const std::uint32_t column = site_of(to, matrix.size, latency.shuffle);
    if (row == column) return latency.same_site.count();
    return matrix.one_way[static_cast<std::size_t>(row) * matrix.size + column].count();
}

std::uint32_t LatencySampler::site_of(PeerIndex peer, std::uint32_t size, bool shuffle) {
    return shuffle ? sites_[peer % size] : peer % size;
}

}  // namespace fray::sim
