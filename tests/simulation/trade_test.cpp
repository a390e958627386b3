// Trades and chat over real peers in a swarm: loss, duplicates, crashes and rejoins of the simulator. The
// checkers of the fixture judge the peers, the ledger judges the trades.

#include <fray/chat.hpp>
#include <fray/trade.hpp>

#include "support/swarm_fixture.hpp"
#include "support/trade_ledger.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fray::test {
namespace {

constexpr TradeOptions kQuick{.offer = 5s, .vote = 1s, .doubt = 2s, .resend = 250ms};
constexpr ItemId kGold{1000};

/// Games of players that trade all the time until a certain frame, and send greetings.
class Traders : public Patrol {
public:
    static constexpr std::uint32_t kLastOffer = 500;  // frames
    explicit Traders(Seed seed) : random_{seed, "traders"} { frames_per_message = 0; }

    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override {
        Patrol::started(swarm, index, now, peer);
        if (players_.size() <= index) players_.resize(index + std::size_t{1});
        Player& player = players_[index];
        const bool first = !player.stored;
        auto desk = first ? TradeDesk::open_new(now, peer.id(), Seed{index}, kQuick)
                          : TradeDesk::reopen(now, peer.id(), *player.stored, kQuick);
        player.desk.emplace(std::move(desk.value()));
        player.room.emplace(ChatRoom::open(now, peer.id()).value());
        player.shown.clear();
        if (!first) {
            ++returns_;
            return;
        }
        const Items items{{ItemId{10U * index + 1U}, 1}, {ItemId{10U * index + 2U}, 1}, {kGold, 1000}};
        ASSERT_TRUE(player.desk->add(items));
        ledger_.owns(peer.id(), items);
    }
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override {
        Patrol::frame(swarm, index, now, peer);
        Player& player = players_[index];
        ++player.frames;
        player.desk->handle_time(now);
        player.room->handle_time(now);
        if (player.frames < kLastOffer && random_.chance(0.05)) propose(index, now, peer);
        if (player.frames < kLastOffer && random_.chance(0.02)) {
            (void)player.room->say(std::to_string(index) + " says " + std::to_string(++lines_));
        }
        drain(swarm, index, now);
    }
    void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event) override {
        Patrol::event(swarm, index, now, peer, event);
        Player& player = players_[index];
        if (const auto* joined = std::get_if<PeerJoined>(&event)) (void)player.room->add_member(joined->peer);
        if (const auto* left = std::get_if<PeerLeft>(&event)) player.room->remove_member(now, left->peer);
        if (const auto* message = std::get_if<Message>(&event)) {
            const auto body = std::span{message->bytes}.subspan(9);
            if (message->bytes[0] == 'T') player.desk->handle_message(now, message->from, body);
            if (message->bytes[0] == 'C') player.room->handle_message(now, message->from, body);
        }
        drain(swarm, index, now);
    }

    struct Player {
        std::optional<TradeDesk> desk;
        std::optional<std::vector<std::uint8_t>> stored;
        std::optional<ChatRoom> room;
        std::vector<std::string> shown;  // since it joined, or since the last reset
        std::uint64_t place = 0;         // of the first of these
        std::uint32_t frames = 0;
    };
    [[nodiscard]] const TradeLedger& ledger() const { return ledger_; }
    [[nodiscard]] const Player& player(PeerIndex index) const { return players_[index]; }
    [[nodiscard]] std::uint64_t returns() const { return returns_; }

private:
    void propose(PeerIndex index, Instant now, const Peer& peer) {
        const std::vector<PeerId> others = peer.peers();
        if (others.size() < 2) return;
        const std::uint32_t partner = random_.below(static_cast<std::uint32_t>(others.size()));
        const PeerId witness = others[(partner + 1) % others.size()];
        const std::uint64_t wanted = 10 * random_.below(5) + 1 + random_.below(2);
        TradeTerms terms{others[partner], witness, {{kGold, 1 + random_.below(5)}}, {{ItemId{wanted}, 1}}};
        if (random_.chance(0.3)) terms.give.push_back({ItemId{10U * index + 1U}, 1});
        const auto made = players_[index].desk->propose(now, terms);
        if (made) ledger_.proposed(*made, terms);
    }
    void drain(Swarm& swarm, PeerIndex index, Instant now) {
        Player& player = players_[index];
        drain_events(index, now);
        if (auto journal = player.desk->poll_journal()) player.stored = std::move(*journal);
        drain_events(index, now);
        while (const auto message = player.desk->poll_message())
            send(swarm, index, 'T', message->to, message->bytes);
        while (const auto message = player.room->poll_message())
            send(swarm, index, 'C', message->to, message->bytes);
        while (const auto event = player.room->poll_event()) {
            if (std::holds_alternative<ChatReset>(*event)) player.shown.clear();
            const auto* line = std::get_if<ChatLine>(&*event);
            if (line == nullptr) continue;
            if (player.shown.empty()) player.place = line->place;
            player.shown.push_back(line->text);
        }
    }
    void drain_events(PeerIndex index, Instant now) {
        TradeDesk& desk = *players_[index].desk;
        while (const auto event = desk.poll_event()) {
            if (const auto* decided = std::get_if<TradeDecided>(&*event)) {
                ledger_.decided(PeerId::from_number(index + 1U), *decided);
            } else if (const TradeId& trade = std::get<TradeOffered>(*event).trade;
                       !desk.accept(now, trade)) {
                (void)desk.refuse(trade);
            }
        }
    }
    /// All messages differ, as the checkers require. A message to a peer without a link is lost.
    void send(Swarm& swarm, PeerIndex index, char tag, const PeerId& to,
              const std::vector<std::uint8_t>& bytes) {
        Outgoing message{.bytes = {static_cast<std::uint8_t>(tag)}, .audience = Audience::only(to)};
        const std::uint64_t number = ++sent_;
        for (unsigned i = 0; i < 8; ++i)
            message.bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
        message.bytes.insert(message.bytes.end(), bytes.begin(), bytes.end());
        (void)swarm.send(index, message);
    }

