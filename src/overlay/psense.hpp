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
// Steps of the paper: 1 receive is handle_*() (psense.cpp); 2a lists is round() (psense_lists.cpp); 2b
// outgoing messages is candidates() (psense_send.cpp), after the requests and suggestions of round()
// (psense_sensors.cpp); 2c the cap is the UpdatePolicy's choice, and dispatch() shrinks the lists to what was
// chosen. Who is still there, and who only was named by others, is psense_watch.cpp.

#include <fray/options.hpp>
#include <fray/random.hpp>

#include "overlay/overlay.hpp"
#include "overlay/psense_messages.hpp"
#include "overlay/sectors.hpp"

#include <array>
#include <vector>

namespace fray {

class PSenseOverlay final : public Overlay {
public:
    PSenseOverlay(const PSense& options, const World& world, PeerId self, Seed seed);

    [[nodiscard]] std::size_t room() const override;
    void handle_link_up(Instant now, const LinkUp& up) override;
    void handle_link_down(Instant now, const LinkDown& down) override;
    void handle_alive(Instant now, LinkNumber link) override;
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void handle_sighting(Instant now, LinkNumber link, const Sighting& sighting) override;
    [[nodiscard]] std::optional<PeerId> handle_forward(Instant now, LinkNumber link, BitReader& header,
                                                       const PassedOn& update) override;
    void round(Instant now, const std::optional<Vec3>& self, std::size_t bytes,
               OverlayActions& actions) override;
    void candidates(std::span<const News> news, std::vector<Candidate>& out) override;
    [[nodiscard]] std::optional<std::size_t> own_budget() const override;
    void dispatch(Instant now, std::span<const Candidate> chosen, OverlayActions& actions) override;
    [[nodiscard]] bool keeps(LinkNumber link) const override;
    void handle_clock_set(Instant now) override;
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override;
    [[nodiscard]] PSenseStats stats() const override;

private:
    using Round = std::uint32_t;
    static constexpr std::uint16_t kGapUnit = 16;
    static constexpr Round kMarginInterval = 3;  // between two updates for those not yet in view

