#pragma once
// One serialize() per type serves writing, reading and measuring:
//
//     struct Tank {
//         std::uint8_t armor = 100;
//         bool firing = false;
//         float turret = 0;  // degrees
//     };
//     template <class Stream>
//     void serialize(Stream& stream, Tank& tank) {
//         stream.integer(tank.armor, 0, 100);
//         stream.boolean(tank.firing);
//         stream.angle(tank.turret, 8);
//     }
//
// The calls on a stream, in the order of the fields:
//
//     boolean(flag)                 1 bit
//     integer(value, low, high)     a whole number from low to high, in as few bits as the range needs
//     enumeration(value, last)      an enumeration with the values 0 to last
//     varint(value)                 an unsigned number: small values take few bits
//     whole(value)                  an unsigned number with all its bits
//     quantised(value, range)       a float in steps of range.precision
//     angle(degrees, bits)          degrees within one turn
//     real(value)                   a float or double, exact: 32 or 64 bits; finite
//     array(bytes)                  a std::array of bytes
//     bytes(value, most)            a std::vector of up to `most` bytes
//     text(value, most)             a std::string of up to `most` bytes
//     list(values, most)            a std::vector of up to `most` values with a serialize() of their own
//     list(values, most, element)   the same, where element(stream, value) visits one value
//     object(value)                 a nested value with its own serialize()
//
// The same function also gives deltas. EntityType::of<T>() (world.hpp) derives functions from it that code
// each field against the same field of a baseline held by the receiver: one bit if the field is unchanged.
// Readers accept any bytes: they give a value inside the stated ranges, or ok() is false.
// A value outside its range is an error of the game: bytes_of() (encode.hpp), Peer::publish() and
// Peer::update() refuse it. write() clamps it.

#include <fray/bits.hpp>
#include <fray/quantise.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace fray {

/// Variable-length integers: groups of four bits, lowest first, each followed by a bit "more follows". Values
/// below 16 take 5 bits, below 256 take 10. Readers reject a superfluous last group of zero.
void write_long_varint(BitWriter& out, std::uint64_t value);
std::uint64_t read_long_varint(BitReader& in);
inline void write_varint(BitWriter& out, std::uint64_t value) {
    if (value < 16) return out.bits(value, 5);
    if (value < 256) return out.bits((value & 15U) | 16U | (value >> 4U) << 5U, 10);
    write_long_varint(out, value);
}
[[nodiscard]] inline std::uint64_t read_varint(BitReader& in) {
    const std::uint64_t next = in.peek();
    const std::uint64_t second = next >> 5U & 15U;
    if ((next & 16U) == 0 && in.bits_left() >= 5) {
        in.skip(5);
        return next & 15U;
    }
    if ((next >> 9U & 1U) == 0 && second != 0 && in.bits_left() >= 10) {
        in.skip(10);
        return (next & 15U) | second << 4U;
    }
    return read_long_varint(in);
}
[[nodiscard]] unsigned varint_bits(std::uint64_t value);

class WriteStream;

/// T has a serialize(Stream&, T&) that any stream can call, in T's own namespace.
template <class T>
concept Serializable = requires(WriteStream& stream, T& value) { serialize(stream, value); };

namespace detail {

/// Instantiated once per type, so that a missing serialize() is one error and not one per use.
template <class T>
void require_serializable() {
    static_assert(Serializable<T>,
                  "Fray cannot serialize this type: declare, in its namespace, "
                  "template <class Stream> void serialize(Stream& stream, T& value)");
}

}  // namespace detail

/// The operations that serialize() may call on a stream. Self supplies raw() and variable(). A stream that is
/// to know of values outside their range supplies out_of_range().
template <class Self>
class Stream {
public:
    void boolean(bool& value) {
        std::uint64_t raw = value ? 1 : 0;
        self().raw(raw, 1);
        if constexpr (Self::kReading) value = raw != 0;
    }

