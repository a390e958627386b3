#include "games/panzer/match/screen_codec.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace fray::panzer {

namespace {

constexpr std::int32_t kScreenCircle = 1 << kScreenAngleBits;
/// Larger moves between two frames are not expected to go on: a tank has entered elsewhere.
constexpr std::int32_t kMostScreenMove = 5 * kScreenUnitsPerMetre;

/// A whole number by its difference to what is expected, in few bits if that is small. Both are from low to
/// high.
template <class Stream, class T>
void code_near(Stream& stream, T& value, std::int64_t expected, std::int64_t low, std::int64_t high) {
    constexpr std::uint64_t kMostDifference = std::uint64_t{1} << 40U;  // no sum below overflows
    const std::int64_t difference = static_cast<std::int64_t>(value) - expected;
    auto raw = (static_cast<std::uint64_t>(difference) << 1U) ^ static_cast<std::uint64_t>(difference >> 63);
    stream.varint(raw);
    if constexpr (Stream::kReading) {
        if (raw > kMostDifference) return stream.fail();
        const auto half = static_cast<std::int64_t>(raw >> 1U);
        const std::int64_t read = expected + ((raw & 1U) != 0 ? -1 - half : half);
        if (read < low || read > high) return stream.fail();
        value = static_cast<T>(read);
    }
}

/// The shorter way from one direction of the screen to another.
std::int32_t screen_turn(std::int32_t from, std::int32_t to) {
    const std::int32_t turn = (to - from) & (kScreenCircle - 1);
    return turn < kScreenCircle / 2 ? turn : turn - kScreenCircle;
}

std::uint16_t turned(std::uint16_t from, std::int32_t by) {
    return static_cast<std::uint16_t>((from + by) & (kScreenCircle - 1));
}

template <class Stream>
void code_direction(Stream& stream, std::uint16_t& value, std::uint16_t expected) {
    std::int32_t turn = screen_turn(expected, value);
    code_near(stream, turn, 0, -kScreenCircle / 2, kScreenCircle / 2 - 1);
    if constexpr (Stream::kReading) value = turned(expected, turn);
}

/// One bit if the value is as expected.
template <class Stream, class T, class Code>
void code_if_other(Stream& stream, T& value, const T& expected, Code code_value) {
    bool is_other = value != expected;
    stream.boolean(is_other);
    if (is_other) code_value();
}

template <class Stream>
void code_screen_name(Stream& stream, std::string& name) {
    stream.text(name, kMostScreenNameBytes);
    if constexpr (Stream::kReading) {
        if (!is_screen_name(name)) stream.fail();
    }
}

/// Armour, score and name, which rarely change.
template <class Stream>
void code_card(Stream& stream, ScreenTank& tank, const ScreenTank& held) {
    bool condition = tank.armour != held.armour || tank.shield != held.shield || tank.team != held.team;
    stream.boolean(condition);
    if (condition) {
        stream.integer(tank.armour, 0, kMostArmour);
        stream.integer(tank.shield, 0, kMostShield);
        stream.integer(tank.team, 0, 2);
    }
    bool record = tank.score != held.score || tank.kills != held.kills || tank.deaths != held.deaths;
    stream.boolean(record);
    if (record) {
        code_near(stream, tank.score, held.score, -kMostScreenScore, kMostScreenScore);
        code_near(stream, tank.kills, held.kills, 0, kMostScreenCount);
        code_near(stream, tank.deaths, held.deaths, 0, kMostScreenCount);
    }
    code_if_other(stream, tank.name, held.name, [&] { code_screen_name(stream, tank.name); });
}

bool has_same_card(const ScreenTank& a, const ScreenTank& b) {
    return a.armour == b.armour && a.shield == b.shield && a.team == b.team && a.score == b.score &&
           a.kills == b.kills && a.deaths == b.deaths && a.name == b.name;
}

/// Which of the values changed, by the distance to the last one that did, and to what.
template <class Stream>
void code_changes(Stream& stream, std::vector<std::uint8_t>& held, const std::vector<std::uint8_t>& target,
                  std::uint8_t most) {
    std::vector<std::size_t> changed;
    if constexpr (!Stream::kReading) {
        for (std::size_t i = 0; i < held.size(); ++i) {
            if (held[i] != target[i]) changed.push_back(i);
        }
    }
    std::uint64_t count = changed.size();
    stream.varint(count);
    if (count > held.size()) return stream.fail();
    std::size_t next = 0;
    for (std::size_t i = 0; i < count && stream.ok(); ++i) {
        std::uint64_t gap = 0;
        if constexpr (!Stream::kReading) gap = changed[i] - next;
        stream.varint(gap);
        if (gap >= held.size() - next) return stream.fail();
        next += static_cast<std::size_t>(gap);
        std::uint8_t value = 0;
        if constexpr (!Stream::kReading) value = target[next];
        stream.integer(value, 0, most);
        held[next++] = value;
    }
}

/// More than the largest code of a frame with so many tanks, shells and things takes, in bytes.
std::size_t room_for(const ScreenFrame& frame, const ScreenFrame& last) {
    return 64 + frame.tanks.size() * 80 + (frame.shells.size() + last.shells.size()) * 16 +
           (frame.items.size() + frame.doors.size()) * 8;
}

}  // namespace

