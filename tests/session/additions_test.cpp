// A policy and a part that Fray does not have: each is one class and one line in Additions. They show what
// the session guarantees to every part.

#include "session/composition.hpp"
#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <utility>

namespace fray {
namespace {

using test::Cluster;

constexpr std::size_t kBallast = 1'000'000;  // bytes that each of them claims to hold

struct Number {
    std::uint8_t value = 0;
};
template <class Stream>
void serialize(Stream& s, Number& n) {
    s.whole(n.value);
}

// --- a policy that sends messages ---

/// What a test sets and observes of one AttentionPolicy.
struct AttentionProbe {
    std::uint8_t attention = 0;  ///< that this peer pays to all others
    bool needs_positions = false;
    int frames = 0;
    int numbers_heard = 0;
    int distances_known = 0;
};

/// Tells every linked peer how attentive this one is, and serves the most attentive peers first.
class AttentionPolicy final : public UpdatePolicy {
public:
    AttentionPolicy(const PartContext& context, AttentionProbe& probe) : context_{context}, probe_{probe} {}

    [[nodiscard]] std::span<const MessageKind> kinds() const override {
        static constexpr std::array kKinds{MessageKind::spare_1};
        return kKinds;
    }
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind, BitReader& in) override {
        Number number;
        if (!read(in, number)) return malformed();
        attention_[arrival.link] = number.value;
        ++probe_.numbers_heard;
        return taken();
    }
    [[nodiscard]] bool needs_positions() const override { return probe_.needs_positions; }
    void begin_frame(Instant) override {
        constexpr int kInterval = 20;
        if (probe_.frames++ % kInterval != 0) return;
        for (const LinkNumber link : context_.links.up_links()) {
            context_.out.send(link, MessageKind::spare_1, Number{probe_.attention},
                              {Delivery::unreliable, Purpose::state, true});
        }
    }
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t budget) override {
        std::ranges::stable_sort(candidates, [this](const Candidate& a, const Candidate& b) {
            return attention_[a.link] > attention_[b.link];
        });
        std::size_t chosen = 0;
        for (; chosen < candidates.size() && candidates[chosen].bytes <= budget; ++chosen)
            budget -= candidates[chosen].bytes;
        for (const Candidate& c : candidates)
            probe_.distances_known += c.distance != kDistanceUnknown ? 1 : 0;
        return chosen;
    }
    void resume(LinkNumber, std::uint16_t) override {}
    void forget_link(LinkNumber link) override { attention_.erase(link); }
    void reset() override { attention_.clear(); }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return kBallast + sizeof(*this) + attention_.heap_bytes();
    }

private:
    const PartContext& context_;
    AttentionProbe& probe_;
    PerLink<std::uint8_t> attention_;
};

Additions with_policy(AttentionProbe& probe) {
    return {.policy = [&probe](const PartContext& context) {
        return std::make_unique<AttentionPolicy>(context, probe);
    }};
}

State at(float x) { return state_of(Pose{.position = {x, 0, 0}}); }

/// Peer 0 moves, and its upload does not suffice for all others.
class Attention : public testing::Test {
protected:
    static constexpr std::size_t kReceivers = 12;

    void start(bool needs_positions = false) {
        PeerOptions options;
        options.link.upload_kbps = 32;
        for (std::size_t i = 0; i <= kReceivers; ++i) {
            probes_[i].needs_positions = needs_positions;
            cluster_.add(i == 0 ? options : PeerOptions{}, with_policy(probes_[i]));
        }
        cluster_.join_all();
        for (std::size_t i = 0; i <= kReceivers; ++i) {
            const auto id = cluster_.peer(i).publish(cluster_.local(i), at(static_cast<float>(i)));
            if (i == 0) moving_ = *id;
        }
        cluster_.run_for(3s);
    }
    /// How many updates of peer 0 each of the others gets in ten seconds.
    std::array<int, kReceivers> updates_received() {
        std::array<int, kReceivers> received{};
        std::array<SessionInstant, kReceivers> stamps{};
        for (int frame = 0; frame < 200; ++frame) {
            EXPECT_TRUE(cluster_.peer(0).update(cluster_.local(0), moving_, at(static_cast<float>(frame))));
            cluster_.run_for(50ms);
            for (std::size_t i = 0; i < kReceivers; ++i) {
                const auto replica = cluster_.peer(i + 1).replica(cluster_.local(i + 1), moving_);
                if (!replica) continue;
                received[i] += replica->stamp != stamps[i] ? 1 : 0;
                stamps[i] = replica->stamp;
            }
        }
        return received;
    }

