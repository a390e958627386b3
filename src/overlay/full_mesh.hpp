#pragma once
// Everybody is linked with everybody.
//
// A newcomer is introduced to all by the peer it joined through. What falls between the cracks (two
// newcomers at once, a healed partition) is found by digests: now and then a peer tells one other how its
// list of peers looks in 32 bits, and where the lists differ they are exchanged. Lost peers are called
// again, less and less often, until they are forgotten.

#include <fray/options.hpp>
#include <fray/random.hpp>

#include "overlay/overlay.hpp"

#include <algorithm>
#include <vector>

namespace fray {

class FullMeshOverlay final : public Overlay {
public:
    FullMeshOverlay(const FullMesh& options, PeerId self, Seed seed);

    [[nodiscard]] std::size_t room() const override {
        return options_.most_peers - std::min<std::size_t>(options_.most_peers, linked_.size());
    }
    void handle_link_up(Instant now, LinkNumber link, const Contact& contact, bool newcomer) override;
    void handle_link_down(Instant now, LinkNumber link, const Contact& contact, Reason reason) override;
    [[nodiscard]] bool handle_message(Instant now, LinkNumber link, BitReader& in) override;
    void round(Instant now, const std::optional<Vec3>& self, std::size_t bytes,
               OverlayActions& actions) override;
    void candidates(std::span<const News> news, std::vector<Candidate>& out) override;
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    struct Linked {
        LinkNumber link = 0;
        Contact contact;
        Instant list_sent{};     // when we last sent it our list
        bool owes_list = false;  // it asked, or our lists differ
    };
    struct Missed {  // known, wanted, not linked
        Contact contact;
        Instant since;
        Instant next_call;
        Duration wait{};
    };

    [[nodiscard]] Linked* find(LinkNumber link);
    [[nodiscard]] std::uint32_t digest() const;
    void heard_of(Instant now, const Contact& contact);
    void call_missed(Instant now, OverlayActions& actions);
    void send_digest(Instant now, OverlayActions& actions);
    void send_list(Instant now, Linked& to, OverlayActions& actions) const;

    FullMesh options_;
    PeerId self_;
    RandomStream choice_;
    std::vector<Linked> linked_;  // ordered by peer id
    std::vector<Missed> missed_;  // ordered by peer id
    Instant next_digest_{};
};

}  // namespace fray
