#pragma once
// Every peer is linked with every other.
//
// The peer that a newcomer joins through introduces it to some others. The newcomer asks each peer that
// becomes linked with it for more: it sends the names of all peers it knows, and gets introductions of
// others. So introductions are spread over all members. Two peers that missed each other (two newcomers at
// once, a healed partition) find each other by digests: once a second a peer sends the digest of its list to
// one other; if the lists differ, they are compared by name. Lost peers are called again, with back-off,
// until they are forgotten.

#include <fray/options.hpp>
#include <fray/random.hpp>

#include "overlay/introduction.hpp"
#include "overlay/overlay.hpp"

#include <algorithm>
#include <vector>

namespace fray {

class FullMeshOverlay final : public Overlay {
public:
    FullMeshOverlay(const FullMesh& options, const World& world, PeerId self, Seed seed);

    [[nodiscard]] std::size_t room() const override {
        return options_.most_peers - std::min<std::size_t>(options_.most_peers, linked_.size());
    }
    void handle_link_up(Instant now, const LinkUp& link) override;
    void handle_link_down(Instant now, const LinkDown& link) override;
    void handle_sighting(Instant now, LinkNumber link, const Sighting& sighting) override;
    void forget_link(LinkNumber link) override { positions_.erase(link); }
    [[nodiscard]] Receipt handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) override;
    void round(Instant now, const std::optional<Vec3>& self, std::size_t bytes,
               OverlayActions& actions) override;
    void candidates(std::span<const News> news, std::vector<Candidate>& out) override;
    void reset() override;
    [[nodiscard]] std::size_t memory_bytes() const override;

private:
    struct Linked {
        LinkNumber link = 0;
        Contact contact;
        std::uint32_t name = 0;
        Instant answered{};                       // when we last answered its names or its digest
        bool asked = false;                       // we have sent it our names since the link came up
        std::uint8_t introductions_due = 1;       // messages; a newcomer gets the first one unasked
        bool owes_known = false;                  // its list differs from ours: send it our names
        bool owes_answer = false;                 // it sent its names: introduce what it lacks, even nobody
        std::vector<Introduction> introductions;  // to send to it
    };
    struct Missed {       // known, but not linked
        Contact contact;  // has no id if it was introduced: any peer at that address
        std::uint32_t name = 0;
        Instant since;
        Instant next_call;
        Duration wait{};
        LinkNumber introducer = kNoLink;  // that link may still be up
        bool is_confirmed = false;        // was linked with us
        std::uint8_t calls = 0;
        Instant called_until = Instant::min();  // the handshake repeats the call until then
    };

    [[nodiscard]] Linked* find(LinkNumber link);
    [[nodiscard]] float distance(LinkNumber link, const Vec3& from) const;
    [[nodiscard]] std::uint32_t digest() const;
    /// A contact that was introduced over this link, or one that was linked with us (kNoLink). Returns
    /// whether it was unknown and is known now.
    bool hear_of(Instant now, const Contact& contact, std::uint32_t name, LinkNumber introducer);
    [[nodiscard]] bool has_room_for(const Contact& contact, LinkNumber introducer) const;
    /// Sends our names, which the other side may answer by introductions.
    std::size_t send_known(Linked& to, OverlayActions& actions);
    void compare(Instant now, Linked& from);
    void introduce(Linked& to, std::size_t most, const std::vector<std::uint32_t>& known, std::uint8_t salt);
    void take_introductions(Instant now, Linked& from);
    /// Whether we are linked with everybody we have heard of, and a linked peer knows nobody else.
    [[nodiscard]] bool knows_all(Instant now) const;
    void call_missed(Instant now, OverlayActions& actions);
    /// Whether this contact may be called now: limits in all, per introducer and per address.
    [[nodiscard]] bool may_call(const Missed& contact) const;
    void ask(Instant now, OverlayActions& actions);
    void list_known();
    /// Sends message_. Returns its size in bytes.
    std::size_t send(LinkNumber link, OverlayActions& actions);

    FullMesh options_;
    const World& world_;
    PeerId self_;
    std::uint32_t name_;
    RandomStream choice_;
    std::vector<Linked> linked_;              // ordered by peer id
    std::vector<Missed> missed_;              // ordered by name
    float sight_;                             // units: half the diagonal of the world
    PerLink<std::optional<Vec3>> positions_;  // from sightings
    // Local clocks may be below zero.
    Instant next_ask_ = Instant::min();
    Instant ask_again_ = Instant::min();   // when a peer may be asked a second time
    Instant settled_at_ = Instant::min();  // lists change until then: names are sent instead of digests
    bool heard_all_ = false;               // a peer had nobody to introduce that we did not know
    MeshMessage message_;                  // scratch
    std::vector<const Missed*> called_;    // scratch: contacts that are being called and never answered
};

}  // namespace fray
