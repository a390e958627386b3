#include "games/panzer/match/screen_recording.hpp"

#include "games/panzer/bots/bot_battle.hpp"
#include "games/panzer/rules/entity.hpp"
#include "games/panzer_battles.hpp"
#include "support/files.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace fray::panzer {
namespace {

constexpr std::int64_t kTickMillis = 50;

std::vector<std::string> names_of(std::size_t tanks) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tanks; ++i) names.push_back("bot " + std::to_string(i));
    return names;
}

/// What was recorded, and every battle that the recorder was shown.
struct Recorded {
    std::vector<std::uint8_t> bytes;
    std::vector<Battle> shown;
};

/// Bots of all levels fight for this many ticks.
Recorded record_bots(const Map& map, std::size_t tanks, Mode mode, int ticks) {
    const auto mesh = NavMesh::build(map);
    FRAY_ASSERT(mesh);
    std::vector<BotOptions> players(tanks);
    for (std::size_t i = 0; i < tanks; ++i) players[i].level = static_cast<std::uint8_t>(1 + i % kLevels);
    auto bots = BotBattle::start(map, *mesh, players, mode, Seed{7});
    FRAY_ASSERT(bots);
    ScreenRecorder recorder{screen_header(map, mode, Seed{7}, 0, "bot 0")};
    const auto names = names_of(tanks);
    Recorded recorded;
    for (int tick = 0; tick < ticks; ++tick) {
        recorder.add(tick * std::chrono::milliseconds{kTickMillis}, bots->battle(), names);
        recorded.shown.push_back(bots->battle());
        for (std::uint32_t i = 0; i < kStepsPerTick; ++i) bots->step();
    }
    recorded.bytes = recorder.to_bytes();
    return recorded;
}

/// Tanks that stand where they started.
std::vector<std::uint8_t> record_idle(const Map& map, std::size_t tanks, int ticks) {
    Rules rules{map};
    const auto battle = rules.start({.tanks = tanks, .mode = Mode::free_for_all, .seed = Seed{1}});
    FRAY_ASSERT(battle);
    ScreenRecorder recorder{screen_header(map, Mode::free_for_all, Seed{1}, 0, "bot 0")};
    for (int tick = 0; tick < ticks; ++tick)
        recorder.add(tick * std::chrono::milliseconds{kTickMillis}, *battle, names_of(tanks));
    return recorder.to_bytes();
}

void expect_near(const ScreenPlace& place, const Vec2& position, const std::string& what) {
    constexpr float kHalfUnit = 0.0101F;  // and the rounding of a float
    EXPECT_NEAR(place.metres().x, position.x, kHalfUnit) << what;
    EXPECT_NEAR(place.metres().y, position.y, kHalfUnit) << what;
}

void expect_tank(const ScreenTank& tank, const Tank& shown, const Record& record, const std::string& what) {
    expect_near(tank.place, shown.position, what);
    EXPECT_EQ(angle_of_screen(tank.hull), shown.hull & 0xFFF0U) << what;
    EXPECT_EQ(angle_of_screen(tank.turret), shown.turret & 0xFFF0U) << what;
    EXPECT_EQ(tank.alive(), shown.alive()) << what;
    EXPECT_EQ(tank.armour, std::max<std::int16_t>(shown.armour, 0)) << what;
    EXPECT_EQ(tank.shield, shown.shield) << what;
    EXPECT_EQ(tank.team, shown.team) << what;
    EXPECT_EQ(tank.score, record.score) << what;
    EXPECT_EQ(tank.kills, record.kills) << what;
    EXPECT_EQ(tank.deaths, record.deaths) << what;
}

void expect_shells(const ScreenFrame& frame, const Battle& battle, const std::string& what) {
    ASSERT_EQ(frame.shells.size(), battle.shells.size()) << what;
    for (std::size_t i = 0; i < frame.shells.size(); ++i) {
        EXPECT_EQ(frame.shells[i].shooter, battle.shells[i].shooter) << what;
        expect_near(frame.shells[i].place, battle.shells[i].position, what + ", shell");
        EXPECT_EQ(angle_of_screen(frame.shells[i].heading), angle_of(battle.shells[i].velocity) & 0xFFF0U);
    }
}

