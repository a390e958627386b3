// A door that outlives its owner. Ada builds it, and Cem opens it: the owner decides. Then Ada's machine
// crashes. One of the others is the deputy, and owns the door from then on. It is still open, and Cem closes
// it, whether he asks Ben or himself.
//
// The peers run in a swarm, in virtual time. A real game makes the same calls on its Peer.

#include <fray/swarm.hpp>

#include <array>
#include <cstdio>
#include <optional>

using namespace std::chrono_literals;

namespace {

constexpr std::array kNames{"Ada", "Ben", "Cem"};
constexpr fray::EntityTypeId kDoor{1};

struct Door {
    bool is_open = false;
};
template <class Stream>
void serialize(Stream& stream, Door& door) {
    stream.boolean(door.is_open);
}

class House final : public fray::Workload {
public:
    void started(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant, const fray::Peer&) override {
        avatars_[who] = swarm.publish(who, fray::state_of(fray::Pose{})).value();
        if (who != 0) return;
        door_ = swarm.publish(who, fray::state_of(fray::Pose{}, Door{}, kDoor), fray::Tenure::shared).value();
    }
    void frame(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant now, const fray::Peer& peer) override {
        const bool knows = peer.owns(door_) || peer.replica(now, door_);
        if (who != 2 || !knows || wanted_.empty()) return;
        const auto asked = swarm.interact(who, avatars_[who], door_, *fray::bytes_of(wanted_.front()));
        if (asked) wanted_.erase(wanted_.begin());
    }
    void event(fray::Swarm& swarm, fray::PeerIndex who, fray::Instant, const fray::Peer&,
               const fray::Event& event) override {
        if (const auto* asked = std::get_if<fray::Asked>(&event)) decide(swarm, who, *asked);
        if (const auto* acquired = std::get_if<fray::Acquired>(&event)) {
            const bool is_open = acquired->state.as<Door>().value_or(Door{}).is_open;
            std::printf("%s owns the door now; it is %s\n", kNames[who], is_open ? "open" : "closed");
            taken_over_ = true;
        }
        if (const auto* answered = std::get_if<fray::Answered>(&event)) {
            const auto door = answered->as<Door>();
            if (!door) return;  // no owner decided in time
            std::printf("%s sees that the door is %s\n", kNames[who], door->is_open ? "open" : "closed");
            ++answers_;
        }
    }
    void want(bool is_open) { wanted_.push_back(Door{is_open}); }
    [[nodiscard]] bool taken_over() const { return taken_over_; }
    [[nodiscard]] int answers() const { return answers_; }

private:
    static void decide(fray::Swarm& swarm, fray::PeerIndex who, const fray::Asked& asked) {
        const auto door = asked.as<Door>();
        if (!door) return;  // the other program sent something else
        // First the answer. If it is refused, another peer decides, and the door stays as it is.
        if (!swarm.answer(who, asked.request, *fray::bytes_of(*door))) return;
        (void)swarm.update(who, asked.target, fray::state_of(fray::Pose{}, *door, kDoor));
    }

    std::array<fray::EntityId, 3> avatars_;
    fray::EntityId door_;
    std::vector<Door> wanted_;
    bool taken_over_ = false;
    int answers_ = 0;
};

}  // namespace

int main() {
    auto swarm = fray::Swarm::create({}, fray::Seed{7});
    if (!swarm) return 1;
    House house;
    swarm->set_workload(&house);
    fray::PeerOptions options;
    options.world.types = {fray::EntityType::bare("avatar"), fray::EntityType::of<Door>("door")};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (!swarm->add_peer(options)) return 1;
    }
    swarm->run_until(2s);
    house.want(true);
    swarm->run_until(3s);
    std::printf("Ada crashes\n");
    if (!swarm->schedule({.at = 3s, .kind = fray::ActionKind::crash, .peer = 0, .through = {}})) return 1;
    swarm->run_until(12s);
    house.want(false);
    swarm->run_until(14s);
    return house.taken_over() && house.answers() == 2 ? 0 : 1;
}
