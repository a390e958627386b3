#pragma once
// How much attention this peer's player pays to each linked peer's player (Donnybrook, section III-A).

#include <fray/options.hpp>

#include "core/focus_state.hpp"
#include "core/peer_places.hpp"
#include "wire/part_context.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

class Attention {
public:
    Attention(const PartContext& context, const FocusSet& options);
    /// Call once. Without places, only interactions count.
    void connect(const PeerPlaces& places) { places_ = &places; }
    void set_weights(const AttentionWeights& weights) { weights_ = weights; }

    void handle_interaction(Instant now, LinkNumber link);
    /// Once per frame: estimates anew the attention on the links whose turn it is.
    void run_frame(Instant now);
    /// The attention-value A_ij as estimated last.
    [[nodiscard]] double value(LinkNumber link) const;
    /// The peers, linked or not, that get the most attention: at most so many, and no less attention each.
    void list_most(std::size_t most, double least, std::vector<LinkNumber>& out) const;
    /// The linked peer that this player most likely aims at.
    [[nodiscard]] std::optional<AimTarget> aim_target() const;

    void forget_link(LinkNumber link) { others_.erase(link); }
    void reset() { others_.clear(); }
    [[nodiscard]] std::size_t heap_bytes() const { return others_.heap_bytes(); }

private:
    struct Other {
        double value = 0;
        double deviation = 0;  // averaged, radians
        bool has_deviation = false;
        bool has_interacted = false;
        Instant interacted_at{};
    };
    [[nodiscard]] std::uint32_t turns(LinkNumber link, const Other& other) const;
    void estimate(Instant now, LinkNumber link);
    /// Averages the deviation, and returns the weighted metrics of place and aim.
    [[nodiscard]] double look_at(const Pose& self, const Vec3& place, Other& other) const;

    const PartContext& context_;
    AttentionWeights weights_;
    double d_max_;         // units
    std::uint32_t turns_;  // frames between two estimates of one link
    double newest_share_;  // of the newest deviation in the average
    const PeerPlaces* places_ = nullptr;
    std::optional<Pose> self_;  // in this frame
    std::uint32_t frame_ = 0;
    PerLink<Other> others_;
};

}  // namespace fray
