#pragma once
// Chat rooms over a bad network, and what each has shown.

#include <fray/chat.hpp>
#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fray::test {

inline constexpr ChatOptions kQuickChat{.resend = 50ms, .patience = 300ms};

/// Rooms over a network that loses, duplicates and reorders. The other members detect a crash at different
/// times.
class ChatGroup {
public:
    ChatGroup(std::uint64_t seed, std::size_t count, double trouble)
        : random_{Seed{seed}, "chat"}, trouble_{trouble} {
        for (std::size_t i = 0; i < count; ++i) add();
    }

    static PeerId id(std::size_t member) { return PeerId::from_number(member + 1); }

    std::size_t add() {
        const std::size_t member = members_.size();
        members_.push_back({ChatRoom::open(now_, id(member), kQuickChat).value(), {}, {}, 0, {}});
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
    /// The two members cannot reach each other, and know it.
    void part(std::size_t a, std::size_t b, bool apart = true) {
        if (cut_.contains({a, b}) == apart) return;
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
    [[nodiscard]] const std::map<std::uint64_t, std::string>& since_reset(std::size_t member) const {
        return members_[member].since_reset;
    }
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
        std::map<std::uint64_t, std::string> since_reset;  // by place
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
                members_[i].since_reset[line->place] = line->text;
            } else {
                ++members_[i].resets;
                members_[i].since_reset.clear();
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

}  // namespace fray::test
