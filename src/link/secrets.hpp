#pragma once
// What others must not guess: tokens, channel ids, incarnations, and the proofs of address that challenges
// ask for. All of it follows from a key; none of it from the streams of <fray/random.hpp>, which can be
// inverted.

#include <fray/ids.hpp>
#include <fray/random.hpp>
#include <fray/secret_key.hpp>
#include <fray/time.hpp>

#include "link/datagram.hpp"
#include "link/keyed_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace fray {

/// What the randomness of a peer starts from.
struct RandomRoot {
    // NOLINTBEGIN(*-explicit-*): a peer is created from either
    RandomRoot(Seed given);              ///< the key follows from the seed: simulations
    RandomRoot(const SecretKey& given);  ///< the seed follows from the key, not the other way round
    // NOLINTEND(*-explicit-*)
    Seed seed;
    SecretKey key;
};

class Secrets {
public:
    explicit Secrets(const SecretKey& key) : key_{key} {}

    [[nodiscard]] Token draw_token() { return Token{next() | 1U}; }
    /// Never zero.
    [[nodiscard]] std::uint32_t draw_number() { return static_cast<std::uint32_t>(next()) | 1U; }

    /// The token by which the peer at this address, which called with `theirs`, proves that it receives
    /// there. Nothing needs to be remembered of it. Valid for kProofPeriod at least, and twice that at most.
    [[nodiscard]] Token proof(Instant now, const Address& address, Token theirs) const;
    [[nodiscard]] bool is_proof(Instant now, const Address& address, Token theirs, Token echo) const;

private:
    std::uint64_t next();

    SecretKey key_;
    std::uint64_t blocks_ = 0;
    KeyedHash block_{};
    std::size_t used_ = kKeyedHashBytes;  // bytes of block_
};

}  // namespace fray
