#pragma once
// All peers that a crowd overlay has heard of, in rows. The first bits of a peer's name are its row; the
// number of rows is a power of two near the square root of the number of peers.
//
// A peer stays on the roster while something is heard of it, through whomever. Introductions say how long ago
// that was, so a peer that is gone is forgotten everywhere soon, however often it is still mentioned.

#include <fray/ids.hpp>
#include <fray/time.hpp>

#include "core/contact.hpp"
#include "core/per_link.hpp"
#include "overlay/crowd_messages.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray {

struct KnownPeer {
    PeerId id;
    Address address;
    std::uint32_t name = 0;
    LinkNumber link = kNoLink;        ///< if it is up
    LinkNumber introducer = kNoLink;  ///< the first one, if its link is still up
    bool is_confirmed = false;        ///< another peer has mentioned it as well, or it was linked
    std::uint8_t weight = 1;
    std::uint8_t fan_out = 0;
    bool told = false;  ///< the session was told to know it
    bool was_linked = false;
    std::uint8_t calls = 0;  ///< in a row without a link
    Instant heard{};         ///< when it was certainly there
    Instant next_call{};
    Instant called_until = Instant::min();      ///< the handshake repeats the call until then
    Instant wanted_until = Instant::min();      ///< the policy wants a link
    Instant avoided_until = Instant::min();     ///< it did not relay its row when we asked it to, ...
    Instant no_streams_until = Instant::min();  ///< ... or every update of a peer
};

class CrowdRoster {
public:
    static constexpr Duration kForgetAfter{10s};  ///< without a sign of it
    static constexpr Duration kIntroduceFor{5s};  ///< since the last sign of it
    static constexpr std::size_t kShareOfOne =
        4;  ///< unconfirmed peers of one introducer fill at most 1/4 ...
    static constexpr std::size_t kShareOfAll = 2;  ///< ... and all of them 1/2 of the roster

    CrowdRoster(std::uint32_t own_name, std::size_t most) : own_name_{own_name}, most_{most} {}

    [[nodiscard]] std::span<KnownPeer> all() { return peers_; }
    [[nodiscard]] std::span<const KnownPeer> all() const { return peers_; }
    [[nodiscard]] KnownPeer* find(std::uint32_t name);
    [[nodiscard]] const KnownPeer* find(std::uint32_t name) const;
    /// Adds a peer, or returns the known one; nullptr: it is ourselves, or there is no room.
    KnownPeer* add(Instant now, const PeerId& id, const Address& address, LinkNumber introducer);
    /// Takes over an introduction. Returns whether the peer was unknown.
    bool hear_of(Instant now, const CrowdIntroduction& introduction, LinkNumber introducer);
    void remove(std::uint32_t name);
    /// Forgets peers without a sign of life, and appends those that the session knows to `told`.
    void expire(Instant now, std::vector<PeerId>& told, std::vector<Contact>& lost);
    /// The number of a link is free again.
    void forget_introducer(LinkNumber link);
    void clear();

    /// Follows the number of known peers, with hysteresis.
    void choose_rows();
    [[nodiscard]] unsigned row_bits() const { return row_bits_; }
    [[nodiscard]] std::size_t rows() const { return std::size_t{1} << row_bits_; }
    [[nodiscard]] std::uint32_t row_of(std::uint32_t name) const { return prefix(name, row_bits_); }
    [[nodiscard]] bool in_own_row(std::uint32_t name) const { return row_of(name) == row_of(own_name_); }
    /// The peers of this row.
    [[nodiscard]] std::span<KnownPeer> row(std::uint32_t row) { return slice(row_bits_, row); }
    /// The peers whose names begin with these bits.
    [[nodiscard]] std::span<KnownPeer> slice(unsigned bits, std::uint32_t first);

    /// The same for all peers that know the same ones, each other included.
    [[nodiscard]] std::uint32_t digest() const;
    [[nodiscard]] static std::uint32_t prefix(std::uint32_t name, unsigned bits) {
        return bits == 0 ? 0 : name >> (32U - bits);
    }
    [[nodiscard]] std::size_t heap_bytes() const { return peers_.capacity() * sizeof(KnownPeer); }

private:
    [[nodiscard]] bool has_room(LinkNumber introducer) const;

    std::uint32_t own_name_;
    std::size_t most_;
    unsigned row_bits_ = 0;
    std::vector<KnownPeer> peers_;  // ordered by name
};

}  // namespace fray