    /// low <= value <= high, in as many bits as the range needs (none if they are equal).
    template <std::integral T>
    void integer(T& value, std::type_identity_t<T> low, std::type_identity_t<T> high) {
        const auto extent = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        if constexpr (!Self::kReading) {
            if (value < low || value > high) self().out_of_range();
        }
        std::uint64_t raw = static_cast<std::uint64_t>(value < low    ? low
                                                       : value > high ? high
                                                                      : value) -
                            static_cast<std::uint64_t>(low);
        self().raw(raw, bits_for(extent));
        if (raw > extent) return self().fail();
        if constexpr (Self::kReading) value = static_cast<T>(static_cast<std::uint64_t>(low) + raw);
    }

    /// An enumeration with the values 0..last.
    template <class Enum>
        requires std::is_enum_v<Enum>
    void enumeration(Enum& value, Enum last) {
        auto raw = static_cast<std::uint32_t>(value);
        integer(raw, 0, static_cast<std::uint32_t>(last));
        if constexpr (Self::kReading) value = static_cast<Enum>(raw);
    }

    /// A variable-length integer: small values take few bits (see write_varint).
    template <std::unsigned_integral T>
    void varint(T& value) {
        std::uint64_t raw = value;
        self().variable(raw);
        if (raw > static_cast<std::uint64_t>(static_cast<T>(-1))) return self().fail();
        if constexpr (Self::kReading) value = static_cast<T>(raw);
    }

    /// An unsigned integer with all its bits.
    template <std::unsigned_integral T>
    void whole(T& value) {
        std::uint64_t raw = value;
        self().raw(raw, sizeof(T) * 8);
        if constexpr (Self::kReading) value = static_cast<T>(raw);
    }

    /// A float in range.low..range.high, exact to half of range.precision. Values further outside than that,
    /// and NaN, are out of range.
    void quantised(float& value, const Range& range) {
        std::uint64_t raw = 0;
        if constexpr (!Self::kReading) {
            if (!range.contains(value)) self().out_of_range();
            raw = range.quantise(value);
        }
        self().raw(raw, range.bits());
        if (raw > range.steps()) return self().fail();
        if constexpr (Self::kReading) value = range.restore(static_cast<std::uint32_t>(raw));
    }

    /// Degrees within one turn, in steps of 360/2^bits; bits is 1 to 16. Any finite number is in range.
    void angle(float& degrees, unsigned bits) {
        std::uint64_t raw = 0;
        if constexpr (!Self::kReading) {
            if (!std::isfinite(degrees)) self().out_of_range();
            raw = quantise_angle(degrees, bits);
        }
        self().raw(raw, bits);
        if constexpr (Self::kReading) degrees = restore_angle(static_cast<std::uint32_t>(raw), bits);
    }

    /// A number with all its bits. NaN and infinities are out of range, and readers reject them.
    template <class T>
        requires std::same_as<T, float> || std::same_as<T, double>
    void real(T& value) {
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        std::uint64_t raw = 0;
        if constexpr (!Self::kReading) {
            if (!std::isfinite(value)) self().out_of_range();
            raw = std::isfinite(value) ? std::bit_cast<Bits>(value) : 0;
        }
        self().raw(raw, sizeof(T) * 8);
        if constexpr (Self::kReading) {
            const T number = std::bit_cast<T>(static_cast<Bits>(raw));
            if (!std::isfinite(number)) return self().fail();
            value = number;
        }
    }

    /// A fixed number of bytes.
    template <std::size_t N>
    void array(std::array<std::uint8_t, N>& value) {
        self().octets(value);
    }

    /// Up to `most` bytes. A longer value is out of range; readers reject it.
    void bytes(std::vector<std::uint8_t>& value, std::size_t most) { octet_string(value, most); }

    /// Up to `most` bytes of text. Fray does not check its encoding: any bytes may arrive.
    void text(std::string& value, std::size_t most) { octet_string(value, most); }

    /// Up to `most` values, each with its own serialize(). More are out of range; readers reject them. A
    /// reader allocates values one by one, while there are bits left to read them from.
    template <class T>
    void list(std::vector<T>& values, std::size_t most) {
        list(values, most, [](Self& stream, T& value) { stream.object(value); });
    }
    /// The same with a function for one value:
    /// `stream.list(path, 16, [](auto& s, std::uint16_t& tile) { s.integer(tile, 0, 999); })`
    template <class T, class Element>
    void list(std::vector<T>& values, std::size_t most, Element element) {
        const std::uint64_t size = length(values.size(), most);
        if (size > most || !self().ok()) return self().fail();
        if constexpr (Self::kReading) values.clear();
        for (std::size_t i = 0; i < size && self().ok(); ++i) {
            if constexpr (Self::kReading) values.emplace_back();
            element(self(), values[i]);
        }
    }

