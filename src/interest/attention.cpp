#include "interest/attention.hpp"

#include "core/space.hpp"
#include "interest/attention_value.hpp"

#include <algorithm>

namespace fray {

namespace {
constexpr double kHardly = 0.5;       // attention on an acquaintance that is estimated ...
constexpr std::uint32_t kSeldom = 4;  // ... so much more seldom
}  // namespace

Attention::Attention(const PartContext& context, const FocusSet& options)
    : context_{context}, weights_{options.weights}, d_max_{static_cast<double>(options.d_max)} {
    const World& world = context.world();
    if (options.d_max == 0) d_max_ = static_cast<double>(length(world.high - world.low)) / 2;
    turns_ = static_cast<std::uint32_t>(std::max<std::int64_t>(1, options.interval / world.tick));
    const auto step = static_cast<double>(micros(world.tick)) * turns_;
    newest_share_ = 1 - math::exp(-step / static_cast<double>(micros(options.aim_average)));
}

void Attention::handle_interaction(Instant now, LinkNumber link) {
    Other& other = others_[link];
    other.has_interacted = true;
    other.interacted_at = now;
    const double least = static_cast<double>(weights_.interaction);
    other.value = std::max(other.value, least);  // told at once; the next estimate adds the other metrics
}

void Attention::run_frame(Instant now) {
    ++frame_;
    self_ = places_ == nullptr ? std::nullopt : places_->self();
    for (const LinkNumber link : context_.links.known()) {
        // Links take turns; a new one does not wait for its turn.
        const Other* other = others_.find(link);
        const bool is_new = other == nullptr || !other->has_deviation;
        if (is_new || (frame_ + link) % turns(link, *other) == 0) estimate(now, link);
    }
}

/// Hundreds of acquaintances that the player hardly notices would otherwise take most of the time.
std::uint32_t Attention::turns(LinkNumber link, const Other& other) const {
    return is_acquaintance(link) && other.value < kHardly ? turns_ * kSeldom : turns_;
}

void Attention::estimate(Instant now, LinkNumber link) {
    Other& other = others_[link];
    other.value = 0;
    const auto place = self_ ? places_->place(now, link) : std::nullopt;
    if (place) other.value = look_at(*self_, *place, other);
    if (other.has_interacted)
        other.value +=
            static_cast<double>(weights_.interaction) * interaction_recency(now - other.interacted_at);
}

double Attention::look_at(const Pose& self, const Vec3& place, Other& other) const {
    const Vec3 to = way(context_.world(), self.position, place);
    const Look look = weights_.look.value_or(Look{.yaw = self.yaw, .pitch = self.pitch});
    const double now = aim_deviation(forward_vector(look), to);
    other.deviation = other.has_deviation ? other.deviation + (now - other.deviation) * newest_share_ : now;
    other.has_deviation = true;
    const auto distance = static_cast<double>(length(to));
    return attention_value(weights_, proximity(distance, d_max_), aim(other.deviation, distance), 0);
}

double Attention::value(LinkNumber link) const {
    const Other* other = others_.find(link);
    return other == nullptr ? 0 : other->value;
}

void Attention::list_most(std::size_t most, double least, std::vector<LinkNumber>& out) const {
    out.clear();
    for (const LinkNumber link : context_.links.known()) {
        if (value(link) >= least) out.push_back(link);
    }
    if (out.size() <= most) return;
    const auto end = out.begin() + static_cast<std::ptrdiff_t>(most);
    std::partial_sort(out.begin(), end, out.end(), [&](LinkNumber a, LinkNumber b) {
        return value(a) != value(b) ? value(a) > value(b) : a < b;
    });
    out.erase(end, out.end());
}

std::optional<AimTarget> Attention::aim_target() const {
    std::optional<AimTarget> best;
    double least = kWidestAim;
    for (const LinkNumber link : context_.links.up_links()) {
        const Other* other = others_.find(link);
        if (other == nullptr || !other->has_deviation || other->deviation >= least) continue;
        least = other->deviation;
        best = AimTarget{link, static_cast<float>(least)};
    }
    return best;
}

}  // namespace fray
