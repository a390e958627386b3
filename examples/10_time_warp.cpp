// Bumper cars on a ring, on Time Warp. Every peer executes the whole game at once, and only keys travel. A
// key that comes late repairs the past. A bump is announced when no key that could undo it can come any more:
// all peers announce the same bumps, and end with the same state.

#include <fray/swarm.hpp>
#include <fray/time_warp.hpp>

#include <cstdio>

using namespace fray;

struct Cars {
    struct Part {  // a car. Rollbacks keep and restore parts: the game has no other state
        int place = 0, speed = 0;
        friend bool operator==(const Part&, const Part&) = default;
        friend void serialize(auto& stream, Part& car) {
            stream.integer(car.place, 0, kRing - 1), stream.integer(car.speed, -kFastest, kFastest);
        }
    };
    struct Message {  // what a player does
        PartNumber car = 0;
        int speed = 0;
        friend void serialize(auto& stream, Message& key) { stream.integer(key.speed, -kFastest, kFastest); }
    };
    struct Outcome {  // what happened
        PartNumber part = 0, other = 0;
    };
    using Messages = std::span<const Stamped<Message>>;
    static constexpr int kRing = 100, kFastest = 3, kLength = 4;

    [[nodiscard]] std::size_t parts() const { return cars.size(); }
    [[nodiscard]] Part get(PartNumber i) const { return cars[i]; }
    void set(PartNumber i, const Part& car) { cars[i] = car; }
    static PartNumber part_of(const Message& key) { return key.car; }
    static int distance(const Part& a, const Part& b) {
        return std::min((kRing + a.place - b.place) % kRing, (kRing + b.place - a.place) % kRing);
    }
    /// Adds all cars that one of the set may touch in this tick: a late key executes only those again.
    void reach(Tick, Messages, auto&& at, PartSet& set) const {
        for (std::size_t i = 0; i < set.size(); ++i)
            for (PartNumber other = 0; other < parts(); ++other)
                if (distance(at(set.members()[i]), at(other)) < kLength + 2 * kFastest) set.add(other);
    }
    /// One tick of the cars in the set. Integers, in the same order everywhere: deterministic.
    void step(Tick, Messages keys, const PartSet& set) {
        bumps.clear();
        for (const auto& [stamp, key] : keys)
            if (set.contains(key.car)) cars[key.car].speed = key.speed;
        for (const PartNumber i : set.members())
            cars[i].place = (kRing + cars[i].place + cars[i].speed) % kRing;
        for (const PartNumber i : set.members())
            for (const PartNumber other : set.members())
                if (i < other && distance(cars[i], cars[other]) < kLength)
                    std::swap(cars[i].speed, cars[other].speed), bumps.push_back({i, other});
    }
    [[nodiscard]] std::span<const Outcome> outcomes() const { return bumps; }
    // What peers need besides: keys as bytes, players that come and go, names for fields that differ.
    static std::optional<Message> read(PartNumber seat, std::span<const std::uint8_t> line) {
        auto key = value_of<Message>(line);
        if (key) key->car = seat;
        return key;
    }
    static std::vector<std::uint8_t> write(const Message& key) { return bytes_of(key).value(); }
    static Message enter(PartNumber seat) { return {seat, 0}; }
    static Message leave(PartNumber seat) { return {seat, 0}; }
    static std::string difference(PartNumber, Part, Part) { return "place or speed"; }
    std::vector<Part> cars{{0, 0}, {33, 0}, {66, 0}};
    std::vector<Outcome> bumps;
};

std::optional<Cars::Message> any_key(RandomStream& random, Tick, PartNumber seat) {
    if (!random.chance(0.05)) return std::nullopt;
    return Cars::Message{seat, static_cast<int>(random.below(2 * Cars::kFastest + 1)) - Cars::kFastest};
}

struct Player final : Game {
    explicit Player(PeerIndex i) : is_first{i == 0}, random{Seed{7}, "keys", i} {}
    void started(Commands& me) override {
        const WarpMatchOptions options{.streams = {.seats = 3}, .warp = {.step = 20ms}, .last = 1000};
        match = is_first ? WarpMatch<Cars>::found(me.now(), me.id(), {}, options, me.session_time()).value()
                         : WarpMatch<Cars>::join(me.now(), me.id(), {}, options).value();
    }
    void event(Commands& me, const Event& event) override {
        if (const auto* peer = std::get_if<PeerJoined>(&event)) match->link_up(me.now(), peer->peer);
        if (const auto* peer = std::get_if<PeerLeft>(&event)) match->link_down(me.now(), peer->peer);
        if (const auto* m = std::get_if<Message>(&event)) match->handle_message(me.now(), m->from, m->bytes);
    }
    void frame(Commands& me) override {
        match->frame(me.now(), me.session_time(),
                     any_key(random, 0, match->streams().seat()));  // acts at once
        while (const auto note = match->poll_message())
            (void)me.send({note->bytes, Audience::only(note->to), note->delivery, {}});
        for (const auto& [tick, bump] : match->take_final()) bumps.push_back(bump);  // play sounds here
    }
    bool is_first;
    RandomStream random;
    std::optional<WarpMatch<Cars>> match;
    std::vector<Cars::Outcome> bumps;
};

int main() {
    const auto report = stress([] { return Cars{}; }, any_key, {.seats = 3});
    if (!report.ok) return std::puts(report.text.c_str()), 1;  // the rules cannot be rewound: it says why
    auto swarm = Swarm::create({.network = *network_profile("world")}, Seed{7});
    GameWorkload games{[](auto i) { return std::make_unique<Player>(i); }};
    swarm->set_workload(&games);
    for (int i = 0; i < 3; ++i) (void)swarm->add_peer({.world = {.tick = 20ms}});
    swarm->run_until(30s);
    const auto game = [&](auto i) -> auto& { return dynamic_cast<Player&>(*games.game(i)); };
    bool is_equal = !game(0).bumps.empty();
    for (PeerIndex i = 0; i < 3; ++i) {
        const auto& warp = *game(i).match->warp();
        const auto rollbacks = static_cast<int>(warp.counts().rollbacks);
        std::printf("player %u: %d rollbacks, %zu final bumps\n", i, rollbacks, game(i).bumps.size());
        is_equal = is_equal && rollbacks > 0 && warp.horizon() == 1000 &&
                   warp.game().cars == game(0).match->game()->cars;
    }
    return std::printf("all have the same state: %s\n", is_equal ? "yes" : "no"), is_equal ? 0 : 1;
}
