#include <fray/fingerprint.hpp>

namespace fray {

namespace {

/// Eight bytes at a time, the length last, so that "a", "" and "", "a" differ.
template <class Byte>
void add_bytes(Fingerprint& fingerprint, std::span<const Byte> bytes) {
    std::uint64_t word = 0;
    unsigned filled = 0;
    for (const Byte byte : bytes) {
        word |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(byte)) << (8 * filled);
        if (++filled < 8) continue;
        fingerprint.add(word);
        word = 0;
        filled = 0;
    }
    if (filled != 0) fingerprint.add(word);
    fingerprint.add(static_cast<std::uint64_t>(bytes.size()));
}

}  // namespace

Fingerprint& Fingerprint::add(std::span<const std::uint8_t> bytes) {
    add_bytes(*this, bytes);
    return *this;
}

Fingerprint& Fingerprint::add(std::string_view text) {
    add_bytes(*this, std::span<const char>{text});
    return *this;
}

std::string Fingerprint::hex() const {
    std::string text(16, '0');
    for (std::size_t i = 0; i < 16; ++i) text[15 - i] = "0123456789abcdef"[(state_ >> (4 * i)) & 15U];
    return text;
}

}  // namespace fray
