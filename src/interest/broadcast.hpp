#pragma once
// Everything to everybody; where the bytes do not suffice, in turns: a frame begins with the link at which
// the last one had to stop.

#include "interest/update_policy.hpp"

namespace fray {

class BroadcastPolicy final : public UpdatePolicy {
public:
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) override;

private:
    std::uint16_t first_ = 0;  // link number whose turn it is
};

}  // namespace fray