    /// A nested value with its own serialize().
    template <class T>
    void object(T& value) {
        detail::require_serializable<T>();
        if constexpr (Serializable<T>) serialize(self(), value);
    }

protected:
    /// Byte by byte, so that streams that count or compare fields see each byte as one field.
    void octets(std::span<std::uint8_t> value) {
        for (std::uint8_t& byte : value) whole(byte);
    }
    void out_of_range() {}

private:
    std::uint64_t length(std::size_t actual, std::size_t most) {
        std::uint64_t size = 0;
        if constexpr (!Self::kReading) {
            if (actual > most) self().out_of_range();
            size = actual < most ? actual : most;
        }
        self().variable(size);
        return size;
    }
    template <class Octets>
    void octet_string(Octets& value, std::size_t most) {
        const std::uint64_t size = length(value.size(), most);
        if (size > most || !self().may_follow(size * 8)) return self().fail();
        if constexpr (Self::kReading) value.resize(static_cast<std::size_t>(size));
        auto* first = reinterpret_cast<std::uint8_t*>(value.data());  // char or already std::uint8_t
        self().octets({first, static_cast<std::size_t>(size)});
    }

    friend Self;
    Stream() = default;
    Self& self() { return static_cast<Self&>(*this); }
};

class WriteStream : public Stream<WriteStream> {
public:
    static constexpr bool kReading = false;
    explicit WriteStream(BitWriter& out) : out_{out} {}
    void octets(std::span<std::uint8_t> value) { out_.copy(value, value.size() * 8); }
    void raw(std::uint64_t& value, unsigned bits) { out_.bits(value, bits); }
    void variable(std::uint64_t& value) { write_varint(out_, value); }
    void fail() {}
    [[nodiscard]] bool ok() const { return !out_.overflowed(); }
    [[nodiscard]] bool may_follow(std::uint64_t) const { return true; }

private:
    BitWriter& out_;
};

class ReadStream : public Stream<ReadStream> {
public:
    static constexpr bool kReading = true;
    explicit ReadStream(BitReader& in) : in_{in} {}
    void octets(std::span<std::uint8_t> value) { in_.copy_to(value); }
    void raw(std::uint64_t& value, unsigned bits) { value = in_.bits(bits); }
    void variable(std::uint64_t& value) { value = read_varint(in_); }
    void fail() { in_.fail(); }
    [[nodiscard]] bool ok() const { return in_.ok(); }
    [[nodiscard]] bool may_follow(std::uint64_t bits) const { return in_.ok() && bits <= in_.bits_left(); }

private:
    BitReader& in_;
};

class MeasureStream : public Stream<MeasureStream> {
public:
    static constexpr bool kReading = false;
    void raw(std::uint64_t&, unsigned bits) { bits_ += bits; }
    void variable(std::uint64_t& value) { bits_ += varint_bits(value); }
    void fail() {}
    [[nodiscard]] bool ok() const { return true; }
    [[nodiscard]] bool may_follow(std::uint64_t) const { return true; }
    [[nodiscard]] std::size_t bits() const { return bits_; }

private:
    std::size_t bits_ = 0;
};

/// Writes value; what is outside its range is clamped, and lists that are too long are cut.
template <class T>
void write(BitWriter& out, const T& value) {
    WriteStream stream{out};
    stream.object(const_cast<T&>(value));  // writing does not change the value
}

/// Returns false if the bytes do not hold a T; value is then unspecified but valid.
template <class T>
[[nodiscard]] bool read(BitReader& in, T& value) {
    ReadStream stream{in};
    stream.object(value);
    return stream.ok();
}

/// The size of value in bits.
template <class T>
[[nodiscard]] std::size_t measure(const T& value) {
    MeasureStream stream;
    stream.object(const_cast<T&>(value));  // measuring does not change the value
    return stream.bits();
}

}  // namespace fray
