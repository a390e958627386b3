#pragma once
// Nearest first: a peer at the vision range weighs a quarter of one next to the entity. The weight of a peer
// grows with every frame in which it gets nothing, and that of an entity with every frame in which the peer
// gets other entities of ours instead, so that none starves.

#include "interest/copy_prices.hpp"
#include "interest/update_policy.hpp"

#include <cstdint>
#include <vector>

namespace fray {

class NearestPolicy final : public UpdatePolicy {
public:
    [[nodiscard]] bool needs_positions() const override { return true; }
    [[nodiscard]] std::size_t choose(std::span<Candidate> candidates, std::size_t budget_bytes) override;
    void resume(LinkNumber link, std::uint16_t primary) override;
    void forget_link(LinkNumber link) override { receivers_.erase(link); }
    void reset() override { receivers_.clear(); }
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    using Frame = std::uint32_t;
    /// The frame of the last choice and of the one before it: a choice can be undone.
    struct Served {
        Frame last = 0;
        Frame before = 0;
        void serve(Frame now) {
            if (last != now) *this = {.last = now, .before = last};
        }
        void undo(Frame now) {
            if (last == now) last = before;
        }
    };
    struct Receiver {
        Served any;                    // last update of ours or forward
        Served own;                    // last update of ours
        std::vector<Served> entities;  // by index among our entities
    };
    struct Weighed {
        float weight = 0;
        std::uint32_t offered = 0;  // index in the order in which they were offered
        Candidate candidate;
    };
    void order(std::span<Candidate> candidates);
    [[nodiscard]] Frame waited(const Candidate& c);
    void serve(const Candidate& c);

    Frame frame_ = 0;
    PerLink<Receiver> receivers_;
    CopyPrices prices_;             // scratch
    std::vector<Weighed> weighed_;  // scratch
};

}  // namespace fray
