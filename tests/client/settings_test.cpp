#include "games/panzer/client/settings.hpp"

#include "games/panzer/client/controls.hpp"
#include "games/panzer/client/pace_keeper.hpp"
#include "games/panzer/client/sound.hpp"
#include "games/panzer/client/talk.hpp"

#include <SDL.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace fray::panzer::client {
namespace {

TEST(Settings, ComeBackFromTheirText) {
    Settings settings;
    settings.name = "Ada";
    settings.bindings[0] = "Up";
    settings.volume = 0.25F;
    settings.shake = false;
    settings.detail = DetailChoice::low;
    settings.port = 9000;
    std::string complaint;
    EXPECT_EQ(parse_settings(to_text(settings), complaint), settings);
    EXPECT_EQ(complaint, "");
}

TEST(Settings, ALineThatIsNotUnderstoodIsNamedAndTheRestIsKept) {
    std::string complaint;
    const Settings settings = parse_settings("name = Bo\nvolume = loud\nport = 7000\n", complaint);
    EXPECT_EQ(settings.name, "Bo");
    EXPECT_EQ(settings.port, 7000);
    EXPECT_EQ(settings.volume, Settings{}.volume);
    EXPECT_EQ(complaint, "line 2 is not understood: \"volume = loud\"");
}

TEST(Settings, SurviveInAFileBelowAFolderThatIsMade) {
    const std::string folder = testing::TempDir() + "fray_settings";
    std::filesystem::remove_all(folder);
    const std::string file = folder + "/fray/panzer.conf";
    std::string complaint;
    EXPECT_EQ(load_settings(file, complaint), Settings{});
    Settings settings;
    settings.bots = 3;
    ASSERT_TRUE(save_settings(file, settings));
    EXPECT_EQ(load_settings(file, complaint).bots, 3U);
    std::filesystem::remove_all(folder);
}

SDL_Event key(SDL_Scancode code, bool is_down) {
    SDL_Event event{};
    event.type = is_down ? SDL_KEYDOWN : SDL_KEYUP;
    event.key.keysym.scancode = code;
    return event;
}

TEST(Controls, KeysDriveAsTheyAreBound) {
    Settings settings;
    settings.bindings[static_cast<std::size_t>(Action::ahead)] = "Up";
    Controls controls;
    controls.bind(settings);
    controls.handle(key(SDL_SCANCODE_W, true), true, 1);
    EXPECT_EQ(controls.input().throttle, 0);
    controls.handle(key(SDL_SCANCODE_UP, true), true, 1);
    controls.handle(key(SDL_SCANCODE_A, true), true, 1);
    EXPECT_EQ(controls.input().throttle, kFull);
    EXPECT_EQ(controls.input().steer, kFull);
    controls.handle(key(SDL_SCANCODE_UP, false), true, 1);
    EXPECT_EQ(controls.input().throttle, 0);
}

TEST(Controls, TheMouseTurnsTheGunAndFires) {
    Controls controls;
    controls.bind(Settings{});
    SDL_Event motion{};
    motion.type = SDL_MOUSEMOTION;
    motion.motion.xrel = -100;
    controls.handle(motion, true, 1);
    EXPECT_GT(controls.yaw(), 0.1F);
    EXPECT_NEAR(in_degrees(controls.input().aim), static_cast<double>(controls.yaw()) * 57.29578, 0.2);
    SDL_Event press{};
    press.type = SDL_MOUSEBUTTONDOWN;
    press.button.button = SDL_BUTTON_LEFT;
    controls.handle(press, true, 1);
    EXPECT_TRUE(controls.input().gun);
    EXPECT_FALSE(controls.input().shell);
}

TEST(Controls, KeysDoNothingWhileTheMenuReadsThem) {
    Controls controls;
    controls.bind(Settings{});
    controls.handle(key(SDL_SCANCODE_W, true), false, 1);
    EXPECT_EQ(controls.input().throttle, 0);
}

TEST(Controls, APlayerWhoTouchesNothingIsIdle) {
    Controls controls;
    controls.bind(Settings{});
    controls.handle(key(SDL_SCANCODE_W, true), true, 10);
    EXPECT_FALSE(controls.is_idle(10 + Controls::kIdleAfter - 1));
    EXPECT_TRUE(controls.is_idle(10 + Controls::kIdleAfter + 1));
}

TEST(PaceKeeper, DetailFallsWithSlowFramesAndRisesAgain) {
    PaceKeeper pace;
    const std::size_t before = pace.level();
    for (int i = 0; i < 60; ++i) pace.frame(0.05F, DetailChoice::automatic);
    EXPECT_LT(pace.level(), before);
    EXPECT_LT(pace.detail().scale, 0.75F);
    for (int i = 0; i < 6000; ++i) pace.frame(0.01F, DetailChoice::automatic);
    EXPECT_EQ(pace.level(), PaceKeeper::kLevels - 1);
}

TEST(Talk, ComesBackFromItsBytesAndForeignBytesAreNoTalk) {
    const auto bytes = bytes_of_talk({Talk::Kind::chat, "hello"});
    const auto talk = talk_of(bytes);
    ASSERT_TRUE(talk);
    EXPECT_EQ(talk->text, "hello");
    EXPECT_FALSE(talk_of(std::vector<std::uint8_t>{}));
    EXPECT_FALSE(talk_of(std::vector<std::uint8_t>{0xFF, 9, 'x'}));
    EXPECT_FALSE(talk_of(std::vector<std::uint8_t>{1, 0, 'x'}));
    EXPECT_FALSE(talk_of(std::vector<std::uint8_t>(300, 0xFF)));
    EXPECT_EQ(talk_of(std::vector<std::uint8_t>{0xFF, 0, 'a', '\n', 'b'})->text, "a?b");
}

TEST(Sound, EveryToneIsHeardAndEndsSilently) {
    for (std::size_t i = 0; i < kTones; ++i) {
        const auto samples = make_tone(static_cast<Tone>(i));
        const auto loudest = std::ranges::max(samples, {}, [](float s) { return std::abs(s); });
        EXPECT_GT(std::abs(loudest), 0.1F) << i;
        EXPECT_LE(std::abs(loudest), 1.0F) << i;
        EXPECT_LT(std::abs(samples.back()), 0.05F) << i;
    }
}

}  // namespace
}  // namespace fray::panzer::client
