// Values of the game in messages, requests and states: what arrives, and what is refused.
#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace fray {
namespace {

using test::Cluster;
using test::Pair;

struct Tank {
    std::uint8_t armor = 0;
    float turret = 0;
    std::string name{};
    friend bool operator==(const Tank&, const Tank&) = default;
};
template <class Stream>
void serialize(Stream& stream, Tank& tank) {
    stream.integer(tank.armor, 0, 100);
    stream.quantised(tank.turret, {-90, 90, 0.5F});
    stream.text(tank.name, 5000);
}

struct Door {
    bool open = false;
};
template <class Stream>
void serialize(Stream& stream, Door& door) {
    stream.boolean(door.open);
}

PeerOptions options() {
    PeerOptions options;
    options.world.types = {EntityType::of<Tank>("tank"), EntityType::of<Door>("door")};
    return options;
}

template <class T>
std::string complaint(const Result<T>& result) {
    return result ? "" : result.error().message;
}

#define EXPECT_SAYS(result, words) \
    EXPECT_NE(complaint(result).find(words), std::string::npos) << "says: " << complaint(result)

TEST(Typed, MessagesCarryValues) {
    Pair pair;
    const Tank tank{.armor = 7, .turret = -12.5F, .name = "Ada"};
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), tank));
    ASSERT_TRUE(
        pair.peer(0).send(pair.local(0), Door{true}, Audience::only(Cluster::id(1)), Delivery::ordered));
    pair.run_for(300ms);
    const auto got = pair.events_of<Message>(1);
    ASSERT_EQ(got.size(), 2U);
    const Message& first = got[got[0].delivery == Delivery::reliable ? 0 : 1];
    EXPECT_EQ(first.as<Tank>(), tank);
    EXPECT_EQ(first.as<Door>(), std::nullopt) << "more bytes than a door has";
    const Message& second = got[got[0].delivery == Delivery::reliable ? 1 : 0];
    EXPECT_TRUE(second.as<Door>() && second.as<Door>()->open);
    EXPECT_EQ(second.as<Tank>(), std::nullopt);
    EXPECT_SAYS(pair.peer(0).send(pair.local(0), Tank{.armor = 101}), "field 1");
}

TEST(Typed, RequestsAndAnswersCarryValues) {
    Pair pair;
    const auto gun = pair.peer(0).publish(pair.local(0), state_of(Pose{}));
    const auto door = pair.peer(1).publish(pair.local(1), state_of(Pose{}));
    ASSERT_TRUE(gun && door);
    pair.run_for(300ms);
    ASSERT_TRUE(pair.peer(0).interact(pair.local(0), *gun, *door, Tank{.armor = 3}));
    pair.run_for(300ms);
    const auto asked = pair.events_of<Asked>(1);
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].as<Tank>(), Tank{.armor = 3});
    EXPECT_FALSE(asked[0].as<Door>());
    ASSERT_TRUE(pair.peer(1).answer(pair.local(1), asked[0].request, Door{true}));
    pair.run_for(300ms);
    const auto answered = pair.events_of<Answered>(0);
    ASSERT_EQ(answered.size(), 1U);
    ASSERT_TRUE(answered[0].as<Door>());
    EXPECT_TRUE(answered[0].as<Door>()->open);
    EXPECT_FALSE(answered[0].as<Tank>());
    EXPECT_SAYS(pair.peer(0).interact(pair.local(0), *gun, *door, Tank{.turret = 91}), "field 2");
    EXPECT_SAYS(pair.peer(1).answer(pair.local(1), asked[0].request, Tank{.turret = -91}), "field 2");
    const Answered gone{.request = {}, .target = {}, .answered = false, .bytes = {0}};
    EXPECT_FALSE(gone.as<Door>()) << "no answer is no door";
}

TEST(Typed, APayloadOfAnotherStructIsRefused) {
    Pair pair{options()};
    EXPECT_SAYS(pair.peer(0).publish(pair.local(0), state_of(Pose{}, Tank{}, EntityTypeId{1})), "'door'");
    EXPECT_SAYS(pair.peer(0).publish(pair.local(0), state_of(Pose{}, Door{}, EntityTypeId{0})), "'tank'");
    EXPECT_SAYS(pair.peer(0).publish(pair.local(0), state_of(Pose{})), "does not decode as 'tank'");
    State padded = state_of(Pose{}, Door{}, EntityTypeId{1});
    padded.payload[0] |= 2;
    EXPECT_SAYS(pair.peer(0).publish(pair.local(0), padded), "'door'");
    const auto tank = pair.peer(0).publish(pair.local(0), state_of(Pose{}, Tank{.armor = 5}));
    ASSERT_TRUE(tank);
    State longer = state_of(Pose{}, Tank{.armor = 6});
    longer.payload.push_back(0);
    EXPECT_SAYS(pair.peer(0).update(pair.local(0), *tank, longer), "does not decode as 'tank'");
    EXPECT_SAYS(pair.peer(0).update(pair.local(0), *tank, state_of(Pose{}, Door{}, EntityTypeId{1})),
                "is a 'tank', not a 'door'");
    pair.run_for(300ms);
    EXPECT_EQ(pair.peer(1).replica(pair.local(1), *tank)->as<Tank>()->armor, 5);
}