    enum class Role : std::uint8_t {
        none,
        near,
        sensor,
        candidate,  // would be a better sensor node, if it is there
        backup,     // behind the sensor node
    };
    struct Node {
        Contact contact;
        LinkNumber link = kNoLink;
        std::uint16_t name = 0;        // its short id
        std::uint8_t charge = 0;       // to its introducer, if it never answers
        std::uint32_t number = 0;      // our own count: unlike a name, nobody can make one up
        std::uint32_t introducer = 0;  // the number of who named it; 0: nobody
        Vec3 position{};
        SessionInstant when = SessionInstant::min();  // of the newest state we were told of
        Round heard = 0;                              // when we last learnt where it is
        Round spoke = 0;                              // when a word came from itself
        Round asked = 0;                              // the first request it did not answer yet; 0: none
        Round listed = 0;                             // when its last list came
        Round served = 0;                             // when it last got an update of ours
        std::uint32_t upload = 0;                     // bytes per round, as it says; 0: unknown
        Round call_at = 0;                            // not before
        Round linked = 0;                             // when its link came up
        float vision = 0;
        float distance = 0;
        float approach = 0;                  // so much closer a round, lately
        std::uint16_t usual_gap = kGapUnit;  // between two words of it, in sixteenths of a round
        std::uint8_t answer_delay = 0;       // rounds, of its last answer
        std::uint8_t answers_due = 0;        // so many suggestions of it are wanted
        std::uint8_t calls = 0;              // since its last word
        std::uint8_t vain = 0;               // charges for whom it named in vain, less those who answered
        Round distrusted_until = 0;          // whom it names is not heeded before
        std::uint8_t told = 0;               // how often we told it how far we see, over this link
        std::uint8_t sector = 0;
        Role role = Role::none;
        bool placed = false;    // we know where it is
        bool seen = false;      // or where it once was
        bool proven = false;    // a word came over this link
        bool known = false;     // or over a former one: no mere hearsay
        bool doubted = false;   // silent for longer than usual
        bool parting = false;   // was near until this round
        bool met = false;       // it was asked once over this link, whatever it is to us
        bool lost = false;      // its link timed out while it mattered
        bool called = false;    // where it is said to be, since its last word
        bool suggests = false;  // it answered a request over this link
    };
    /// An update that came in since the last round, with the list of those who have it.
    struct Heard {
        Contact origin;
        Vec3 position;
        float vision = 0;
        SessionInstant when{};
        PeerId from;
        std::uint8_t hops = 0;
        bool partial = false;                  // others get it in a later round: help is welcome, no more
        std::vector<std::uint32_t> receivers;  // ascending
        std::vector<std::uint8_t> state;       // as its owner wrote it; empty: it came from its owner
        std::size_t state_bits = 0;
        std::vector<std::uint8_t> header;  // as it is passed on; empty: not yet written
        std::size_t header_bits = 0;
        [[nodiscard]] std::size_t heap_bytes() const {
            return receivers.capacity() * sizeof(std::uint32_t) + state.capacity() + header.capacity();
        }
    };
    struct Asked {
        LinkNumber link = 0;
        SensorRequest request;
    };
    /// An address that others named to us, and that was called without an answer yet. Whatever ids are said
    /// to be there, it is called a few times only.
    struct Tried {
        Address address;
        Round next = 0;  // not before
        std::uint8_t calls = 0;
    };
    /// Of somebody forgotten, for when it comes again: what it said before is not new, and whom it named in
    /// vain stays its doing.
    struct Former {
        PeerId id;
        SessionInstant when = SessionInstant::min();
        std::uint32_t number = 0;
        Round distrusted_until = 0;
        std::uint8_t vain = 0;
    };
    struct Forwarding {
        std::uint16_t heard = 0;
        std::uint32_t name = 0;  // of the receiver
    };

    // --- psense.cpp ---
    [[nodiscard]] Node* find(const PeerId& id);
    [[nodiscard]] Node* find(LinkNumber link);
    [[nodiscard]] const Node* find(LinkNumber link) const;
    void place(Node& node, const Vec3& position);
    void measure_way(Node& node) const;
    [[nodiscard]] float reach(const Node& node) const;
    [[nodiscard]] float believable(float vision) const;
    [[nodiscard]] bool read_request(Node& from, BitReader& in);
    [[nodiscard]] bool read_suggestion(Node& from, BitReader& in);
    [[nodiscard]] bool read_receivers(Node& from, BitReader& in);
    [[nodiscard]] bool came_from_afar(const Vec3& last_place, const Node& origin) const;
    [[nodiscard]] std::optional<PeerId> take_help(std::uint16_t name, const PassedOn& update);
    [[nodiscard]] bool is_news(Node& origin, const Sighting& where);
    void note(const Heard& heard);

    // --- psense_watch.cpp ---
    Node* remember(const Contact& contact);
    Node* hear_of(const Contact& contact, const Node& introducer, std::uint8_t charge);
    [[nodiscard]] bool heeds(const Node& introducer) const;
    [[nodiscard]] Tried* tried(const Address& address);
    template <class Which>
    void forget_if(const Which& which) {
        for (const Node& node : nodes_) {
            if (which(node)) note_forgotten(node);
        }
        if (std::erase_if(nodes_, which) != 0) index_links();
    }
    void note_forgotten(const Node& node);
    [[nodiscard]] bool in_vain(const Node& node);
    [[nodiscard]] bool barred(const Node& node);
    void blame(const Node& named);
    void praise(const Node& named);
    [[nodiscard]] bool may_try(const Address& address);
    void spoke(Node& node);
    void answered(Node& node);
    void watch();
    [[nodiscard]] bool falls_silent(const Node& node) const;
    void be_wary();
    [[nodiscard]] bool wary() const { return round_ < wary_until_; }
    void walk(const Node& suggested);
    [[nodiscard]] Round stale_after(const Node& node) const;
    void forget_stale();
    void forget_surplus();
    void index_links();

