#pragma once
// Nearest first: a peer at the edge of sight weighs a quarter of one that stands next to the entity. The
// weight of a peer grows with every frame in which it gets nothing, and that of an entity with every frame in
// which the peer gets others of ours instead, so that none starves.

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
    /// When it was served last, and before that: a choice may be undone.
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
        Served any;                    // an update of ours or a forward
        Served own;                    // an update of ours
        std::vector<Served> entities;  // by their place among our entities
    };
    struct Weighed {
        float weight = 0;
        std::uint32_t offered = 0;  // its place among the offered ones
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
