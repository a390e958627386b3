// A game of its own: bots shoot at each other and at a crate that outlives its owner, and chat. The same
// source runs over UDP and in a simulation: 07_own_game Alice 7000, or 07_own_game swarm 5.

#include <fray/swarm.hpp>
#include <fray/udp_peer.hpp>

#include <cstdio>
#include <cstdlib>
#include <map>

using namespace std::chrono_literals;
struct Shot {
    std::uint8_t damage = 0;
};
void serialize(auto& stream, Shot& shot) { stream.integer(shot.damage, 0, 100); }
struct Bot {
    std::string name;
    std::vector<Shot> hits;
};
void serialize(auto& stream, Bot& bot) { stream.text(bot.name, 20), stream.list(bot.hits, 50); }
struct Line {
    std::string text;
};
void serialize(auto& stream, Line& line) { stream.text(line.text, 100); }

struct BotGame final : fray::Game {
    BotGame(std::string given_name, bool is_first) : name{std::move(given_name)}, brings_crate{is_first} {}
    [[nodiscard]] bool is_over() const { return shots >= 3 && mine.at(self).hits.size() >= 3 && lines > 0; }
    void started(fray::Commands& peer) override {
        self = publish(peer, name, fray::Tenure::fixed);
        if (brings_crate) publish(peer, "crate", fray::Tenure::shared);
        (void)peer.send(Line{"hello from " + name}, fray::Audience::session());
    }
    fray::EntityId publish(fray::Commands& peer, const std::string& what, fray::Tenure tenure) {
        const auto id = peer.publish(fray::state_of(pose, Bot{what, {}}), tenure).value();
        return mine[id].name = what, id;
    }
    void frame(fray::Commands& peer) override {
        pose.position.x += 1;
        (void)peer.update(self, fray::state_of(pose, mine[self]));
        const auto others = peer.replicas();
        if (++frames % 10 != 0 || others.empty()) return;
        (void)peer.interact(self, others[frames / 10 % others.size()].id, Shot{25});
    }
    void event(fray::Commands& peer, const fray::Event& event) override {
        if (const auto* asked = std::get_if<fray::Asked>(&event)) {  // the owner decides what was hit
            const auto shot = asked->as<Shot>();
            if (!peer.answer(asked->request, shot.value_or(Shot{}))) return;  // another peer decides
            Bot& bot = mine[asked->target];
            if (shot && bot.hits.size() < 50) bot.hits.push_back(*shot);
            if (asked->target != self) (void)peer.update(asked->target, fray::state_of(fray::Pose{}, bot));
        } else if (const auto* answered = std::get_if<fray::Answered>(&event)) {
            if (answered->as<Shot>() && ++shots == 3) std::printf("%s hit three times\n", name.c_str());
        } else if (const auto* message = std::get_if<fray::Message>(&event)) {
            const auto line = message->as<Line>();
            if (line) std::printf("%s heard: %s\n", name.c_str(), line->text.c_str()), ++lines;
        } else if (const auto* acquired = std::get_if<fray::Acquired>(&event)) {
            Bot& bot = mine[acquired->entity] = acquired->state.as<Bot>().value_or(Bot{});
            std::printf("%s owns the %s with %zu hits\n", name.c_str(), bot.name.c_str(), bot.hits.size());
        } else if (const auto* relinquished = std::get_if<fray::Relinquished>(&event)) {
            mine.erase(relinquished->entity);
        }
    }
    std::string name;
    bool brings_crate;
    std::map<fray::EntityId, Bot> mine;  // what this peer owns
    fray::EntityId self;
    fray::Pose pose;
    std::size_t frames = 0, shots = 0, lines = 0;
};

int simulate(const fray::PeerOptions& options, int count) {  // the crate's owner crashes after 10 s
    if (count < 3) return std::puts("07_own_game swarm PEERS: at least 3 peers are needed"), 2;
    auto swarm = fray::Swarm::create({.network = *fray::network_profile("world")}, fray::Seed{7});
    fray::GameWorkload games{[](auto i) { return std::make_unique<BotGame>(std::to_string(i), i == 0); }};
    swarm->set_workload(&games);
    for (int i = 0; i < count; ++i) (void)swarm->add_peer(options);
    (void)swarm->schedule({10s, fray::ActionKind::crash, 0, {}});
    swarm->run_until(30s);
    std::size_t owned = 0;
    for (fray::PeerIndex i = 1; i < swarm->size(); ++i)
        owned += dynamic_cast<BotGame&>(*games.game(i)).mine.size();
    return owned == swarm->size() ? 0 : 1;  // each has its bot, and one of them the crate
}

int main(int argc, char** argv) {
    if (argc < 3) return std::puts("usage: 07_own_game swarm PEERS | NAME PORT [ADDRESS-OF-A-PEER]"), 2;
    const fray::PeerOptions options{.world = {.types = {fray::EntityType::of<Bot>("bot")}}};
    if (argv[1] == std::string{"swarm"}) return simulate(options, std::atoi(argv[2]));
    auto me = fray::UdpPeer::open(options, {.port = static_cast<std::uint16_t>(std::atoi(argv[2]))});
    if (!me) return std::puts(me.error().message.c_str()), 1;
    std::printf("%s listens on port %d\n", argv[1], me->local_address().port), std::fflush(stdout);
    const auto joined = argc > 3 ? me->join(argv[3]) : fray::Result<void>{};
    if (!joined) return std::puts(joined.error().message.c_str()), 1;
    BotGame game{argv[1], argc == 3};
    const fray::Instant end = me->pump() + 10s;
    while (me->play(game, 10ms) < end) continue;
    me->leave();
    return game.is_over() ? 0 : 1;
}