    // --- psense_lists.cpp ---
    [[nodiscard]] Round ask_interval() const;
    [[nodiscard]] bool usable(const Node& node) const;
    void choose_roles();
    void choose_sensors();
    void choose_lost_contacts();
    void call(OverlayActions& actions);
    void call_contacts(OverlayActions& actions);
    bool call(Node& node, OverlayActions& actions);

    // --- psense_sensors.cpp ---
    [[nodiscard]] bool due(unsigned sector) const;
    void ask_sensors(OverlayActions& actions);
    void ask_somebody(Round turn, OverlayActions& actions);
    [[nodiscard]] bool young() const;
    void ask(Node& node, unsigned sector, OverlayActions& actions);
    [[nodiscard]] std::array<Node*, kMaxSectors> find_watchers();
    [[nodiscard]] Node* whom_else_to_ask(unsigned sector);
    [[nodiscard]] unsigned blind_sector() const;
    void answer(OverlayActions& actions);
    [[nodiscard]] SensorSuggestion suggest(const Node& to, const SensorRequest& request) const;

    // --- psense_send.cpp ---
    void offer_own(std::span<const News> news, std::vector<Candidate>& out);
    void offer_forwards(std::vector<Candidate>& out);
    void offer_forward(std::size_t heard, const Node& to, std::vector<Candidate>& out);
    [[nodiscard]] bool leads_on(const Node& node) const;
    void find_listeners();
    [[nodiscard]] static bool has(const Node& node, const Heard& heard);
    [[nodiscard]] const Node* closest_to(const Heard& heard) const;
    void send_lists(std::span<const LinkNumber> own, OverlayActions& actions);
    void name_receivers();
    void write_list(std::span<const std::uint32_t> names, bool partial);
    static void write_header(Heard& heard);
    [[nodiscard]] LinkNumber closest_rich(std::span<const LinkNumber> own) const;
    void send_forward(Heard& heard, LinkNumber to, OverlayActions& actions);

    PSense options_;
    const World& world_;
    PeerId self_;
    RandomStream choice_;
    Sectors sectors_;
    Round round_ = 1;
    Round interval_ = 1;            // between two words to a sensor node, at present
    std::size_t upload_bytes_ = 0;  // per round
    Round wary_since_ = 0;
    Round wary_until_ = 0;
    float walked_to_ = 0;                    // while wary: how close the closest suggested one was
    std::uint16_t answer_delay_ = kGapUnit;  // a mean over all, in sixteenths of a round
    Vec3 position_;
    bool placed_ = false;
    std::vector<Node> nodes_;
    std::vector<std::uint16_t> by_link_;  // index into nodes_
    std::vector<PeerId> sensors_;         // by sector; zero: none
    Recycled<Heard> heard_;
    Heard incoming_;  // scratch
    std::vector<Asked> asked_;
    std::vector<Forwarding> forwardings_;
    std::vector<std::uint32_t> receivers_;      // of this round's update, or lately
    std::vector<std::uint32_t> receivers_now_;  // of this round's update
    std::vector<std::uint16_t> order_;          // scratch
    std::vector<LinkNumber> own_receivers_;     // scratch
    std::vector<std::uint8_t> list_;            // scratch: receivers, as they are sent
    std::uint32_t last_number_ = 0;
    std::array<Tried, 64> tried_{};  // the last ones
    std::size_t next_tried_ = 0;
    std::array<Former, 32> former_{};  // the last ones
    std::size_t next_former_ = 0;
    std::size_t own_offered_ = 0;         // in this round
    std::size_t sensor_paper_bytes_ = 0;  // of this round
    std::uint64_t paper_bytes_ = 0;
    std::uint64_t paper_bytes_in_ = 0;
    std::uint64_t forwarded_ = 0;
    std::uint64_t forward_duplicates_ = 0;
};

}  // namespace fray
