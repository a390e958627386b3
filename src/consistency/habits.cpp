#include "consistency/habits.hpp"

#include "core/motion.hpp"
#include "core/space.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr float kForget = 0.95F;  // of earlier holds, with each new one
constexpr float kDoubt = 1;       // as many holds as this speak for a key that stays as it is
constexpr float kUnlikely = 0.02F;
constexpr int kParts = 3;  // of the way ahead, in each of which a key may change

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
    const Moment& word = timeline.newest();
    if (learnt_ == SessionInstant{}) {
        first_ = word.when;
    } else if (word.when <= learnt_) {
        return;  // late
    }
    const std::size_t bits = 8 * std::max(word.input.size(), last_input_.size());
    const bool known = learnt_ != SessionInstant{};
    for (std::size_t bit = 0; known && bit < bits; ++bit) {
        const bool down = is_down(word.input, bit);
        if (down != is_down(last_input_, bit)) note(bit, down, word.when);
    }
    last_input_.assign(word.input.begin(), word.input.end());
    learnt_ = word.when;
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

Pose Habits::ahead_of(const Subject& subject, const Moment& word, Duration ahead) const {
    const World& world = *subject.world;
    const auto go = [&](const Pose& from, std::span<const std::uint8_t> input, Duration d) {
        return go_on(world, subject.type, from, word.payload, input, d);
    };
    Pose expected = go(word.pose, word.input, ahead);
    const Vec3 as_now = expected.position;
    Vec3 pull{};
    std::array<std::uint8_t, kMaxInputBytes> changed{};
    const std::size_t size = std::min(word.input.size(), changed.size());
    std::copy_n(word.input.begin(), size, changed.begin());
    for (const Key& key : keys_) {
        if (key.bit / 8 >= size) continue;
        const auto flip = static_cast<std::uint8_t>(1U << (key.bit % 8));
        changed[key.bit / 8] ^= flip;
        for (int part = 0; part < kParts; ++part) {
            const float chance =
                changes(key, word.when - key.since, ahead * part / kParts, ahead * (part + 1) / kParts);
            if (chance < kUnlikely) continue;
            const Duration until = ahead * (2 * part + 1) / (2 * kParts) / world.tick * world.tick;
            const auto input = std::span{changed}.first(size);
            const Pose then = go(go(word.pose, word.input, until), input, ahead - until);
            pull += way(world, as_now, then.position) * chance;
        }
        changed[key.bit / 8] ^= flip;
    }
    expected.position = inside(world, as_now + pull);
    return expected;
}

}  // namespace fray
