#include "link/keyed_hash.hpp"

#include <fray/assert.hpp>

#include <sodium.h>

namespace fray {

// No sodium_init(): it opens the system's random device. This function needs it for speed only.
KeyedHash keyed_hash(const SecretKey& key, std::span<const std::uint8_t> message) {
    static_assert(crypto_generichash_blake2b_BYTES_MAX == kKeyedHashBytes);
    FRAY_ASSERT(message.size() <= kMaxHashedBytes);
    KeyedHash hash;  // NOLINT(*-member-init): written below
    const int failed = crypto_generichash_blake2b(hash.data(), hash.size(), message.data(), message.size(),
                                                  key.bytes.data(), key.bytes.size());
    FRAY_ASSERT(failed == 0);
    return hash;
}

}  // namespace fray
