// Replicas of tanks that are guided: by the rules, with the right number of shots, and roughly right.

#include "games/panzer/bots/guide.hpp"

#include "games/panzer/bots/bot_battle.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "guidance/guided_world.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace fray::panzer {
namespace {

using test::GuidedWorld;
using test::moment;
using test::Read;

constexpr Duration kFrame = 50ms;

struct Place {
    Map map = *shipped_map("arena");
    Battlefield field{map};
    NavMesh mesh = NavMesh::build(map).value();
    NavQuery query{mesh};
    TankGuide guide{&field, &query};
};
Place& place() {
    static Place made;
    return made;
}

PeerOptions options() {
    PeerOptions made = GuidedWorld::usual_options();
    made.world = world(place().field);
    add_guide(made.world, place().guide);
    made.guidance = {.enabled = true,
                     .diameter = 2 * kTankRadius,
                     .top_speed = kTopSpeed * (1 + kEngineStep * kMostLevel),
                     .turn_limit = 90};
    return made;
}

/// A tank that is driven about at random; its screen elsewhere gets an update each `gap`, 100 ms late.
class Driven {
public:
    explicit Driven(std::uint64_t seed) : random_{Seed{seed}, "driver"} {
        const auto& spawns = place().map.spawns;
        tank_.position = spawns[random_.below(static_cast<std::uint32_t>(spawns.size()))].position;
        tank_.armour = kFullArmour;
    }
    void play(Duration span, Duration gap) {
        for (const Duration end = now_ + span; now_ < end; now_ += kFrame) {
            drive_on();
            past_.push_back(counted_state_of_tank(tank_, keys_, shots_));
            if (past_.size() < 3) continue;
            if (now_ >= due_) {
                screen.hear(moment(now_ - 2 * kFrame), past_[past_.size() - 3]);
                due_ = now_ + gap;
            }
            look();
        }
        due_ = now_;
    }
    void stop() { stopped_ = true; }
    void destroy() { tank_.armour = 0; }
    void enter(const Vec2& at) {
        tank_ = Tank{};
        tank_.position = at;
        tank_.armour = kFullArmour;
    }
    void fire() { ++shots_; }
    [[nodiscard]] const Tank& tank() const { return tank_; }
    [[nodiscard]] std::uint8_t shots() const { return shots_; }

    GuidedWorld screen{options()};
    std::vector<Read> reads;
    std::vector<float> errors;
    std::size_t impossible = 0;

private:
    void drive_on() {
        if (random_.chance(0.07)) {
            keys_.throttle = random_.chance(0.8) ? kFull : static_cast<std::int8_t>(-kFull);
            keys_.steer = static_cast<std::int8_t>(kFull * (static_cast<int>(random_.below(3)) - 1));
            keys_.aim = static_cast<Angle>(random_.below(65536));
        }
        if (stopped_) keys_ = {.aim = keys_.aim};
        if (!tank_.alive()) return;
        for (std::uint32_t i = 0; i < kStepsPerTick; ++i) drive(place().field.ground(), tank_, keys_);
    }
    void look() {
        Read read = screen.read(moment(now_));
        errors.push_back(
            std::hypot(read.pose.position.x - tank_.position.x, read.pose.position.y - tank_.position.y));
        if (!reads.empty() && read.mode == ReplicaMode::guided && reads.back().mode == ReplicaMode::guided &&
            !is_possible(place().field, reads.back().pose, reads.back().payload, read.pose, read.payload,
                         kFrame))
            ++impossible;
        reads.push_back(std::move(read));
    }

    RandomStream random_;
    Tank tank_;
    Input keys_;
    std::uint8_t shots_ = 0;
    bool stopped_ = false;
    std::vector<State> past_;
    Duration now_{};
    Duration due_{};
};

std::uint8_t shots_of(const Read& read) { return value_of<CountedTank>(read.payload)->shots; }
bool alive(const Read& read) { return tank_of(read.pose, read.payload).alive(); }

RC_GTEST_PROP(TankGuide, NeverBreaksTheRulesOfMotion, (std::uint32_t seed)) {
    Driven driven{seed};
    driven.play(15s, 1s);
    driven.play(3s, 50ms);
    driven.play(5s, 1s);
    const auto guided = std::ranges::count(driven.reads, ReplicaMode::guided, &Read::mode);
    RC_ASSERT(guided > 300);
    RC_ASSERT(driven.impossible == 0U);
}

/// A battle of bots, and what a distant screen shows of their tanks: 100 ms late, now seldom and now often.
class Battlefields {
public:
    static constexpr std::size_t kTanks = 8;
    static constexpr Duration kLate{100ms};

