#pragma once
// Three desks in one process, for tests of their messages.

#include <fray/trade.hpp>

#include "trade/trade_packet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace fray::test {

inline constexpr PeerId kAda = PeerId::from_number(1);
inline constexpr PeerId kBen = PeerId::from_number(2);
inline constexpr PeerId kCem = PeerId::from_number(3);
inline constexpr ItemId kSword{7};
inline constexpr ItemId kGold{8};

inline TradeTerms sword_for_gold(std::uint32_t gold = 50) {
    return {.partner = kBen, .witness = kCem, .give = {{kSword, 1}}, .want = {{kGold, gold}}};
}

/// Ada has a sword, Ben has gold, Cem is the witness. Messages arrive at once unless lost_ or delay_ say
/// otherwise; messages to other peers are lost.
class Desks : public ::testing::Test {
protected:
    struct Mail {
        PeerId from, to;
        std::vector<std::uint8_t> bytes;
        Instant at{};
    };

    Desks() { open_all({}); }
    void open_all(const TradeOptions& options) {
        desks_.clear();
        for (const PeerId& id : {kAda, kBen, kCem}) {
            desks_.push_back(TradeDesk::open_new(now_, id, Seed{id.number()}, options).value());
        }
        EXPECT_TRUE(ada().add({{kSword, 1}}));
        EXPECT_TRUE(ben().add({{kGold, 100}}));
        settle();
    }
    TradeDesk& ada() { return desks_[0]; }
    TradeDesk& ben() { return desks_[1]; }
    TradeDesk& cem() { return desks_[2]; }
    TradeDesk& desk(const PeerId& id) { return desks_[id.number() - 1]; }

    /// Delivers messages until there are none; the test handles offers.
    void settle() {
        for (bool busy = true; busy;) {
            busy = false;
            for (const PeerId& from : {kAda, kBen, kCem}) busy = collect(from) || busy;
            while (!mail_.empty() && mail_.front().at <= now_) {
                const Mail mail = std::move(mail_.front());
                mail_.pop_front();
                old_.push_back(mail);
                if (mail.to > kCem || (lost_ && lost_(mail))) continue;
                desk(mail.to).handle_message(now_, mail.from, mail.bytes);
                busy = true;
            }
        }
    }
    void pass(Duration time, Duration step = 100ms) {
        for (const Instant end = now_ + time; now_ < end; now_ += step) {
            for (TradeDesk& desk : desks_) desk.handle_time(now_);
            settle();
        }
    }
    bool collect(const PeerId& from) {
        TradeDesk& desk = this->desk(from);
        (void)desk.poll_journal();
        bool any = false;
        while (auto message = desk.poll_message()) {
            mail_.push_back({from, message->to, std::move(message->bytes), now_ + delay_});
            any = true;
        }
        while (const auto event = desk.poll_event()) {
            if (const auto* offered = std::get_if<TradeOffered>(&*event)) offers_.push_back(*offered);
            if (const auto* decided = std::get_if<TradeDecided>(&*event))
                decided_.push_back({from, *decided});
        }
        return any;
    }
    [[nodiscard]] TradeId propose(const TradeTerms& terms = sword_for_gold()) {
        const auto id = ada().propose(now_, terms);
        EXPECT_TRUE(id) << (id ? "" : id.error().message);
        settle();
        return *id;
    }
    [[nodiscard]] std::size_t commits() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(decided_, [](const auto& entry) { return entry.second.committed; }));
    }
    /// A message from `from` to `to`, true or not.
    void tell(const PeerId& to, const PeerId& from, const TradePacket& packet) {
        desk(to).handle_message(now_, from, encode(packet));
    }
    static TradeKind kind(const Mail& mail) { return decode(mail.bytes)->kind; }

    Instant now_{1s};
    std::vector<TradeDesk> desks_;
    std::deque<Mail> mail_;
    std::vector<Mail> old_;
    std::function<bool(const Mail&)> lost_;
    Duration delay_{};
    std::vector<TradeOffered> offers_;
    std::vector<std::pair<PeerId, TradeDecided>> decided_;
};

}  // namespace fray::test
