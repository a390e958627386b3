#include "ownership/known_entities.hpp"

#include "support/lone_part.hpp"

#include <gtest/gtest.h>

namespace fray::test {
namespace {

/// No state of any entity has arrived.
class NoReplicas final : public ReplicaReader {
public:
    [[nodiscard]] std::optional<HeardState> newest(LinkNumber, std::uint32_t) const override { return {}; }
    [[nodiscard]] std::optional<HeardState> first(LinkNumber) const override { return {}; }
    [[nodiscard]] bool was_withdrawn(LinkNumber, std::uint32_t) const override { return false; }
};

/// With a short upload the state comes long after the claim. A deputy that forgot the entity meanwhile would
/// confirm no record of it.
TEST(KnownEntities, AClaimWhoseOwnerIsLinkedStaysKnownHoweverLateTheStateIs) {
    LonePart lone;
    const NoReplicas none;
    KnownEntities known{lone.context, none};
    const Claim claim{.id = {PeerId::from_number(2), kFirstLasting},
                      .term = 1,
                      .owner = PeerId::from_number(2),
                      .body = kFirstLasting,
                      .shared = true};
    known.set(claim);
    const auto linked = [](const Claim&) { return true; };
    const auto lost = [](const Claim&) { return false; };
    Instant now{1s};
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(known.list_expired(now += 1s, 10s, linked).empty());
    int seconds_known = 0;
    while (known.list_expired(now += 1s, 10s, lost).empty() && seconds_known < 100) ++seconds_known;
    EXPECT_EQ(seconds_known, 11) << "from the moment in which its owner is lost";
}

}  // namespace
}  // namespace fray::test
