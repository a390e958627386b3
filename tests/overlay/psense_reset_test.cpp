// Who left and comes in elsewhere is as new there as anybody.

#include "overlay/psense_fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fray {
namespace {

constexpr int kFirstLife = 40;  // rounds: not wary any more, and it would be too early to be wary again

TEST_F(PSenseTest, AfterAResetUpdatesGoThroughWhomItJoined) {
    linked(1, {50, 0, 0});
    for (int i = 0; i < kFirstLife; ++i) {
        seen(1, {50, 0, 0});
        round();
        dispatch();
    }
    overlay_.handle_link_up(kNow, {2, contact(2), false});
    overlay_.handle_alive(kNow, 2);
    round();
    ASSERT_EQ(own_receivers(), std::set<LinkNumber>{1}) << "it has its neighbours, and is not wary";
    overlay_.reset();
    overlay_.handle_link_up(kNow, {3, contact(3), false});
    overlay_.handle_alive(kNow, 3);
    round();
    EXPECT_EQ(own_receivers(), std::set<LinkNumber>{3});
}

TEST_F(PSenseTest, AfterAResetWhoNeverAnsweredIsCalledAgain) {
    const auto named_for = [&](int rounds) {
        std::size_t calls = 0;
        for (int i = 0; i < rounds; ++i) {
            seen(1, {50, 0, 0});
            (void)forward_from(1, 7, 1, {55, 0, 0});
            round();
            dispatch();
            calls += calls_to(contact(7).address);
        }
        return calls;
    };
    linked(1, {50, 0, 0});
    EXPECT_EQ(named_for(60), 4U);
    EXPECT_EQ(named_for(60), 0U) << "it is given up";
    overlay_.reset();
    linked(1, {50, 0, 0});
    EXPECT_EQ(named_for(60), 4U);
}

/// An overlay, what happens to it, and what it does then.
class Life final : public PSenseTest {
public:
    void TestBody() override {}
    /// Rounds in which it is nowhere, and alone.
    void wait(int rounds) {
        for (int i = 0; i < rounds; ++i) overlay_.round(kNow, std::nullopt, kPlenty, actions_);
    }
    /// Five neighbours, who answer after so many rounds and name strangers.
    void live(int rounds, int delay) {
        for (LinkNumber n = 1; n <= 5; ++n) linked(n, place(n));
        std::vector<std::vector<LinkNumber>> asked(static_cast<std::size_t>(rounds + delay + 1));
        for (int i = 0; i < rounds; ++i) {
            for (const LinkNumber n : asked[static_cast<std::size_t>(i)])
                suggestion_from(n, contact(20U + n), place(n) + Vec3{30, 30, 0});
            for (LinkNumber n = 1; n <= 5; ++n) seen(n, place(n));
            (void)forward_from(1, 7, 1, {55, 0, 0});
            round();
            dispatch();
            log();
            for (LinkNumber n = 1; n <= 5; ++n) {
                if (requests_to(n) > 0) asked[static_cast<std::size_t>(i + delay)].push_back(n);
            }
        }
    }
    void reset() {
        overlay_.reset();
        log_.clear();
    }
    [[nodiscard]] const std::string& said() const { return log_; }

private:
    static Vec3 place(LinkNumber n) { return {60.0F * static_cast<float>(n) - 150, 35, 0}; }
    void log() {
        for (const Contact& called : actions_.calls) log_ += "call " + to_string(called.address) + " ";
        for (const auto& message : actions_.messages) {
            log_ += "to " + std::to_string(message.link) + ": ";
            for (const std::uint8_t byte : message.bytes) log_ += std::to_string(byte) + " ";
        }
        for (const Candidate& c : candidates_)
            log_ += "offer " + std::to_string(c.link) + " " + std::to_string(c.primary) + " ";
        log_ += "\n";
    }
    std::string log_;
};

TEST(PSenseReset, WhoWasResetDoesAsOneWhoIsNew) {
    Life second;
    second.live(kFirstLife, 6);
    EXPECT_NE(second.said().find("call"), std::string::npos);
    second.reset();
    Life first;
    first.wait(kFirstLife);
    second.live(kFirstLife, 1);
    first.live(kFirstLife, 1);
    EXPECT_GT(first.said().size(), 10'000U);
    EXPECT_EQ(first.said(), second.said());
}

}  // namespace
}  // namespace fray
