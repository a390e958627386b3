// A trade that survives a crash. Ada offers a sword for 50 gold, Ben accepts, Cem is the witness. Then Ben's
// machine crashes. Ben returns with the journal that his game had stored, and the trade has happened for both
// sides or for neither.
//
// The peers run in a swarm, in virtual time. Each game carries the messages of its desk with Peer::send. A
// real game does the same, and writes the journal to a file.

#include <fray/swarm.hpp>
#include <fray/trade.hpp>

#include <array>
#include <cstdio>
#include <optional>
#include <vector>

using namespace std::chrono_literals;

namespace {

constexpr std::array kNames{"Ada", "Ben", "Cem"};
constexpr fray::ItemId kSword{1};
constexpr fray::ItemId kGold{2};

class Market final : public fray::Workload {
public:
    void started(fray::Swarm&, fray::PeerIndex who, fray::Instant now, const fray::Peer& peer) override {
        Player& player = players_[who];
        if (player.journal) {
            player.desk = fray::TradeDesk::reopen(now, peer.id(), *player.journal).value();
            std::printf("%s is back\n", kNames[who]);
            return;
        }
        player.desk = fray::TradeDesk::open_new(now, peer.id(), fray::Seed{who}).value();
        if (who == 0) (void)player.desk->add({{kSword, 1}});
        if (who == 1) (void)player.desk->add({{kGold, 80}});
    }

    void frame(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant now, const fray::Peer& peer) override {
        fray::TradeDesk& desk = *players_[who].desk;
        if (who == 0 && !offered_ && peer.peers().size() == 2) {
            const fray::PeerId ben = fray::PeerId::from_number(2);
            const fray::PeerId cem = fray::PeerId::from_number(3);
            offered_ = desk.propose(now, {ben, cem, {{kSword, 1}}, {{kGold, 50}}}).has_value();
        }
        desk.handle_time(now);
        settle(swarm, who, now);
    }

    void event(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant now, const fray::Peer&,
               const fray::Event& event) override {
        if (const auto* message = std::get_if<fray::Message>(&event)) {
            players_[who].desk->handle_message(now, message->from, message->bytes);
            settle(swarm, who, now);
        }
    }

    [[nodiscard]] const fray::TradeDesk& desk(fray::PeerIndex who) const { return *players_[who].desk; }
    [[nodiscard]] bool agreed() const { return agreed_; }

private:
    struct Player {
        std::optional<fray::TradeDesk> desk;
        std::optional<std::vector<std::uint8_t>> journal;  // a file in a real game
    };

    /// Stores the journal first: until then the desk withholds what depends on it.
    void settle(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant now) {
        Player& player = players_[who];
        if (auto journal = player.desk->poll_journal()) player.journal = std::move(*journal);
        while (const auto event = player.desk->poll_event()) show(who, now, *event);
        if (auto journal = player.desk->poll_journal()) player.journal = std::move(*journal);
        while (auto message = player.desk->poll_message()) {
            // Without a link the message is lost; the desk retransmits it.
            (void)swarm.send(who, {std::move(message->bytes), fray::Audience::only(message->to)});
        }
    }

    void show(fray::PeerIndex who, fray::Instant now, const fray::TradeEvent& event) {
        if (const auto* offered = std::get_if<fray::TradeOffered>(&event)) {
            agreed_ = players_[who].desk->accept(now, offered->trade).has_value();
            std::printf("%s agrees\n", kNames[who]);
        } else {
            const auto& decided = std::get<fray::TradeDecided>(event);
            std::printf("%s: %s\n", kNames[who], decided.committed ? "the trade is done" : "no trade");
        }
    }

    std::array<Player, 3> players_;
    bool offered_ = false;
    bool agreed_ = false;
};

}  // namespace

int main() {
    fray::SwarmOptions options;
    options.network.latency = fray::ConstantLatency{40ms};
    options.network.loss = fray::IndependentLoss{.mean = 0.1};
    auto swarm = fray::Swarm::create(options, fray::Seed{1});
    if (!swarm) return 1;
    Market market;
    swarm->set_workload(&market);
    for (std::size_t i = 0; i < kNames.size(); ++i) (void)swarm->add_peer(fray::PeerOptions{});
    while (!market.agreed()) swarm->run_for(1ms);
    std::printf("Ben's machine goes down\n");
    (void)swarm->schedule(
        {.at = swarm->now() + 5ms, .kind = fray::ActionKind::crash, .peer = 1, .through = {}});
    (void)swarm->schedule(
        {.at = swarm->now() + 3s, .kind = fray::ActionKind::rejoin, .peer = 1, .through = {}});
    swarm->run_for(60s);

    const std::uint32_t swords = market.desk(0).owned(kSword) + market.desk(1).owned(kSword);
    const std::uint32_t gold = market.desk(0).owned(kGold) + market.desk(1).owned(kGold);
    const bool locked =
        market.desk(0).undecided() + market.desk(1).undecided() + market.desk(2).witnessing() > 0;
    std::printf("Ada has %u gold, Ben has %u\n", market.desk(0).owned(kGold), market.desk(1).owned(kGold));
    swarm->set_workload(nullptr);
    return swords == 1 && gold == 80 && !locked ? 0 : 1;
}
