#pragma once
// The one cryptographic primitive of link: BLAKE2b with a key (RFC 7693), computed by libsodium. Builds
// without libsodium (WebAssembly) replace keyed_hash.cpp by keyed_hash_portable.cpp; see ADR 0015.

#include <fray/secret_key.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fray {

inline constexpr std::size_t kKeyedHashBytes = 64;
inline constexpr std::size_t kMaxHashedBytes = 128;  ///< one block
using KeyedHash = std::array<std::uint8_t, kKeyedHashBytes>;

/// Without the key, neither the result nor the key can be guessed from any number of other results. `message`
/// has at most kMaxHashedBytes.
[[nodiscard]] KeyedHash keyed_hash(const SecretKey& key, std::span<const std::uint8_t> message);

}  // namespace fray
