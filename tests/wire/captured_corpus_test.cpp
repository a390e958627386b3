#include <fray/peer.hpp>

#include "support/pair.hpp"
#include "wire/capture.hpp"
#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fray {
namespace {

struct Tank {
    std::uint8_t armor = 0;
    bool firing = false;
};
template <class Stream>
void serialize(Stream& stream, Tank& value) {
    stream.integer(value.armor, 0, 100);
    stream.boolean(value.firing);
}
const char* const kTypes = "[[], [7, 1]]";

World make_world() {
    World world;
    world.types = {EntityType::bare("bare"), EntityType::of<Tank>("tank")};
    return world;
}

/// Three peers that send every kind of message, and one that is refused.
void play(test::Cluster& cluster, const World& world) {
    PeerOptions options;
    options.world = world;
    options.link.early_data = true;
    cluster.remember_sent(true);
    for (int i = 0; i < 3; ++i) cluster.add(options);
    const auto state = [](int step) {
        const auto x = static_cast<float>(step);
        State tank = state_of(Pose{.position = {x * 5, 10, -3}, .velocity = {100, x, 0}, .yaw = x},
                              Tank{static_cast<std::uint8_t>(step), step % 2 == 0}, EntityTypeId{1});
        tank.input = {static_cast<std::uint8_t>(step / 2)};
        return tank;
    };
    const auto tank = cluster.peer(0).publish(cluster.local(0), state(0));
    const auto still = cluster.peer(0).publish(cluster.local(0), state_of(Pose{.position = {1, 2, 3}}));
    // It introduces this one to the third in its first hello.
    ASSERT_TRUE(tank && still && cluster.peer(1).publish(cluster.local(1), state(7)));
    cluster.join_all();
    for (int step = 1; step < 12; ++step) {
        ASSERT_TRUE(cluster.peer(0).update(cluster.local(0), *tank, state(step)));
        cluster.run_for(50ms);
    }
    for (const Delivery delivery : {Delivery::unreliable, Delivery::reliable, Delivery::ordered}) {
        ASSERT_TRUE(cluster.peer(1).send(cluster.local(1), test::text("hello", delivery)));
        cluster.run_for(200ms);
    }
    ASSERT_TRUE(
        cluster.peer(1).send(cluster.local(1), test::text(std::string(1500, 'x'), Delivery::unreliable)));
    ASSERT_TRUE(cluster.peer(0).withdraw(cluster.local(0), *tank));
    cluster.run_for(500ms);
    options.world.name = "another";
    cluster.join(cluster.add(options), 0);
    cluster.run_for(200ms);
    cluster.cut(0, 1);  // a lost peer is called with early data
    cluster.run_for(6s);
    cluster.cut(0, 1, false);
    cluster.run_for(3s);
    cluster.peer(2).leave(cluster.local(2));
    cluster.run_for(200ms);
}

TEST(Corpus, WhatPeersSend) {
    const World world = make_world();
    test::Cluster cluster;
    ASSERT_NO_FATAL_FAILURE(play(cluster, world));
    Capture capture{world, kTypes, "captured"};
    for (std::size_t from = 0; from < cluster.size(); ++from) capture.add_sent_by(cluster, from);
    EXPECT_EQ(capture.kinds, (std::set<std::uint8_t>{6, 11}));
    std::string all;
    for (const std::string& shape : capture.shapes) all += shape + "\n";
    for (const char* wanted : {"0:call\n", "0:call early 5w", "0:answer", "1:", "2:", " 1", " 2", " 4", " 5w",
                               " 5d", " 6", " 7", " 8", " 10"}) {
        EXPECT_NE(all.find(wanted), std::string::npos) << wanted << " in\n" << all;
    }
    capture.bodies.check();
    capture.messages.check();
}

TEST(Corpus, FewMessages) {
    Corpus corpus{"messages", "messages", json(World{})};
    const std::string arguments = "[[[]], []]";
    const auto types = [](std::vector<int> given) {
        return [given = std::move(given)](BitWriter& out) {
            for (const int type : given) out.bits(static_cast<std::uint64_t>(type), kMessageKindBits);
        };
    };
    const std::string goodbye = message_json(MessageKind::goodbye, 0);
    const std::string keep_alive = message_json(MessageKind::keep_alive, 0);
    corpus.add(arguments, "[]", types({}));
    corpus.add(arguments, "[]", types({0}));
    corpus.add(arguments, list_of({goodbye}), types({4}));
    corpus.add(arguments, list_of({keep_alive, keep_alive}), types({3, 3}));
    corpus.add(arguments, list_of({keep_alive, goodbye}), types({3, 4}));
    corpus.refuse(arguments, types({15, 1}));
    corpus.refuse(arguments, types({3, 15, 2}));
    corpus.check();
}

TEST(Corpus, WhatIsBehindTheLastMessageDoesNotMatter) {
    const std::string arguments = "[[[]], []]";
    const std::string goodbye = message_json(MessageKind::goodbye, 0);
    const std::string keep_alive = message_json(MessageKind::keep_alive, 0);
    Corpus bodies{"data_body", "data_body", json(World{})};
    const std::string header = record({{"acks", 0}, {"newest", 0}, {"delay", 0}, {"all", 0}, {"earlier", 0}});
    const auto add = [&](const std::string& messages, int type, std::uint64_t rest, unsigned bits) {
        bodies.add(arguments, record({{"header", header}, {"messages", messages}, {"padding", rest}}),
                   [&](BitWriter& out) {
                       out.boolean(false);
                       if (type >= 0) out.bits(static_cast<std::uint64_t>(type), kMessageKindBits);
                       out.bits(rest, bits);
                   });
    };
    add("[]", -1, 0, 3);
    add("[]", -1, 5, 3);
    add("[]", 0, 0xFFF, 12);
    add(list_of({goodbye}), 4, 0xABC, 12);
    add(list_of({keep_alive}), 3, 0, 0);
    bodies.check();
}

TEST(Corpus, BodiesThatCannotBe) {
    Corpus corpus{"body_refused", "body", json(World{})};
    corpus.refuse("[[[]], []]", [](BitWriter& out) {
        out.bits(static_cast<std::uint64_t>(DatagramKind::data), kKindBits);
        write_varint(out, 65'536);  // no link has this number
        out.bits(0, 17);
    });
    corpus.check();
}

}  // namespace
}  // namespace fray
