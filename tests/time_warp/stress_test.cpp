// stress() finds what is planted in a small game, and names the field.

#include <fray/time_warp/stress.hpp>

#include "support/sanitizers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fray {
namespace {

using testing::HasSubstr;

enum class Plant {
    none,
    unsaved,        // a counter in no part
    uninitialised,  // a member without a value
    unordered,      // the order of an unordered container decides which part is hit
    by_address,     // the same on addresses
    shared,         // copies share their state
    short_reach,    // reach() leaves out runners that can be hit
    writes_all,     // step() moves runners outside of the set
    cut_part,       // a field is not serialised
    narrow_part,    // a field is serialised with a range that is too small
    zeros,          // 0 and -0 are equal, but are written differently
    cut_message,
    idle,
};

/// Runners on a line. A punch hits one that is near; a runner that was hit three times gets up again.
template <Plant kPlant>
class Tag {
public:
    struct Part {
        std::int32_t x = 0;
        std::int32_t speed = 0;
        std::int32_t health = 0;
        float lean = 0;
        friend bool operator==(const Part&, const Part&) = default;
        template <class Stream>
        friend void serialize(Stream& stream, Part& part) {
            stream.integer(part.x, 0, kPlant == Plant::narrow_part ? kLength / 2 : kLength);
            stream.integer(part.speed, -1, 1);
            if (kPlant != Plant::cut_part) stream.integer(part.health, 0, 3);
            stream.real(part.lean);
        }
    };
    struct Message {
        PartNumber runner = 0;
        std::int32_t speed = 0;
        bool punches = false;
        friend bool operator==(const Message&, const Message&) = default;
        template <class Stream>
        friend void serialize(Stream& stream, Message& message) {
            stream.integer(message.speed, -1, 1);
            if (kPlant != Plant::cut_message) stream.boolean(message.punches);
        }
    };
    struct Outcome {
        PartNumber part = 0;
        PartNumber by = 0;
        friend bool operator==(const Outcome&, const Outcome&) = default;
    };
    using Messages = std::span<const Stamped<Message>>;
    static constexpr PartNumber kRunners = 12;
    static constexpr std::int32_t kLength = 60;
    static constexpr std::int32_t kRange = 4;

    // Not defaulted: `Tag{}` would fill everything with zeros first.
    Tag() {  // NOLINT
        for (PartNumber i = 0; i < kRunners; ++i) {
            runners_->push_back({static_cast<std::int32_t>(i) * 5, 0, 3});
            standing_.insert(i);
            shirts_.push_back(std::make_shared<PartNumber>(i));
            by_address_.insert(shirts_.back().get());
        }
    }
    Tag(const Tag& other) { *this = other; }
    Tag& operator=(const Tag& other) {
        if (this == &other) return *this;
        if (kPlant == Plant::shared)
            runners_ = other.runners_;
        else
            runners_ = std::make_shared<std::vector<Part>>(*other.runners_);
        outcomes_ = other.outcomes_;
        standing_ = other.standing_;
        shirts_ = other.shirts_;
        by_address_ = other.by_address_;
        steps_ = other.steps_;
        std::copy(std::begin(other.wind_), std::end(other.wind_), std::begin(wind_));
        return *this;
    }
    ~Tag() = default;

