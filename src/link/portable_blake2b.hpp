#pragma once
// BLAKE2b with a key of 32 bytes and a message of at most one block, as RFC 7693 writes it. Only for builds
// without libsodium, which simulate; tests/link/secrets_test.cpp compares it with libsodium.

#include <fray/assert.hpp>

#include "link/keyed_hash.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace fray {

namespace detail {

using BlakeWords = std::array<std::uint64_t, 8>;
using BlakeBlock = std::array<std::uint64_t, 16>;

inline constexpr BlakeWords kBlakeStart{
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
};
inline constexpr std::array<std::array<std::uint8_t, 16>, 10> kBlakeOrder{{
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}};
/// The words that each of the eight mixings of a round changes: columns, then diagonals.
inline constexpr std::array<std::array<std::uint8_t, 4>, 8> kBlakeMixings{{
    {0, 4, 8, 12},
    {1, 5, 9, 13},
    {2, 6, 10, 14},
    {3, 7, 11, 15},
    {0, 5, 10, 15},
    {1, 6, 11, 12},
    {2, 7, 8, 13},
    {3, 4, 9, 14},
}};

/// `counted`: bytes up to the end of this block.
inline void blake_compress(BlakeWords& state, const BlakeBlock& block, std::uint64_t counted, bool is_last) {
    constexpr std::size_t kRounds = 12;
    BlakeBlock v{};
    for (std::size_t i = 0; i < state.size(); ++i) {
        v[i] = state[i];
        v[i + state.size()] = kBlakeStart[i];
    }
    v[12] ^= counted;
    if (is_last) v[14] = ~v[14];
    for (std::size_t round = 0; round < kRounds; ++round) {
        const auto& order = kBlakeOrder[round % kBlakeOrder.size()];
        for (std::size_t i = 0; i < kBlakeMixings.size(); ++i) {
            const auto [a, b, c, d] = kBlakeMixings[i];
            v[a] += v[b] + block[order[2 * i]];
            v[d] = std::rotr(v[d] ^ v[a], 32);
            v[c] += v[d];
            v[b] = std::rotr(v[b] ^ v[c], 24);
            v[a] += v[b] + block[order[2 * i + 1]];
            v[d] = std::rotr(v[d] ^ v[a], 16);
            v[c] += v[d];
            v[b] = std::rotr(v[b] ^ v[c], 63);
        }
    }
    for (std::size_t i = 0; i < state.size(); ++i) state[i] ^= v[i] ^ v[i + state.size()];
}

}  // namespace detail

[[nodiscard]] inline KeyedHash portable_blake2b(const SecretKey& key, std::span<const std::uint8_t> message) {
    FRAY_ASSERT(message.size() <= kMaxHashedBytes);
    constexpr std::uint64_t kParameters = 0x01010000;  // one thread, no tree
    detail::BlakeWords state = detail::kBlakeStart;
    state[0] ^= kParameters | std::uint64_t{key.bytes.size()} << 8U | kKeyedHashBytes;
    detail::BlakeBlock block{};
    static_assert(sizeof block == kMaxHashedBytes);
    std::memcpy(block.data(), key.bytes.data(), key.bytes.size());  // little-endian, as the machine
    detail::blake_compress(state, block, kMaxHashedBytes, message.empty());
    if (!message.empty()) {
        block = {};
        std::memcpy(block.data(), message.data(), message.size());
        detail::blake_compress(state, block, kMaxHashedBytes + message.size(), true);
    }
    return std::bit_cast<KeyedHash>(state);
}

}  // namespace fray
