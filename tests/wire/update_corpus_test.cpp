#include <fray/state.hpp>
#include <fray/world.hpp>

#include "replica/primary.hpp"
#include "replica/replica_store.hpp"
#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"
#include "wire/input_codec.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fray {
namespace {

struct Armor {
    std::uint8_t left = 0;
    bool firing = false;
};
template <class Stream>
void serialize(Stream& stream, Armor& value) {
    stream.integer(value.left, 0, 100);
    stream.boolean(value.firing);
}

/// Fields that need no bits.
struct Constants {
    std::uint8_t a = 3;
    std::uint8_t b = 4;
};
template <class Stream>
void serialize(Stream& stream, Constants& value) {
    stream.integer(value.a, 3, 3);
    stream.integer(value.b, 4, 4);
}

const char* const kTypes = "[[], [7, 1], [0, 0]]";
constexpr EntityTypeId kArmor{1};
constexpr EntityTypeId kConstants{2};

World make_world() {
    World world;
    world.types = {EntityType::bare("bare"), EntityType::of<Armor>("armor"),
                   EntityType::of<Constants>("constants")};
    return world;
}

class Updates {
public:
    const World world = make_world();
    const PoseCodec codec{world};

    /// An entity after these states, one per frame, and its update: whole, or with a baseline this many
    /// datagrams back.
    struct Case {
        std::uint32_t number = 0;
        std::vector<std::pair<State, SessionInstant>> states;
        unsigned back = 0;
    };
    void write(BitWriter& out, const Case& given) const {
        const State& last = given.states.back().first;
        Primary primary{given.number, last.type};
        Frame frame = 0;
        for (const auto& [state, stamp] : given.states) {
            primary.set(state, stamp);
            primary.commit(++frame, codec);
        }
        const auto body =
            primary.encode(world, codec, given.back == 0 ? std::nullopt : std::optional<Frame>{1});
        ASSERT_EQ(body.whole, given.back == 0);
        write_varint(out, given.number);
        out.bits(given.back, kBackBits);
        out.copy(body.bytes, body.bits);
    }
    [[nodiscard]] std::string value(const Case& given) const {
        const State& last = given.states.back().first;
        return record({{"number", given.number},
                       {"back", given.back},
                       {"type", static_cast<int>(last.type)},
                       {"pose", json(codec.quantise(last.pose))},
                       {"payload", list(fields(last))},
                       {"input", list(last.input)}});
    }
    [[nodiscard]] std::string held(const Case& given) const {
        const auto& [state, stamp] = given.states.front();
        return record({{"number", given.number},
                       {"back", given.back},
                       {"type", static_cast<int>(state.type)},
                       {"stamp", stamp_of(stamp)},
                       {"pose", json(codec.quantise(state.pose))},
                       {"payload", list(fields(state))},
                       {"input", list(state.input)}});
    }
    [[nodiscard]] static std::string stamp(const Case& given) {
        return std::to_string(stamp_of(given.states.back().second));
    }

private:
    [[nodiscard]] std::vector<std::uint64_t> fields(const State& state) const {
        if (state.type == kConstants) return {0, 0};
        std::vector<std::uint64_t> fields;
        EXPECT_TRUE(world.types[static_cast<std::size_t>(state.type)].fields(state.payload, fields));
        return fields;
    }
};

Pose fast(float x) {
    return Pose{.position = {x, -200, 30}, .velocity = {900, -700, 333}, .yaw = 77, .pitch = -20};
}

SessionInstant at(std::int64_t ms) { return SessionInstant{std::chrono::milliseconds{ms}}; }

State with_input(State state, std::vector<std::uint8_t> input) {
    state.input = std::move(input);
    return state;
}

const std::vector<Updates::Case>& cases() {
    static const std::vector<Updates::Case> all{
        // Whole ones.
        {0, {{state_of(fast(1)), at(0)}}, 0},
        {300, {{with_input(state_of(fast(2), Armor{93, true}, kArmor), {1, 2, 255}), at(65'535)}}, 0},
        {UINT32_MAX, {{state_of(fast(3), Constants{}, kConstants), at(70'000)}}, 0},
        // Against a baseline: a tick later, and with stamps that wrapped, by much and by little.
        {7, {{state_of(fast(10)), at(1'000)}, {state_of(fast(52.5F)), at(1'050)}}, 1},
        {8, {{state_of(fast(-900)), at(65'000)}, {state_of(fast(900)), at(67'000)}}, 31},
        {9, {{state_of(fast(10)), at(65'530)}, {state_of(fast(20)), at(65'541)}}, 16},
        {10, {{state_of(fast(10)), at(-1)}, {state_of(fast(20)), at(13)}}, 2},
        // The new stamp is older, and later by as much as possible.
        {11, {{state_of(fast(10)), at(66'000)}, {state_of(fast(20)), at(65'500)}}, 3},
        {12, {{state_of(fast(10)), at(0)}, {state_of(fast(20)), at(32'767)}}, 4},
        {13, {{state_of(fast(10)), at(0)}, {state_of(fast(20)), at(32'768)}}, 5},
        // Payloads: changed, the same, without bits.
        {14,
         {{state_of(fast(10), Armor{93, true}, kArmor), at(0)},
          {state_of(fast(20), Armor{92, true}, kArmor), at(50)}},
         1},
        {15,
         {{state_of(fast(10), Armor{93, true}, kArmor), at(0)},
          {state_of(fast(20), Armor{93, true}, kArmor), at(50)}},
         1},
        {16,
         {{state_of(fast(10), Constants{}, kConstants), at(0)},
          {state_of(fast(20), Constants{}, kConstants), at(50)}},
         1},
        // Inputs: new, the same, changed, empty again.
        {17, {{state_of(fast(10)), at(0)}, {with_input(state_of(fast(20)), {9}), at(50)}}, 1},
        {18,
         {{with_input(state_of(fast(10)), {9, 8}), at(0)}, {with_input(state_of(fast(20)), {9, 8}), at(50)}},
         1},
        {19,
         {{with_input(state_of(fast(10)), {9, 8}), at(0)}, {with_input(state_of(fast(20)), {9, 7}), at(50)}},
         1},
        {20, {{with_input(state_of(fast(10)), {9, 8}), at(0)}, {state_of(fast(20)), at(50)}}, 1},
    };
    return all;
}

TEST(Corpus, Updates) {
    const Updates updates;
    Corpus corpus{"update", "update", json(updates.world)};
    for (const Updates::Case& given : cases()) {
        const std::string held = given.back == 0 ? "[]" : "[" + updates.held(given) + "]";
        corpus.add("[" + std::string{kTypes} + ", " + held + ", " + Updates::stamp(given) + "]",
                   updates.value(given), [&](BitWriter& out) { updates.write(out, given); });
    }
    corpus.check();
}

TEST(Corpus, UpdatesThatCannotBe) {
    const Updates updates;
    Corpus corpus{"update_refused", "update", json(updates.world)};
    const auto accepts = [&](BitReader& in) {
        ReadUpdate read;
        return ReplicaStore{}.apply(in, updates.world, updates.codec, UpdateOrigin{}, read).has_value();
    };
    const auto arguments = [](const std::string& held) {
        return "[" + std::string{kTypes} + ", " + held + ", 50]";
    };
    const QuantisedPose pose = updates.codec.quantise(fast(1));
    const auto whole = [&](std::uint64_t number, std::uint64_t type) {
        return [&, number, type](BitWriter& out) {
            write_varint(out, number);
            out.bits(0, kBackBits);
            out.bits(type, 2);
            updates.codec.write_full(out, pose);
            out.boolean(false);
        };
    };
    corpus.refuse(arguments("[]"), whole(std::uint64_t{1} << 32U, 0), accepts);
    corpus.refuse(arguments("[]"), whole(1, 3), accepts);  // no such type
    const Updates::Case& delta = cases()[3];
    const auto write_delta = [&](BitWriter& out) { updates.write(out, delta); };
    corpus.refuse(arguments("[]"), write_delta, accepts);  // no baseline
    Updates::Case other = delta;
    ++other.number;
    corpus.refuse(arguments("[" + updates.held(other) + "]"), write_delta, accepts);  // of another entity
    other = delta;
    ++other.back;
    corpus.refuse(arguments("[" + updates.held(other) + "]"), write_delta, accepts);  // of another datagram
    corpus.check();
}

TEST(Corpus, SeveralUpdates) {
    const Updates updates;
    Corpus some{"updates", "updates", json(updates.world)};
    Corpus states{"state", "state", json(updates.world)};
    std::vector<std::string> values;
    std::vector<std::string> held;
    std::vector<const Updates::Case*> given;
    const auto write = [&](BitWriter& out) {
        for (const Updates::Case* one : given) {
            out.boolean(true);
            updates.write(out, *one);
        }
        out.boolean(false);
    };
    const auto add = [&] {
        const std::string arguments = "[" + std::string{kTypes} + ", " + list_of(held);
        some.add(arguments + ", 50]", list_of(values), write);
        states.add(arguments + "]", record({{"stamp", 50}, {"updates", list_of(values)}}),
                   [&](BitWriter& out) {
                       out.bits(50, kStampBits);
                       write(out);
                   });
    };
    add();
    for (std::size_t i : {14U, 13U, 12U}) {  // all of stamp 50
        given.push_back(&cases()[i]);
        values.push_back(updates.value(cases()[i]));
        held.push_back(updates.held(cases()[i]));
        add();
    }
    some.check();
    states.check();
}

TEST(Corpus, Inputs) {
    Corpus corpus{"input", "input"};
    const std::vector<std::uint8_t> longest(kMaxInputBytes, 170);
    const std::vector<std::vector<std::uint8_t>> inputs{{}, {0}, {1, 2, 3}, longest};
    for (const auto& old : inputs) {
        for (const auto& now : inputs) {
            corpus.add("[" + list(old) + "]", list(now), [&](BitWriter& out) { write_input(out, old, now); });
        }
    }
    const auto too_long = [](BitWriter& out) {
        write_input(out, {}, std::vector<std::uint8_t>(kMaxInputBytes + 1));
    };
    corpus.refuse("[[]]", too_long, [](BitReader& in) {
        std::vector<std::uint8_t> input;
        read_input(in, {}, input);
        return true;
    });
    corpus.check();
}

}  // namespace
}  // namespace fray