ScreenPlace ScreenCodec::expected_place(const ScreenPlace& place, const Motion& motion) const {
    return {std::clamp(place.x + motion.x, 0, corner_.x), std::clamp(place.y + motion.y, 0, corner_.y)};
}

ScreenCodec::Stance ScreenCodec::expected_stance(std::size_t slot) const {
    const ScreenTank& tank = frame_.tanks[slot];
    const Motion& motion = tank_motions_[slot];
    return {.place = expected_place(tank.place, motion),
            .hull = turned(tank.hull, motion.hull),
            .turret = turned(tank.turret, motion.turret)};
}

ScreenCodec::Motion ScreenCodec::motion_between(const ScreenPlace& from, const ScreenPlace& to) {
    const Motion motion{.x = to.x - from.x, .y = to.y - from.y};
    return std::max(std::abs(motion.x), std::abs(motion.y)) <= kMostScreenMove ? motion : Motion{};
}

void ScreenCodec::move_tank(std::size_t slot, const Stance& stance) {
    ScreenTank& tank = frame_.tanks[slot];
    Motion& motion = tank_motions_[slot];
    motion = motion_between(tank.place, stance.place);
    motion.hull = screen_turn(tank.hull, stance.hull);
    motion.turret = screen_turn(tank.turret, stance.turret);
    tank.place = stance.place;
    tank.hull = stance.hull;
    tank.turret = stance.turret;
}

bool ScreenCodec::is_same_shell(std::size_t held, const ScreenShell& shell) const {
    const ScreenShell& before = frame_.shells[held];
    const ScreenPlace expected = expected_place(before.place, shell_motions_[held]);
    return before.shooter == shell.shooter && before.heading == shell.heading &&
           std::abs(expected.x - shell.place.x) <= kMostScreenMove &&
           std::abs(expected.y - shell.place.y) <= kMostScreenMove;
}

template <class Stream>
void ScreenCodec::code_place(Stream& stream, ScreenPlace& place, const ScreenPlace& expected) const {
    code_near(stream, place.x, expected.x, 0, corner_.x);
    code_near(stream, place.y, expected.y, 0, corner_.y);
}

template <class Stream>
void ScreenCodec::code_time(Stream& stream, std::uint32_t target) {
    const std::int64_t last = has_frame_ ? std::int64_t{frame_.at} : -1;
    std::int64_t interval = target - last;
    code_near(stream, interval, interval_, 1, kMostScreenMillis - last);
    interval_ = static_cast<std::uint32_t>(interval);
    frame_.at = static_cast<std::uint32_t>(last + interval);
}

template <class Stream>
void ScreenCodec::code_counts(Stream& stream, const ScreenFrame& target) {
    std::size_t tanks = target.tanks.size();
    std::size_t items = target.items.size();
    std::size_t doors = target.doors.size();
    bool changes =
        tanks != frame_.tanks.size() || items != frame_.items.size() || doors != frame_.doors.size();
    stream.boolean(changes);
    if (!changes) return;
    stream.integer(tanks, 0, kMostTanks);
    stream.integer(items, 0, kMostScreenThings);
    stream.integer(doors, 0, kMostScreenThings);
    if (!stream.ok()) return;
    frame_.tanks.resize(tanks);
    tank_motions_.resize(tanks);
    frame_.items.resize(items);
    frame_.doors.resize(doors);
}

template <class Stream>
void ScreenCodec::code_stance(Stream& stream, Stance& stance, const Stance& expected) const {
    code_if_other(stream, stance.place, expected.place,
                  [&] { code_place(stream, stance.place, expected.place); });
    code_if_other(stream, stance.hull, expected.hull,
                  [&] { code_direction(stream, stance.hull, expected.hull); });
    code_if_other(stream, stance.turret, expected.turret,
                  [&] { code_direction(stream, stance.turret, expected.turret); });
}

