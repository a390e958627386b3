// Descriptions of games: what is read, what follows from the rule, and the error messages.

#include "lab/advise/description.hpp"
#include "lab/advise_fakes.hpp"
#include "lab/fake_experiment.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fray::lab::advise {
namespace {

std::string error_of(const std::string& text) {
    const auto description = parse_description(text, "game.toml");
    return description ? std::string{} : description.error().message;
}

/// The head takes two lines; the entity's own keys begin on line 5.
std::string entity(const std::string& type, const std::string& rest) {
    return "game = \"G\"\n[[entity]]\nname = \"e\"\ntype = \"" + type + "\"\n" + rest;
}

TEST(AdviseDescription, ReadsWhatIsWritten) {
    const auto description = described(R"([[entity]]
name = "tank"
type = "other_avatar"
by_several = true
critical = true
timescale_ms = 200
probability = 0.5
interval_ms = 40
kbps = 32
speed = 15
[entity.tolerance]
state_divergence = 0.5
propagation_ms = "any"
)");
    ASSERT_EQ(description.entities.size(), 1U);
    const Entity& tank = description.entities[0];
    EXPECT_EQ(description.game, "Test");
    EXPECT_EQ(tank.type, EntityKind::other_avatar);
    EXPECT_TRUE(tank.factors.interactive && tank.factors.by_several && tank.factors.critical);
    EXPECT_EQ(tank.factors.probability, 0.5);
    EXPECT_EQ(tank.interval, Duration{40ms});
    EXPECT_EQ(tank.most_kbps, 32);
    EXPECT_EQ(tank.speed, 15);
    EXPECT_EQ(tank.tolerances.state_divergence, 0.5);
    EXPECT_FALSE(tank.tolerances.propagation_ms);
    EXPECT_EQ(tank.tolerances.animation_ms, 50);  // by rule
}

TEST(AdviseDescription, ASituationGivesFactorsAndTolerancesThatKeysOverride) {
    const auto description = described(R"([[entity]]
name = "a"
type = "other_avatar"
situation = "enemy_position"
[[entity]]
name = "b"
type = "other_avatar"
situation = "enemy_position"
by_several = false
[entity.tolerance]
response_ms = 70
[[entity]]
name = "signal glove"
type = "inventory"
situation = "clothing"
interactive = true
[entity.tolerance]
propagation_ms = 500
)");
    ASSERT_EQ(description.entities.size(), 3U);
    EXPECT_TRUE(description.entities[0].factors.critical && description.entities[0].factors.by_several);
    EXPECT_EQ(description.entities[0].tolerances.state_divergence, 1);
    EXPECT_FALSE(description.entities[0].tolerances.response_ms);
    EXPECT_FALSE(description.entities[1].factors.by_several);
    EXPECT_EQ(description.entities[1].tolerances.response_ms, 70);
    EXPECT_EQ(description.entities[2].means, Means::algorithm);
    EXPECT_EQ(description.entities[2].tolerances.propagation_ms, 500);
}

TEST(AdviseDescription, SameAsMayNameWhatComesLater) {
    const auto description = described(
        "[[entity]]\nname = \"b\"\ntype = \"other_avatar\"\nsame_as = \"a\"\n"
        "[[entity]]\nname = \"a\"\ntype = \"local_avatar\"\n");
    ASSERT_EQ(description.entities.size(), 2U);
    EXPECT_EQ(description.entities[0].same_as, 1U);
    EXPECT_FALSE(description.entities[1].same_as);
}

struct Wrong {
    std::string text;
    std::string message;  ///< its beginning
};

void expect_messages(const std::vector<Wrong>& table) {
    for (const Wrong& wrong : table) {
        const std::string error = error_of(wrong.text);
        EXPECT_TRUE(error.starts_with(wrong.message))
            << wrong.text << "\nsays: " << error << "\nnot:  " << wrong.message;
        EXPECT_EQ(error.find('\n'), std::string::npos);
    }
}

TEST(AdviseDescriptionErrors, OfTheFile) {
    const std::string good = "[[entity]]\nname = \"e\"\ntype = \"chat\"\n";
    expect_messages({
        {"", "game.toml:1:1: description: game is missing (a text was expected)"},
        {"game = \"\"\n" + good, "game.toml:1:8: description: game must not be empty"},
        {"game = 3\n" + good, "game.toml:1:8: description: game must be a text"},
        {"game = \"a\\nb\"\n" + good, "game.toml:1:8: description: game must be one line of at most 60"},
        {"game = \"G\"\n",
         "game.toml:1:1: description: entity is missing: describe at least one as [[entity]]"},
        {"game = \"G\"\nentity = []\n",
         "game.toml:2:10: description: entity is empty: describe at least one"},
        {"game = \"G\"\n[entity]\nname = \"e\"\n",
         "game.toml:2:1: description: entity must be written as [[entity]]"},
        {"gmae = \"G\"\n" + good, "game.toml:1:1: description: unknown key gmae; did you mean game?"},
        {"game = \"G\"\nx = 1\n" + good, "game.toml:2:1: description: unknown key x; there are game, entity"},
        {"game = \"G\"\n[[entity\n", "game.toml:2:9: malformed TOML: "},
        {"game = \"G\"\n" + good + good,
         "game.toml:6:8: [[entity]] e: name is there twice: give each entity a name of its own"},
        {std::string(kMostDescriptionBytes + 1, ' '), "game.toml: is longer than 262144 bytes"},
    });
}

TEST(AdviseDescriptionErrors, OfNamesAndKinds) {
    expect_messages({
        {"game = \"G\"\n[[entity]]\ntype = \"chat\"\n", "game.toml:2:1: [[entity]] 1: name is missing"},
        {"game = \"G\"\n[[entity]]\nname = \"e\"\n",
         "game.toml:2:1: [[entity]] e: type is missing: write one of local_avatar, other_avatar, "},
        {"game = \"G\"\n[[entity]]\nname = \"" + std::string(61, 'x') + "\"\n",
         "game.toml:3:8: [[entity]] 1: name must be one line of at most 60 characters"},
        {entity("local_avtar", ""),
         "game.toml:4:8: [[entity]] e: type \"local_avtar\" does not exist; did you mean local_avatar?"},
        {entity("zzz", ""),
         "game.toml:4:8: [[entity]] e: type \"zzz\" does not exist; there are local_avatar, other_avatar, "},
        {entity("object", "situation = \"physics\"\n"),
         "game.toml:5:13: [[entity]] e: situation \"physics\" does "
         "not exist; did you mean physics_effects?"},
        {entity("chat", "situation = \"own_movement\"\n"),
         "game.toml:5:13: [[entity]] e: situation own_movement does not fit type chat: it is about "
         "local_avatar"},
        {entity("object", "colour = \"red\"\n"),
         "game.toml:5:1: [[entity]] e: unknown key colour; there are name, "},
        {entity("object", "critcal = true\n"),
         "game.toml:5:1: [[entity]] e: unknown key critcal; did you mean critical?"},
    });
}

TEST(AdviseDescriptionErrors, OfValues) {
    expect_messages({
        {entity("object", "critical = 1\n"), "game.toml:5:12: [[entity]] e: critical must be true or false"},
        {entity("object", "probability = 50\n"),
         "game.toml:5:15: [[entity]] e: probability must be between 0 and 1, not 50; a half is 0.5"},
        {entity("object", "timescale_ms = -1\n"),
         "game.toml:5:16: [[entity]] e: timescale_ms must be between 0"},
        {entity("object", "interval_ms = 0\n"),
         "game.toml:5:15: [[entity]] e: interval_ms must be between 10 and 2000, not 0"},
        {entity("object", "interval_ms = \"often\"\n"),
         "game.toml:5:15: [[entity]] e: interval_ms must be a number"},
        {entity("object", "interval_ms = 16.67\n"),
         "game.toml:5:15: [[entity]] e: interval_ms must be a whole number of ms, not 16.67: write 17"},
        {entity("object", "kbps = nan\n"), "game.toml:5:8: [[entity]] e: kbps must be a finite number"},
        {entity("object", "speed = 0\n"), "game.toml:5:9: [[entity]] e: speed must be between 0.1"},
        {entity("object", "tolerance = 3\n"), "game.toml:5:13: [[entity]] e: tolerance must be a table"},
        {entity("object", "[entity.tolerance]\nresponse = 3\n"),
         "game.toml:6:1: [entity.tolerance] of e: unknown key response; did you mean response_ms?"},
        {entity("object", "[entity.tolerance]\nresponse_ms = 0\n"),
         "game.toml:6:15: [entity.tolerance] of e: response_ms must be between 1 and 3600000, not 0; \"any\" "
         "if "
         "it"},
        {entity("object", "[entity.tolerance]\ncorrections = \"none\"\n"),
         "game.toml:6:15: [entity.tolerance] of e: corrections must be a number, or \"any\" if it does "
         "not"},
        {entity("object", "[entity.tolerance]\nvisible_jump = inf\n"),
         "game.toml:6:16: [entity.tolerance] of e: visible_jump must be a finite number"},
    });
}

TEST(AdviseDescriptionErrors, OfContradictions) {
    expect_messages({
        {entity("object", "interactive = false\ncritical = true\n"),
         "game.toml:6:12: [[entity]] e: critical has no meaning if nothing can interact with it "
         "(interactive = "
         "false); remove it, or write interactive = true"},
        {entity("object", "situation = \"physics_effects\"\nprobability = 0.5\n"),
         "game.toml:6:15: [[entity]] e: probability has no meaning if nothing can interact with it "
         "(situation "
         "physics_effects); remove it, or add interactive = true"},
        {entity("object", "interactive = false\nspeed = 5\n"),
         "game.toml:6:9: [[entity]] e: speed has no effect: nothing can interact with it"},
        {entity("chat", "interval_ms = 50\n"),
         "game.toml:5:15: [[entity]] e: interval_ms has no effect: a chat is kept in order by ChatRoom, "
         "whatever "
         "the network; remove it"},
        {entity("inventory", "by_several = true\n[entity.tolerance]\nresponse_ms = 50\n"),
         "game.toml:6:1: [[entity]] e: tolerance has no effect: what several players can own is traded by "
         "TradeDesk"},
        {entity("object", "interval_ms = 400\n[entity.tolerance]\npropagation_ms = 100\n"),
         "game.toml:5:15: [[entity]] e: interval_ms 400 alone delays by 200 ms on average, and "
         "propagation_ms "
         "allows 100: make it 200 at most, or allow more"},
        {entity("object", "interval_ms = 400\n[entity.tolerance]\npropagation_ms = 20.3\n"),
         "game.toml:5:15: [[entity]] e: interval_ms 400 alone delays by 200 ms on average, and "
         "propagation_ms allows 20.3: make it 40 at most"},
    });
}

TEST(AdviseDescriptionErrors, OfSameAs) {
    const std::string two = "[[entity]]\nname = \"f\"\ntype = \"other_avatar\"\n";
    expect_messages({
        {entity("local_avatar", "same_as = \"e\"\n"),
         "game.toml:5:11: [[entity]] e: same_as names the entity itself"},
        {entity("local_avatar", "same_as = \"g\"\n"),
         "game.toml:5:11: [[entity]] e: same_as names g, which is no entity here, and there is no other: "
         "remove it"},
        {entity("local_avatar", "same_as = \"\"\n"),
         "game.toml:5:11: [[entity]] e: same_as is empty, and there is no other: remove it"},
        {entity("local_avatar", "same_as = \"\"\n") + two, "game.toml:5:11: [[entity]] e: same_as is empty"},
        {entity("local_avatar", "same_as = \"enemy\"\n") + two,
         "game.toml:5:11: [[entity]] e: same_as names enemy, which is no entity here: remove it, or name one "
         "of f"},
        {entity("local_avatar", "same_as = \"f\"\n") + two + "same_as = \"e\"\n",
         "game.toml:5:11: [[entity]] e: same_as names f, which is the same as e: name that one"},
        {entity("local_avatar", "interval_ms = 50\n") + two + "same_as = \"e\"\ninterval_ms = 60\n",
         "game.toml:10:15: [[entity]] f: interval_ms differs from that of e, the same thing: keep one"},
        {entity("chat", "") + two + "same_as = \"e\"\n",
         "game.toml:8:11: [[entity]] f: same_as names e, which needs no algorithm to share: remove it"},
    });
}

TEST(AdviseDescriptionErrors, AreOneShortLineWhateverTheFileSays) {
    const std::string error =
        error_of(entity("object", "situation = \"" + std::string(5000, 'x') + "\\n\"\n"));
    EXPECT_LT(error.size(), 420U);
    EXPECT_EQ(error.find('\n'), std::string::npos);
    std::string many = "game = \"G\"\n";
    for (int i = 0; i < 65; ++i)
        many += "[[entity]]\nname = \"e" + std::to_string(i) + "\"\ntype = \"chat\"\n";
    EXPECT_NE(error_of(many).find("is there 65 times: group them into 64 at most"), std::string::npos);
}

TEST(AdviseDescriptionErrors, FilesThatCannotBeRead) {
    EXPECT_EQ(load_description("/nowhere/game.toml").error().message, "/nowhere/game.toml: cannot be read");
    EXPECT_EQ(load_description("/").error().message, "/: cannot be read");
    const TemporaryFolder folder;
    const auto file = folder.path() / "long.toml";
    std::ofstream{file} << std::string(2 * kMostDescriptionBytes, '#');
    EXPECT_EQ(load_description(file).error().message,
              file.string() + ": is longer than 262144 bytes, so it is no description of a game");
}

TEST(AdviseExamples, CanAllBeRead) {
    const auto folder = std::filesystem::path{plans_folder()}.parent_path().parent_path() / "examples";
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
        if (entry.path().extension() != ".toml") continue;
        const auto description = load_description(entry.path());
        ASSERT_TRUE(description) << description.error().message;
        EXPECT_GE(description->entities.size(), 6U);
        ++found;
    }
    EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace fray::lab::advise
