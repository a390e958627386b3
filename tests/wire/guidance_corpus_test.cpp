#include "guidance/guidance_message.hpp"
#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace fray {
namespace {

World flat_world() {
    World world;
    world.low = {0, -50, 0};
    world.high = {200, 50, 0};
    return world;
}

std::string reals(const Vec3& v) {
    return list_of({real(double{v.x}), real(double{v.y}), real(double{v.z})});
}

std::string arguments(const World& world) {
    return list_of({reals(world.low), reals(world.high), real(double{world.position_precision})});
}

float rounded(float degrees) {
    return restore_angle(quantise_angle(degrees, kDeviationBits), kDeviationBits);
}

std::string json(const World& world, const Advice& advice) {
    const bool aims = advice.target != Advice::Target::none;
    const bool has_height = world.high.z > world.low.z;
    const Facing& facing = advice.deviation;
    return record({{"number", advice.number},
                   {"when", advice.when},
                   {"is_explicit", advice.position ? 1 : 0},
                   {"position", advice.position ? reals(*advice.position) : std::string{"[]"}},
                   {"target", static_cast<int>(advice.target)},
                   {"peer", advice.target == Advice::Target::other ? advice.peer : 0},
                   {"yaw", aims ? real(double{rounded(facing.yaw)}) : std::string{"0"}},
                   {"pitch", aims && has_height ? real(double{rounded(facing.pitch)}) : std::string{"0"}}});
}

std::string json(const World& world, const GuidanceMessage& message) {
    std::vector<std::string> advice;
    for (const Advice& entry : message.advice) advice.push_back(json(world, entry));
    return record({{"converged_count", message.converged.size()},
                   {"converged", list(message.converged)},
                   {"advice_count", message.advice.size()},
                   {"advice", list_of(advice)}});
}

TEST(Corpus, Guidance) {
    Corpus corpus{"guidance", "guidance"};
    for (World world : {flat_world(), World{}}) {
        const auto add = [&](GuidanceMessage message) {
            const GuidanceInWorld in_world{&world, &message};
            corpus.add(arguments(world), json(world, message), [&](BitWriter& out) { write(out, in_world); });
        };
        const Advice plain{.number = 3, .when = 200};
        const Advice explicit_one{.number = 0xFFFF'FFFF, .when = 0, .position = Vec3{100, -20, 0}};
        const Advice at_you{
            .number = 0, .when = 255, .target = Advice::Target::receiver, .deviation = {45, 0}};
        const Advice at_other{.number = 1,
                              .when = 77,
                              .target = Advice::Target::other,
                              .peer = 0xABCD,
                              .deviation = {-90, -30}};
        add({.converged = {0}, .advice = {}});
        add({.converged = {}, .advice = {plain}});
        add({.converged = {}, .advice = {explicit_one}});
        add({.converged = {}, .advice = {at_you, at_other}});
        add({.converged = {1, 20, 300}, .advice = {at_other, plain, explicit_one}});
    }
    corpus.check();
}

bool accepts_message(BitReader& in) {
    const World world = flat_world();
    GuidanceMessage message;
    GuidanceInWorld in_world{&world, &message};
    return read(in, in_world);
}

TEST(Corpus, GuidanceThatIsRejected) {
    Corpus corpus{"guidance_refused", "guidance"};
    const auto refuse = [&](const std::function<void(BitWriter&)>& body) {
        corpus.refuse(arguments(flat_world()), body, accepts_message);
    };
    refuse([](BitWriter& out) {  // too many that converged
        write_varint(out, 17);
        for (int i = 0; i < 17; ++i) write_varint(out, 0);
        write_varint(out, 0);
    });
    refuse([](BitWriter& out) {  // a number that no entity has
        write_varint(out, 1);
        write_varint(out, std::uint64_t{1} << 32U);
        write_varint(out, 0);
    });
    refuse([](BitWriter& out) {  // a fourth kind of target
        write_varint(out, 0);
        write_varint(out, 1);
        write_varint(out, 0);
        out.bits(0, 9);
        out.bits(3, 2);
        out.bits(0, 8);
    });
    constexpr unsigned kRest = 11;  // moment, no position, no target
    refuse([](BitWriter& out) {     // too much advice
        write_varint(out, 0);
        write_varint(out, 17);
        for (int i = 0; i < 17; ++i) write_varint(out, 0), out.bits(0, kRest);
    });
    refuse([](BitWriter& out) {  // advice on a number that no entity has
        write_varint(out, 0);
        write_varint(out, 1);
        write_varint(out, std::uint64_t{1} << 32U);
        out.bits(0, kRest);
    });
    refuse([](BitWriter& out) { write_varint(out, 0), write_varint(out, 1); });  // the bits end
    corpus.check();
}

}  // namespace
}  // namespace fray
