#include "games/panzer/rules/battle.hpp"

#include <fray/fingerprint.hpp>

#include <bit>
#include <type_traits>

namespace fray::panzer {

namespace {

// Every field once, with its name: hash and comparison both walk over these.
template <class Visit>
void fields(Visit& v, const Vec2& a, const Vec2& b) {
    v("x", a.x, b.x);
    v("y", a.y, b.y);
}
template <class Visit>
void fields(Visit& v, const Tank& a, const Tank& b) {
    v("position", a.position, b.position);
    v("speed", a.speed, b.speed);
    v("hull", a.hull, b.hull);
    v("turret", a.turret, b.turret);
    v("armour", a.armour, b.armour);
    v("shield", a.shield, b.shield);
    v("gun_wait", a.gun_wait, b.gun_wait);
    v("shell_wait", a.shell_wait, b.shell_wait);
    v("respawn_wait", a.respawn_wait, b.respawn_wait);
    v("team", a.team, b.team);
    v("fire_rate", a.fire_rate, b.fire_rate);
    v("gun_power", a.gun_power, b.gun_power);
    v("engine", a.engine, b.engine);
}
template <class Visit>
void fields(Visit& v, const Record& a, const Record& b) {
    v("score", a.score, b.score);
    v("kills", a.kills, b.kills);
    v("deaths", a.deaths, b.deaths);
    v("accidents", a.accidents, b.accidents);
    v("shots", a.shots, b.shots);
    v("hits", a.hits, b.hits);
    v("shells", a.shells, b.shells);
    v("pickups", a.pickups, b.pickups);
}
template <class Visit>
void fields(Visit& v, const Shell& a, const Shell& b) {
    v("shooter", a.shooter, b.shooter);
    v("life", a.life, b.life);
    v("position", a.position, b.position);
    v("velocity", a.velocity, b.velocity);
}
template <class Visit>
void fields(Visit& v, const Item& a, const Item& b) {
    v("wait", a.wait, b.wait);
    v("taken", a.taken, b.taken);
}
template <class Visit>
void fields(Visit& v, const Door& a, const Door& b) {
    v("opened", a.opened, b.opened);
    v("hold", a.hold, b.hold);
}
template <class Visit>
void fields(Visit& v, const Flag& a, const Flag& b) {
    v("carrier", a.carrier, b.carrier);
    v("held", a.held, b.held);
    v("position", a.position, b.position);
}
template <class Visit>
void fields(Visit& v, const Battle& a, const Battle& b) {
    v("seed", a.seed.value, b.seed.value);
    v("mode", a.mode, b.mode);
    v("step", a.step, b.step);
    v("tanks", a.tanks, b.tanks);
    v("records", a.records, b.records);
    v("shells", a.shells, b.shells);
    v("items", a.items, b.items);
    v("doors", a.doors, b.doors);
    v("flag", a.flag, b.flag);
}

template <class T>
std::uint64_t word_of(T value) {
    if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<std::uint32_t>(value + 0.0F);  // -0 equals 0
    else
        return static_cast<std::uint64_t>(value);
}

class Hasher {
public:
    template <class T>
    void operator()(const char*, const T& value, const T&) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            print_.add(word_of(value));
        else
            fields(*this, value, value);
    }
    template <class T>
    void operator()(const char*, const std::vector<T>& values, const std::vector<T>&) {
        print_.add(std::uint64_t{values.size()});
        for (const T& value : values) fields(*this, value, value);
    }
    [[nodiscard]] std::uint64_t value() const { return print_.value(); }

private:
    Fingerprint print_;
};

class Comparer {
public:
    template <class T>
    void operator()(const char* name, const T& a, const T& b) {
        if (!found_.empty()) return;
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
            if (word_of(a) != word_of(b)) found_ = path_ + name + ": " + text(a) + ", " + text(b);
        } else {
            const std::string outer = path_;
            path_ += std::string{name} + ".";
            fields(*this, a, b);
            path_ = outer;
        }
    }
    template <class T>
    void operator()(const char* name, const std::vector<T>& a, const std::vector<T>& b) {
        (*this)((std::string{name} + ".size").c_str(), a.size(), b.size());
        const std::string outer = path_;
        for (std::size_t i = 0; i < a.size() && found_.empty(); ++i) {
            path_ = outer + name + "[" + std::to_string(i) + "].";
            fields(*this, a[i], b[i]);
        }
        path_ = outer;
    }
    [[nodiscard]] const std::string& found() const { return found_; }

private:
    template <class T>
    static std::string text(T value) {
        if constexpr (std::is_enum_v<T>)
            return std::to_string(static_cast<std::uint64_t>(value));
        else
            return std::to_string(value);
    }
    std::string path_;
    std::string found_;
};

}  // namespace

std::string_view to_string(Mode mode) {
    constexpr std::string_view kNames[]{"ffa", "teams", "flag"};
    return kNames[static_cast<std::size_t>(mode)];
}

std::string_view to_string(ItemKind kind) {
    constexpr std::string_view kNames[]{"armour", "shield", "fire rate", "gun power", "engine", "trap"};
    return kNames[static_cast<std::size_t>(kind)];
}

ItemKind kind_of(Seed seed, std::uint16_t item, std::uint32_t taken) {
    const std::uint64_t mixed = detail::mix_bits(seed.value ^ (std::uint64_t{item} << 32U | taken));
    return static_cast<ItemKind>((mixed >> 32U) % kItemKinds);
}

std::uint64_t fingerprint(const Battle& battle) {
    Hasher hasher;
    fields(hasher, battle, battle);
    return hasher.value();
}

std::string first_difference(const Battle& a, const Battle& b) {
    Comparer comparer;
    fields(comparer, a, b);
    return comparer.found();
}

}  // namespace fray::panzer
