#include "link/secrets.hpp"

#include "wire/limits.hpp"

#include <array>
#include <cstring>

namespace fray {

namespace {

/// Hashes for different uses never have the same message: it begins with the use.
enum class Use : std::uint8_t { stream = 1, proof = 2, seed = 3 };

class HashedMessage {
public:
    explicit HashedMessage(Use use) { add(use); }
    template <class T>
    HashedMessage& add(const T& value) {
        static_assert(std::has_unique_object_representations_v<T>);
        std::memcpy(&bytes_.at(size_), &value, sizeof value);
        size_ += sizeof value;
        return *this;
    }
    [[nodiscard]] KeyedHash hash(const SecretKey& key) const {
        return keyed_hash(key, std::span{bytes_}.first(size_));
    }

private:
    std::array<std::uint8_t, kMaxHashedBytes> bytes_{};
    std::size_t size_ = 0;
};

std::uint64_t word(const KeyedHash& hash, std::size_t at = 0) {
    std::uint64_t value = 0;
    std::memcpy(&value, &hash.at(at), sizeof value);
    return value;
}

std::int64_t period(Instant now) {
    return micros(now.time_since_epoch() + kMostLocalTime) / micros(kProofPeriod);
}

Token proof_of(const SecretKey& key, std::int64_t period, const Address& address, Token theirs) {
    HashedMessage message{Use::proof};
    message.add(period).add(address.ip).add(address.port).add(theirs);
    return Token{word(message.hash(key)) | 1U};
}

SecretKey key_from(Seed seed) {
    RandomStream stream{seed, "key of a simulated peer"};
    SecretKey key;
    for (std::uint8_t& byte : key.bytes) byte = static_cast<std::uint8_t>(stream.next());
    return key;
}

}  // namespace

RandomRoot::RandomRoot(Seed given) : seed{given}, key{key_from(given)} {}
RandomRoot::RandomRoot(const SecretKey& given)
    : seed{word(HashedMessage{Use::seed}.hash(given))}, key{given} {}

std::uint64_t Secrets::next() {
    if (used_ == kKeyedHashBytes) {
        block_ = HashedMessage{Use::stream}.add(blocks_++).hash(key_);
        used_ = 0;
    }
    const std::uint64_t value = word(block_, used_);
    used_ += sizeof value;
    return value;
}

Token Secrets::proof(Instant now, const Address& address, Token theirs) const {
    return proof_of(key_, period(now), address, theirs);
}

bool Secrets::is_proof(Instant now, const Address& address, Token theirs, Token echo) const {
    const std::int64_t present = period(now);
    return echo == proof_of(key_, present, address, theirs) ||
           echo == proof_of(key_, present - 1, address, theirs);
}

}  // namespace fray