void expect_frame(const ScreenFrame& frame, const Battle& battle) {
    const std::string what = "at " + std::to_string(frame.at) + " ms";
    ASSERT_EQ(frame.tanks.size(), battle.tanks.size()) << what;
    for (std::size_t i = 0; i < frame.tanks.size(); ++i) {
        expect_tank(frame.tanks[i], battle.tanks[i], battle.records[i], what + ", tank " + std::to_string(i));
        EXPECT_EQ(frame.tanks[i].name, "bot " + std::to_string(i));
    }
    expect_shells(frame, battle, what);
    ASSERT_EQ(frame.items.size(), battle.items.size());
    for (std::size_t i = 0; i < frame.items.size(); ++i)
        EXPECT_EQ(frame.items[i] == 1, battle.items[i].wait == 0) << what;
    ASSERT_EQ(frame.doors.size(), battle.doors.size());
    for (std::size_t i = 0; i < frame.doors.size(); ++i) EXPECT_EQ(frame.doors[i], battle.doors[i].opened);
    if (battle.mode != Mode::flag) return;
    EXPECT_EQ(frame.flag.carrier, battle.flag.carrier) << what;
    if (frame.flag.carrier == kNone) expect_near(frame.flag.place, battle.flag.position, what + ", flag");
}

std::string refusal(std::span<const std::uint8_t> bytes) {
    const auto recording = ScreenRecording::parse(bytes, "file");
    return recording ? "accepted" : recording.error().message;
}

bool is_one_line_of_file(const std::string& message) {
    return message.starts_with("file: ") && message.find('\n') == std::string::npos;
}

class ScreenRecordingOfMode : public testing::TestWithParam<std::pair<const char*, Mode>> {};

TEST_P(ScreenRecordingOfMode, HoldsWhatTheScreenShowed) {
    const auto [name, mode] = GetParam();
    const Map map = map_named(name);
    const Recorded recorded = record_bots(map, 8, mode, 600);
    const auto recording = ScreenRecording::parse(recorded.bytes, "file");
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_EQ(recording->header(), screen_header(map, mode, Seed{7}, 0, "bot 0"));
    EXPECT_EQ(recording->frame_count(), 600U);
    EXPECT_EQ(recording->length(), Duration{599 * kTickMillis * 1000});
    EXPECT_EQ(recording->left_out(), 0U);
    auto reader = recording->reader();
    for (std::size_t i = 0; i < recorded.shown.size(); ++i) {
        const ScreenFrame* frame = reader.next();
        ASSERT_NE(frame, nullptr);
        EXPECT_EQ(frame->at, static_cast<std::int64_t>(i) * kTickMillis);
        expect_frame(*frame, recorded.shown[i]);
        if (HasFailure()) return;
    }
    EXPECT_EQ(reader.next(), nullptr);
    const auto checked = recording->check(map);
    EXPECT_TRUE(checked) << checked.error().message;
}

INSTANTIATE_TEST_SUITE_P(All, ScreenRecordingOfMode,
                         testing::Values(std::pair{"ruins", Mode::free_for_all},
                                         std::pair{"arena", Mode::teams}, std::pair{"arena", Mode::flag}));

TEST(ScreenRecording, IsSmall) {
    const Map map = map_named("arena");
    constexpr std::size_t kTanks = 16;
    constexpr int kSeconds = 60;
    const std::size_t fight = record_bots(map, kTanks, Mode::free_for_all, kSeconds * 20).bytes.size();
    const std::size_t idle = record_idle(map, kTanks, kSeconds * 20).size();
    RecordProperty("fight", std::to_string(fight));
    RecordProperty("idle", std::to_string(idle));
    EXPECT_LT(fight, kTanks * kSeconds * 65) << "65 bytes per tank and second";
    EXPECT_LT(idle, kTanks * kSeconds * 6) << "6 bytes per tank and second";
}

