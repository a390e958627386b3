#include "link/secrets.hpp"

#include "link/portable_blake2b.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace fray {
namespace {

SecretKey counting_key() {
    SecretKey key;
    for (std::size_t i = 0; i < key.bytes.size(); ++i) key.bytes[i] = static_cast<std::uint8_t>(i);
    return key;
}

std::string hex(const KeyedHash& hash) {
    std::string text;
    for (const std::uint8_t byte : hash) {
        text += "0123456789abcdef"[byte / 16];
        text += "0123456789abcdef"[byte % 16];
    }
    return text;
}

// Computed with another implementation, Python's hashlib.blake2b.
TEST(KeyedHash, GivesTheKnownResults) {
    const std::vector<std::uint8_t> abc{'a', 'b', 'c'};
    const auto expect = [&](std::span<const std::uint8_t> message, const std::string& result) {
        EXPECT_EQ(hex(keyed_hash(counting_key(), message)), result);
        EXPECT_EQ(hex(portable_blake2b(counting_key(), message)), result);
    };
    expect({},
           "84bfa69f0d90df7db2a3ee026042988b5bd9caa2320af1f371823dd28351202f"
           "8e6277c40c050711c8dd4e2c1ac30c34c9aed0bddd468b031287fe872675e0cc");
    expect(abc,
           "9af0244b7da7fe29d90a89727e06a0c93977ce1ad7edcb76ac0b24142194ea00"
           "c77be4a1d3fededd31d5a593625a508e742fc90d708f8b48a5c246e4e8e42d94");
}

TEST(KeyedHash, ThePortableOneEqualsLibsodiumForEveryLength) {
    RandomStream random{Seed{1}, "messages"};
    for (std::size_t size = 0; size <= kMaxHashedBytes; ++size) {
        SecretKey key;
        for (auto& byte : key.bytes) byte = static_cast<std::uint8_t>(random.next());
        std::vector<std::uint8_t> message(size);
        for (auto& byte : message) byte = static_cast<std::uint8_t>(random.next());
        ASSERT_EQ(keyed_hash(key, message), portable_blake2b(key, message)) << size;
    }
}

/// The input of SplitMix64's finaliser.
std::uint64_t unmix(std::uint64_t z) {
    const auto unshift = [](std::uint64_t value, unsigned shift) {
        std::uint64_t result = value;
        for (unsigned i = 0; i < 64 / shift; ++i) result = value ^ (result >> shift);
        return result;
    };
    z = unshift(z, 31) * 0x319642B2D24D8EC3ULL;
    z = unshift(z, 27) * 0x96DE1B173F119089ULL;
    return unshift(z, 30);
}

// The lowest bit of a token is always 1: an attacker tries both values.
bool is_predictable(std::uint64_t first, std::uint64_t second) {
    for (const std::uint64_t a : {first, first ^ 1U}) {
        for (const std::uint64_t b : {second, second ^ 1U}) {
            const std::uint64_t step = unmix(b) - unmix(a);
            for (std::uint64_t k = 1; k <= 4; ++k) {
                if (step == k * detail::kGoldenRatio) return true;
            }
        }
    }
    return false;
}

TEST(Secrets, OneTokenDoesNotRevealTheNext) {
    RandomStream weak{Seed{1}, "tokens"};
    const std::uint64_t one = weak.next() | 1U;
    ASSERT_TRUE(is_predictable(one, weak.next() | 1U)) << "the attack works on a simulation's generator";
    Secrets secrets{RandomRoot{Seed{1}}.key};
    std::set<std::uint64_t> seen;
    auto last = static_cast<std::uint64_t>(secrets.draw_token());
    for (int i = 0; i < 1000; ++i) {
        const auto token = static_cast<std::uint64_t>(secrets.draw_token());
        EXPECT_FALSE(is_predictable(last, token));
        EXPECT_TRUE(seen.insert(token).second);
        last = token;
    }
}

TEST(Secrets, TokensFollowFromTheKeyAlone) {
    SecretKey other = counting_key();
    other.bytes[31] ^= 1;
    Secrets a{counting_key()};
    Secrets b{counting_key()};
    Secrets c{other};
    for (int i = 0; i < 20; ++i) {
        const Token token = a.draw_token();
        EXPECT_EQ(token, b.draw_token());
        EXPECT_NE(token, c.draw_token());
    }
}

TEST(Secrets, AProofHoldsForOneAddressOneCallAndAShortTime) {
    const Secrets secrets{counting_key()};
    const Instant now{100s};
    const Address here = Address::from_number(7);
    const Token theirs{99};
    const Token proof = secrets.proof(now, here, theirs);
    EXPECT_TRUE(secrets.is_proof(now, here, theirs, proof));
    EXPECT_TRUE(secrets.is_proof(now + kProofPeriod, here, theirs, proof));
    EXPECT_FALSE(secrets.is_proof(now + 2 * kProofPeriod, here, theirs, proof));
    EXPECT_FALSE(secrets.is_proof(now, Address::from_number(8), theirs, proof));
    Address other_port = here;
    other_port.port = 2;
    EXPECT_FALSE(secrets.is_proof(now, other_port, theirs, proof));
    EXPECT_FALSE(secrets.is_proof(now, here, Token{98}, proof));
    EXPECT_FALSE(secrets.is_proof(now, here, theirs, Token::none));
}

TEST(Secrets, ASeedFollowsFromAKeyButNotTheKeyFromTheSeed) {
    const RandomRoot root{counting_key()};
    EXPECT_EQ(root.seed, RandomRoot{counting_key()}.seed);
    EXPECT_NE(RandomRoot{root.seed}.key.bytes, counting_key().bytes);
}

}  // namespace
}  // namespace fray
