#pragma once
// A 64-bit fingerprint of a sequence of values: worlds, traces, recordings. Not cryptographic.

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fray {

class Fingerprint {
public:
    constexpr Fingerprint& add(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ULL;
        state_ ^= state_ >> 32U;
        return *this;
    }
    Fingerprint& add(float value) { return add(std::uint64_t{std::bit_cast<std::uint32_t>(value)}); }
    Fingerprint& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
    Fingerprint& add(std::span<const std::uint8_t> bytes);
    Fingerprint& add(std::string_view text);

    [[nodiscard]] constexpr std::uint64_t value() const { return state_; }
    /// 16 hexadecimal digits.
    [[nodiscard]] std::string hex() const;

private:
    std::uint64_t state_ = 0xF4A7C15F4A7ULL;
};

}  // namespace fray