template <class Stream>
void ScreenCodec::code_tank(Stream& stream, std::size_t slot, const ScreenTank& target) {
    const Stance expected = expected_stance(slot);
    Stance stance = expected;
    bool has_other_card = false;
    bool is_other = false;
    if constexpr (!Stream::kReading) {
        stance = {.place = target.place, .hull = target.hull, .turret = target.turret};
        has_other_card = !has_same_card(target, frame_.tanks[slot]);
        is_other = has_other_card || stance != expected;
    }
    stream.boolean(is_other);
    if (is_other) {
        code_stance(stream, stance, expected);
        stream.boolean(has_other_card);
    }
    move_tank(slot, stance);
    if (!has_other_card) return;
    ScreenTank tank = Stream::kReading ? frame_.tanks[slot] : target;
    code_card(stream, tank, frame_.tanks[slot]);
    frame_.tanks[slot] = std::move(tank);
}

template <class Stream>
void ScreenCodec::code_new_shell(Stream& stream, ScreenShell& shell) const {
    std::size_t shooter = std::min<std::size_t>(shell.shooter, kMostTanks);  // kMostTanks: none
    stream.integer(shooter, 0, kMostTanks);
    stream.integer(shell.place.x, 0, corner_.x);
    stream.integer(shell.place.y, 0, corner_.y);
    stream.integer(shell.heading, 0, kScreenCircle - 1);
    if constexpr (Stream::kReading)
        shell.shooter = shooter < kMostTanks ? static_cast<std::uint16_t>(shooter) : kNone;
}

/// The shells that are still there, in their order, then new ones.
template <class Stream>
void ScreenCodec::code_shells(Stream& stream, std::vector<ScreenShell>& target) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < frame_.shells.size() && stream.ok(); ++i) {
        bool is_there = !Stream::kReading && kept < target.size() && is_same_shell(i, target[kept]);
        stream.boolean(is_there);
        if (!is_there) continue;
        ScreenShell shell = Stream::kReading ? frame_.shells[i] : target[kept];
        code_place(stream, shell.place, expected_place(frame_.shells[i].place, shell_motions_[i]));
        shell_motions_[kept] = motion_between(frame_.shells[i].place, shell.place);
        frame_.shells[kept++] = shell;
    }
    frame_.shells.resize(kept);
    std::uint64_t added = Stream::kReading ? 0 : target.size() - kept;
    stream.varint(added);
    if (added > kMostScreenShells - kept) return stream.fail();
    for (std::uint64_t i = 0; i < added && stream.ok(); ++i) {
        ScreenShell shell = Stream::kReading ? ScreenShell{} : target[frame_.shells.size()];
        code_new_shell(stream, shell);
        frame_.shells.push_back(shell);
    }
    shell_motions_.resize(kept);
    shell_motions_.resize(frame_.shells.size());
}

template <class Stream>
void ScreenCodec::code_things(Stream& stream, ScreenFrame& target) {
    bool changes = !Stream::kReading && (target.items != frame_.items || target.doors != frame_.doors);
    stream.boolean(changes);
    if (changes) {
        code_changes(stream, frame_.items, target.items, 1);
        code_changes(stream, frame_.doors, target.doors, kDoorSteps);
    }
    if (mode_ != Mode::flag) return;
    ScreenFlag flag = Stream::kReading ? frame_.flag : target.flag;
    code_if_other(stream, flag, frame_.flag, [&] {
        std::size_t carrier = std::min<std::size_t>(flag.carrier, frame_.tanks.size());  // size(): none
        stream.integer(carrier, 0, frame_.tanks.size());
        const bool is_carried = carrier < frame_.tanks.size();
        flag.carrier = is_carried ? static_cast<std::uint16_t>(carrier) : kNone;
        if (is_carried) flag.place = {};
        if (!is_carried) code_place(stream, flag.place, {});
    });
    // The carrier may have lost its slot, with nothing else about the flag said.
    if (flag.carrier != kNone && flag.carrier >= frame_.tanks.size()) return stream.fail();
    frame_.flag = flag;
}

template <class Stream>
void ScreenCodec::code(Stream& stream, ScreenFrame& target) {
    code_time(stream, target.at);
    code_counts(stream, target);
    for (std::size_t i = 0; i < frame_.tanks.size() && stream.ok(); ++i)
        code_tank(stream, i, Stream::kReading ? frame_.tanks[i] : target.tanks[i]);
    code_shells(stream, target.shells);
    code_things(stream, target);
    has_frame_ = true;
}

void ScreenCodec::write(ScreenFrame frame, std::vector<std::uint8_t>& out) {
    const std::size_t begin = out.size();
    out.resize(begin + room_for(frame, frame_));
    BitWriter writer{std::span{out}.subspan(begin)};
    WriteStream stream{writer};
    code(stream, frame);
    FRAY_ASSERT(!writer.overflowed());
    out.resize(begin + writer.finish().size());
}

bool ScreenCodec::read(BitReader& in) {
    ReadStream stream{in};
    ScreenFrame unused;
    code(stream, unused);
    const auto padding = static_cast<unsigned>((8 - in.position() % 8) % 8);
    return in.bits(padding) == 0 && in.ok();
}

}  // namespace fray::panzer