    [[nodiscard]] std::size_t parts() const { return runners_->size(); }
    [[nodiscard]] Part get(PartNumber part) const { return (*runners_)[part]; }
    void set(PartNumber part, const Part& value) {
        (*runners_)[part] = value;
        stand(part);
    }
    static PartNumber part_of(const Message& message) { return message.runner; }
    template <class At>
    void reach(Tick, Messages, At&& at, PartSet& set) const {
        constexpr std::int32_t kMost = kPlant == Plant::short_reach ? 1 : kRange + 2;
        for (std::size_t i = 0; i < set.size(); ++i) {
            for (PartNumber other = 0; other < kRunners; ++other)
                if (std::abs(at(set.members()[i]).x - at(other).x) <= kMost) set.add(other);
        }
    }
    void step(Tick tick, Messages messages, const PartSet& set) {
        outcomes_.clear();
        if (kPlant == Plant::idle) return;
        for (const auto& message : messages)
            if (set.contains(message.body.runner)) runner(message.body.runner).speed = message.body.speed;
        for (PartNumber i = 0; i < kRunners; ++i)
            if (set.contains(i) || (kPlant == Plant::writes_all && tick % 8 == 0)) run(i);
        ++steps_;
        for (const auto& message : messages)
            if (message.body.punches && set.contains(message.body.runner)) punch(message.body.runner, set);
        if (kPlant == Plant::zeros) lean(messages, set);
    }
    [[nodiscard]] std::span<const Outcome> outcomes() const { return outcomes_; }

    static std::optional<Message> read(PartNumber seat, std::span<const std::uint8_t> line) {
        auto message = value_of<Message>(line);
        if (message) message->runner = seat;
        return message;
    }
    static std::vector<std::uint8_t> write(const Message& message) { return bytes_of(message).value(); }
    static std::string difference(PartNumber, const Part& mine, const Part& theirs) {
        const auto both = [](const char* name, std::int32_t a, std::int32_t b) {
            return std::string{name} + ": " + std::to_string(a) + ", " + std::to_string(b);
        };
        if (mine.x != theirs.x) return both("x", mine.x, theirs.x);
        if (mine.speed != theirs.speed) return both("speed", mine.speed, theirs.speed);
        return both("health", mine.health, theirs.health);
    }

private:
    Part& runner(PartNumber part) { return (*runners_)[part]; }
    void run(PartNumber i) {
        Part& one = runner(i);
        one.x += one.speed;
        if (kPlant == Plant::unsaved && steps_ % 5 == 0) one.x += 1;
        if (kPlant == Plant::uninitialised && (wind_[1] & 1U) != 0) one.x += 1;
        one.x = std::clamp(one.x, 0, kLength);
    }
    void lean(Messages messages, const PartSet& set) {
        for (const PartNumber i : set.members()) runner(i).lean = 0;
        for (const auto& message : messages)
            if (set.contains(message.body.runner)) runner(message.body.runner).lean = -0.0F;
    }
    void punch(PartNumber by, const PartSet& set) {
        const auto is_hit = [&](PartNumber other) {
            return other != by && set.contains(other) && std::abs(runner(by).x - runner(other).x) <= kRange &&
                   hit(other, by);
        };
        if (kPlant == Plant::unordered) {
            (void)std::ranges::find_if(std::vector<PartNumber>{standing_.begin(), standing_.end()}, is_hit);
        } else if (kPlant == Plant::by_address) {
            (void)std::ranges::find_if(by_address_, [&](const PartNumber* one) { return is_hit(*one); });
        } else {
            (void)std::ranges::find_if(set.members(), is_hit);
        }
    }
    bool hit(PartNumber target, PartNumber by) {
        if (--runner(target).health == 0) runner(target).health = 3;
        stand(target);
        outcomes_.push_back({target, by});
        return true;
    }
    /// Runners that were not hit twice are in the list.
    void stand(PartNumber part) {
        standing_.erase(part);
        if (runner(part).health > 1) standing_.insert(part);
    }

