#pragma once
// pSense: near nodes, sensor nodes, localized multicast (A. Schmieg, M. Stieler, S. Jeckel, P. Kabus, B.
// Kemme, A. Buchmann: "pSense - Maintaining a Dynamic Localized Peer-to-Peer Structure for Position Based
// Multicast in Games", 2008, section 3).
//
// Whoever is in sight is a near node and gets every update. In each sector of the ground plane, the closest
// one out of sight is a sensor node: it gets updates too, and is asked whom it would suggest in its place. An
// update comes with the list of those who got it. Whoever knows somebody near the originator who is not on
// the list passes the update on; a sensor node that knows nobody there passes it on towards the originator.
// So those who come close hear of each other, from every side.
//
// Steps of the paper: 1 receive is handle_*(); 2a lists is round(); 2b outgoing messages is candidates(),
// after the requests and suggestions of round(); 2c the cap is the UpdatePolicy's choice, and dispatch()
// shrinks the lists to what was chosen.

#include <fray/options.hpp>
#include <fray/random.hpp>

#include "overlay/overlay.hpp"
#include "overlay/psense_messages.hpp"
#include "overlay/sectors.hpp"

#include <vector>

namespace fray {

class PSenseOverlay final : public Overlay {
public:
    PSenseOverlay(const PSense& options, const World& world, PeerId self, Seed seed);

    [[nodiscard]] std::size_t room() const override;
    void handle_link_up(Instant now, LinkNumber link, const Contact& contact, bool newcomer) override;
    void handle_link_down(Instant now, LinkNumber link, const Contact& contact, Reason reason) override;
    [[nodiscard]] bool handle_message(Instant now, LinkNumber link, BitReader& in) override;
    void handle_sighting(Instant now, LinkNumber link, const Sighting& sighting) override;
    [[nodiscard]] std::optional<Contact> handle_forward(Instant now, LinkNumber link, BitReader& header,
                                                        const Sighting& sighting) override;
    void round(Instant now, const std::optional<Vec3>& self, OverlayActions& actions) override;
    void candidates(std::span<const News> news, std::vector<Candidate>& out) override;
    [[nodiscard]] std::optional<std::size_t> own_budget() const override;
    void dispatch(Instant now, std::span<const Candidate> chosen, OverlayActions& actions) override;
    [[nodiscard]] bool keeps(LinkNumber link) const override;
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override;
    [[nodiscard]] PSenseStats stats() const override;

private:
    using Round = std::uint32_t;
    static constexpr LinkNumber kNoLink = 0xFFFF;

    enum class Role : std::uint8_t { none, near, sensor, backup };
    struct Node {
        Contact contact;
        LinkNumber link = kNoLink;
        std::uint16_t name = 0;  // its short id
        Vec3 position{};
        SessionInstant when{};  // of the state that told the position
        Round heard = 0;        // when we last learnt where it is, or a word came from it
        Round call_at = 0;      // not before
        std::uint8_t calls = 0;
        bool placed = false;
        Role role = Role::none;
        std::uint8_t sector = 0;
        float vision = 0;
        float distance = 0;
    };
    /// An update that came in this round with the list of those who have it.
    struct Heard {
        PeerId origin;
        PeerId from;
        std::uint8_t hops = 0;
        std::vector<std::uint32_t> receivers;  // ascending
    };
    struct Asked {
        LinkNumber link = 0;
        SensorRequest request;
    };
    struct Forwarding {
        std::uint16_t heard = 0;
        std::uint32_t name = 0;  // of the receiver
    };

    [[nodiscard]] Node* find(const PeerId& id);
    [[nodiscard]] Node* find(LinkNumber link);
    [[nodiscard]] const Node* find(LinkNumber link) const;
    Node* remember(const Contact& contact);
    void place(Node& node, const Vec3& position);
    [[nodiscard]] float reach(const Node& node) const;
    [[nodiscard]] bool in_sight_of_each_other(const Node& a, const Node& b) const;

    // 2a
    void forget_stale();
    void choose_roles();
    void choose_sensors();
    void call(OverlayActions& actions);
    // 2b
    void ask_sensors(OverlayActions& actions);
    [[nodiscard]] const Node* whom_to_ask(unsigned sector) const;
    void answer(OverlayActions& actions);
    [[nodiscard]] SensorSuggestion suggest(const Node& to, const SensorRequest& request) const;
    void offer_own(std::span<const News> news, std::vector<Candidate>& out) const;
    void offer_forwards(std::vector<Candidate>& out);
    void offer_forward(std::size_t heard, const Node& to, std::vector<Candidate>& out);
    [[nodiscard]] const Node* closest_to(const Node& origin, const Heard& heard) const;
    // 2c
    void send_list(LinkNumber link, OverlayActions& actions);
    void send_forward(const Heard& heard, const Node& origin, LinkNumber to, OverlayActions& actions);
    bool read_receivers(Node& from, BitReader& in);

    PSense options_;
    const World& world_;
    PeerId self_;
    std::uint16_t self_name_;
    RandomStream choice_;
    Sectors sectors_;
    Round round_ = 1;
    Vec3 position_;
    bool placed_ = false;
    std::vector<Node> nodes_;
    std::vector<PeerId> sensors_;  // by sector; zero: none
    std::vector<Heard> heard_;
    std::vector<Asked> asked_;
    std::vector<Forwarding> forwardings_;
    std::vector<std::uint32_t> receivers_;  // scratch
    std::size_t sensor_paper_bytes_ = 0;    // of this round
    std::uint64_t paper_bytes_ = 0;
    std::uint64_t paper_bytes_in_ = 0;
    std::uint64_t forwarded_ = 0;
    std::uint64_t forward_duplicates_ = 0;
};

}  // namespace fray
