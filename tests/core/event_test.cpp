#include <fray/event.hpp>

#include <gtest/gtest.h>

#include <string>
#include <unordered_set>
#include <vector>

namespace fray {
namespace {

constexpr PeerId kAda = PeerId::from_number(1);
constexpr PeerId kBen = PeerId::from_number(2);

TEST(Event, EveryKindIsOneLine) {
    const std::string ada = "peer 00000000000000000000000000000001";
    const std::string ben = "peer 00000000000000000000000000000002";
    const SessionInstant when{1500ms};
    const std::vector<std::pair<Event, std::string>> cases{
        {Joined{kAda}, "Joined through " + ada},
        {Refused{*parse_address("10.0.0.1:7000"), Reason::full}, "Refused by 10.0.0.1:7000: full"},
        {PeerJoined{kBen, Incarnation{7}}, "PeerJoined: " + ben + ", incarnation 7"},
        {PeerLeft{kBen, Incarnation{7}, Reason::timed_out},
         "PeerLeft: " + ben + ", incarnation 7: timed out"},
        {EntityAppeared{{kBen, 3}}, "EntityAppeared: entity 3 of " + ben},
        {EntityGone{{kBen, 3}}, "EntityGone: entity 3 of " + ben},
        {Overruled{{kAda, 4}, {}, when}, "Overruled: entity 4 of " + ada + ", at session time 1500 ms"},
        {Asked{{kBen, 9}, {kBen, 3}, {kAda, 4}, when, {}, {1, 2}},
         "Asked: request 9 of " + ben + ", by entity 3 of " + ben + ", target entity 4 of " + ada +
             ", seen at 1500 ms, 2 bytes"},
        {Answered{{kAda, 9}, {kBen, 3}, true, {1}},
         "Answered: request 9 of " + ada + ", target entity 3 of " + ben + ", 1 bytes"},
        {Answered{{kAda, 9}, {kBen, 3}, false, {}},
         "Answered: request 9 of " + ada + ", target entity 3 of " + ben + ", no answer"},
        {Message{kBen, when, Delivery::ordered, {1, 2, 3}},
         "Message from " + ben + ", ordered, for session time 1500 ms, 3 bytes"},
    };
    for (const auto& [event, line] : cases) EXPECT_EQ(to_string(event), line);
}

TEST(Ids, CanBeKeysOfHashTables) {
    std::unordered_set<PeerId> peers;
    std::unordered_set<EntityId> entities;
    std::unordered_set<RequestId> requests;
    std::unordered_set<Address> addresses;
    std::unordered_set<std::size_t> hashes;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        peers.insert(PeerId::from_number(i));
        entities.insert({PeerId::from_number(i % 10), i / 10});
        requests.insert({PeerId::from_number(i % 10), i / 10});
        addresses.insert(Address::from_number(i));
        hashes.insert(std::hash<EntityId>{}({PeerId::from_number(i % 10), i / 10}));
    }
    EXPECT_EQ(peers.size(), 1000U);
    EXPECT_EQ(entities.size(), 1000U);
    EXPECT_EQ(requests.size(), 1000U);
    EXPECT_EQ(addresses.size(), 1000U);
    EXPECT_EQ(hashes.size(), 1000U);
    EXPECT_TRUE(entities.contains({PeerId::from_number(3), 7}));
    EXPECT_EQ(std::hash<PeerId>{}(kAda), std::hash<PeerId>{}(PeerId::from_number(1)));
    EXPECT_NE((std::hash<Address>{}({kAda.bytes, 1})), (std::hash<Address>{}({kAda.bytes, 2})));
}

}  // namespace
}  // namespace fray
