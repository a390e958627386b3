#include "games/any_keys.hpp"
#include "games/snagger/pilot/recording.hpp"
#include "support/files.hpp"

#include <gtest/gtest.h>

namespace fray::snagger {
namespace {

constexpr std::string_view kHead = "snagger recording 1\nseed 0000000000000001\n";

std::string refusal(const std::string& text) {
    const auto recording = parse_recording(text, "file");
    return recording ? "accepted" : recording.error().message;
}

std::string behind_head(std::string_view rest) { return std::string{kHead} + std::string{rest}; }

RC_GTEST_PROP(SnaggerRecording, WhatWasWrittenIsRead, (std::uint64_t seed)) {
    const Recording recording{.seed = Seed{seed}, .inputs = any_keys()};
    const auto back = parse_recording(to_text(recording), "file");
    RC_ASSERT(bool{back});
    RC_ASSERT(*back == recording);
}

TEST(SnaggerRecording, HoldsRunsOfKeys) {
    Recording recording{.seed = Seed{1}, .inputs = {}};
    recording.inputs.assign(3, Inputs{Input{.thrust = true, .left = true}, Input{}});
    recording.inputs.push_back({Input{}, Input{.right = true, .snag = true}});
    const std::string text = to_text(recording);
    EXPECT_TRUE(text.starts_with(behind_head("3 TL -\n1 - RS\nend "))) << text;
}

TEST(SnaggerRecording, ADamagedOneIsRefusedWithItsLine) {
    EXPECT_EQ(refusal(""), "file:1: expected \"snagger recording 1\"");
    EXPECT_EQ(refusal("snagger recording 2\n"), "file:1: expected \"snagger recording 1\"");
    EXPECT_EQ(refusal("snagger recording 1\nseed 1\n"),
              "file:2: expected \"seed\" and 16 hexadecimal digits");
    const std::string run = ": expected ticks and both ships' keys, as \"7 T TL\", or \"end\"";
    for (const char* line : {"", "7 T", "7 T X", "7 LT -", "0 - -", "-1 - -", "7 - - -", "7  - -", "7 T TL\r",
                             "99999999999 - -", "end", "7 TT -", "7 T "})
        EXPECT_EQ(refusal(behind_head("5 - -\n" + std::string{line} + "\n")), "file:4" + run) << line;
    EXPECT_EQ(refusal(behind_head("5 - -\n7 T -")), "file:5" + run) << "cut off";
    EXPECT_EQ(refusal(behind_head("5 - -\nend 12\n")), "file:4: expected \"end\" and 16 hexadecimal digits");
    EXPECT_EQ(refusal(to_text({.seed = Seed{1}, .inputs = {}}) + "1 - -\n"),
              "file:3: expected nothing behind \"end\"");
}

TEST(SnaggerRecording, OneThatComesToSomethingElseIsRefused) {
    const std::string text = behind_head("5 - -\nend 0123456789abcdef\n");
    const std::string message = refusal(text);
    EXPECT_TRUE(message.starts_with("file:4: these inputs end in ")) << message;
    EXPECT_TRUE(message.ends_with(", not in 0123456789abcdef")) << message;
}

TEST(SnaggerRecording, ALongOneIsRefusedBeforeItTakesMemory) {
    EXPECT_EQ(refusal(behind_head("4000000000 - -\n")), "file:3: expected at most 36000 ticks");
    EXPECT_EQ(refusal(behind_head("36000 - -\n1 T -\n")), "file:4: expected at most 36000 ticks");
    const test::TempFolder folder;
    const std::string file = folder.write("long.txt", std::string(kMaxRecordingBytes + 1, '\n'));
    const auto recording = load_recording(file);
    ASSERT_FALSE(recording);
    EXPECT_EQ(recording.error().message, file + ": longer than 262144 bytes");
}

TEST(SnaggerRecording, AnAbsentOneIsNamed) {
    const test::TempFolder folder;
    const auto all = load_recordings(folder.path());
    ASSERT_FALSE(all);
    EXPECT_TRUE(all.error().message.starts_with(folder.path("01.txt") + ": cannot be read"))
        << all.error().message;
}

RC_GTEST_PROP(SnaggerRecording, AnyChangedByteIsRefusedWithALine, (std::uint32_t seed)) {
    std::string text = to_text(record(Seed{3}, 120));
    const std::size_t at = seed % text.size();
    const auto by = static_cast<char>(*rc::gen::inRange(0, 256));
    RC_PRE(text[at] != by);
    text[at] = by;
    RC_ASSERT(refusal(text).starts_with("file:"));
}

}  // namespace
}  // namespace fray::snagger
