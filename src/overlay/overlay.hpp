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
#include "core/recycled.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// Enough to call a peer.
struct Contact {
    PeerId id;
    Incarnation incarnation{};
    Address address;
};

/// An entity of ours that has news this frame.
struct News {
    std::uint16_t primary = 0;  ///< index among our primaries
    Vec3 position;
    std::uint16_t bytes = 0;  ///< what its update will take, about
};

/// What an overlay wants done; the session does it.
struct OverlayActions {
    struct Message {
        LinkNumber link = 0;
        std::vector<std::uint8_t> bytes;
        bool reliable = false;
        bool passing = false;  ///< of no use in a later frame
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

/// Where a peer is, as the newest of its states says.
struct Sighting {
    Vec3 position;
    SessionInstant when;
};

/// A state of somebody's first entity that came through others.
struct PassedOn {
    Sighting where;
    std::span<const std::uint8_t> state;  ///< stamp and state as the owner wrote them
    std::size_t state_bits = 0;
    bool timely = true;  ///< else its stamp is of long ago or of the future: to be read, and of no use
};

class Overlay {
public:
    virtual ~Overlay() = default;

    /// How many more peers may be linked with us.
    [[nodiscard]] virtual std::size_t room() const = 0;
    virtual void handle_link_up(Instant now, LinkNumber link, const Contact& contact, bool newcomer) = 0;
    virtual void handle_link_down(Instant now, LinkNumber link, const Contact& contact, Reason reason) = 0;
    /// Anything came over this link: the other one is there.
    virtual void handle_word(Instant, LinkNumber) {}
    /// A message of another peer's overlay; false: malformed.
    [[nodiscard]] virtual bool handle_message(Instant now, LinkNumber link, BitReader& in) = 0;
    /// A linked peer told where it is.
    virtual void handle_sighting(Instant, LinkNumber, const Sighting&) {}
    /// A state that was passed on to us: reads the header, and says whose it is where we want it.
    [[nodiscard]] virtual std::optional<PeerId> handle_forward(Instant, LinkNumber, BitReader& header,
                                                               const PassedOn&) {
        header.fail();  // nobody asked
        return std::nullopt;
    }
    /// Once per frame: calls and messages that are due. `self`: where we are, where we have an entity;
    /// `bytes`: what the upload carries in a frame.
    virtual void round(Instant now, const std::optional<Vec3>& self, std::size_t bytes,
                       OverlayActions& actions) = 0;
    /// Who may get this frame's news, and what else could be sent.
    virtual void candidates(std::span<const News> news, std::vector<Candidate>& out) = 0;
    /// Instead of the upload: what the chosen candidates may take, in the bytes they name.
    [[nodiscard]] virtual std::optional<std::size_t> own_budget() const { return std::nullopt; }
    /// These were chosen: what goes with them.
    virtual void dispatch(Instant, std::span<const Candidate>, OverlayActions&) {}
    /// The link is kept alive also while there is nothing to say.
    [[nodiscard]] virtual bool keeps(LinkNumber) const { return true; }
    [[nodiscard]] virtual PSenseStats stats() const { return {}; }
    /// The session's clock was set: what was stamped before is of another time.
    virtual void forget_stamps() {}
    /// Forgets everybody: this peer left.
    virtual void reset() = 0;
    [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace fray