    RandomStream random_;
    TradeLedger ledger_;
    std::vector<Player> players_;
    std::uint64_t sent_ = 0, lines_ = 0, returns_ = 0;
};

class TradesInASwarm : public SwarmTest, public ::testing::WithParamInterface<std::uint64_t> {
protected:
    TradesInASwarm() : traders_{Seed{GetParam()}} {
        SwarmOptions options;
        options.network.latency = LogNormalLatency{.median = 25ms, .least = 20ms, .sigma = 0.5};
        options.network.loss = IndependentLoss{.mean = 0.1};
        options.network.duplication = Duplication{.chance = 0.1, .extra = 100ms};
        options.network.reordering = Reordering{.chance = 0.1, .extra = 50ms};
        options.clock_offset_most = 20s;
        make_swarm(options, Seed{GetParam()});
        swarm().set_workload(&traders_);
        add_peers(5, {});
    }
    void at(Duration time, ActionKind kind, PeerIndex peer) {
        ASSERT_TRUE(swarm().schedule({.at = time, .kind = kind, .peer = peer, .through = std::nullopt}));
    }
    [[nodiscard]] std::string judge() {
        std::map<PeerId, const TradeDesk*> living;
        for (PeerIndex i = 0; i < swarm().size(); ++i) {
            if (swarm().alive(i)) living[swarm().peer(i).id()] = &*traders_.player(i).desk;
        }
        return traders_.ledger().judge(living);
    }
    /// The last lines of all present members are the same.
    void expect_one_chat() {
        const Traders::Player& first = traders_.player(0);
        for (PeerIndex i = 1; i < swarm().size(); ++i) {
            if (!swarm().alive(i)) continue;
            const Traders::Player& other = traders_.player(i);
            ASSERT_FALSE(other.shown.empty());
            EXPECT_EQ(other.place + other.shown.size(), first.place + first.shown.size()) << "peer " << i;
            const std::size_t common = std::min(first.shown.size(), other.shown.size());
            EXPECT_TRUE(std::equal(first.shown.end() - static_cast<std::ptrdiff_t>(common), first.shown.end(),
                                   other.shown.end() - static_cast<std::ptrdiff_t>(common)))
                << "peer " << i;
        }
    }

    Traders traders_;
};

TEST_P(TradesInASwarm, CrashesWithReturnLeaveOneOwnerAndNoLock) {
    RandomStream random{Seed{GetParam()}, "crashes"};
    for (PeerIndex i = 0; i < 8; ++i) {  // one at a time, returning within a second
        const Duration when = 4s + i * 2500ms + Duration{random.below(1'000'000)};
        const PeerIndex who = random.below(5);
        at(when, ActionKind::crash, who);
        at(when + 50ms + Duration{random.below(900'000)}, ActionKind::rejoin, who);
    }
    convergence().watch_from(26s);
    run_until(60s);
    EXPECT_EQ(swarm().counts().crashes, 8U);
    EXPECT_EQ(traders_.returns(), 8U);
    EXPECT_GT(swarm().counts().dropped_for(DropReason::lost), 500U);
    EXPECT_GT(swarm().counts().duplicated, 500U);
    EXPECT_GT(traders_.ledger().ended(true), 5U);
    EXPECT_GT(traders_.ledger().ended(false), 5U);
    EXPECT_EQ(judge(), "");
    expect_one_chat();
}

TEST_P(TradesInASwarm, ACrashForEverLeavesTheOthersWithOneOwnerAndNoLock) {
    RandomStream random{Seed{GetParam()}, "crashes"};
    at(8s + Duration{random.below(10'000'000)}, ActionKind::crash, 1 + random.below(4));
    convergence().watch_from(26s);
    run_until(60s);
    EXPECT_EQ(swarm().counts().crashes, 1U);
    EXPECT_GT(traders_.ledger().ended(true), 5U);
    EXPECT_GT(traders_.ledger().ended(false), 5U);
    EXPECT_EQ(judge(), "");
    expect_one_chat();
}

INSTANTIATE_TEST_SUITE_P(Seeds, TradesInASwarm, ::testing::Range(std::uint64_t{1}, std::uint64_t{41}));

}  // namespace
}  // namespace fray::test
