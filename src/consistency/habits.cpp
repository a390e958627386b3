#include "consistency/habits.hpp"

#include "core/motion.hpp"
#include "core/space.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace fray {

namespace {

constexpr float kForget = 0.95F;  // weight that remains of earlier holds with each new one
constexpr float kDoubt = 1;       // prior: this many holds of a key that never changed
constexpr float kUnlikely = 0.02F;

bool is_down(std::span<const std::uint8_t> input, std::size_t bit) {
    return bit / 8 < input.size() && (input[bit / 8] >> (bit % 8) & 1U) != 0;
}

}  // namespace

void Habits::note(std::size_t bit, bool down, SessionInstant when) {
    auto key = std::ranges::find(keys_, bit, &Key::bit);
    if (key == keys_.end()) {
        if (keys_.size() >= kMostKeys) return;
        keys_.push_back({.bit = bit, .down = !down, .since = first_});
        key = keys_.end() - 1;
    }
    Holds& holds = key->holds[key->down ? 1 : 0];
    for (float& count : holds) count *= kForget;
    const auto steps = static_cast<std::size_t>(std::max(when - key->since, Duration{0}) / kStep);
    holds[std::min(steps, kSteps)] += 1;
    key->down = down;
    key->since = when;
}

void Habits::learn(const Timeline& timeline) {
    const Moment& update = timeline.newest();
    if (learnt_ == SessionInstant{}) {
        first_ = update.when;
    } else if (update.when <= learnt_) {
        return;  // late
    }
    const std::size_t bits = 8 * std::max(update.input.size(), last_input_.size());
    const bool known = learnt_ != SessionInstant{};
    for (std::size_t bit = 0; known && bit < bits; ++bit) {
        const bool down = is_down(update.input, bit);
        if (down != is_down(last_input_, bit)) note(bit, down, update.when);
    }
    last_input_.assign(update.input.begin(), update.input.end());
    learnt_ = update.when;
}

float Habits::changes(const Key& key, Duration held, Duration from, Duration until) {
    const auto step = [](Duration d) {
        return std::min(static_cast<std::size_t>((d + kStep - Duration{1}) / kStep), kSteps + 1);
    };
    const Holds& holds = key.holds[key.down ? 1 : 0];
    float all = kDoubt;
    float in_span = 0;
    for (std::size_t i = step(held); i <= kSteps; ++i) all += holds[i];
    for (std::size_t i = step(held + from); i < step(held + until); ++i) in_span += holds[i];
    return in_span / all;
}

Habits::Likeliest Habits::likeliest(const Moment& update, Duration ahead) const {
    struct Chance {
        float chance = 0;
        std::size_t key = 0;
    };
    std::array<Chance, kMostKeys> all{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (keys_[i].bit / 8 >= update.input.size()) continue;
        all[count++] = {changes(keys_[i], update.when - keys_[i].since, Duration{0}, ahead), i};
    }
    Likeliest found{.count = std::min(count, kMostForecast)};
    const auto likelier = [](const Chance& a, const Chance& b) {
        return a.chance != b.chance ? a.chance > b.chance : a.key < b.key;
    };
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(found.count),
                      all.begin() + static_cast<std::ptrdiff_t>(count), likelier);
    for (std::size_t i = 0; i < found.count; ++i) found.keys[i] = all[i].key;
    std::ranges::sort(std::span{found.keys}.first(found.count));
    return found;
}

Pose Habits::ahead_of(const Subject& subject, const Moment& update, Duration ahead) const {
    const World& world = *subject.world;
    const auto go = [&](const Pose& from, std::span<const std::uint8_t> input, Duration d) {
        return go_on(world, subject.type, from, update.payload, input, d);
    };
    Pose expected = go(update.pose, update.input, ahead);
    const Vec3 as_now = expected.position;
    Vec3 pull{};
    std::array<std::uint8_t, kMaxInputBytes> changed{};
    const auto input = std::span{changed}.first(std::min(update.input.size(), changed.size()));
    std::copy_n(update.input.begin(), input.size(), changed.begin());
    std::array<std::optional<Pose>, kParts> before{};  // in the middle of each part, with no key changed
    const Likeliest chosen = likeliest(update, ahead);
    for (const std::size_t number : std::span{chosen.keys}.first(chosen.count)) {
        const Key& key = keys_[number];
        const auto flip = static_cast<std::uint8_t>(1U << (key.bit % 8));
        changed[key.bit / 8] ^= flip;
        for (std::size_t part = 0; part < kParts; ++part) {
            constexpr auto kAll = static_cast<std::int64_t>(kParts);
            const auto at = static_cast<std::int64_t>(part);
            const float chance =
                changes(key, update.when - key.since, ahead * at / kAll, ahead * (at + 1) / kAll);
            if (chance < kUnlikely) continue;
            const Duration until = ahead * (2 * at + 1) / (2 * kAll) / world.tick * world.tick;
            if (!before[part]) before[part] = go(update.pose, update.input, until);
            const Pose then = go(*before[part], input, ahead - until);
            pull += way(world, as_now, then.position) * chance;
        }
        changed[key.bit / 8] ^= flip;
    }
    expected.position = inside(world, as_now + pull);
    return expected;
}

}  // namespace fray
