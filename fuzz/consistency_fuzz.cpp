// Any bytes as a consistency choice, a request and a reply: an accepted value is written back to the same
// bits. Then as updates and choices of an entity's owner, mixed with queries of the screen: the shown entity
// must stay inside the world, and memory bounded.

#include <fray/assert.hpp>

#include "agreement/requests.hpp"
#include "consistency/consistency_choice.hpp"
#include "consistency/showing.hpp"
#include "fuzz/read_and_write.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fray {
namespace {

void look(const Showing& showing, const World& world, SessionInstant now) {
    if (showing.empty()) return;
    for (const Shown& shown : {showing.shown(now), showing.target(now)}) {
        const Vec3& p = shown.pose.position;
        FRAY_ASSERT(p.x >= world.low.x && p.x <= world.high.x && p.y >= world.low.y && p.y <= world.high.y);
    }
    FRAY_ASSERT(showing.timeline().size() <= Timeline::kMost && showing.heap_bytes() < 200'000);
}

void show(BitReader& in) {
    World world;
    world.wrap_x = in.boolean();
    Showing showing{in.boolean() ? Showing::Whose::own : Showing::Whose::others, world, {}, {}};
    SessionInstant now{1h};
    while (in.ok() && in.bits_left() > 0) {
        now += Duration{in.bits(18)};
        if (in.boolean()) {
            ConsistencyChoice choice;
            if (read(in, choice) && choice.consistency.check()) showing.choose(now, choice.consistency);
        } else {
            Moment moment{.when = now + Duration{std::int64_t{1000} * static_cast<std::int16_t>(in.bits(16))},
                          .pose = {},
                          .payload = std::vector<std::uint8_t>(in.bits(12)),
                          .input = std::vector<std::uint8_t>(in.bits(6))};
            moment.pose.position.x = static_cast<float>(in.bits(11)) - 1024;
            moment.pose.velocity.y = static_cast<float>(in.bits(11)) - 1024;
            for (std::uint8_t& byte : moment.input) byte = static_cast<std::uint8_t>(in.bits(3));
            showing.add_update(now, moment);
        }
        look(showing, world, now);
    }
    showing.forget();
    FRAY_ASSERT(showing.empty());
}

}  // namespace
}  // namespace fray

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fray;
    if (size == 0) return 0;
    const std::span rest{data + 1, size - 1};
    switch (data[0] % 4) {
        case 0:
            read_and_write<ConsistencyChoice>(rest);
            break;
        case 1:
            read_and_write<Request>(rest);
            break;
        case 2:
            read_and_write<Reply>(rest);
            break;
        default: {
            BitReader in{rest};
            show(in);
        }
    }
    return 0;
}
