#pragma once
// Every update to every peer. If the budget does not suffice, in turns: a frame continues where the last one
// had to stop, between two links or between two entities of one link.

#include "interest/copy_prices.hpp"
#include "interest/update_policy.hpp"

#include <cstdint>

namespace fray {

class BroadcastPolicy final : public UpdatePolicy {
public:
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) override;
    void resume(LinkNumber link, std::uint16_t primary) override;
    [[nodiscard]] std::size_t memory_bytes() const override { return sizeof(*this) + prices_.heap_bytes(); }

private:
    LinkNumber link_ = 0;  // whose turn it is next
    std::uint16_t primary_ = 0;
    CopyPrices prices_;  // scratch
};

}  // namespace fray
