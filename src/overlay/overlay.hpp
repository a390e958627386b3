#pragma once
// Who is around me? An overlay decides whom to be linked with and who may get which update. It sees peers,
// links and positions, never sockets, sequence numbers or bytes of updates.

#include <fray/bits.hpp>
#include <fray/event.hpp>
#include <fray/geometry.hpp>
#include <fray/ids.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "core/candidate.hpp"
#include "core/contact.hpp"
#include "core/part.hpp"
#include "core/recycled.hpp"
#include "core/sighting.hpp"
#include "wire/relayed_state.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// What an overlay wants done; the session does it.
struct OverlayActions {
    struct Message {
        LinkNumber link = 0;
        std::vector<std::uint8_t> bytes;
        bool reliable = false;
        bool this_frame_only = false;  ///< useless in a later frame
    };
    /// Another peer's state, passed on before a header of the overlay's.
    struct Forward {
        LinkNumber to = 0;
        PeerId origin;
        std::vector<std::uint8_t>
            state;  ///< as PassedOn had it; empty: the newest we have from the origin itself
        std::size_t state_bits = 0;
        std::vector<std::uint8_t> header;
        std::size_t header_bits = 0;
    };
    std::vector<Contact> calls;  ///< say hello to these
    Recycled<Message> messages;
    Recycled<Forward> forwards;
    void clear() {
        calls.clear();
        messages.clear();
        forwards.clear();
    }
    [[nodiscard]] std::size_t memory_bytes() const {
        std::size_t sum = calls.capacity() * sizeof(Contact) + messages.all().capacity() * sizeof(Message) +
                          forwards.all().capacity() * sizeof(Forward);
        for (const Message& m : messages.all()) sum += m.bytes.capacity();
        for (const Forward& f : forwards.all()) sum += f.state.capacity() + f.header.capacity();
        return sum;
    }
};

class Overlay : public Part, public SightingObserver, public RelayRoute {
public:
    /// Whether peers pass each other's states on in this overlay.
    [[nodiscard]] bool relays() const { return relays_; }
    /// How many more peers may be linked with us.
    [[nodiscard]] virtual std::size_t room() const = 0;
    /// Anything came over this link: the other side is there.
    virtual void handle_alive(Instant, LinkNumber) {}
    /// Whether it needs to know where peers are, whatever the policy needs. Otherwise sightings are computed
    /// only for a policy that judges by distance.
    [[nodiscard]] virtual bool wants_sightings() const { return relays_; }
    [[nodiscard]] std::optional<PeerId> handle_forward(Instant, LinkNumber, BitReader& header,
                                                       const PassedOn&) override {
        header.fail();  // this overlay relays nothing
        return std::nullopt;
    }
    /// Once per frame: calls and messages that are due. `self`: where we are, where we have an entity;
    /// `bytes`: what the upload carries in a frame.
    virtual void round(Instant now, const std::optional<Vec3>& self, std::size_t bytes,
                       OverlayActions& actions) = 0;
    /// Which peers may get this frame's news, how far away they are, and what else could be sent.
    virtual void candidates(std::span<const News> news, std::vector<Candidate>& out) = 0;
    /// Instead of the upload: what the chosen candidates may take, in the bytes they name.
    [[nodiscard]] virtual std::optional<std::size_t> own_budget() const { return std::nullopt; }
    /// These were chosen: what goes with them.
    virtual void dispatch(Instant, std::span<const Candidate>, OverlayActions&) {}
    /// The link is kept alive also while there is nothing to send.
    [[nodiscard]] virtual bool keeps(LinkNumber) const { return true; }
    [[nodiscard]] virtual PSenseStats stats() const { return {}; }

    [[nodiscard]] std::span<const MessageKind> kinds() const final {
        static constexpr std::array kKinds{MessageKind::overlay};
        return kKinds;
    }

protected:
    explicit Overlay(bool relays) : relays_{relays} {}

private:
    bool relays_;
};

}  // namespace fray
