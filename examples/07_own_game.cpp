// A game of its own: bots that shoot each other and chat. The same source runs over UDP and in a simulation:
//
//     example_07_own_game swarm 5
//     example_07_own_game Alice 7000
//     example_07_own_game Bob 7001 127.0.0.1:7000

#include <fray/swarm.hpp>
#include <fray/udp_peer.hpp>

#include <cstdio>
#include <cstdlib>

using namespace std::chrono_literals;

struct Shot {
    std::uint8_t damage = 0;
};
void serialize(auto& stream, Shot& shot) { stream.integer(shot.damage, 0, 100); }
struct Bot {
    std::string name;
    std::vector<Shot> hits;
};
void serialize(auto& stream, Bot& bot) {
    stream.text(bot.name, 20);
    stream.list(bot.hits, 50);
}
struct Line {
    std::string text;
};
void serialize(auto& stream, Line& line) { stream.text(line.text, 100); }

class BotGame final : public fray::Game {
public:
    explicit BotGame(const std::string& name) : me_{name, {}} {}
    [[nodiscard]] bool is_over() const { return shots_ >= 3 && me_.hits.size() >= 3 && lines_ > 0; }

    void started(fray::Commands& peer) override {
        bot_ = peer.publish(fray::state_of(fray::Pose{}, me_)).value();
        (void)peer.send(Line{"hello from " + me_.name}, fray::Audience::session());
    }
    void frame(fray::Commands& peer) override {
        (void)peer.update(bot_, fray::state_of({.position = {static_cast<float>(++frames_), 0, 0}}, me_));
        const auto others = peer.replicas();
        if (others.empty() || frames_ % 10 != 0) return;
        (void)peer.interact(bot_, others[frames_ / 10 % others.size()].id, Shot{25});
    }
    void event(fray::Commands& peer, const fray::Event& event) override {
        if (const auto* asked = std::get_if<fray::Asked>(&event)) {
            const auto shot = asked->as<Shot>();  // this peer decides whether its own bot was hit
            if (shot && me_.hits.size() < 50) me_.hits.push_back(*shot);
            (void)peer.answer(asked->request, shot.value_or(Shot{}));
        } else if (const auto* answered = std::get_if<fray::Answered>(&event)) {
            if (answered->as<Shot>() && ++shots_ == 3) std::printf("%s hit three times\n", me_.name.c_str());
        } else if (const auto* message = std::get_if<fray::Message>(&event)) {
            const auto line = message->as<Line>();
            if (line) std::printf("%s heard: %s\n", me_.name.c_str(), line->text.c_str());
            lines_ += line ? 1 : 0;
        }
    }

private:
    Bot me_;
    fray::EntityId bot_;
    std::size_t frames_ = 0, shots_ = 0, lines_ = 0;
};

int simulate(const fray::PeerOptions& options, int count) {
    auto swarm = fray::Swarm::create({.network = *fray::network_profile("world")}, fray::Seed{7});
    fray::GameWorkload games{[](fray::PeerIndex i) { return std::make_unique<BotGame>(std::to_string(i)); }};
    swarm->set_workload(&games);
    for (int i = 0; i < count; ++i) (void)swarm->add_peer(options);
    swarm->run_until(20s);
    int unfinished = 0;
    for (fray::PeerIndex i = 0; i < swarm->size(); ++i)
        unfinished += dynamic_cast<BotGame&>(*games.game(i)).is_over() ? 0 : 1;
    return unfinished;
}

int main(int argc, char** argv) {
    if (argc < 3) return std::puts("usage: 07_own_game swarm PEERS | NAME PORT [ADDRESS-OF-A-PEER]"), 2;
    fray::PeerOptions options;
    options.world.types = {fray::EntityType::of<Bot>("bot")};
    const int number = std::atoi(argv[2]);
    if (argv[1] == std::string{"swarm"}) return simulate(options, number);
    auto me = fray::UdpPeer::open(options, {.port = static_cast<std::uint16_t>(number)});
    if (!me) return std::puts(me.error().message.c_str()), 1;
    std::printf("%s listens on port %d\n", argv[1], me->local_address().port), std::fflush(stdout);
    if (argc > 3 && !me->join(argv[3])) return std::puts("bad address"), 1;
    BotGame game{argv[1]};
    fray::Instant end = me->pump() + 30s;
    while (!game.is_over() && me->play(game, 10ms) < end) continue;
    for (end = me->pump() + 1s; me->play(game, 10ms) < end;) continue;  // another may wait for an answer
    me->leave();
    return game.is_over() ? 0 : 1;
}