    std::array<AttentionProbe, kReceivers + 1> probes_{};
    Cluster cluster_;
    EntityId moving_{};
};

TEST_F(Attention, OfAReceiverArrivesAsAMessageAndOrdersItsUpdates) {
    start();
    for (const bool first_half : {true, false}) {
        const auto is_attentive = [&](std::size_t i) { return (i < 4) == first_half; };
        for (std::size_t i = 0; i < kReceivers; ++i) probes_[i + 1].attention = is_attentive(i) ? 9 : 1;
        const int heard = probes_[0].numbers_heard;
        cluster_.run_for(3s);
        ASSERT_GE(probes_[0].numbers_heard, heard + static_cast<int>(kReceivers));
        const auto received = updates_received();
        int attentive = 0, others = 0;
        for (std::size_t i = 0; i < kReceivers; ++i) (is_attentive(i) ? attentive : others) += received[i];
        EXPECT_GT(attentive, 300);
        EXPECT_GT(attentive, 5 * others) << first_half;
    }
    for (const AttentionProbe& probe : probes_) EXPECT_GT(probe.frames, 200);
    EXPECT_EQ(cluster_.peer(0).stats().rejections.total(), 0U);
}

TEST_F(Attention, GetsNoDistancesInAMeshThatNeedsNone) {
    start(false);
    EXPECT_GT(updates_received()[0], 50);
    EXPECT_EQ(probes_[0].distances_known, 0) << "they were computed, and are of no use";
}

TEST_F(Attention, GetsDistancesWhereItNeedsThem) {
    start(true);
    EXPECT_GT(updates_received()[0], 50);
    EXPECT_GT(probes_[0].distances_known, 1000);
}

// --- a part that counts ---

constexpr std::uint8_t kGreeting = 42;
constexpr std::uint8_t kJunk = 0xFF;

/// What a test observes of one GreetingPart.
struct Diary {
    int ups = 0, downs = 0, forgotten = 0, clock_sets = 0, resets = 0;
    int offered = 0, greetings = 0;
    std::function<void(std::uint8_t value, Delivery delivery)> say;  ///< to all linked peers
};

/// Greets every peer reliably, and refuses each greeting the first time ("later").
class GreetingPart final : public Part {
public:
    GreetingPart(const PartContext& context, Diary& diary) : context_{context}, diary_{diary} {
        diary_.say = [this](std::uint8_t value, Delivery delivery) {
            for (const LinkNumber link : context_.links.up_links()) send(link, value, delivery);
        };
    }

    [[nodiscard]] std::span<const MessageKind> kinds() const override {
        static constexpr std::array kKinds{MessageKind::spare_2};
        return kKinds;
    }
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind, BitReader& in) override {
        Number number;
        if (!read(in, number) || number.value != kGreeting) return malformed();
        ++diary_.offered;
        if (!std::exchange(has_time_[arrival.link], true)) return later();
        ++diary_.greetings;
        return taken();
    }
    void handle_link_up(Instant, const LinkUp& up) override {
        ++diary_.ups;
        send(up.link, kGreeting, Delivery::reliable);
    }
    void handle_link_down(Instant, const LinkDown&) override { ++diary_.downs; }
    void forget_link(LinkNumber link) override {
        ++diary_.forgotten;
        has_time_.erase(link);
    }
    void handle_clock_set(Instant) override { ++diary_.clock_sets; }
    void reset() override {
        ++diary_.resets;
        has_time_.clear();
    }
    [[nodiscard]] std::size_t memory_bytes() const override { return kBallast + sizeof(*this); }