    std::shared_ptr<std::vector<Part>> runners_ = std::make_shared<std::vector<Part>>();
    std::vector<Outcome> outcomes_;
    std::unordered_set<PartNumber> standing_;
    std::vector<std::shared_ptr<PartNumber>> shirts_;
    std::set<const PartNumber*> by_address_;
    std::uint32_t steps_ = 0;
    unsigned char wind_[4];  // the type that may be read without a value
};

template <Plant kPlant>
StressReport stressed() {
    using Game = Tag<kPlant>;
    return stress([] { return Game{}; },
                  [](RandomStream& random, Tick, PartNumber seat) -> std::optional<typename Game::Message> {
                      if (!random.chance(0.2)) return std::nullopt;
                      const auto speed = static_cast<std::int32_t>(random.below(3)) - 1;
                      return typename Game::Message{seat, speed, random.chance(0.3)};
                  },
                  {.seats = Game::kRunners});
}

TEST(Stress, ACorrectGamePasses) {
    const StressReport report = stressed<Plant::none>();
    EXPECT_TRUE(report.ok) << report.text;
    EXPECT_EQ(report.fault, StressFault::none);
    EXPECT_GT(report.messages, 1000U);
    EXPECT_GT(report.outcomes, 100U);
    EXPECT_GT(report.subsets, 1000U);
    EXPECT_GT(report.rollbacks, 100U);
}

TEST(Stress, AGameInWhichNothingHappensProvesNothing) {
    EXPECT_EQ(stressed<Plant::idle>().fault, StressFault::idle);
}

TEST(Stress, AnUnsavedFieldIsFound) {
    const StressReport report = stressed<Plant::unsaved>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::restored);
    EXPECT_THAT(report.text, HasSubstr(", x: "));
    EXPECT_THAT(report.text, HasSubstr("set() leaves out bytes ")) << "where in the game the counter is";
}

TEST(Stress, AReadOfUninitialisedMemoryIsFound) {
    const StressReport report = stressed<Plant::uninitialised>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::repeated);
    EXPECT_EQ(report.tick, 0);
    EXPECT_THAT(report.text, HasSubstr(", x: "));
    EXPECT_THAT(report.text, HasSubstr("the constructor leaves out bytes "));
}

TEST(Stress, TheOrderOfAnUnorderedContainerIsFound) {
    const StressReport report = stressed<Plant::unordered>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::restored);
    EXPECT_THAT(report.text, HasSubstr(", health: "));
}

TEST(Stress, AnOrderByAddressIsFound) {
    // The address sanitizer gives out ascending addresses, and no address a second time.
    if (FRAY_ADDRESS_SANITIZER != 0 || FRAY_THREAD_SANITIZER != 0) GTEST_SKIP();
    const StressReport report = stressed<Plant::by_address>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::repeated);
    EXPECT_THAT(report.text, HasSubstr(", health: "));
}

TEST(Stress, ACopyThatSharesItsStateIsFound) {
    const StressReport report = stressed<Plant::shared>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::copied);
}

TEST(Stress, AReachThatNamesTooFewPartsIsFoundWithAPartThatItLeavesOut) {
    const StressReport report = stressed<Plant::short_reach>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::reached);
    EXPECT_THAT(report.text, HasSubstr("; reach() leaves out part "));
}

TEST(Stress, AStepThatWritesOutsideOfItsSetIsFound) {
    const StressReport report = stressed<Plant::writes_all>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::reached);
    EXPECT_THAT(report.text, HasSubstr(", x: "));
    EXPECT_THAT(report.text, HasSubstr("is written, but is not in the set"));
}

TEST(Stress, AFieldThatIsNotSerialisedIsFound) {
    const StressReport report = stressed<Plant::cut_part>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::part_bytes);
    EXPECT_THAT(report.text, HasSubstr("health: 3, 0"));
}

TEST(Stress, AFieldOutsideOfItsSerialisedRangeIsFound) {
    const StressReport report = stressed<Plant::narrow_part>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::part_bytes);
    EXPECT_THAT(report.text, HasSubstr("field 1 "));
}

TEST(Stress, EqualPartsThatAreWrittenDifferentlyAreFound) {
    const StressReport report = stressed<Plant::zeros>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::part_bytes);
    EXPECT_THAT(report.text, HasSubstr("equal values with other bytes"));
}

TEST(Stress, AMessageThatIsReadDifferentlyIsFound) {
    const StressReport report = stressed<Plant::cut_message>();
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.fault, StressFault::message_bytes);
}

}  // namespace
}  // namespace fray