TEST(ScreenRecording, IsRefusedIfCutOffAnywhere) {
    const auto bytes = record_bots(map_named("duel"), 2, Mode::flag, 30).bytes;
    ASSERT_EQ(refusal(bytes), "accepted");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::string message = refusal(std::span{bytes}.first(size));
        EXPECT_TRUE(is_one_line_of_file(message)) << size << ": " << message;
    }
    EXPECT_EQ(refusal({}), "file: not a recording of a screen: it does not begin with FRAYSCR");
    EXPECT_EQ(refusal(std::span{bytes}.first(7)), "file: cut off after 7 bytes");
    EXPECT_EQ(refusal(std::span{bytes}.first(200)),
              "file: cut off after 200 bytes, or damaged: its end is missing");
}

TEST(ScreenRecording, IsRefusedIfAnyBitDiffers) {
    const auto bytes = record_bots(map_named("duel"), 2, Mode::free_for_all, 30).bytes;
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        auto damaged = bytes;
        damaged[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        const std::string message = refusal(damaged);
        EXPECT_TRUE(is_one_line_of_file(message)) << "bit " << bit << ": " << message;
    }
    auto newer = bytes;
    newer[7] = 9;
    EXPECT_EQ(refusal(newer), "file: recorded with format version 9, this program reads version 1");
}

