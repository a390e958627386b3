#pragma once
// A value of the game as bytes, and back. Peer::send(), interact() and answer() take values directly, and the
// events return them with as<T>(); use bytes_of() and value_of() to store values or to carry them yourself.
// The bytes do not say which type they hold: both sides must know it.

#include <fray/result.hpp>
#include <fray/serialize.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fray {

namespace detail {

/// Measures a value, and finds the first field that is outside its range.
class CheckStream : public Stream<CheckStream> {
public:
    static constexpr bool kReading = false;
    template <std::size_t N>
    void array(std::array<std::uint8_t, N>& value) {
        ++fields_;
        octets(value);
    }
    void octets(std::span<std::uint8_t> value) { bits_ += value.size() * 8; }
    void raw(std::uint64_t&, unsigned bits) {
        ++fields_;
        bits_ += bits;
    }
    void variable(std::uint64_t& value) {
        ++fields_;
        bits_ += varint_bits(value);
    }
    void out_of_range() {
        if (invalid_field_ == 0) invalid_field_ = fields_ + 1;
    }
    void fail() {}
    [[nodiscard]] bool ok() const { return true; }
    [[nodiscard]] bool may_follow(std::uint64_t) const { return true; }
    [[nodiscard]] std::size_t byte_count() const { return (bits_ + 7) / 8; }
    /// Counted from 1 in the order of serialize(), nested fields included; 0: all are in range.
    [[nodiscard]] std::uint32_t invalid_field() const { return invalid_field_; }

private:
    std::size_t bits_ = 0;
    std::uint32_t fields_ = 0;
    std::uint32_t invalid_field_ = 0;
};

/// Replaces bytes by the encoding of value, padded to a whole byte. Returns 0, or the number of the first
/// field outside its range; bytes are then empty.
template <class T>
std::uint32_t encode_value(const T& value, std::vector<std::uint8_t>& bytes) {
    bytes.clear();
    CheckStream check;
    check.object(const_cast<T&>(value));  // checking does not change the value
    if (check.invalid_field() != 0) return check.invalid_field();
    bytes.resize(check.byte_count());
    BitWriter out{bytes};
    write(out, value);
    out.finish();
    return 0;
}

/// False if the bytes are not the encoding of one T and nothing else.
template <class T>
bool parse(std::span<const std::uint8_t> bytes, T& value) {
    BitReader in{bytes};
    if (!read(in, value)) return false;
    const std::size_t padding = in.bits_left();
    return padding < 8 && in.bits(static_cast<unsigned>(padding)) == 0;
}

/// What the commands of a peer take as a value; everything else that they accept is bytes already.
template <class T>
concept GameValue = !std::convertible_to<const T&, std::span<const std::uint8_t>>;

}  // namespace detail

/// The bytes of a value. Returns an error naming the first field that is outside the range stated in its
/// serialize(), or too long, or not a finite number.
template <class T>
[[nodiscard]] Result<std::vector<std::uint8_t>> bytes_of(const T& value) {
    std::vector<std::uint8_t> bytes;
    const std::uint32_t invalid = detail::encode_value(value, bytes);
    if (invalid == 0) return bytes;
    return Error{"field " + std::to_string(invalid) +
                 " of the value is outside the range that its serialize() states"};
}

/// The value that bytes_of() made these bytes of; nothing if they do not hold exactly one T. T needs a
/// default constructor. Any bytes are safe.
template <class T>
[[nodiscard]] std::optional<T> value_of(std::span<const std::uint8_t> bytes) {
    T value{};
    if (!detail::parse(bytes, value)) return std::nullopt;
    return value;
}

}  // namespace fray