    Battlefields() {
        std::vector<BotOptions> bots(kTanks);
        for (std::size_t i = 0; i < kTanks; ++i) bots[i] = bot_player_options(i);
        battle_.emplace(BotBattle::start(place().map, place().mesh, bots, Mode{}, Seed{5}).value());
        for (std::size_t i = 0; i < kTanks; ++i) screens_.push_back(std::make_unique<GuidedWorld>(options()));
        last_.resize(kTanks);
        shots_.resize(kTanks);
        gained_.resize(kTanks);
    }
    /// Seldom for three seconds, then often for two.
    void play(Duration span) {
        for (const Duration end = now_ + span; now_ < end; now_ += kFrame) {
            for (std::uint32_t i = 0; i < kStepsPerTick; ++i) step();
            sent_.emplace_back();
            for (std::size_t i = 0; i < kTanks; ++i) {
                const Tank& tank = battle_->battle().tanks[i];
                sent_.back().push_back(counted_state_of_tank(tank, battle_->inputs()[i], shots_[i]));
            }
            if (now_ < kLate) continue;
            for (std::size_t i = 0; i < kTanks; ++i) look(i);
        }
    }

    std::vector<float> errors, reckoned;  // while updates are seldom
    std::vector<Duration> convergence;
    std::size_t impossible = 0;
    std::size_t moves = 0;
    float longest_step = 0;  // beyond what a tank can do

private:
    static BotOptions bot_player_options(std::size_t i) {
        BotOptions bot;
        bot.level = static_cast<std::uint8_t>(1 + i % kLevels);
        bot.character = static_cast<CharacterName>(i % kCharacters);
        bot.seed = Seed{i};
        return bot;
    }
    void step() {
        battle_->step();
        for (const Happening& happening : battle_->happenings()) {
            if (happening.kind == Happening::Kind::shot) ++shots_[happening.tank];
        }
    }
    void look(std::size_t i) {
        GuidedWorld& screen = *screens_[i];
        const Duration phase = (now_ + Duration{static_cast<std::int64_t>(i) * 650'000}) % 5s;
        const bool often = phase >= 3s;
        const State& told = sent_[sent_.size() - 1 - static_cast<std::size_t>(kLate / kFrame)][i];
        if (often || phase % 1s == 0s || screen.states.held.empty()) screen.hear(moment(now_ - kLate), told);
        if (phase == 3s) gained_[i] = now_;
        const Read read = screen.read(moment(now_));
        const Tank& truth = battle_->battle().tanks[i];
        if (truth.alive() && alive(read)) note(i, read, truth, often);
        if (!alive(read)) gained_[i].reset();
        last_[i] = read;
    }
    void note(std::size_t i, const Read& read, const Tank& truth, bool often) {
        const auto error = [&](const Pose& pose) {
            return length(Vec2{pose.position.x, pose.position.y} - truth.position);
        };
        if (!often && read.mode == ReplicaMode::guided) {
            errors.push_back(error(read.pose));
            reckoned.push_back(error(screens_[i]->read_directly(moment(now_)).pose));
        }
        if (gained_[i] && often && read.mode == ReplicaMode::direct) {
            convergence.push_back(now_ - *gained_[i]);
            gained_[i].reset();
        }
        const auto& before = last_[i];
        if (!before || !alive(*before)) return;
        if (read.mode == ReplicaMode::guided && before->mode == ReplicaMode::guided) {
            ++moves;
            impossible +=
                is_possible(place().field, before->pose, before->payload, read.pose, read.payload, kFrame)
                    ? 0U
                    : 1U;
        }
        const float moved = distance(before->pose.position, read.pose.position);
        longest_step = std::max(longest_step, moved - options().guidance.top_speed * 0.05F);
    }
    [[nodiscard]] static bool alive(const Read& read) { return tank_of(read.pose, read.payload).alive(); }

    std::optional<BotBattle> battle_;
    std::vector<std::unique_ptr<GuidedWorld>> screens_;
    std::vector<std::vector<State>> sent_;
    std::vector<std::optional<Read>> last_;
    std::vector<std::uint8_t> shots_;
    std::vector<std::optional<Duration>> gained_;
    Duration now_{};
};

template <class T>
T percentile(std::vector<T> values, double share) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
    return values[at];
}

TEST(TankGuide, BotsOutOfFocusAreWithinTwoTankLengthsAndConvergeWithoutAStep) {
    Battlefields battle;
    battle.play(180s);
    ASSERT_GT(battle.errors.size(), 5'000U);
    ASSERT_GT(battle.convergence.size(), 100U);
    ASSERT_GT(battle.moves, 5'000U);
    const float error = percentile(battle.errors, 0.5);
    const Duration usual = percentile(battle.convergence, 0.5);
    const Duration late = percentile(battle.convergence, 0.95);
    std::printf(
        "bots at 1 Hz: error p50 %.2f p95 %.2f m (dead reckoning %.2f, %.2f); convergence p50 %.0f ms, "
        "p95 %.0f ms (%zu); step %.2f m; impossible %zu of %zu\n",
        double{error}, double{percentile(battle.errors, 0.95)}, double{percentile(battle.reckoned, 0.5)},
        double{percentile(battle.reckoned, 0.95)}, millis(usual), millis(late), battle.convergence.size(),
        double{battle.longest_step}, battle.impossible, battle.moves);
    EXPECT_LE(error, 2 * 2 * kTankRadius);
    EXPECT_EQ(battle.impossible, 0U);
    EXPECT_LE(usual, 300ms);
    EXPECT_LE(late, 1500ms);
    EXPECT_LE(battle.longest_step, 2 * kTankRadius / 4);
}

TEST(TankGuide, ReplaysEveryShotOnceAndOneByOne) {
    Driven driven{3};
    driven.play(5s, 1s);
    std::size_t fired = 0;
    for (int i = 0; i < 20; ++i) {
        if (i % 3 != 0) driven.fire(), ++fired;
        driven.play(1s, 1s);
    }
    driven.play(3s, 1s);
    ASSERT_GT(fired, 10U);
    std::size_t shown = 0;
    for (std::size_t i = 1; i < driven.reads.size(); ++i) {
        const auto more =
            static_cast<std::uint8_t>(shots_of(driven.reads[i]) - shots_of(driven.reads[i - 1]));
        EXPECT_LE(more, 1U);
        shown += more;
    }
    EXPECT_EQ(shown, fired);
    EXPECT_EQ(shots_of(driven.reads.back()), driven.shots());
}

TEST(TankGuide, DiesAndEntersAgainWhenTold) {
    Driven driven{4};
    driven.play(5s, 1s);
    ASSERT_TRUE(alive(driven.reads.back()));
    driven.destroy();
    driven.play(3s, 1s);
    EXPECT_FALSE(alive(driven.reads.back()));
    const Vec3 wreck = driven.reads.back().pose.position;
    const Vec2 spawn = std::ranges::max_element(place().map.spawns, {}, [&](const Spawn& s) {
                           return length(s.position - Vec2{wreck.x, wreck.y});
                       })->position;
    driven.stop();
    driven.enter(spawn);
    const std::size_t before = driven.reads.size();
    driven.play(3s, 1s);
    EXPECT_TRUE(alive(driven.reads.back()));
    for (std::size_t i = before; i < driven.reads.size();
         ++i) {  // at the wreck or at the spawn, not on a way
        const Vec3 at = driven.reads[i].pose.position;
        EXPECT_LT(std::min(distance(at, wreck), length(Vec2{at.x, at.y} - spawn)), 0.2F);
    }
    EXPECT_EQ(driven.impossible, 0U);
}

/// A target elsewhere on the screen: the turret turns to it.
class OneTarget final : public ShownWorld {
public:
    [[nodiscard]] std::optional<Pose> shown(const EntityId&) const override { return pose; }
    Pose pose;
};

TEST(TankGuide, TheTurretFollowsTheTargetWithTheDeviation) {
    Tank tank;
    tank.position = place().map.spawns[0].position;
    tank.armour = kFullArmour;
    const State state = counted_state_of_tank(tank, {}, 0);
    OneTarget target;
    target.pose.position = {tank.position.x, tank.position.y + 20, 0};
    GuideStep step;
    step.shown = step.direct = state.pose;
    step.length = kFrame;
    step.top_speed = kTopSpeed;
    step.guidance = {state.pose, moment(kFrame), Aim{{}, {.yaw = 10}}};
    std::vector<std::uint8_t> shown = state.payload;
    for (int i = 0; i < 20; ++i) {
        std::vector<std::uint8_t> payload = state.payload;
        step.shown_payload = shown;
        step.told_payload = state.payload;
        (void)guide_tank(place().guide, step, target, payload);
        const Angle before = tank_of({}, shown).turret;
        const Angle after = tank_of({}, payload).turret;
        EXPECT_LE(std::abs(turn_between(before, after)), degrees(kTurretRate * 0.05F) + 32);
        shown = payload;
    }
    EXPECT_NEAR(in_degrees(tank_of({}, shown).turret), 100, 0.5);
}

}  // namespace
}  // namespace fray::panzer
