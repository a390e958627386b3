#include <fray/udp_peer.hpp>

#include <cstdio>
#include <cstdlib>

struct Tank {
    std::string driver;
};
void serialize(auto& stream, Tank& tank) { stream.text(tank.driver, 20); }

class FirstGame final : public fray::Game {
public:
    explicit FirstGame(const std::string& name) : tank_{name} {}
    int frames_since_met = 0;

    void started(fray::Commands& peer) override {
        id_ = peer.publish(fray::state_of(fray::Pose{}, tank_)).value();
    }
    void frame(fray::Commands& peer) override {
        x_ += 0.1F;
        (void)peer.update(id_, fray::state_of({.position = {x_, 0, 0}, .velocity = {2, 0, 0}}, tank_));
        if (frames_since_met > 0) ++frames_since_met;
        for (const fray::Replica& replica : peer.replicas()) {
            const auto other = replica.as<Tank>();
            if (!other || frames_since_met > 0) continue;
            frames_since_met = 1;
            std::printf("%s sees the tank of %s\n", tank_.driver.c_str(), other->driver.c_str());
        }
    }

private:
    Tank tank_;
    fray::EntityId id_;
    float x_ = 0;
};

int main(int argc, char** argv) {
    if (argc < 3) return std::puts("usage: first_game NAME PORT [ADDRESS-OF-A-PEER]"), 2;
    fray::PeerOptions options;
    options.world.types = {fray::EntityType::of<Tank>("tank")};
    auto me = fray::UdpPeer::open(options, {.port = static_cast<std::uint16_t>(std::atoi(argv[2]))});
    if (!me) return std::puts(me.error().message.c_str()), 1;
    if (argc > 3) {
        if (const auto joined = me->join(argv[3]); !joined)
            return std::puts(joined.error().message.c_str()), 1;
    }
    FirstGame game{argv[1]};
    while (game.frames_since_met < 60) me->play(game, std::chrono::milliseconds{10});  // for 3 s more
    me->leave();
}
