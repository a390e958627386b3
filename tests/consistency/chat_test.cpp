#include <fray/chat.hpp>
#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fray {
namespace {

constexpr ChatOptions kQuick{.resend = 50ms, .patience = 300ms};

/// Rooms over a network that loses, doubles and reorders. Who crashes is noticed by the others at times that
/// differ.
class ChatGroup {
public:
    ChatGroup(std::uint64_t seed, std::size_t count, double trouble)
        : random_{Seed{seed}, "chat"}, trouble_{trouble} {
        for (std::size_t i = 0; i < count; ++i) add();
    }

    static PeerId id(std::size_t member) { return PeerId::from_number(member + 1); }

    std::size_t add() {
        const std::size_t member = members_.size();
        members_.push_back({ChatRoom::open(now_, id(member), kQuick).value(), {}, {}, 0});
        for (std::size_t other = 0; other < member; ++other) {
            if (!members_[other].room) continue;
            EXPECT_TRUE(members_[other].room->add_member(id(member)));
            EXPECT_TRUE(members_[member].room->add_member(id(other)));
        }
        return member;
    }
    void say(std::size_t member, const std::string& text) {
        if (room(member).say(text)) members_[member].said.push_back(text);
    }
    void crash(std::size_t member) {
        members_[member].room.reset();
        for (std::size_t other = 0; other < members_.size(); ++other) {
            const Duration noticed = 20ms + Duration{random_.below(200'000)};
            arrivals_.emplace(now_ + noticed, Arrival{other, member, {}});
        }
    }
    /// The two hear nothing of each other, and know it.
    void part(std::size_t a, std::size_t b, bool apart = true) {
        for (const auto& [one, other] : {std::pair{a, b}, std::pair{b, a}}) {
            if (apart) {
                cut_.insert({one, other});
                room(one).remove_member(now_, id(other));
            } else {
                cut_.erase({one, other});
                EXPECT_TRUE(room(one).add_member(id(other)));
            }
        }
    }
    void run_for(Duration span) {
        for (const Instant end = now_ + span; now_ < end; now_ += 10ms) {
            while (!arrivals_.empty() && arrivals_.begin()->first <= now_) {
                const Arrival arrival = std::move(arrivals_.begin()->second);
                arrivals_.erase(arrivals_.begin());
                deliver(arrival);
            }
            for (std::size_t i = 0; i < members_.size(); ++i) {
                if (!members_[i].room) continue;
                members_[i].room->handle_time(now_);
                collect(i);
            }
        }
    }

    struct Shown {
        std::map<std::uint64_t, std::string> at;  // by place
        std::vector<std::string> order;
    };
    [[nodiscard]] ChatRoom& room(std::size_t member) { return *members_[member].room; }
    [[nodiscard]] const Shown& shown(std::size_t member) const { return members_[member].shown; }
    [[nodiscard]] std::size_t resets(std::size_t member) const { return members_[member].resets; }
    [[nodiscard]] const std::vector<std::string>& said(std::size_t member) const {
        return members_[member].said;
    }
    [[nodiscard]] bool alive(std::size_t member) const { return members_[member].room.has_value(); }
    [[nodiscard]] std::size_t size() const { return members_.size(); }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }

private:
    struct Member {
        std::optional<ChatRoom> room;
        Shown shown;
        std::vector<std::string> said;
        std::size_t resets = 0;
    };
    struct Arrival {
        std::size_t to, from;
        std::vector<std::uint8_t> bytes;  // none: `from` is gone
    };

    void deliver(const Arrival& arrival) {
        if (!members_[arrival.to].room || cut_.contains({arrival.from, arrival.to})) return;
        if (arrival.bytes.empty()) return room(arrival.to).remove_member(now_, id(arrival.from));
        room(arrival.to).handle_message(now_, id(arrival.from), arrival.bytes);
    }
    void collect(std::size_t i) {
        while (const auto message = members_[i].room->poll_message()) {
            for (int copies = random_.chance(trouble_) ? 2 : 1; copies > 0; --copies) {
                if (random_.chance(trouble_)) {
                    ++lost_;
                    continue;
                }
                const Duration delay = 5ms + Duration{random_.below(60'000)};
                arrivals_.emplace(now_ + delay, Arrival{message->to.number() - 1, i, message->bytes});
            }
        }
        while (const auto event = members_[i].room->poll_event()) {
            if (const auto* line = std::get_if<ChatLine>(&*event)) {
                members_[i].shown.at[line->place] = line->text;
                members_[i].shown.order.push_back(line->text);
            } else {
                ++members_[i].resets;
            }
        }
    }

    RandomStream random_;
    double trouble_;
    Instant now_{1s};
    std::vector<Member> members_;
    std::multimap<Instant, Arrival> arrivals_;
    std::set<std::pair<std::size_t, std::size_t>> cut_;
    std::uint64_t lost_ = 0;
};

/// Those who were never told otherwise have shown the same, each line once, and all that the living said.
void expect_one_order(ChatGroup& group) {
    std::set<std::string> expected;
    const ChatGroup::Shown* first = nullptr;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (!group.alive(i)) continue;
        EXPECT_EQ(group.room(i).waiting(), 0U) << "member " << i;
        expected.insert(group.said(i).begin(), group.said(i).end());
        if (group.resets(i) != 0) continue;
        if (first == nullptr) first = &group.shown(i);
        EXPECT_EQ(group.shown(i).order, first->order) << "member " << i;
        EXPECT_EQ(group.shown(i).at.size(), group.shown(i).order.size()) << "a place was filled twice";
    }
    ASSERT_NE(first, nullptr) << "nobody was there all the time";
    const std::set<std::string> shown(first->order.begin(), first->order.end());
    EXPECT_EQ(shown.size(), first->order.size()) << "a line was shown twice";
    for (const std::string& line : expected) EXPECT_TRUE(shown.contains(line)) << line;
}

void chatter(ChatGroup& group, std::uint64_t seed, int rounds) {
    RandomStream random{Seed{seed}, "chatter"};
    for (int round = 0; round < rounds; ++round) {
        const std::size_t who = random.below(static_cast<std::uint32_t>(group.size()));
        if (group.alive(who))
            group.say(who, std::to_string(who) + ":" + std::to_string(seed) + ":" + std::to_string(round));
        group.run_for(Duration{random.below(60'000)});
    }
}

TEST(Chat, EverybodySeesTheSameLinesInTheSameOrderOverABadNetwork) {
    std::uint64_t lost = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        ChatGroup group{seed, 5, 0.15};
        group.run_for(2s);
        chatter(group, seed, 60);
        group.run_for(5s);
        expect_one_order(group);
        EXPECT_GT(group.shown(0).order.size(), 50U);
        lost += group.lost();
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(lost, 1000U);
}

TEST(Chat, TheOrderSurvivesTheSerializersLeaving) {
    std::size_t resets = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        ChatGroup group{seed, 5, 0.1};
        group.run_for(2s);
        chatter(group, seed, 20);
        ASSERT_EQ(group.room(4).serializer(), ChatGroup::id(0));
        group.crash(0);
        chatter(group, seed + 1000, 20);
        group.crash(1);
        chatter(group, seed + 2000, 20);
        group.run_for(10s);
        ASSERT_EQ(group.room(4).serializer(), ChatGroup::id(2));
        expect_one_order(group);
        for (std::size_t i = 2; i < 5; ++i) resets += group.resets(i);
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_LT(resets, 100U) << "being left out is rare";
}

TEST(Chat, ANewcomerGoesOnWhereTheOthersAre) {
    ChatGroup group{3, 3, 0.1};
    group.run_for(2s);
    chatter(group, 3, 30);
    const std::size_t newcomer = group.add();
    group.run_for(2s);
    const std::size_t before = group.shown(0).order.size();
    group.say(newcomer, "hello");
    chatter(group, 4, 30);
    group.run_for(3s);
    EXPECT_EQ(group.resets(newcomer), 0U);
    ASSERT_FALSE(group.shown(newcomer).at.empty());
    EXPECT_GE(group.shown(newcomer).at.begin()->first, before);
    for (const auto& [place, text] : group.shown(newcomer).at) EXPECT_EQ(group.shown(0).at.at(place), text);
}

TEST(Chat, PartsThatMeetAgainFollowOneAndTheOthersAreTold) {
    ChatGroup group{5, 4, 0};
    group.run_for(2s);
    group.say(3, "together");
    group.run_for(1s);
    for (const std::size_t a : {0U, 1U}) {
        for (const std::size_t b : {2U, 3U}) group.part(a, b);
    }
    group.run_for(2s);
    group.say(1, "here");
    group.say(3, "there");
    group.run_for(1s);
    EXPECT_EQ(group.shown(0).order.back(), "here");
    EXPECT_EQ(group.shown(2).order.back(), "there");
    for (const std::size_t a : {0U, 1U}) {
        for (const std::size_t b : {2U, 3U}) group.part(a, b, false);
    }
    group.run_for(2s);
    group.say(0, "again");
    group.run_for(1s);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(group.shown(i).order.back(), "again") << "member " << i;
        EXPECT_EQ(group.resets(i), i < 2 ? 1U : 0U) << "the later term stays";
    }
}

TEST(Chat, StrangersAndNonsenseAreNotHeard) {
    ChatRoom room = ChatRoom::open(Instant{}, PeerId::from_number(1), kQuick).value();
    ASSERT_TRUE(room.add_member(PeerId::from_number(2)));
    ChatRoom other = ChatRoom::open(Instant{}, PeerId::from_number(2), kQuick).value();
    ASSERT_TRUE(other.add_member(PeerId::from_number(1)));
    other.handle_time(Instant{700ms});  // it begins a term, as nobody else did
    const auto message = other.poll_message();
    ASSERT_TRUE(message);
    room.handle_message(Instant{1s}, PeerId::from_number(3), message->bytes);
    EXPECT_EQ(room.rejected(), 1U);
    for (std::size_t cut = 0; cut < message->bytes.size(); ++cut) {
        room.handle_message(Instant{1s}, PeerId::from_number(2), std::span{message->bytes}.first(cut));
    }
    EXPECT_EQ(room.rejected(), 1 + message->bytes.size());
    EXPECT_FALSE(room.poll_message());
}

TEST(Chat, LinesTooLongOrTooManyAreRefused) {
    ChatRoom room = ChatRoom::open(Instant{}, PeerId::from_number(1), kQuick).value();
    EXPECT_FALSE(room.say(std::string(kMostChatBytes + 1, 'x')));
    int accepted = 0;
    while (accepted < 1000 && room.say("line")) ++accepted;
    EXPECT_EQ(accepted, 32) << "as long as nobody places them";
    EXPECT_FALSE(ChatRoom::open(Instant{}, PeerId{}, {.resend = 0s}));
}

}  // namespace
}  // namespace fray
