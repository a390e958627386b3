// Any bytes as messages of neighbours about their attention, between frames of a FocusSet policy with links
// that come and go, interactions and budgets of any size. Each frame must choose among what is offered, keep
// to the budget, and let no update wait longer than all others take.

#include <fray/assert.hpp>

#include "interest/focus_set.hpp"
#include "tests/support/lone_part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace fray {
namespace {

constexpr LinkNumber kLinks = 24;
constexpr std::uint16_t kBytes = 60;
constexpr std::size_t kMostMemory = 100'000;

class Places final : public PeerPlaces {
public:
    [[nodiscard]] std::optional<Pose> self() const override { return pose; }
    [[nodiscard]] std::optional<Vec3> place(Instant, LinkNumber link) const override {
        return places[link % kLinks];
    }
    std::optional<Pose> pose = Pose{};
    std::array<std::optional<Vec3>, kLinks> places{};
};

class Receivers {
public:
    explicit Receivers(const FocusSet& options) : policy_{lone_.context, options} {
        policy_.connect(places_);
    }

    void step(BitReader& in) {
        const auto link = static_cast<LinkNumber>(in.bits(5) % kLinks);
        switch (in.bits(2)) {
            case 0:
                return toggle(link);
            case 1:
                if (up_[link]) hear(link, in);
                return;
            case 2:
                places_.places[link] = Vec3{whole(in), whole(in), 0};
                if (up_[link] && in.boolean()) policy_.handle_interaction(now_, link);
                return;
            default:
                return frame(in);
        }
    }

private:
    static float whole(BitReader& in) { return static_cast<float>(in.bits(12)) - 2048; }

    void toggle(LinkNumber link) {
        up_[link] = !up_[link];
        waited_[link] = 0;
        if (up_[link]) return lone_.links.up(link);
        lone_.links.down(link);
        policy_.forget_link(link);
    }
    void hear(LinkNumber link, BitReader& in) {
        const std::array<std::uint8_t, 1> bytes{static_cast<std::uint8_t>(in.bits(8))};
        BitReader body{std::span{bytes}.first(in.boolean() ? 1 : 0)};
        (void)policy_.handle_message({.now = now_, .link = link}, MessageKind::attention, body);
        LinkStats stats;
        policy_.add_stats(link, stats);
        FRAY_ASSERT(stats.attention_heard >= 0 && stats.attention_heard < 8);
        FRAY_ASSERT(std::isfinite(stats.attention) && stats.attention >= 0);
    }
    void frame(BitReader& in) {
        now_ += 50ms;
        policy_.begin_frame(now_);
        std::vector<Candidate> all;
        for (LinkNumber link = 0; link < kLinks; ++link) {
            if (up_[link]) all.push_back({.link = link, .bytes = kBytes});
        }
        const std::size_t budget = in.bits(11) + kBytes + AttentionExchange::kMessageBytes;
        const std::size_t chosen = policy_.choose(all, budget);
        FRAY_ASSERT(chosen <= all.size() && chosen * kBytes <= budget);
        FRAY_ASSERT(all.empty() || chosen != 0);
        for (const Candidate& c : std::span{all}.subspan(chosen)) {
            // It may be passed by each other link, and by those that have an attention to tell.
            FRAY_ASSERT(++waited_[c.link] <= kMostWait);
        }
        for (const Candidate& c : std::span{all}.first(chosen)) waited_[c.link] = 0;
        FRAY_ASSERT(policy_.memory_bytes() <= kMostMemory);
        (void)policy_.focus()->aim_target();
        (void)policy_.stats();
        lone_.out.sent.clear();
    }

    static constexpr int kMostWait = 3 * kLinks;
    test::LonePart lone_;
    Places places_;
    FocusSetPolicy policy_;
    Instant now_{1s};
    std::array<bool, kLinks> up_{};
    std::array<int, kLinks> waited_{};
};

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray;
    BitReader in{std::span{data, size}};
    const float share = static_cast<float>(in.bits(4)) / 15;
    Receivers crowd{in.boolean() ? FocusSet::paper(share) : FocusSet{.bandwidth_share = share}};
    while (in.ok() && in.bits_left() > 0) crowd.step(in);
    return 0;
}
