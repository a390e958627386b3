#include "lab/workloads/psense_setup.hpp"

#include "lab/workloads/tabled_experiment.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace fray::lab {
namespace {

constexpr double kStandardSide = 1000;

std::uint32_t count(const Parameters& p, std::string_view name) {
    return static_cast<std::uint32_t>(p.integer(name));
}

Area area_of(const Parameters& p) {
    const double areas = p.number("area");
    const bool square = p.text("shape") == "square";
    // Whole units: a torus needs whole steps of the precision.
    const double width = std::round(kStandardSide * (square ? std::sqrt(areas) : areas));
    const double height = square ? width : kStandardSide;
    return {.width = static_cast<float>(width),
            .height = static_cast<float>(height),
            .wraps = p.text("border") == "wrap"};
}

/// The precision follows from the size, so that worlds of every size can have coordinates with the same
/// number of bits. A world that wraps has the same width for movement and for encoding.
void set_coordinate_bits(PSenseSetup& setup, unsigned bits) {
    if (bits == 0) return;
    const auto steps = static_cast<float>(std::uint32_t{1} << bits);
    setup.position_precision = setup.movement.area.width / steps;
    // A power of two, so that the width is an exact number of steps.
    setup.movement.area.width = setup.movement.area.height = setup.position_precision * steps;
}

MovementOptions movement_of(const Parameters& p) {
    MovementOptions movement;
    movement.area = area_of(p);
    if (p.text("border") == "wrap") movement.border = Border::wrap;
    if (p.text("border") == "stop") movement.border = Border::stop;
    if (p.text("motion") == "jump") movement.motion = Motion::jump;
    movement.step_most = p.number("step");
    movement.step_least = p.number("step_least") < 0 ? movement.step_most : p.number("step_least");
    movement.turn_probability = p.number("turn_probability");
    movement.hotspots = p.text("movement") == "hotspot" ? count(p, "hotspots") : 0;
    movement.hotspot_radius = p.number("hotspot_radius");
    movement.stay_rounds = p.number("stay_rounds");
    return movement;
}

Through through_of(const std::string& text) {
    if (text == "nearby") return Through::nearby;
    return text == "earlier" ? Through::earlier : Through::anyone;
}

ScheduleOptions schedule_of(const Parameters& p) {
    return {.players = count(p, "players"),
            .join_rounds = count(p, "join_rounds"),
            .doubling = p.text("through") == "nearby",
            .warm_up_rounds = count(p, "warm_up_rounds"),
            .rounds = count(p, "rounds"),
            .churn_per_round = p.number("churn_per_minute") / 60 / p.number("rounds_per_second"),
            .crash_share = p.number("crash_share"),
            .crash_round = count(p, "crash_round"),
            .newcomers = count(p, "newcomers")};
}

World world_of(const PSenseSetup& setup) {
    World world;
    world.name = "psense";
    world.low = {0, 0, 0};
    world.high = {setup.movement.area.width, setup.movement.area.height, 0};
    world.position_precision = setup.position_precision;
    // The velocity is precise enough to give the exact position after a step.
    world.velocity_precision = setup.position_precision * static_cast<float>(setup.rounds_per_second);
    world.velocity_limit =
        static_cast<float>(setup.movement.step_most * setup.rounds_per_second) + world.velocity_precision;
    world.angle_bits = 0;
    world.wrap_x = setup.movement.area.wraps;
    world.wrap_y = setup.movement.area.wraps;
    world.tick = setup.round;
    return world;
}

/// A parameter of -1 keeps the mode's value.
template <class T>
void override_with(T& option, std::int64_t value) {
    if (value >= 0) option = static_cast<T>(value);
}

PSense overlay_of(const Parameters& p, bool paper_mode, std::uint32_t cap) {
    const auto vision = static_cast<float>(p.number("vision_range"));
    PSense overlay;
    overlay.vision_range = vision;
    if (paper_mode) overlay = PSense::paper(vision, cap);
    overlay.sectors = static_cast<std::uint8_t>(p.integer("sectors"));
    overlay.hop_limit = static_cast<std::uint8_t>(p.integer("hop_limit"));
    overlay.paper_update_bytes = static_cast<std::uint8_t>(p.integer("paper_update_bytes"));
    override_with(overlay.margin, p.integer("margin"));
    override_with(overlay.backups, p.integer("backups"));
    override_with(overlay.contacts, p.integer("contacts"));
    override_with(overlay.sensor_interval, p.integer("sensor_interval"));
    override_with(overlay.lists_per_round, p.integer("lists_per_round"));
    return overlay;
}

InterestOptions interest_of(const std::string& choice, bool paper_mode) {
    using Drop = RandomChoice::Drop;
    if (choice == "random") return RandomChoice{Drop::evenly};
    if (choice == "own_first") return RandomChoice{Drop::own_first};
    if (choice == "forwards_first" || (choice == "mode" && paper_mode))
        return RandomChoice{Drop::forwards_first};
    return Nearest{};
}

PeerOptions peer_of(const Parameters& p, const PSenseSetup& setup, std::uint32_t cap) {
    PeerOptions peer;
    peer.world = world_of(setup);
    peer.overlay = overlay_of(p, setup.paper_mode, cap);
    peer.interest = interest_of(p.text("choice"), setup.paper_mode);
    peer.link.timeout = setup.round * p.integer("timeout_rounds");
    peer.link.keep_alive = std::max(setup.round, peer.link.timeout / 2);
    peer.link.early_data = setup.swarm.round > Duration{};
    if (setup.paper_mode) return peer;  // the overlay counts this cap itself, in other bytes
    if (setup.swarm.round > Duration{})
        peer.link.upload_bytes_per_round = cap;
    else
        peer.link.upload_kbps = static_cast<std::uint32_t>(cap * 8 * setup.rounds_per_second / 1000);
    return peer;
}

SwarmOptions swarm_of(const Parameters& p, Duration round) {
    SwarmOptions swarm;
    swarm.network.loss = IndependentLoss{p.number("loss")};
    if (p.number("latency_ms") > 0) {
        swarm.network.latency = ConstantLatency{from_seconds(p.number("latency_ms") / 1000)};
        swarm.clock_offset_most = 1000s;
        swarm.clock_drift_most_ppm = 50;
    } else {
        swarm.round = round;
    }
    return swarm;
}

Result<void> check_schedule(const ScheduleOptions& schedule) {
    if (schedule.warm_up_rounds < schedule.join_rounds)
        return Error{"warm_up_rounds must not be less than join_rounds"};
    if (schedule.crash_share > 0 && schedule.crash_round >= schedule.rounds)
        return Error{"crash_round must be less than rounds"};
    if (schedule.doubling && schedule.join_rounds < 32 && schedule.players > 1U << schedule.join_rounds)
        return Error{"through = nearby: players at most double in a round, join_rounds are too few"};
    return {};
}

Result<void> check_looks(const PSenseSetup& setup) {
    if (setup.samples_per_round > 1 && setup.swarm.round > Duration{})
        return Error{
            "samples_per_round above 1 needs a latency_ms: in round mode nothing happens in between"};
    if (setup.quality_every > 1 && (setup.schedule.eventful() || setup.curve))
        return Error{"quality_every above 1: crashes, newcomers and curves are looked at in every round"};
    return {};
}

Result<void> check_traces(const PSenseSetup& setup) {
    if (!setup.traces) return {};
    const Area& area = setup.movement.area;
    if (area.width != kFortniteSide || area.height != kFortniteSide || area.wraps)
        return Error{"movement = traces: the map is a square of area 2.25 that does not wrap"};
    if (setup.schedule.eventful()) return Error{"movement = traces: joins and leaves follow the tracks"};
    return {};
}

Result<void> check_movement(const MovementOptions& movement, const Ranges& ranges) {
    const double side = std::min(double{movement.area.width}, double{movement.area.height});
    if (movement.step_least > movement.step_most) return Error{"step_least must not be more than step"};
    if (movement.step_most >= side / 2)
        return Error{"step must be less than half of the area's shorter side"};
    if (ranges.interaction >= ranges.vision) return Error{"interaction_range must be less than vision_range"};
    if (movement.area.wraps && ranges.vision > side / 2)
        return Error{"border = wrap: vision_range must be at most half of the area's shorter side"};
    if (movement.hotspots > 0 && 2 * movement.hotspot_radius >= side)
        return Error{"hotspot_radius must be less than half of the area's shorter side"};
    return {};
}

Result<void> check_caps(const Parameters& p) {
    const auto cap = p.integer("cap_bytes");
    const auto high = p.integer("high_cap_bytes");
    if (high != 0 && cap == 0) return Error{"high_cap_bytes needs a cap_bytes for the other half"};
    if (high != 0 && high < cap) return Error{"high_cap_bytes must not be less than cap_bytes"};
    return {};
}

Result<void> check(const PSenseSetup& setup, const Parameters& p) {
    if (auto checked = check_schedule(setup.schedule); !checked) return checked;
    if (auto checked = check_movement(setup.movement, setup.ranges); !checked) return checked;
    if (auto checked = check_caps(p); !checked) return checked;
    if (auto checked = check_looks(setup); !checked) return checked;
    if (p.integer("coordinate_bits") > 0 && p.text("shape") != "square")
        return Error{"coordinate_bits needs shape = square"};
    return check_traces(setup);
}

Result<void> add_peers(PSenseSetup& setup, const Parameters& p) {
    std::vector<std::uint32_t> caps{setup.cap_bytes};
    if (p.integer("high_cap_bytes") != 0) caps.push_back(count(p, "high_cap_bytes"));
    for (const std::uint32_t cap : caps) {
        auto peer = std::make_shared<const PeerOptions>(peer_of(p, setup, cap));
        if (auto checked = peer->check(); !checked) return checked.error();
        setup.peers.push_back(std::move(peer));
    }
    return {};
}

std::vector<ParameterSpec> run_parameters() {
    return {
        ParameterSpec::choice("system", {"psense", "client_server"}, "psense", "that carries the updates"),
        ParameterSpec::choice("mode", {"paper", "fray"}, "paper", "as published, or as shipped"),
        ParameterSpec::choice("movement", {"random", "hotspot", "traces"}, "random",
                              "of the players; traces: as recorded in fortnite_traces"),
        ParameterSpec::integer("players", 100, 1, 1'000'000, "how many"),
        ParameterSpec::number("area", 1, 0.01, 1'000'000, "in standard areas of 1000 x 1000 units"),
        ParameterSpec::integer("cap_bytes", 5120, 0, 100'000'000, "upload per peer and round; 0: no cap"),
        ParameterSpec::integer("high_cap_bytes", 0, 0, 100'000'000, "of every other peer; 0: the same"),
        ParameterSpec::integer("rounds", 500, 1, 1'000'000, "measured"),
        ParameterSpec::integer("warm_up_rounds", 100, 1, 1'000'000, "before them"),
        ParameterSpec::integer("join_rounds", 50, 1, 1'000'000, "in which the players join, one by one"),
        ParameterSpec::choice(
            "through", {"anyone", "earlier", "nearby"}, "anyone",
            "the peer to join through: a random one of earlier rounds, a random earlier one, or the "
            "nearest; nearby: the number of players at most doubles in a round"),
        ParameterSpec{.name = "rejoin",
                      .fallback = true,
                      .meaning = "after a Refused event the game joins again, through any other peer"},
        ParameterSpec::number("rounds_per_second", 3, 0.1, 100, "of every peer"),
        ParameterSpec::integer("samples_per_round", 1, 1, 100, "of positions and ages"),
        ParameterSpec::integer("quality_every", 1, 1, 1'000'000,
                               "rounds between two looks at positions and ages"),
        ParameterSpec{.name = "curve", .fallback = false, .meaning = "each round goes to curve_rounds.csv"},
        ParameterSpec{
            .name = "resources",
            .fallback = false,
            .meaning = "also processor time and resident memory, which do not follow from the seed"},
    };
}

std::vector<ParameterSpec> movement_parameters() {
    return {
        ParameterSpec::choice("shape", {"square", "strip"}, "square", "of the area; a strip is 1000 high"),
        ParameterSpec::number("vision_range", 200, 1, 1e6, "units"),
        ParameterSpec::number("interaction_range", 50, 0, 1e6, "units; for pq only"),
        ParameterSpec::integer("coordinate_bits", 0, 0, 22,
                               "the precision is such that a coordinate takes these; 0: 1/8 unit"),
        ParameterSpec::number("step", 5, 0, 10'000,
                              "units per round; faster movement in a trace counts as misread"),
        ParameterSpec::number("step_least", -1, -1, 10'000, "steps are drawn from this on; -1: always step"),
        ParameterSpec::choice("motion", {"glide", "jump"}, "glide",
                              "between two steps; only gliding players publish a velocity"),
        ParameterSpec::number("turn_probability", 0.1, 0, 1, "per round: a new direction"),
        ParameterSpec::choice("border", {"reflect", "wrap", "stop"}, "reflect", "what a step does there"),
        ParameterSpec::integer("hotspots", 10, 1, 10'000, "places where players gather"),
        ParameterSpec::number("hotspot_radius", 100, 1, 100'000, "units around them"),
        ParameterSpec::number("stay_rounds", 200, 1, 1e6, "at a hotspot, on average"),
    };
}

/// Both ends of every range are accepted by PeerOptions::check().
std::vector<ParameterSpec> overlay_parameters() {
    const auto own = [](std::string name, std::int64_t most, const std::string& meaning) {
        return ParameterSpec::integer(std::move(name), -1, -1, most, meaning + "; -1: as the mode has it");
    };
    return {
        ParameterSpec::integer("sectors", 8, 1, 64, "sensor nodes"),
        ParameterSpec::integer("hop_limit", 3, 1, 15, "life-time of an update in hops"),
        ParameterSpec::choice(
            "choice", {"mode", "random", "forwards_first", "own_first", "nearest"}, "mode",
            "dropped at the cap: a random update, forwards first, own updates first, or the update "
            "to the furthest peer"),
        own("margin", 10'000, "units outside the vision range in which neighbours are learnt"),
        own("backups", 8, "further sensor nodes per sector"),
        own("contacts", 1024, "contacts kept for when all links are lost"),
        own("sensor_interval", 1000, "rounds between two requests to a sensor node"),
        own("lists_per_round", 1000, "copies of an update with the receiver list; 0: every one"),
        ParameterSpec::integer("paper_update_bytes", 50, 1, 255,
                               "an update in the paper's marshalling, without its receiver list"),
        ParameterSpec::integer("timeout_rounds", 8, 4, 1000, "of silence until a link is dropped"),
    };
}

std::vector<ParameterSpec> fault_parameters() {
    return {
        ParameterSpec::number("churn_per_minute", 0, 0, 60, "share of players that crash and are replaced"),
        ParameterSpec::number("crash_share", 0, 0, 1, "of the players, in one round"),
        ParameterSpec::integer("crash_round", 50, 0, 1'000'000, "that round, after the warm-up"),
        ParameterSpec::integer("newcomers", 0, 0, 100'000,
                               "further players that join during the measurement"),
        ParameterSpec::number("loss", 0, 0, 0.9, "share of datagrams"),
        ParameterSpec::number("latency_ms", 0, 0, 10'000, "one way; 0: round mode, a hop takes one round"),
    };
}

}  // namespace

Result<PSenseSetup> PSenseSetup::make(const Parameters& p) {
    PSenseSetup setup;
    setup.client_server = p.text("system") == "client_server";
    setup.paper_mode = p.text("mode") == "paper";
    setup.curve = p.flag("curve");
    setup.traces = p.text("movement") == "traces";
    setup.through = through_of(p.text("through"));
    setup.rejoin = p.flag("rejoin");
    setup.resources = p.flag("resources");
    setup.quality_every = count(p, "quality_every");
    setup.movement = movement_of(p);
    set_coordinate_bits(setup, count(p, "coordinate_bits"));
    setup.ranges = {.interaction = p.number("interaction_range"), .vision = p.number("vision_range")};
    setup.schedule = schedule_of(p);
    setup.rounds_per_second = p.number("rounds_per_second");
    setup.round = from_seconds(1 / setup.rounds_per_second);
    setup.samples_per_round = count(p, "samples_per_round");
    setup.cap_bytes = count(p, "cap_bytes");
    setup.swarm = swarm_of(p, setup.round);
    if (auto checked = check(setup, p); !checked) return checked.error();
    if (auto made = add_peers(setup, p); !made) return made.error();
    if (auto checked = setup.swarm.check(); !checked) return checked.error();
    return setup;
}

std::vector<ParameterSpec> PSenseSetup::parameters() {
    return joined({run_parameters(), movement_parameters(), overlay_parameters(), fault_parameters()});
}

}  // namespace fray::lab