/// The hash protects from accidents only: a forged file has the right one.
TEST(ScreenRecording, ABodyWithAnyBitChangedIsRefusedOrValid) {
    const auto bytes = record_bots(map_named("duel"), 2, Mode::flag, 30).bytes;
    const auto body = std::span{bytes}.subspan(8).first(bytes.size() - 8 - 32);
    std::size_t accepted = 0;
    for (std::size_t bit = 0; bit < body.size() * 8; ++bit) {
        std::vector<std::uint8_t> damaged{body.begin(), body.end()};
        damaged[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        const auto recording = ScreenRecording::from_body(damaged, "file");
        if (!recording) {
            EXPECT_TRUE(is_one_line_of_file(recording.error().message));
            continue;
        }
        ++accepted;
        const ScreenPlace corner = recording->header().corner();
        std::int64_t last = -1;
        for (auto reader = recording->reader(); const ScreenFrame* frame = reader.next();) {
            EXPECT_GT(std::int64_t{frame->at}, std::exchange(last, frame->at));
            for (const ScreenTank& tank : frame->tanks) {
                EXPECT_TRUE(tank.place.x >= 0 && tank.place.x <= corner.x && tank.place.y >= 0 &&
                            tank.place.y <= corner.y);
                EXPECT_TRUE(tank.armour >= 0 && tank.armour <= kMostArmour);
            }
        }
    }
    EXPECT_GT(accepted, 0U);
}

/// Slots come and go, tanks enter elsewhere, and nothing of it is in the order or range of the rules.
Battle any_battle(const Map& map, RandomStream& random) {
    const auto any_place = [&] {
        return Vec2{static_cast<float>(random.below(400)) - 100, static_cast<float>(random.below(400)) - 100};
    };
    Battle battle;
    battle.tanks.resize(random.below(5));
    battle.records.resize(random.below(5));
    battle.shells.resize(random.below(4));
    battle.items.resize(random.below(2) * map.items.size());
    battle.doors.resize(random.below(2) * map.doors.size());
    for (Tank& tank : battle.tanks) {
        tank.position = any_place();
        tank.hull = static_cast<Angle>(random.below(65536));
        tank.armour = static_cast<std::int16_t>(random.below(65536));
        tank.team = static_cast<std::uint8_t>(random.below(256));
    }
    for (Record& record : battle.records) {
        record.score = static_cast<std::int32_t>(random.below(1U << 31U)) - (1 << 30);
        record.kills = random.below(1U << 31U);
    }
    for (Shell& shell : battle.shells) {
        shell.shooter = static_cast<std::uint16_t>(random.below(6));
        shell.position = any_place();
    }
    for (Item& item : battle.items) item.wait = static_cast<std::uint16_t>(random.below(2));
    for (Door& door : battle.doors) door.opened = static_cast<std::uint8_t>(random.below(256));
    battle.flag.carrier = static_cast<std::uint16_t>(random.below(8));
    battle.flag.position = {NAN, INFINITY};
    return battle;
}

TEST(ScreenRecording, HoldsAnyBattle) {
    const Map map = map_named("duel");
    const ScreenHeader header = screen_header(map, Mode::flag, Seed{1}, 3, "x");
    RandomStream random{Seed{5}, "screens"};
    ScreenRecorder recorder{header};
    std::vector<ScreenFrame> shown;
    for (std::int64_t at = 0; at < 20'000; at += 1 + random.below(200)) {
        const Battle battle = any_battle(map, random);
        const auto names = names_of(random.below(4));
        recorder.add(std::chrono::milliseconds{at}, battle, names);
        shown.push_back(screen_frame(header, std::chrono::milliseconds{at}, battle, names));
    }
    const auto recording = ScreenRecording::parse(recorder.to_bytes(), "file");
    ASSERT_TRUE(recording) << recording.error().message;
    ASSERT_EQ(recording->frame_count(), shown.size());
    auto reader = recording->reader();
    for (const ScreenFrame& frame : shown) EXPECT_EQ(*reader.next(), frame) << frame.at;
    EXPECT_TRUE(recording->check(map));
}

TEST(ScreenRecording, FramesThatAreNotLaterAreIgnored) {
    ScreenRecorder recorder{screen_header(map_named("duel"), Mode::teams, Seed{1}, 0, "x")};
    for (const std::int64_t us : {-1L, 0L, 0L, 100'000L, 100'999L, 50'000L, 101'000L, INT64_MAX})
        recorder.add(Duration{us}, {}, {});
    EXPECT_EQ(recorder.frame_count(), 3U);
    const auto recording = ScreenRecording::parse(recorder.to_bytes(), "file");
    ASSERT_TRUE(recording);
    EXPECT_EQ(recording->length(), Duration{101ms});
}

TEST(ScreenRecording, NamesHaveNoControlCharacters) {
    EXPECT_EQ(screen_name("a\x1b[31mb\n\x7f"), "a?[31mb??");
    EXPECT_EQ(screen_name("\xC2\x9B"
                          "1m"),
              "?\x9B"
              "1m");
    EXPECT_EQ(screen_name("Zo\xC3\xAB \xE2\x98\x83"), "Zo\xC3\xAB \xE2\x98\x83");
    EXPECT_EQ(screen_name(std::string(100, 'a')).size(), kMostScreenNameBytes);
}

TEST(ScreenRecording, IsOfItsMapOnly) {
    Map map = map_named("duel");
    const auto recording = ScreenRecording::parse(record_idle(map, 2, 3), "file");
    ASSERT_TRUE(recording);
    EXPECT_TRUE(recording->check(map));
    map.cells[map.index(map.place_of(map.items[0]))] = Cell::brick;
    const auto checked = recording->check(map);
    ASSERT_FALSE(checked);
    EXPECT_TRUE(checked.error().message.starts_with(
        "file: recorded on another version of the map \"duel\": fingerprint "))
        << checked.error().message;
}

TEST(ScreenRecording, IsSavedCompletelyOrNotAtAll) {
    const test::TempFolder folder;
    const std::string file = folder.path("match.frayscr");
    ScreenRecorder recorder{screen_header(map_named("duel"), Mode::teams, Seed{1}, 0, "x")};
    recorder.add(0ms, {}, {});
    ASSERT_TRUE(recorder.save(file, sim::Overwrite::no));
    ASSERT_TRUE(ScreenRecording::load(file));
    recorder.add(50ms, {}, {});
    const auto refused = recorder.save(file, sim::Overwrite::no);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, file + ": exists already and is not overwritten");
    EXPECT_EQ(ScreenRecording::load(file)->frame_count(), 1U);
    ASSERT_TRUE(recorder.save(file, sim::Overwrite::yes));
    EXPECT_EQ(ScreenRecording::load(file)->frame_count(), 2U);
    const std::string missing = folder.path("none/match.frayscr");
    EXPECT_TRUE(recorder.save(missing, sim::Overwrite::yes).error().message.starts_with(missing));
    EXPECT_FALSE(recorder.save(folder.path(), sim::Overwrite::yes));
    using Files = std::filesystem::directory_iterator;
    EXPECT_EQ(std::distance(Files{folder.path()}, Files{}), 1) << "nothing is left beside it";
    EXPECT_TRUE(ScreenRecording::load(missing).error().message.starts_with(missing + ": cannot be read"));
}

}  // namespace
}  // namespace fray::panzer