TEST(Typed, AValueOutsideItsRangeIsRefusedAndChangesNothing) {
    Pair pair{options()};
    const auto tank = pair.peer(0).publish(pair.local(0), state_of(Pose{}, Tank{.armor = 5}));
    ASSERT_TRUE(tank);
    const auto update = [&](const Tank& value) {
        return pair.peer(0).update(pair.local(0), *tank, state_of(Pose{}, value));
    };
    EXPECT_SAYS(update({.armor = 101}), "field 1 of 'tank' is outside");
    EXPECT_SAYS(update({.turret = 91}), "field 2 of 'tank' is outside");
    EXPECT_SAYS(update({.turret = std::numeric_limits<float>::quiet_NaN()}), "field 2 of 'tank'");
    EXPECT_SAYS(update({.name = std::string(5001, 'x')}), "field 3 of 'tank'");
    EXPECT_SAYS(pair.peer(0).publish(pair.local(0), state_of(Pose{}, Tank{.armor = 200})),
                "field 1 of 'tank'");
    pair.run_for(300ms);
    EXPECT_EQ(pair.peer(1).replica(pair.local(1), *tank)->as<Tank>(), Tank{.armor = 5});
    EXPECT_TRUE(update({.armor = 100, .turret = 90}));
}

TEST(Typed, WhatIsTooLongIsCalledTooLongWithBothSizes) {
    Pair pair{options()};
    const auto tank = pair.peer(0).publish(pair.local(0), state_of(Pose{}, Tank{}));
    const auto other = pair.peer(1).publish(pair.local(1), state_of(Pose{}, Tank{}));
    ASSERT_TRUE(tank && other);
    pair.run_for(300ms);
    const Tank big{.name = std::string(5000, 'x')};
    const std::string size = std::to_string(bytes_of(big)->size());
    const auto updated = pair.peer(0).update(pair.local(0), *tank, state_of(Pose{}, big));
    EXPECT_SAYS(updated, "payload of 'tank' is too long");
    EXPECT_SAYS(updated, size);
    EXPECT_SAYS(updated, "4096");
    State state = state_of(Pose{}, Tank{});
    state.input.resize(70);
    EXPECT_SAYS(pair.peer(0).publish(pair.local(0), state), "the input is too long: 70 bytes, at most 64");
    EXPECT_SAYS(pair.peer(0).interact(pair.local(0), *tank, *other, big), "the request is too long: " + size);
}

TEST(Typed, AForeignEntityIsNamedWithItsOwner) {
    Pair pair{options()};
    const auto own = pair.peer(0).publish(pair.local(0), state_of(Pose{}, Tank{}));
    ASSERT_TRUE(own);
    const EntityId foreign{Cluster::id(1), 3};
    const std::string words = "entity 3 belongs to peer " + to_string(Cluster::id(1)) + ", not to this peer";
    const Instant now = pair.local(0);
    EXPECT_SAYS(pair.peer(0).update(now, foreign, state_of(Pose{}, Tank{})), words);
    EXPECT_SAYS(pair.peer(0).withdraw(now, foreign), words);
    EXPECT_SAYS(pair.peer(0).set_consistency(now, foreign, {}), words);
    EXPECT_SAYS(pair.peer(0).interact(now, foreign, *own, {}), words);
    EXPECT_SAYS(pair.peer(0).interact(now, *own, *own, {}), "is this peer's own");
    EXPECT_SAYS(pair.peer(0).interact(now, *own, foreign, {}), "is not among this peer's replicas");
    const EntityId unknown{PeerId::from_number(77), 3};
    EXPECT_SAYS(pair.peer(0).interact(now, *own, unknown, {}),
                "no link with peer " + to_string(unknown.owner));
    ASSERT_TRUE(pair.peer(0).withdraw(now, *own));
    for (const auto& result : {pair.peer(0).withdraw(now, *own), pair.peer(0).set_consistency(now, *own, {})})
        EXPECT_SAYS(result, "this peer has no entity 0");
}

/// The same bits in other ranges: before, such peers joined and misread each other.
struct ShiftedTank : Tank {};
template <class Stream>
void serialize(Stream& stream, ShiftedTank& tank) {
    stream.integer(tank.armor, 27, 127);
    stream.quantised(tank.turret, {-90, 90, 0.5F});
    stream.text(tank.name, 5000);
}

Reason refusal_of(const PeerOptions& newcomer) {
    Cluster cluster;
    cluster.add(options());
    cluster.add(newcomer);
    cluster.join(1, 0);
    cluster.run_for(2s);
    const auto refused = cluster.events_of<Refused>(1);
    EXPECT_EQ(refused.size(), 1U);
    EXPECT_TRUE(cluster.peer(0).peers().empty());
    return refused.empty() ? Reason::left : refused[0].reason;
}

TEST(Typed, AChangedStructAndAnotherVersionAreRefused) {
    PeerOptions shifted = options();
    shifted.world.types[0] = EntityType::of<ShiftedTank>("tank");
    EXPECT_EQ(refusal_of(shifted), Reason::world_mismatch);
    PeerOptions newer = options();
    newer.world.version = 1;
    EXPECT_EQ(refusal_of(newer), Reason::world_mismatch);
}

}  // namespace
}  // namespace fray
