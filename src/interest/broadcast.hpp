#pragma once
// Everything to everybody; where the bytes do not suffice, in turns: a frame begins where the last one had to
// stop, be that between two links or between two entities of one.

#include "interest/update_policy.hpp"

#include <cstdint>

namespace fray {

class BroadcastPolicy final : public UpdatePolicy {
public:
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) override;
    void resume(LinkNumber link, std::uint16_t primary) override;

private:
    LinkNumber link_ = 0;  // whose turn it is
    std::uint16_t primary_ = 0;
};

}  // namespace fray
