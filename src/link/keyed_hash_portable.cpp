// Instead of keyed_hash.cpp where there is no libsodium: the simulator in WebAssembly, which has no secrets.

#include "link/keyed_hash.hpp"
#include "link/portable_blake2b.hpp"

namespace fray {

KeyedHash keyed_hash(const SecretKey& key, std::span<const std::uint8_t> message) {
    return portable_blake2b(key, message);
}

}  // namespace fray
