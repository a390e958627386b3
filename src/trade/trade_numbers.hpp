#pragma once
// The numbers of trades and keys of votes that one desk draws.

#include <fray/random.hpp>

#include <cstdint>

namespace fray {

class TradeNumbers {
public:
    /// `stay` must be higher than on every earlier opening of the same desk: numbers of two stays differ.
    TradeNumbers(Seed seed, std::uint32_t stay) : seed_{seed}, stay_{stay} {}

    [[nodiscard]] Seed seed() const { return seed_; }
    [[nodiscard]] std::uint32_t stay() const { return stay_; }
    /// Never returns a number twice; one cannot be guessed from others.
    [[nodiscard]] std::uint64_t next();

private:
    Seed seed_;
    std::uint32_t stay_;
    std::uint32_t counter_ = 0;
};

}  // namespace fray
