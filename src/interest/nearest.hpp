#pragma once
// The most important first. Who went without gains with every frame that passes, so that nobody waits for
// ever.

#include "interest/copy_prices.hpp"
#include "interest/update_policy.hpp"

#include <cstdint>
#include <vector>

namespace fray {

class NearestPolicy final : public UpdatePolicy {
public:
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) override;
    void resume(LinkNumber link, std::uint16_t primary) override;

private:
    struct Served {
        std::uint32_t last = 0;  // the frame of its last choice,
        std::uint32_t before = 0;
    };
    std::uint32_t frame_ = 0;
    std::vector<Served> served_;  // by link
    CopyPrices prices_;           // scratch
};

}  // namespace fray