private:
    void send(LinkNumber link, std::uint8_t value, Delivery delivery) {
        context_.out.send(link, MessageKind::spare_2, Number{value}, {delivery, Purpose::reliable});
    }

    const PartContext& context_;
    Diary& diary_;
    PerLink<std::uint8_t> has_time_;
};

class AnAddedPart : public testing::Test {
protected:
    AnAddedPart() {
        for (std::size_t i = 0; i < 2; ++i) {
            const Additions additions{.parts = {[this, i](const PartContext& context) {
                                          return std::make_unique<GreetingPart>(context, diaries_[i]);
                                      }}};
            cluster_.add({}, additions, i * 1000s);
        }
        cluster_.join(1, 0);
        cluster_.run_for(2s);
    }
    std::uint64_t rejected(std::size_t i, Rejection why) {
        return cluster_.peer(i).stats().rejections.of(why);
    }

    std::array<Diary, 2> diaries_{};
    Cluster cluster_;
};

TEST_F(AnAddedPart, LearnsOnceOfEachEvent) {
    for (const Diary& diary : diaries_) {
        EXPECT_EQ(diary.ups, 1);
        EXPECT_EQ(diary.downs, 0);
        EXPECT_EQ(diary.forgotten, 0);
        EXPECT_EQ(diary.resets, 0);
    }
    EXPECT_EQ(diaries_[0].clock_sets, 0);
    EXPECT_EQ(diaries_[1].clock_sets, 1) << "it took the time of the session it joined";
    cluster_.peer(1).leave(cluster_.local(1));
    cluster_.run_for(1s);
    for (const Diary& diary : diaries_) {
        EXPECT_EQ(diary.downs, 1);
        EXPECT_EQ(diary.forgotten, 1);
    }
    EXPECT_EQ(diaries_[0].resets, 0);
    EXPECT_EQ(diaries_[1].resets, 1) << "it left, the other one did not";
    cluster_.join(1, 0);
    cluster_.run_for(2s);
    for (const Diary& diary : diaries_) {
        EXPECT_EQ(diary.ups, 2);
        EXPECT_EQ(diary.greetings, 2);
    }
    EXPECT_EQ(diaries_[1].clock_sets, 3) << "with each join, and with leaving: its own clock counts again";
}

TEST_F(AnAddedPart, IsOfferedAMessageAgainThatItPutOff) {
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(diaries_[i].offered, 2);
        EXPECT_EQ(diaries_[i].greetings, 1);
        EXPECT_EQ(rejected(i, Rejection::no_room), 1U);
    }
}

TEST_F(AnAddedPart, HasMalformedMessagesCountedAndDroppedForGood) {
    for (const Delivery delivery : {Delivery::unreliable, Delivery::reliable, Delivery::ordered}) {
        const std::uint64_t before = rejected(1, Rejection::malformed);
        diaries_[0].say(kJunk, delivery);
        diaries_[0].say(kGreeting, Delivery::reliable);
        cluster_.run_for(3s);
        EXPECT_EQ(rejected(1, Rejection::malformed), before + 1);
    }
    EXPECT_EQ(diaries_[1].greetings, 4) << "what came behind the junk arrived";
    EXPECT_EQ(diaries_[1].downs, 0);
}

TEST_F(AnAddedPart, CountsInThePeersMemory) {
    AttentionProbe probe;
    const std::size_t plain = cluster_.add();
    const std::size_t with = cluster_.add({}, with_policy(probe));
    EXPECT_LT(cluster_.peer(plain).memory_bytes(), kBallast);
    EXPECT_GT(cluster_.peer(0).memory_bytes(), kBallast);
    EXPECT_GT(cluster_.peer(with).memory_bytes(), kBallast);
}

}  // namespace
}  // namespace fray
