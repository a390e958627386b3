#pragma once
// Who is around me? An overlay decides whom to be linked with and who may get which update. It sees peers,
// links and positions, never sockets, sequence numbers or bytes of updates.

#include <fray/bits.hpp>
#include <fray/event.hpp>
#include <fray/geometry.hpp>
#include <fray/ids.hpp>
#include <fray/time.hpp>

#include "core/candidate.hpp"

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
    };
    std::vector<Contact> calls;  ///< say hello to these
    std::vector<Message> messages;
    void clear() {
        calls.clear();
        messages.clear();
    }
};

class Overlay {
public:
    virtual ~Overlay() = default;

    /// How many more peers may be linked with us.
    [[nodiscard]] virtual std::size_t room() const = 0;
    virtual void handle_link_up(Instant now, LinkNumber link, const Contact& contact, bool newcomer) = 0;
    virtual void handle_link_down(Instant now, LinkNumber link, const Contact& contact, Reason reason) = 0;
    /// A message of another peer's overlay; false: malformed.
    [[nodiscard]] virtual bool handle_message(Instant now, LinkNumber link, BitReader& in) = 0;
    /// Once per frame: calls and messages that are due.
    virtual void round(Instant now, OverlayActions& actions) = 0;
    /// Who may get this frame's news.
    virtual void candidates(std::span<const News> news, std::vector<Candidate>& out) const = 0;
    /// Forgets everybody: this peer left.
    virtual void reset() = 0;
    [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace fray
