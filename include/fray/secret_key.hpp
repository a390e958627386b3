#pragma once
// The secret of a peer on a real network.

#include <array>
#include <cstdint>

namespace fray {

/// 32 bytes that no other machine may know or guess: tokens, and all other randomness of a peer, follow from
/// them. Take them from the system's random source: system_key() in udp_driver.hpp. Never reuse or store
/// them.
struct SecretKey {
    std::array<std::uint8_t, 32> bytes{};
};

}  // namespace fray
